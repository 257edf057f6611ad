"""Positions of Garçon as plain JSON types: written, read and checked.

A face is a list of dishes in the order of the menu, a back the list of their symbols.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from garcon_env.actions import KIND_NAMES, TAKE_ORDER
from garcon_env.cards import (
    EVENT_NAMES,
    EVENT_SLOTS,
    NOTEBOOK,
    ORDER_SLOTS,
    REPEAT,
    dishes_of,
)
from garcon_env.config import Config
from garcon_env.position_checks import check_position
from garcon_env.rules import pass_turns
from garcon_env.state import (
    COMPLETED,
    DISCARDED,
    DRAW,
    MARKET,
    NAMING,
    NONE,
    OPEN,
    OVER,
    PHASES,
    PILE,
    blank_table,
    menu_of,
    symbols_of,
)
from waiter_envs.core.checks import shown
from waiter_envs.core.interpreted import plain
from waiter_envs.core.plain_types import check_keys, read_bool, read_choice, read_int, read_list

MOST = 2**31 - 1

_pass_turns = plain(pass_turns)

_KEYS = (
    "market_orders",
    "market_events",
    "order_pile",
    "order_discards",
    "event_pile",
    "event_discards",
    "players",
    "naming",
    "clock",
    "phase",
    "to_act",
    "first_player",
    "turns_done",
    "final_round",
    "winner",
    "truncated",
)


# -- Writing -----------------------------------------------------------------------------------


def write_position(table: np.void) -> dict[str, Any]:
    """Return a position in plain JSON types: the whole state but the random stream.

    Args:
        table: one record of `state.table_dtype`.

    Returns:
        The keys and forms of the section "Position" of `docs/garcon.md`, hidden faces included.
    """
    writer = _Writer(table)
    winner = int(table["winner"])
    return {
        "market_orders": [
            None if order == NONE else writer.face_of(order) for order in table["market"].tolist()
        ],
        "market_events": [
            None if event == NONE else EVENT_NAMES[event]
            for event in table["market_event"].tolist()
        ],
        "order_pile": writer.faces_at(PILE),
        "order_discards": writer.faces_at(DISCARDED),
        "event_pile": dict(zip(EVENT_NAMES, table["event_pile"].tolist(), strict=True)),
        "event_discards": dict(zip(EVENT_NAMES, table["event_discards"].tolist(), strict=True)),
        "players": [writer.player(player) for player in range(len(table["points"]))],
        "naming": None
        if table["named"] == NONE
        else {"order": int(table["named"]), "said": writer.face(int(table["said"]))},
        "clock": int(table["clock"]) if table["has_clock"] else None,
        "phase": PHASES[table["phase"]],
        "to_act": int(table["current_player"]),
        "first_player": int(table["first_player"]),
        "turns_done": int(table["turns_done"]),
        "final_round": bool(table["final_round"]),
        "winner": {NONE: None, DRAW: "draw"}.get(winner, winner),
        "truncated": bool(table["truncated"]),
    }


class _Writer:
    """Writes the orders of one table in words."""

    def __init__(self, table: np.void) -> None:
        self.table = table
        self.faces = table["face"].tolist()
        self.with_repeat = table["with_repeat"].tolist()
        self.menu = menu_of(table)
        symbols, starts = symbols_of(table), table["symbol_start"].tolist()
        self.symbol_of = [
            symbols[symbol]
            for symbol in range(len(symbols))
            for _ in range(starts[symbol], starts[symbol + 1])
        ]

    def face(self, face: int) -> list[str]:
        """Return the dishes of a face."""
        return [self.menu[i] for i in dishes_of(face)]

    def face_of(self, order: int) -> list[str]:
        """Return the dishes of an order."""
        return self.face(self.faces[order])

    def back_of(self, order: int) -> list[str]:
        """Return the symbols on the back of an order."""
        return [self.symbol_of[i] for i in dishes_of(self.faces[order])]

    def faces_at(self, place: int) -> list[list[str]]:
        """Return the faces of all orders at a place, sorted."""
        return self.sorted(np.flatnonzero(self.table["place"] == place).tolist())

    def sorted(self, orders: list[int]) -> list[list[str]]:
        """Return the faces of orders, those with fewer dishes first, then by the menu."""
        return [self.face_of(order) for order in sorted(orders, key=self.rank)]

    def rank(self, order: int) -> tuple[int, tuple[int, ...], int]:
        """Return by what orders are sorted."""
        dishes = dishes_of(self.faces[order])
        return len(dishes), dishes, self.with_repeat[order]

    def player(self, player: int) -> dict[str, Any]:
        """Return what lies before a player, and what it did last."""
        table = self.table
        completed = np.flatnonzero(table["owner"] == player).tolist()
        did = KIND_NAMES[int(table["last"][player])]
        slot, face = int(table["last_slot"][player]), int(table["last_face"][player])
        return {
            "open": [
                {
                    "face": self.face_of(int(table["order"][player, place])),
                    "back": self.back_of(int(table["order"][player, place])),
                    "repeat": bool(table["repeat"][player, place]),
                    "notebook": bool(table["notebook"][player, place]),
                    "age": int(table["age"][player, place]),
                }
                for place in range(int(table["num_open"][player]))
            ],
            "completed": [
                {"face": self.face_of(order), "repeat": bool(self.with_repeat[order])}
                for order in sorted(completed, key=self.rank)
            ],
            "points": int(table["points"][player]),
            "last": None
            if did is None
            else {
                "did": did,
                "slot": None if slot == NONE else slot,
                "face": None if slot == NONE else self.face(face),
            },
        }


# -- Reading -----------------------------------------------------------------------------------


def read_position(config: Config, position: Mapping[str, Any]) -> npt.NDArray[np.void]:
    """Return the table that a position describes: the inverse of `write_position`.

    What shows in the position itself to be impossible is refused (`position_checks`); which plays
    lead there is not asked. Whoever is to begin a turn and can only pass has passed already
    (GA-10); a decision with a single answer is taken as it is.

    Args:
        config: the variant.
        position: plain JSON types; see the section "Position" of `docs/garcon.md`.

    Returns:
        An array of one table, without a random stream.

    Raises:
        ValueError: if the position is impossible; the text says what is wrong and what is
            allowed.
    """
    check_keys("the position", position, _KEYS)
    array = blank_table(config)
    table = array[0]
    _read_progress(config, table, position)
    reader = _Reader(config, table)
    _read_market(reader, table, position)
    for player, entry in enumerate(read_list("players", position["players"], config.players)):
        _read_player(config, reader, table, player, entry)
    for face in read_list("order_discards", position["order_discards"]):
        order = reader.take("order_discards", face, DISCARDED)
        table["discarded"][table["back"][order]] += 1
        table["discarded_dish"] += reader.dish_counts(order)
    for face in read_list("order_pile", position["order_pile"]):
        reader.take("order_pile", face, PILE)
    reader.check_all_there()
    table["order_pile"] = len(position["order_pile"])
    table["order_discards"] = len(position["order_discards"])
    _read_events(config, table, position)
    _read_naming(config, reader, table, position["naming"])
    check_position(config, table)
    _pass_turns(array)
    return array


class _Reader:
    """Finds for every face that a position names an order of the deck."""

    def __init__(self, config: Config, table: np.void) -> None:
        self.config, self.table = config, table
        self.deck = config.deck
        self.number = {dish: i for i, dish in enumerate(self.deck.dishes)}
        self.unused = list(range(len(self.deck.faces)))
        table["place"] = NONE

    def face(self, name: str, dishes: Any) -> int:
        """Return a face as a set of dishes."""
        face = 0
        for dish in read_list(name, dishes):
            read_choice(name, dish, self.deck.dishes)
            if face >> self.number[dish] & 1:
                raise ValueError(f"{name}={shown(dishes)}: {dish!r} stands twice")
            face |= 1 << self.number[dish]
        return face

    def take(self, name: str, dishes: Any, place: int) -> int:
        """Put an order with a face at a place, and return its number."""
        face = self.face(name, dishes)
        back = self.deck.back(face)
        for order in self.unused:
            alike = (
                self.deck.back(self.deck.faces[order]) == back
                if self.config.fresh
                else self.deck.faces[order] == face
            )
            if alike:
                self.unused.remove(order)
                self.table["face"][order] = face
                self.table["place"][order] = place
                return order
        raise ValueError(
            f"{name}: {shown(dishes)}: the deck has no such order, or not so many of them"
        )

    def dish_counts(self, order: int) -> npt.NDArray[np.int16]:
        """Return 1 for every dish of an order."""
        face = int(self.table["face"][order])
        return np.array([face >> dish & 1 for dish in range(len(self.deck.dishes))], np.int16)

    def check_all_there(self) -> None:
        """Check that every order of the deck has been named."""
        if self.unused:
            missing = [self.deck.dishes[d] for d in dishes_of(self.deck.faces[self.unused[0]])]
            raise ValueError(
                f"{len(self.unused)} orders of the deck of {len(self.deck.faces)} are nowhere, "
                f"for one {missing!r}"
            )


def _read_progress(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read phase, players to act and to begin, turns, clock, and how the game ended."""
    last = config.players - 1
    phase = PHASES.index(read_choice("phase", position["phase"], PHASES))
    first = read_int("first_player", position["first_player"], 0, last)
    if config.first_player not in (None, first):
        raise ValueError(
            f"first_player={first}: must be that of the variant, {config.first_player}"
        )
    winner = position["winner"]
    if isinstance(winner, str) and winner == "draw":
        winner = DRAW
    elif winner is not None:
        winner = read_int("winner", winner, 0, last, "or 'draw', or null")
    truncated = read_bool("truncated", position["truncated"])
    if (phase == OVER) != (winner is not None or truncated) or (winner is not None and truncated):
        raise ValueError(
            f"phase={PHASES[phase]!r}, winner={shown(position['winner'])}, truncated={truncated}: "
            "a game is over either with a winner or a draw or truncated, and has neither before"
        )
    clock = position["clock"]
    if config.clock:
        table["clock"] = read_int("clock", clock, 0, config.num_clock_places)
    elif clock is not None:
        raise ValueError(f"clock={shown(clock)}: must be null in a variant without a clock")
    table["phase"] = phase
    table["first_player"] = first
    table["current_player"] = read_int("to_act", position["to_act"], 0, last)
    table["turns_done"] = read_int("turns_done", position["turns_done"], 0, MOST)
    table["final_round"] = read_bool("final_round", position["final_round"])
    table["winner"] = NONE if winner is None else winner
    table["terminated"] = winner is not None
    table["truncated"] = truncated


