"""What the tests of Garçon share: variants to test, styles of play."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from garcon_env import GAME, PRESETS, Config
from garcon_env.cards import EVENT_NAMES, dishes_of
from tests import playing as shared
from tests.playing import draw_actions, weights
from waiter_envs.core.tables import Tables

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

SINGLE = (
    "lemonade",
    "coffee + soup",
    "coffee + salad + fruit tart",
    "coffee + tea + sandwich + croissant",
    "coffee + lemonade + soup + omelette + pancakes",
)
ALIKE = Config(
    orders=[(1, "coffee")] * 14
    + [(1, "tea")] * 35
    + [(len(order.split(" + ")), order.split(" + ")) for order in SINGLE]
)
"""A deck with many equal orders, as large as the shipped one."""

STYLES = {
    "random": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "collecting": (3.0, 0.1, 1.0, 1.0, 1.0, 2.0, 0.2),
}
"""How often one action of each block is played: evenly; with many open orders."""


@functools.cache
def naming(config: Config, face: int) -> npt.NDArray[np.float64]:
    """Return 1 for each action that names a dish of a face, `(actions,)`."""
    right = np.zeros(GAME.num_actions(config))
    start = next(block.start for block in GAME.action_blocks(config) if block.name == "name")
    right[[start + dish for dish in dishes_of(face)]] = 1
    return right


def styled_actions(
    dealt: Tables, rng: np.random.Generator, style: str = "random"
) -> npt.NDArray[np.int32]:
    """Return a legal action for each table, at random, but in a style.

    Most dishes are named right, so that orders are completed.
    """
    weight = dealt.action_mask * weights(GAME.name, dealt.config, STYLES[style])
    for i, table in enumerate(dealt.state):
        if table["named"] >= 0 and rng.random() < 0.8:
            order = table["order"][table["current_player"], table["named"]]
            good = weight[i] * naming(dealt.config, int(table["face"][order]))
            if good.any():
                weight[i] = good
    return draw_actions(weight, rng)


# -- Lists of legal actions --------------------------------------------------------------------

legal_actions = functools.partial(shared.legal_actions, 3)


# -- Studies -----------------------------------------------------------------------------------

seated = functools.partial(shared.seated, GAME)
play = shared.play


def named(dishes: str) -> list[str]:
    """Return the actions that name dishes, given in their order with ` + ` between."""
    return [f"name {dish}" for dish in dishes.split(" + ")]


def waiter(
    *opened: str, completed: Sequence[str] = (), last: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return a player with open and completed orders, for `study`.

    Args:
        *opened: like `soup + salad`, then `*2` for a Repeat and `*n` for a Notebook, oldest
            first; each is as old as it must be at least, one without events 0 if the youngest.
        completed: likewise.
        last: what it did in its last turn; `None`: what its orders allow.
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
            With a clock that has moved on, the orders that were taken and are nowhere else are
            in the discards.
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

    first_player = changes.get("first_player", 0)
    many = changes.get("order_pile") == []  # all have been taken at least once
    turns = changes.get("turns_done", (30 if many else 10) * config.players)
    entries: list[dict[str, Any]] = []
    for player in [*players, *([waiter()] * (config.players - len(players)))]:
        opened, completed, total = [], [], 0
        last = player["last"]
        age = -1 if last is None or last["did"] == "take" else 0
        for text in reversed(player["open"]):
            face, repeat, notebook = take(text)
            events["notebook"] -= notebook
            age += 1 + repeat + notebook
            symbols = [deck.symbols[deck.symbol_of[deck.dishes.index(dish)]] for dish in face]
            order = {"face": face, "back": symbols, "repeat": repeat, "notebook": notebook}
            opened.insert(0, {**order, "age": age})
        for text in player["completed"]:
            face, repeat, _ = take(text)
            completed.append({"face": face, "repeat": repeat})
            bits = sum(1 << deck.dishes.index(dish) for dish in face)
            total += points[bits] * (1 + repeat)
        entry = {"open": opened, "completed": completed, "points": total, "last": last}
        if last is None and turns > (len(entries) - first_player) % config.players:
            entry["last"] = _last_turn(config, opened, total)
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
    taken = len(discards) + sum(len(one["open"]) + len(one["completed"]) for one in entries)
    clock = changes.pop("clock", min(taken, config.num_clock_places)) if config.clock else None
    if clock is not None and len(deck.faces) - 5 >= config.num_clock_places + config.players:
        discards, rest = discards + rest[: clock - taken], rest[max(0, clock - taken) :]
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
        "clock": clock,
        "phase": "turn",
        "to_act": 0,
        "first_player": 0,
        "turns_done": turns,
        "final_round": False,
        "winner": None,
        "truncated": False,
    }
    return {**position, **changes}


def _last_turn(config: Config, opened: list[dict[str, Any]], points: int) -> dict[str, Any]:
    """Return what a player with these open orders and points may have done last."""
    did = "leave" if config.event_counts[2] else "pass"
    if not config.clock and points >= (config.target if config.event_counts[2] else 1):
        did = "complete"
    if opened and opened[-1]["age"] == 0:
        return {"did": "take", "slot": 0, "face": opened[-1]["face"]}
    if opened:
        did = "notebook" if opened[-1]["notebook"] else "repeat"
    return {"did": did, "slot": None, "face": None}


def feature(dealt: Tables, viewer: int, name: str) -> list[int]:
    """Return what a player sees at the only table, of one field of the observation."""
    field = next(f for f in GAME.observation_fields(dealt.config) if f.name == name)
    return dealt.observe(viewer)[0, field.start : field.start + field.size].tolist()


def shown_faces(dealt: Tables, viewer: int) -> list[list[str]]:
    """Return the faces of its open orders that a player sees at the only table, or [] each."""
    dishes = dealt.config.deck.dishes
    cells = np.reshape(feature(dealt, viewer, "faces"), (-1, len(dishes)))
    count = int(dealt.state[0]["num_open"][viewer])
    assert not cells[count:].any()
    return [[dishes[dish] for dish in np.flatnonzero(row)] for row in cells[:count]]


def _names(config: Config, face: int) -> list[str]:
    return [config.deck.dishes[dish] for dish in dishes_of(face)]


# -- Junk ---------------------------------------------------------------------------------------


def nested(depth: int = 5000) -> list[Any]:
    """Return a list in a list in a list and so on."""
    outer: list[Any] = []
    for _ in range(depth):
        outer = [outer]
    return outer


JUNK = (
    None, True, False, -1, 7, 2**31, 10**8, 2**70, -(2**70), 1.5, float("nan"), "1", "", "take ٣",
    b"tea", [], [None], ["tea"], nested(), {}, {"face": ["tea"]}, {1: 2}, np.float32(1.0),
    np.array([1, 2]), np.array(["tea"]), np.zeros(1, "i4,i4")[0], Config(), object(), {"tea"},
)  # fmt: skip
"""What no entry of a position and no field of a variant should be, for the most part."""
