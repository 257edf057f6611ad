"""What tests of positions share: many of them from play, made-up ones, the features by hand."""

from __future__ import annotations

import csv
import functools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import garcon_env
from garcon_env import GAME, Config, tables
from garcon_env.state import CHOOSING, NAMING, NONE, TURN
from tests import playing as shared
from waiter_envs.core.tables import Tables

Array = npt.NDArray[np.void]
Position = dict[str, Any]
Face = list[str]


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file that comes with the package."""
    with open(Path(garcon_env.__file__).parent / "data" / name, encoding="utf-8") as file:
        return list(csv.DictReader(file))


SYMBOLS = ["drink", "plate", "dessert"]
MENU = {row["dish"]: row["symbol"] for row in rows("menu.csv")}
DISHES = list(MENU)
ORDERS = [row["dishes"] for row in rows("orders.csv")]
EVENTS = {"repeat": 5, "notebook": 5, "leave": 4}
KINDS = ["take", "complete", "repeat", "notebook", "leave", "pass"]

PRINTED = {dishes: 1 + 37 * i % 300 for i, dishes in enumerate(sorted(ORDERS))}
"""Points of a deck of one's own, in which equal backs have different points."""

VARIANTS: dict[str, Config] = {
    "rulebook": Config(),
    "any": Config(complete="any", reward="points", recall=2, target=20),
    "clock": Config(clock=True, recall=1, reward="points"),
    "memory": Config(clock=True, orders="fresh", max_turns=90),
    "perfect": Config(recall=None, orders="fresh", complete="any"),
    "printed": Config(orders=[(PRINTED[dishes], dishes) for dishes in ORDERS], target=500),
    "3_players": Config(players=3, target=20, recall=2, first_player=1, max_turns=100),
    "10_players": Config(players=10, clock=True, clock_places=52),
}
"""All forms of every field, with as few kinds of records as that takes."""


# -- Positions from play -----------------------------------------------------------------------

TASTE = {
    "take": 3.0, "complete": 0.1, "done": 1.0, "name": 1.0, "repeat": 1.5, "notebook": 2.0,
    "leave": 0.2,
}  # fmt: skip
"""How often one action of each kind is played, so that many orders are open."""