def _read_market(reader: _Reader, table: np.void, position: Mapping[str, Any]) -> None:
    orders = read_list("market_orders", position["market_orders"], ORDER_SLOTS)
    for slot, face in enumerate(orders):
        if face is not None:
            table["market"][slot] = reader.take(f"market_orders[{slot}]", face, MARKET)
    events = read_list("market_events", position["market_events"], EVENT_SLOTS)
    for slot, event in enumerate(events):
        if event is not None:
            name = read_choice(f"market_events[{slot}]", event, EVENT_NAMES, "or null")
            table["market_event"][slot] = EVENT_NAMES.index(name)


def _read_player(config: Config, reader: _Reader, table: np.void, player: int, entry: Any) -> None:
    name = f"players[{player}]"
    check_keys(name, entry, ("open", "completed", "points", "last"))
    opened = read_list(f"{name}.open", entry["open"])
    if len(opened) > config.max_open_orders:
        raise ValueError(
            f"{name}.open: {len(opened)} orders; at most {config.max_open_orders} are allowed"
        )
    table["num_open"][player] = len(opened)
    for place, order in enumerate(opened):
        _read_open(reader, table, player, place, f"{name}.open[{place}]", order)
    points = 0
    for place, order in enumerate(read_list(f"{name}.completed", entry["completed"])):
        where = f"{name}.completed[{place}]"
        check_keys(where, order, ("face", "repeat"))
        number = reader.take(f"{where}.face", order["face"], COMPLETED)
        repeat = read_bool(f"{where}.repeat", order["repeat"])
        table["owner"][number] = player
        table["with_repeat"][number] = repeat
        table["completed"][player, table["back"][number]] += 1
        table["doubled"][player, table["back"][number]] += repeat
        table["completed_dish"] += reader.dish_counts(number)
        points += int(table["order_points"][number]) * (1 + repeat)
    if read_int(f"{name}.points", entry["points"], 0, MOST) != points:
        raise ValueError(f"{name}.points={entry['points']}: its completed orders make {points}")
    table["points"][player] = points
    _read_last(reader, table, player, entry["last"])


