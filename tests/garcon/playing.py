"""What the tests of Garçon share: variants to test, styles of play."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from garcon_env import GAME, PRESETS, Config, tables
from garcon_env.cards import EVENT_NAMES
from waiter_envs.tables import Tables

SMALL_MENU = [("water", "glass"), ("wine", "glass"), ("rice", "bowl"), ("stew", "bowl")]
SMALL_ORDERS = [
    (3, "wine"),
    (3, "wine"),
    (1, "rice;stew"),
    (7, "water;stew"),
    (2, "rice"),
    (300, "water;wine;rice"),
]

VARIANTS: dict[str, Config] = {
    **PRESETS,
    "3_players": Config(players=3),
    "5_players_any": Config(players=5, complete="any", reward="points"),
    "5_players_clock": Config(players=5, clock=True, complete="any", recall=2, reward="points"),
    "10_players": Config(players=10, recall=1),
    "10_players_clock": Config(players=10, clock=True, clock_places=52),
    "fresh": Config(orders="fresh", recall=None, complete="any", first_player=2),
    "small_deck": Config(players=3, orders=SMALL_ORDERS, menu=SMALL_MENU, target=40),
    "small_deck_clock": Config(players=3, orders=SMALL_ORDERS, menu=SMALL_MENU, clock=True),
    "cut_clock": Config(players=3, clock=True, clock_places=200, max_turns=90),
    "two_open": Config(players=4, max_open_orders=2, target=20, max_turns=60),
    "no_events": Config(events={}, max_turns=40, reward="points"),
}
"""All presets, and variants that add what no preset has."""

_BLOCKS = ("take", "complete", "done", "name", "repeat", "notebook", "leave")

STYLES = {
    "random": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "collecting": (3.0, 0.1, 1.0, 1.0, 1.0, 2.0, 0.2),
}
"""How often one action of each block is played: evenly; with many open orders."""


@functools.cache
def weights(config: Config, style: str) -> npt.NDArray[np.float64]:
    """Return how often each action is played in a style, `(actions,)`."""
    of_block = dict(zip(_BLOCKS, STYLES[style], strict=True))
    return np.concatenate(
        [np.full(block.size, of_block[block.name]) for block in GAME.action_blocks(config)]
    )


@functools.cache
def naming(config: Config, face: int) -> npt.NDArray[np.float64]:
    """Return 1 for each action that names a dish of a face, `(actions,)`."""
    right = np.zeros(GAME.num_actions(config))
    start = next(block.start for block in GAME.action_blocks(config) if block.name == "name")
    right[[start + dish for dish in config.deck.dishes_of(face)]] = 1
    return right


def styled_actions(
    dealt: Tables, rng: np.random.Generator, style: str = "random"
) -> npt.NDArray[np.int32]:
    """Return a legal action for each table, at random, but in a style.

    Most dishes are named right, so that orders are completed.
    """
    weight = dealt.action_mask * weights(dealt.config, style)
    for i, table in enumerate(dealt.state):
        if table["named"] >= 0 and rng.random() < 0.8:
            order = table["order"][table["current_player"], table["named"]]
            good = weight[i] * naming(dealt.config, int(table["face"][order]))
            if good.any():
                weight[i] = good
    totals = np.cumsum(weight, axis=1)
    draws = rng.random((dealt.num_tables, 1)) * totals[:, -1:]
    return (totals <= draws).sum(axis=1).astype(np.int32)


# -- Lists of legal actions --------------------------------------------------------------------

decode: Any = None  # the game's own functions, once `describe_all` is compiled with them
encode: Any = None


def describe_all(state: Any, actions: Any, encoded: Any, descriptions: Any) -> None:
    """Write each action's description, and what that is encoded as, at the only table."""
    for i in range(actions.shape[0]):
        description = decode(state[0], actions[i])
        encoded[i] = encode(state[0], description)
        for j in range(3):
            descriptions[i, j] = description[j]


def legal_actions(dealt: Tables) -> dict[str, int]:
    """Return the legal actions of the only table: text to index, in the order of the indices."""
    actions = np.flatnonzero(dealt.action_mask[0])
    encoded = np.empty_like(actions)
    descriptions = np.empty((len(actions), 3), np.int64)
    kernel = GAME.kernel(describe_all, dealt.state.dtype)
    kernel(dealt.state, actions, encoded, descriptions)
    assert np.array_equal(actions, encoded), "encode is the inverse of decode"
    table = dealt.state[0]
    texts = [GAME.describe(description, table) for description in descriptions.tolist()]
    assert len(set(texts)) == len(texts), "every action has a text of its own"
    return dict(zip(texts, actions.tolist(), strict=True))


# -- Studies -----------------------------------------------------------------------------------


def seated(config: Config, *positions: dict[str, Any]) -> Tables:
    """Return a table at each position; they stay as they are when the game ends."""
    dealt = tables(len(positions), 0, config=config, autoreset_mode="Disabled")
    dealt.state = np.array([GAME.position_from_dict(config, each) for each in positions])
    return dealt


