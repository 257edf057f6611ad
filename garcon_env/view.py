"""A table of Garçon as one player may see it, in plain JSON types (GA-11)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from garcon_env.actions import (
    COMPLETE_ORDER,
    DONE,
    KIND_NAMES,
    LEAVE_ORDER,
    NAME_DISH,
    NOTEBOOK_ORDER,
    REPEAT_ORDER,
    TAKE_ORDER,
    describe,
)
from garcon_env.cards import EVENT_NAMES, LEAVE, NOTEBOOK, REPEAT, dishes_of
from garcon_env.rules import sees
from garcon_env.state import (
    CHOOSING,
    DISCARDED,
    DRAW,
    NAMING,
    NONE,
    OVER,
    PHASES,
    PILE,
    TURN,
    menu_of,
    symbols_of,
)
from waiter_envs.core.interpreted import plain
from waiter_envs.core.views import (
    CUT,
    DRAWN,
    WON,
    Told,
    View,
    common,
    listed,
    seat,
    tell,
)

_sees = plain(sees)

EVENTS_OF = {REPEAT_ORDER: REPEAT, NOTEBOOK_ORDER: NOTEBOOK, LEAVE_ORDER: LEAVE}
"""The kind of event that an action uses."""


def view(table: np.void, viewer: int | None) -> View:
    """Return all that is to be shown of a table: what `viewer` may see, no more.

    Dishes are names of the menu, in its order. An order is `points` and `dishes`; lists of orders
    are sorted by number of dishes, then by the menu. A `back` is how many dishes of each symbol.
    Beside the keys of every view (`waiter_envs.core.views`), whose `phase` is `turn`, `naming`,
    `choose` or `over`, it has

    * `turn`: `number` of turns done, `left` until the game is cut, `target` points (`None` with a
      clock), `clock` (`moved` and `places`, or `None`), `final_round`, and `showdown`: the clock
      has run down, and all name their orders;
    * `symbols`, their names, and `menu`, of each dish its `id` (`menu-3`), `dish` and `symbol`;
    * `market`: of each slot its `id` (`slot-0`), `slot` and `order` (`None`: empty);
    * `events`: of each slot its `id` (`event-0`), `slot` and `event` (`repeat`, `notebook`,
      `leave`, or `None`: empty);
    * `order_pile` and `event_pile`: `id`, `count`, and face up (else `None`) the `orders`, or
      `events`, a count of each kind; `order_discards` and `event_discards`, face up: the same;
    * `naming`: the slip being filled in, or `None`: its `id` (`naming`), `player`, `order` (its
      place among the player's open ones), `back`, dishes `said`, `symbol` being asked, and how
      many of it are `left`;
    * of each player `points`, `is_first`, `open` orders, oldest first, of which each has `id`
      (`p0-open-1`), `place`, `back`, `order` (`None` face down), `repeat` and `notebook` (what
      lies on it), and `age`, turns of its own since it was taken; `completed` orders, which have
      `repeat` too; and `last`, what it did in its last turn (`None`: nothing yet): `did` (`take`,
      `complete`, `repeat`, `notebook`, `leave`, `pass`), and if it took an order its `slot` and
      `dishes` (which are the player's own to remember: `None` there).

    Args:
        table: one record of `state.table_dtype`.
        viewer: a player; `None`: all cards open.
    """
    phase, winner = int(table["phase"]), int(table["winner"])
    to_act = None if phase == OVER else int(table["current_player"])
    ending = {NONE: CUT, DRAW: DRAWN}.get(winner, WON)
    return {
        **common(
            "garcon",
            viewer,
            to_act=to_act,
            phase=PHASES[phase],
            ending=ending if phase == OVER else None,
            winners=[winner] if winner >= 0 else [],
            headline=_headline(table),
        ),
        "turn": _turn(table),
        **_middle(table, viewer is None),
        "naming": _naming(table) if phase == NAMING else None,
        "players": [
            {**seat(player, viewer, to_act), **_place(table, player, viewer)}
            for player in range(len(table["points"]))
        ],
    }


def _headline(table: np.void) -> str:
    """Say in words who is to do what."""
    phase, who = table["phase"], f"P{table['current_player']}"
    if phase == NAMING:
        naming = _naming(table)
        return f"{who} names the dishes of its order {naming['order']}, now of {naming['symbol']}"
    if phase == CHOOSING:
        return f"{who} chooses the next of its orders to complete"
    if table["turns_done"] == 0:
        return f"{who} takes the first order"
    doing = ["takes an order", "completes its orders", "uses an event"]
    return f"{who} {listed(doing[::2] if table['has_clock'] else doing, 'or')}"


def _turn(table: np.void) -> dict[str, Any]:
    """Return how far the game has come."""
    clock = {"moved": int(table["clock"]), "places": int(table["num_clock_places"])}
    has_clock, phase = bool(table["has_clock"]), int(table["phase"])
    return {
        "number": int(table["turns_done"]),
        "left": max(0, int(table["turn_limit"] - table["turns_done"])),
        "target": None if has_clock else int(table["target"]),
        "clock": clock if has_clock else None,
        "final_round": bool(table["final_round"]),
        "showdown": has_clock and phase != TURN and not bool(table["truncated"]),
    }


def _middle(table: np.void, open_piles: bool) -> dict[str, Any]:
    """Return what lies in the middle."""
    symbols, starts = symbols_of(table), table["symbol_start"].tolist()
    events = table["market_event"].tolist()
    return {
        "symbols": list(symbols),
        "menu": [
            {"id": f"menu-{number}", "dish": dish, "symbol": symbols[_symbol_of(starts, number)]}
            for number, dish in enumerate(menu_of(table))
        ],
        "market": [
            {
                "id": f"slot-{slot}",
                "slot": slot,
                "order": None if order == NONE else _order(table, order),
            }
            for slot, order in enumerate(table["market"].tolist())
        ],
        "events": [
            {
                "id": f"event-{slot}",
                "slot": slot,
                "event": None if event == NONE else EVENT_NAMES[event],
            }
            for slot, event in enumerate(events)
        ],
        "order_pile": _orders("order-pile", table, PILE, open_piles),
        "order_discards": _orders("order-discards", table, DISCARDED, True),
        "event_pile": _events("event-pile", table["event_pile"], open_piles),
        "event_discards": _events("event-discards", table["event_discards"], True),
    }


def _symbol_of(starts: list[int], dish: int) -> int:
    """Return the symbol of a dish, from where each symbol starts on the menu."""
    return sum(start <= dish for start in starts) - 1


def _orders(name: str, table: np.void, place: int, seen: bool) -> dict[str, Any]:
    """Return a pile of orders."""
    orders = table["place"] == place
    shown = [_order(table, order) for order in _sorted(table, orders)] if seen else None
    return {"id": name, "count": int(orders.sum()), "orders": shown}


def _events(name: str, counts: npt.NDArray[np.int16], seen: bool) -> dict[str, Any]:
    """Return a pile of events."""
    events = dict(zip(EVENT_NAMES, counts.tolist(), strict=True))
    return {"id": name, "count": int(counts.sum()), "events": events if seen else None}


def _dishes(table: np.void, face: int) -> list[str]:
    """Return the dishes of a face."""
    menu = menu_of(table)
    return [menu[dish] for dish in dishes_of(face)]


def _order(table: np.void, order: int) -> dict[str, Any]:
    """Return an order face up."""
    return {
        "points": int(table["order_points"][order]),
        "dishes": _dishes(table, int(table["face"][order])),
    }


def _sorted(table: np.void, which: npt.NDArray[np.bool_]) -> list[int]:
    """Return orders sorted by what is shown of them, whatever their numbers."""

    def shown(order: int) -> tuple[int, tuple[int, ...], int, int]:
        dishes = dishes_of(int(table["face"][order]))
        repeat, points = int(table["with_repeat"][order]), int(table["order_points"][order])
        return len(dishes), dishes, repeat, points

    return sorted(np.flatnonzero(which).tolist(), key=shown)


def _back(table: np.void, order: int) -> list[int]:
    """Return how many dishes of each symbol the back of an order shows."""
    return table["back_counts"][table["back"][order]].tolist()  # type: ignore[no-any-return]


def _naming(table: np.void) -> dict[str, Any]:
    """Return the slip on which an order is being named."""
    player, place, said = int(table["current_player"]), int(table["named"]), int(table["said"])
    back = _back(table, int(table["order"][player, place]))
    starts = table["symbol_start"].tolist()
    left = list(back)
    for dish in dishes_of(said):
        left[_symbol_of(starts, dish)] -= 1
    symbol = next(symbol for symbol, number in enumerate(left) if number > 0)
    return {
        "id": "naming",
        "player": player,
        "order": place,
        "back": back,
        "said": _dishes(table, said),
        "symbol": symbols_of(table)[symbol],
        "left": left[symbol],
    }


def _place(table: np.void, player: int, viewer: int | None) -> dict[str, Any]:
    """Return what is known of a player."""
    return {
        "points": int(table["points"][player]),
        "is_first": player == int(table["first_player"]),
        "open": [
            _open(table, player, place, viewer) for place in range(int(table["num_open"][player]))
        ],
        "completed": [
            {**_order(table, order), "repeat": bool(table["with_repeat"][order])}
            for order in _sorted(table, table["owner"] == player)
        ],
        "last": _last(table, player, viewer),
    }


def _open(table: np.void, player: int, place: int, viewer: int | None) -> dict[str, Any]:
    """Return an open order, which shows its face to its owner where that may see it."""
    order = int(table["order"][player, place])
    seen = player == viewer and _sees(np.asarray(table).reshape(1), player, place)
    return {
        "id": f"p{player}-open-{place}",
        "place": place,
        "back": _back(table, order),
        "order": _order(table, order) if seen or viewer is None else None,
        "repeat": bool(table["repeat"][player, place]),
        "notebook": bool(table["notebook"][player, place]),
        "age": int(table["age"][player, place]),
    }


def _last(table: np.void, player: int, viewer: int | None) -> dict[str, Any] | None:
    """Return what a player did in its last turn; the face that it took is its own to remember."""
    did, slot = KIND_NAMES[int(table["last"][player])], int(table["last_slot"][player])
    if did is None:
        return None
    told_of = slot != NONE and player != viewer
    return {
        "did": did,
        "slot": None if slot == NONE else slot,
        "dishes": _dishes(table, int(table["last_face"][player])) if told_of else None,
    }


# -- Actions -----------------------------------------------------------------------------------


def told(description: tuple[int, ...], table: np.void, viewer: int | None) -> Told:
    """Return an action as `viewer` is told of it.

    Everybody sees all of it, but the face of an order that one takes is one's own to remember.
    Those of others are told, but only until their next turn (`last` of the view): where a face is
    told, `later` has the words without it.

    Args:
        description: of a legal action of the player to act.
        table: before the action.
        viewer: a player, or `None`.
    """
    kind, a, b = (int(number) for number in description)
    player = int(table["current_player"])
    words, later = (_words(kind, a, b, table, face) for face in (player != viewer, False))
    text, ids = describe((kind, a, b), table), _ids(kind, a, b, table, player)
    told = tell(player, text, words, ids)
    return told if words == later else {**told, "later": later}


def _ids(kind: int, a: int, b: int, table: np.void, player: int) -> list[str]:
    """Return the ids of what an action concerns."""
    if kind == TAKE_ORDER:
        return [f"slot-{a}"]
    if kind == NAME_DISH:
        return [f"menu-{a}", "naming", f"p{player}-open-{int(table['named'])}"]
    if kind == DONE:
        return [f"p{player}"]
    order = f"p{a}-open-{b}" if kind == LEAVE_ORDER else f"p{player}-open-{a}"
    if kind == COMPLETE_ORDER:
        return [order]
    return [order, f"event-{table['market_event'].tolist().index(EVENTS_OF[kind])}"]


def _words(kind: int, a: int, b: int, table: np.void, with_face: bool) -> str:
    """Return an action in plain language; of an order that is taken with its face, or without."""
    if kind == TAKE_ORDER:
        if not with_face:
            return f"takes the order in slot {a}"
        order = _order(table, int(table["market"][a]))
        points = f"{order['points']} point{'s' if order['points'] > 1 else ''}"
        return f"takes the order {listed(order['dishes'])}, for {points}"
    if kind == LEAVE_ORDER:
        return f"makes the client of P{a}'s order {b} leave"
    if kind == NAME_DISH:
        return f"names {menu_of(table)[a]}"
    return {
        COMPLETE_ORDER: f"completes its order {a}",
        REPEAT_ORDER: f"puts a Repeat on its order {a}, to score it twice",
        NOTEBOOK_ORDER: f"puts a Notebook on its order {a}, to read it",
        DONE: "completes no more orders",
    }[kind]