def _read_open(
    reader: _Reader, table: np.void, player: int, place: int, name: str, order: Any
) -> None:
    check_keys(name, order, ("face", "back", "repeat", "notebook", "age"))
    number = reader.take(f"{name}.face", order["face"], OPEN)
    deck = reader.deck
    back = [deck.symbols[deck.symbol_of[dish]] for dish in dishes_of(int(table["face"][number]))]
    given = read_list(f"{name}.back", order["back"])
    if [read_choice(f"{name}.back", symbol, deck.symbols) for symbol in given] != back:
        raise ValueError(
            f"{name}.back={shown(order['back'])}: must be {back}, the symbols of its face"
        )
    table["order"][player, place] = number
    table["repeat"][player, place] = read_bool(f"{name}.repeat", order["repeat"])
    table["notebook"][player, place] = read_bool(f"{name}.notebook", order["notebook"])
    table["age"][player, place] = read_int(f"{name}.age", order["age"], 0, MOST)


def _read_last(reader: _Reader, table: np.void, player: int, last: Any) -> None:
    if last is None:
        return
    name = f"players[{player}].last"
    check_keys(name, last, ("did", "slot", "face"))
    did = KIND_NAMES.index(read_choice(f"{name}.did", last["did"], KIND_NAMES[1:]))  # type: ignore[arg-type]
    table["last"][player] = did
    if did == TAKE_ORDER:
        table["last_slot"][player] = read_int(f"{name}.slot", last["slot"], 0, ORDER_SLOTS - 1)
        table["last_face"][player] = reader.face(f"{name}.face", last["face"])
    elif last["slot"] is not None or last["face"] is not None:
        raise ValueError(f"{name}: slot and face must be null unless an order was taken")