def play(dealt: Tables, actions: Sequence[str] | str) -> dict[str, Any]:
    """Play actions, given by their texts, at the only table; return the position after them."""
    for text in [actions] if isinstance(actions, str) else actions:
        dealt.step([GAME.text_to_action(dealt.state[0], text)])
    return GAME.position_to_dict(dealt.state[0])


def named(dishes: str) -> list[str]:
    """Return the actions that name dishes, given in their order with ` + ` between."""
    return [f"name {dish}" for dish in dishes.split(" + ")]


def waiter(
    *opened: str, completed: Sequence[str] = (), last: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return a player with open and completed orders, for `study`.

    Args:
        *opened: like `soup + salad`, then `*2` for a Repeat and `*n` for a Notebook, oldest
            first; the youngest has age 0.
        completed: likewise.
        last: what it did in its last turn.
    """
    return {"open": list(opened), "completed": list(completed), "last": last}


def study(config: Config, *players: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a position where player 0, who is the first, begins a turn.

    The table and the piles hold what the players have not: the five first orders, a Repeat and
    a Notebook, or what `market_orders` and `market_events` say. Points are what completed orders
    make. Players left out have nothing.

    Args:
        config: the variant.
        *players: what `waiter` returns, for each player.
        **changes: entries of the position that differ; `order_discards` and `event_discards` are
            taken from the piles, and with `order_pile=[]` all that is left is in the discards.
    """
    deck = config.deck
    rest = [_names(config, face) for face in deck.faces]
    points = dict(zip(deck.faces, deck.points, strict=True))
    events = Counter(dict(zip(EVENT_NAMES, config.event_counts, strict=True)))

    def take(text: str) -> tuple[list[str], bool, bool]:
        dishes, _, signs = text.partition("*")
        wanted = set(dishes.strip().split(" + "))
        face = next(face for face in rest if set(face) == wanted)
        rest.remove(face)
        events["repeat"] -= "2" in signs
        return face, "2" in signs, "n" in signs

    entries = []
    for player in [*players, *([waiter()] * (config.players - len(players)))]:
        opened, completed, total = [], [], 0
        for age, text in enumerate(reversed(player["open"])):
            face, repeat, notebook = take(text)
            events["notebook"] -= notebook
            symbols = [deck.symbols[deck.symbol_of[deck.dishes.index(dish)]] for dish in face]
            order = {"face": face, "back": symbols, "repeat": repeat, "notebook": notebook}
            opened.insert(0, {**order, "age": age})
        for text in player["completed"]:
            face, repeat, _ = take(text)
            completed.append({"face": face, "repeat": repeat})
            bits = sum(1 << deck.dishes.index(dish) for dish in face)
            total += points[bits] * (1 + repeat)
        entry = {"open": opened, "completed": completed, "points": total, "last": player["last"]}
        entries.append(entry)

    def some_orders(name: str, default: list[Any]) -> list[Any]:
        texts = changes.pop(name, default)
        return [None if text is None else take(text)[0] for text in texts]

    discards = some_orders("order_discards", [])
    first = [" + ".join(face) for face in rest[:5]]
    market = some_orders("market_orders", [*first, *[None] * (5 - len(first))])
    market_events = changes.pop("market_events", ["repeat", "notebook"])
    events -= Counter(event for event in market_events if event)
    thrown = Counter(changes.pop("event_discards", {}))
    events -= thrown
    if changes.pop("order_pile", rest) == []:
        discards, rest = discards + rest, []
    position = {
        "market_orders": market,
        "market_events": market_events,
        "order_pile": rest,
        "order_discards": discards,
        "event_pile": {name: events[name] for name in EVENT_NAMES},
        "event_discards": {name: thrown[name] for name in EVENT_NAMES},
        "players": entries,
        "naming": None,
        "clock": 0 if config.clock else None,
        "phase": "turn",
        "to_act": 0,
        "first_player": 0,
        "turns_done": 10 * config.players,
        "final_round": False,
        "winner": None,
        "truncated": False,
    }
    return {**position, **changes}


def feature(dealt: Tables, viewer: int, name: str) -> list[int]:
    """Return what a player sees at the only table, of one field of the observation."""
    field = next(f for f in GAME.observation_fields(dealt.config) if f.name == name)
    return dealt.observe(viewer)[0, field.start : field.start + field.length].tolist()


def shown_faces(dealt: Tables, viewer: int) -> list[list[str]]:
    """Return the faces of its open orders that a player sees at the only table, or [] each."""
    dishes = dealt.config.deck.dishes
    cells = np.reshape(feature(dealt, viewer, "faces"), (-1, len(dishes)))
    count = int(dealt.state[0]["num_open"][viewer])
    assert not cells[count:].any()
    return [[dishes[dish] for dish in np.flatnonzero(row)] for row in cells[:count]]


def _names(config: Config, face: int) -> list[str]:
    return [config.deck.dishes[dish] for dish in config.deck.dishes_of(face)]