def likely_actions(dealt: Tables, rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Return a random action for each table; of the dishes named, three in four are right.

    At a table that is over it is action 0.
    """
    blocks = {block.name: block for block in GAME.action_blocks(dealt.config)}
    taste = np.concatenate([np.full(b.size, TASTE[name]) for name, b in blocks.items()])
    weight = dealt.action_mask * taste
    state, row = dealt.state, np.arange(dealt.num_tables)
    order = state["order"][row, state["current_player"], state["named"]]
    face = state["face"][row, order].astype(np.int64)
    names = slice(blocks["name"].start, blocks["name"].start + blocks["name"].size)
    right = weight[:, names] * (face[:, None] >> np.arange(len(DISHES)) & 1)
    true = (state["phase"] == NAMING) & right.any(axis=1) & (rng.random(len(row)) < 0.75)
    weight[true, names] = right[true]
    totals = np.cumsum(weight, axis=1)
    drawn = (totals <= rng.random((len(row), 1)) * totals[:, -1:]).sum(axis=1)
    return np.where(dealt.action_mask.any(axis=1), drawn, 0).astype(np.int32)


@functools.cache
def positions(config: Config, seed: int, per_kind: int = 6) -> Array:
    """Return tables of every kind from play, each with two legal actions or over."""
    rng = np.random.default_rng(seed)
    dealt = tables(48, seed, config=config)
    seen, ended = [dealt.state.copy()], []
    for _ in range(260):
        dealt.step(likely_actions(dealt, rng))
        seen.append(dealt.state.copy())
        ended.append(dealt.final_state[dealt.terminated | dealt.truncated].copy())
    live, over = np.concatenate(seen), np.concatenate(ended)
    chosen = [rng.choice(over, min(per_kind, len(over)), False)]
    for name, kind in kinds(live).items():
        assert kind.any() or name in never(config), name
        chosen.append(rng.choice(live[kind], min(per_kind, kind.sum()), False))
    return np.concatenate(chosen)


def kinds(state: Array) -> dict[str, npt.NDArray[np.bool_]]:
    """Return which tables are of each kind; a table may be of several."""
    phase, naming = state["phase"], state["phase"] == NAMING
    acting = np.arange(len(state)), state["current_player"]
    notes = state["notebook"][acting].any(axis=1)
    return {
        "the first turn": state["turns_done"] == 0,
        "the first round": (state["turns_done"] > 0)
        & (state["turns_done"] < state["points"].shape[1]),
        "turn": phase == TURN,
        "turn with orders": (phase == TURN) & (state["num_open"][acting] > 1),
        "turn with a notebook": (phase == TURN) & notes,
        "turn with a repeat": (phase == TURN) & state["repeat"][acting].any(axis=1),
        "the first dish": naming & (state["said"] == 0),
        "a later dish": naming & (state["said"] != 0),
        "naming with a notebook": naming & notes,
        "choosing": phase == CHOOSING,
        "last round": state["final_round"] & ~in_showdown(state),
        "discards": state["order_discards"] > 3,
        "completed with a repeat": state["with_repeat"].any(axis=1),
        "doubly marked": ((state["repeat"] & state["notebook"]) == 1).any(axis=(1, 2)),
        "no pile": state["order_pile"] == 0,
        "no event": (state["market_event"] == NONE).any(axis=1),
    }


def in_showdown(state: Array) -> npt.NDArray[np.bool_]:
    """Return where the clock has run down, and all name their orders or have done so (GA-9)."""
    naming = (state["phase"] == NAMING) | (state["phase"] == CHOOSING)
    return state["has_clock"] & (naming | state["terminated"])


def never(config: Config) -> tuple[str, ...]:
    """Return the kinds that a variant hardly knows."""
    rare = ("no pile", "no event", "last round")
    return (*rare, "naming with a notebook", "discards") if config.clock else rare


seated = functools.partial(shared.seated, GAME)


# -- Made-up positions -------------------------------------------------------------------------


def face(dishes: str) -> Face:
    """Return a face from its dishes, separated by `;`."""
    return dishes.split(";") if dishes else []


def opened(dishes: str, age: int, repeat: bool = False, notebook: bool = False) -> Position:
    """Return an open order."""
    back = [MENU[dish] for dish in face(dishes)]
    marks = {"repeat": repeat, "notebook": notebook, "age": age}
    return {"face": face(dishes), "back": back, **marks}


def did(what: str, slot: int | None = None, dishes: str | None = None) -> Position:
    """Return what a player did in its last turn."""
    return {"did": what, "slot": slot, "face": None if dishes is None else face(dishes)}


def player(*orders: Position, completed: str = "", last: Position | None = None) -> Position:
    """Return what lies before a player.

    Args:
        *orders: open orders, oldest first.
        completed: completed orders, separated by blanks; those with a Repeat begin with `*`.
            Blanks within names of dishes are written `_`.
        last: what it did last; `None`: took its order of age 0, or made a client leave.
    """
    if last is None:
        last = did("leave")
        if orders and orders[-1]["age"] == 0:
            last = did("take", 0, ";".join(orders[-1]["face"]))
    done = [(name.lstrip("*").replace("_", " "), name[0] == "*") for name in completed.split()]
    return {
        "open": list(orders),
        "completed": [{"face": face(dishes), "repeat": repeat} for dishes, repeat in done],
        "points": sum(len(face(dishes)) * (1 + repeat) for dishes, repeat in done),
        "last": last,
    }


MARKET = ("tea", "lemonade;soup", "tea;soup;pancakes", "orange juice", "hot chocolate;steak")


def study(*players: Position, **changes: Any) -> Position:
    """Return a position in the middle of a game with the shipped deck: player 0 has a turn.

    What is nowhere else is in the piles.

    Args:
        *players: what `player` returns.
        **changes: entries of the position that differ.
    """
    position = {
        "market_orders": [face(dishes) for dishes in MARKET],
        "market_events": ["repeat", "leave"],
        "order_pile": [],
        "order_discards": [],
        "event_pile": {},
        "event_discards": {"repeat": 0, "notebook": 0, "leave": 0},
        "players": list(players),
        "naming": None,
        "clock": None,
        "phase": "turn",
        "to_act": 0,
        "first_player": 0,
        "turns_done": 10 * len(players),
        "final_round": False,
        "winner": None,
        "truncated": False,
        **changes,
    }
    laid = [order for order in position["market_orders"] if order is not None]
    events = Counter(event for event in position["market_events"] if event is not None)
    events += Counter(position["event_discards"])
    for one in players:
        laid += [order["face"] for order in (*one["open"], *one["completed"])]
        events["repeat"] += sum(o["repeat"] for o in (*one["open"], *one["completed"]))
        events["notebook"] += sum(order["notebook"] for order in one["open"])
    gone = Counter(";".join(order) for order in (*laid, *position["order_discards"]))
    if "order_pile" not in changes:
        position["order_pile"] = [face(dishes) for dishes in (Counter(ORDERS) - gone).elements()]
    if "event_pile" not in changes:
        position["event_pile"] = {name: EVENTS[name] - events[name] for name in EVENTS}
    return position


# -- The features by hand ----------------------------------------------------------------------


def counts_of(back: Face) -> tuple[int, ...]:
    """Return how many dishes of each symbol a back shows."""
    return tuple(back.count(symbol) for symbol in SYMBOLS)


def symbols_of(dishes: Face) -> Face:
    """Return the symbols of dishes."""
    return [MENU[dish] for dish in dishes]


BACKS = sorted(
    {counts_of(symbols_of(face(dishes))) for dishes in ORDERS}, key=lambda b: (sum(b), b)
)
ORDER_DIGITS, EVENT_DIGITS = 6, 4  # of 54 and 14


def points_of(config: Config, dishes: Face) -> int:
    """Return the points of an order."""
    return len(dishes) if isinstance(config.orders, str) else PRINTED[";".join(dishes)]


def shown(config: Config, order: Position) -> bool:
    """Return whether its owner is shown the face of an open order (GA-6, GA-8)."""
    return order["notebook"] or config.recall is None or order["age"] < config.recall


def observed(config: Config, position: Position, viewer: int) -> dict[str, list[int]]:
    """Return what every field of the observation must hold, from the position alone (GA-11)."""
    players, over = config.players, position["phase"] == "over"
    total = 2 * sum(points_of(config, face(dishes)) for dishes in ORDERS)
    most = max(points_of(config, face(dishes)) for dishes in ORDERS)
    last_turns = position["phase"] in ("naming", "choose") or position["winner"] is not None
    completed = [o["face"] for one in position["players"] for o in one["completed"]]
    naming = position["naming"]
    turns = max(0, config.turn_limit - position["turns_done"])
    features = {
        "naming": [position["phase"] == "naming"],
        "choosing": [position["phase"] == "choose"],
        "final_round": [position["final_round"]],
        "showdown": [config.clock and last_turns],
        "acting": one_of(players, None if over else (position["to_act"] - viewer) % players),
        "first_player": one_of(players, (position["first_player"] - viewer) % players),
        "turns_left": binary(config.turn_limit.bit_length(), turns),
        "order_pile": binary(ORDER_DIGITS, len(position["order_pile"])),
        "event_pile": binary(EVENT_DIGITS, sum(position["event_pile"].values())),
        "event_discards": each(EVENT_DIGITS, [position["event_discards"][e] for e in EVENTS]),
        "discarded": by_back(position["order_discards"]),
        "discarded_dish": by_dish(position["order_discards"]),
        "completed_dish": by_dish(completed),
        "named": one_of(config.max_open_orders, naming and naming["order"]),
        "said": dishes_of(naming["said"] if naming else []),
    }
    if config.clock:
        left = config.num_clock_places - position["clock"]
        features["clock_left"] = binary(config.num_clock_places.bit_length(), left)
    for slot, order in enumerate(position["market_orders"]):
        points = 0 if order is None else points_of(config, order)
        features[f"market_{slot}"] = dishes_of(order or [])
        features[f"market_points_{slot}"] = binary(most.bit_length(), points)
    for slot, event in enumerate(position["market_events"]):
        features[f"event_{slot}"] = one_of(3, None if event is None else list(EVENTS).index(event))
    me = position["players"][viewer]["open"]
    visible = [order["face"] if shown(config, order) else [] for order in me]
    features["faces"] = padded(config, [dishes_of(dishes) for dishes in visible], len(DISHES))
    for distance in range(players):
        one = position["players"][(viewer + distance) % players]
        features |= {
            f"{name}_{distance}": cells for name, cells in seen_of(config, one, total).items()
        }
        last = one["last"] or {"did": None, "slot": None, "face": None}
        features[f"did_{distance}"] = one_of(6, last["did"] and KINDS.index(last["did"]))
        features[f"did_slot_{distance}"] = one_of(5, last["slot"])
        if distance:
            features[f"did_face_{distance}"] = dishes_of(last["face"] or [])
    return {name: [int(cell) for cell in cells] for name, cells in features.items()}


def seen_of(config: Config, one: Position, total: int) -> dict[str, list[int]]:
    """Return the fields that tell of what lies before a player, for everybody alike."""
    orders = one["open"]
    ages = (config.turn_limit // config.players + 1).bit_length()
    backs = [one_of(len(BACKS), BACKS.index(counts_of(order["back"]))) for order in orders]
    return {
        "points": binary(total.bit_length(), one["points"]),
        "completed": by_back([order["face"] for order in one["completed"]]),
        "doubled": by_back([order["face"] for order in one["completed"] if order["repeat"]]),
        "open": padded(config, backs, len(BACKS)),
        "repeat": padded(config, [[order["repeat"]] for order in orders], 1),
        "notebook": padded(config, [[order["notebook"]] for order in orders], 1),
        "age": padded(config, [binary(ages, order["age"]) for order in orders], ages),
    }


def hidden(config: Config, position: Position, viewer: int) -> dict[str, list[int]]:
    """Return what every field of the hidden part must hold."""
    features = {"pile_dish": by_dish(position["order_pile"])}
    for distance in range(config.players):
        orders = position["players"][(viewer + distance) % config.players]["open"]
        cells = [dishes_of(order["face"]) for order in orders]
        features[f"faces_{distance}"] = padded(config, cells, len(DISHES))
    features["named_face"] = dishes_of([])
    if position["naming"] is not None:
        orders = position["players"][position["to_act"]]["open"]
        features["named_face"] = dishes_of(orders[position["naming"]["order"]]["face"])
    return features


def padded(config: Config, cells: list[list[int]], width: int) -> list[int]:
    """Return the features of some open orders, and zeros for the places that are left."""
    flat = [cell for row in cells for cell in row]
    return flat + [0] * (config.max_open_orders * width - len(flat))


def dishes_of(dishes: Face) -> list[int]:
    """Return a face as one feature for each dish."""
    return [int(dish in dishes) for dish in DISHES]


def by_back(faces: list[Face]) -> list[int]:
    """Return the number of orders of each back."""
    tally = Counter(counts_of(symbols_of(dishes)) for dishes in faces)
    return each(ORDER_DIGITS, [tally[back] for back in BACKS])


def by_dish(faces: list[Face]) -> list[int]:
    """Return the number of orders with each dish."""
    return each(ORDER_DIGITS, [sum(dish in one for one in faces) for dish in DISHES])


def each(digits: int, numbers: list[int]) -> list[int]:
    """Return several binary numbers."""
    return [digit for number in numbers for digit in binary(digits, number)]


def binary(digits: int, number: int) -> list[int]:
    """Return a number in binary, lowest digit first."""
    text = f"{number:0{digits}b}"
    assert len(text) == digits, f"{number} has more than {digits} digits"
    return [int(digit) for digit in reversed(text)]


def one_of(length: int, which: int | None) -> list[int]:
    """Return a one-hot code, or zeros for None."""
    return [int(i == which) for i in range(length)]