def _read_naming(config: Config, reader: _Reader, table: np.void, naming: Any) -> None:
    if (table["phase"] == NAMING) != (naming is not None):
        raise ValueError(
            f"phase={PHASES[table['phase']]!r}, naming={shown(naming)}: in the phase 'naming' "
            "an order is being named, and in no other"
        )
    if naming is None:
        return
    check_keys("naming", naming, ("order", "said"))
    player = int(table["current_player"])
    number = int(table["num_open"][player])
    if not number:
        raise ValueError(f"naming: players[{player}] has no open order")
    place = read_int("naming.order", naming["order"], 0, number - 1)
    if table["notebook"][player, place]:
        raise ValueError(f"naming.order={place}: an order under a Notebook is not named")
    table["named"] = place
    table["said"] = reader.face("naming.said", naming["said"])
    deck = config.deck
    due = deck.back(int(table["face"][table["order"][player, place]]))
    said = deck.back(int(table["said"]))
    open_symbol = next((s for s in range(len(due)) if said[s] < due[s]), None)
    if open_symbol is None or any(
        said[s] > due[s] or (s > open_symbol and said[s]) for s in range(len(due))
    ):
        raise ValueError(
            f"naming.said={shown(naming['said'])}: symbol after symbol, fewer than {sum(due)} "
            "dishes, of the symbols on the back at most "
            f"{dict(zip(deck.symbols, due, strict=True))}"
        )


def _read_events(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read the events' piles, and check that every event is somewhere once."""
    for key in ("event_pile", "event_discards"):
        check_keys(key, position[key], EVENT_NAMES)
        table[key] = [
            read_int(f"{key}.{name}", position[key][name], 0, 1000) for name in EVENT_NAMES
        ]
    counts = table["event_pile"].astype(int) + table["event_discards"]
    for event in table["market_event"].tolist():
        if event != NONE:
            counts[event] += 1
    counts[REPEAT] += int(table["repeat"].sum()) + int(table["with_repeat"].sum())
    counts[NOTEBOOK] += int(table["notebook"].sum())
    if counts.tolist() != list(config.event_counts):
        raise ValueError(
            f"events: {_tally(counts.tolist())} in all; there must be {_tally(config.event_counts)}"
        )


def _tally(counts: Any) -> str:
    return ", ".join(f"{n} {name}" for name, n in zip(EVENT_NAMES, counts, strict=True))
