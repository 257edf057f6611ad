"""Positions of Dessert as plain JSON types: written and read.

Piles and hands are lists of names, written in the order of the card list and read in any order.
What is impossible though every entry can be read is refused by `position_checks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dessert_env.cards import DESSERTS, GUESTS, MOST_SERVED
from dessert_env.config import Config
from dessert_env.position_checks import check_position
from dessert_env.state import (
    CALL,
    CHOSEN,
    COMING,
    DIRTY,
    DISCARDED,
    DRAW,
    NONE,
    OVER,
    PHASES,
    PILE,
    SERVINGS,
    THEFT,
    TURNED_UP,
    WAITING,
    blank_table,
)
from waiter_envs.core.checks import check_int, shown
from waiter_envs.core.plain_types import (
    check_keys,
    read_bool,
    read_choice,
    read_int,
    read_ints,
    read_list,
)

UNREAD = -128
"""The place of a card that has not been read yet."""

_KEYS = (
    "turn",
    "active",
    "to_act",
    "phase",
    "hands",
    "guests",
    "pile",
    "dirty",
    "guest_pile",
    "waiting_room",
    "guest",
    "call_order",
    "asked",
    "serving",
    "target",
    "thief",
    "chosen",
    "discarded",
    "warnings",
    "closing_turn",
    "winner",
    "draw",
    "truncated",
)


# -- Writing -----------------------------------------------------------------------------------


def write_position(table: np.void) -> dict[str, Any]:
    """Return a position in plain JSON types: the whole state but the random stream.

    Args:
        table: one record of `state.table_dtype`.

    Returns:
        The keys and forms of the section "Position" of `docs/dessert.md`, hidden cards included.
    """
    players = range(len(table["warned"]))
    order = [player for player in table["call_order"].tolist() if player != NONE]
    serving, winner = int(table["serving"]), int(table["winner"])
    return {
        "turn": int(table["turn"]),
        "active": int(table["active"]),
        "to_act": int(table["current_player"]),
        "phase": PHASES[table["phase"]],
        "hands": [desserts_at(table, player) for player in players],
        "guests": [guests_at(table, player) for player in players],
        "pile": desserts_at(table, PILE),
        "dirty": desserts_at(table, DIRTY, DISCARDED),
        "guest_pile": guests_at(table, COMING),
        "waiting_room": [GUESTS[g] for g in table["waiting_room"][: table["num_waiting"]]],
        "guest": _guest(table["new_guest"]),
        "call_order": order,
        "asked": order[: table["num_asked"]],
        "serving": None if serving == NONE else SERVINGS[serving],
        "target": _guest(table["target"]),
        "thief": int(table["active"]) if serving == THEFT else None,
        "chosen": desserts_at(table, CHOSEN),
        "discarded": desserts_at(table, DISCARDED),
        "warnings": table["warned"].tolist(),
        "closing_turn": int(table["closing_turn"]),
        "winner": winner if winner >= 0 else None,
        "draw": winner == DRAW,
        "truncated": bool(table["truncated"]),
    }


def desserts_at(table: np.void, *places: int) -> list[str]:
    """Return the names of the desserts at some places, in the order of the card list."""
    return [DESSERTS[card] for card in np.flatnonzero(np.isin(table["dessert"], places))]


def guests_at(table: np.void, place: int) -> list[str]:
    """Return the names of the guests at a place, in the order of the card list."""
    return [GUESTS[guest] for guest in np.flatnonzero(table["guest"] == place)]


def _guest(guest: int) -> str | None:
    return None if guest == NONE else GUESTS[guest]


# -- Reading -----------------------------------------------------------------------------------


def read_position(config: Config, position: Mapping[str, Any]) -> npt.NDArray[np.void]:
    """Return the table that a position describes: the inverse of `write_position`.

    Refused is what shows in the position itself to be impossible: a card that is missing or there
    twice, entries that contradict each other, a phase without what it needs, a result that the
    cards do not bear out. Which plays would lead to a position is not asked, and a decision with
    a single answer is taken as it is.

    Args:
        config: the variant.
        position: plain JSON types; see the section "Position" of `docs/dessert.md`.

    Returns:
        An array of one table, without a random stream.

    Raises:
        TypeError, ValueError: if the position is impossible; the text names the entry and says
            what is allowed.
    """
    check_keys("the position", position, _KEYS)
    array = blank_table(config)
    table = array[0]
    _read_progress(config, table, position)
    _read_result(config, table, position)
    _read_desserts(config, table, position)
    _read_guests(config, table, position)
    _read_calls(config, table, position)
    _read_serving(config, table, position)
    check_position(config, table)
    return array


def _read_progress(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read the phase, the turn and who is to act."""
    players = config.num_players
    table["phase"] = PHASES.index(read_choice("phase", position["phase"], PHASES))
    table["turn"] = read_int("turn", position["turn"], 0, config.max_turns - 1)
    table["active"] = read_int("active", position["active"], 0, players - 1)
    table["current_player"] = read_int("to_act", position["to_act"], 0, players - 1)
    table["closing_turn"] = read_int(
        "closing_turn", position["closing_turn"], 0, config.max_turns - 1
    )


def _read_result(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read who has won."""
    over = table["phase"] == OVER
    winner = position["winner"]
    if winner is not None:
        winner = read_int("winner", winner, 0, config.num_players - 1, "or null")
    draw, truncated = (read_bool(name, position[name]) for name in ("draw", "truncated"))
    if (winner is not None) + draw + truncated != over:
        raise ValueError(
            f"phase={PHASES[table['phase']]!r}, winner={winner}, draw={draw}, "
            f"truncated={truncated}: of the last three exactly one is set when the game is over, "
            "and none before"
        )
    table["winner"] = DRAW if draw else NONE if winner is None else winner
    table["terminated"] = over and not truncated
    table["truncated"] = truncated


def _read_desserts(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read where every dessert is."""
    place = table["dessert"]
    place[:] = UNREAD
    for player, names in enumerate(read_list("hands", position["hands"], config.num_players)):
        _put(f"hands[{player}]", names, DESSERTS, place, player)
    _put("pile", position["pile"], DESSERTS, place, PILE)
    _put("dirty", position["dirty"], DESSERTS, place, DIRTY)
    chosen = _put("chosen", position["chosen"], DESSERTS, place, CHOSEN)
    if chosen != sorted(chosen) or len(chosen) > MOST_SERVED:
        raise ValueError(
            f"chosen={shown(position['chosen'])}: must be {MOST_SERVED} desserts at most, in the "
            "order of the card list"
        )
    discarded = _cards("discarded", position["discarded"], DESSERTS)
    if discarded != sorted(set(discarded)):
        raise ValueError(
            f"discarded={shown(position['discarded'])}: must be in the order of the card list, "
            "each once"
        )
    for card in discarded:
        if place[card] != DIRTY:
            raise ValueError(f"discarded: {DESSERTS[card]!r} must be among the dirty dishes too")
        place[card] = DISCARDED
    _check_all_there("desserts", DESSERTS, place)


def _read_guests(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read where every guest is."""
    place = table["guest"]
    place[:] = UNREAD
    for player, names in enumerate(read_list("guests", position["guests"], config.num_players)):
        _put(f"guests[{player}]", names, GUESTS, place, player)
    _put("guest_pile", position["guest_pile"], GUESTS, place, COMING)
    waiting = _put("waiting_room", position["waiting_room"], GUESTS, place, WAITING)
    table["waiting_room"][: len(waiting)] = waiting
    table["num_waiting"] = len(waiting)
    if position["guest"] is not None:
        table["new_guest"] = _put("guest", [position["guest"]], GUESTS, place, TURNED_UP)[0]
    _check_all_there("guests", GUESTS, place)


def _put(
    name: str, cards: Any, names: Sequence[str], place: npt.NDArray[np.int8], at: int
) -> list[int]:
    """Put cards to a place; return their numbers."""
    numbers = _cards(name, cards, names)
    for card in numbers:
        if place[card] != UNREAD:
            raise ValueError(f"{name}: {names[card]!r} is there twice, or elsewhere too")
        place[card] = at
    return numbers


def _cards(name: str, cards: Any, names: Sequence[str]) -> list[int]:
    """Return the numbers of some cards."""
    return [_card(name, card, names) for card in read_list(name, cards)]


def _card(name: str, card: Any, names: Sequence[str]) -> int:
    """Return the number of a card."""
    if not isinstance(card, str) or card not in names:
        what = "dessert" if names is DESSERTS else "guest"
        raise ValueError(
            f"{name}: {shown(card)} is no {what}; the card list names all {len(names)}"
        )
    return names.index(card)


def _check_all_there(what: str, names: Iterable[str], place: npt.NDArray[np.int8]) -> None:
    missing = [name for name, at in zip(names, place.tolist(), strict=True) if at == UNREAD]
    if missing:
        raise ValueError(f"{what} nowhere: {', '.join(missing)}; every one must be somewhere")


def _read_calls(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read who has called falsely, who is asked in which order, and how far that has come."""
    players = config.num_players
    table["warned"] = read_ints("warnings", position["warnings"], players, 2)
    order = read_ints("call_order", position["call_order"], None, players)
    asked = read_ints("asked", position["asked"], None, players)
    if table["phase"] != CALL:
        if order or asked:
            raise ValueError(
                f"phase={PHASES[table['phase']]!r}, call_order={order}, asked={asked}: empty in "
                "all phases but 'call'"
            )
        return
    active = int(table["active"])
    if sorted(order) != [player for player in range(players) if player != active]:
        raise ValueError(f"call_order={order}: must have all players but the active one, {active}")
    if len(asked) >= len(order) or asked != order[: len(asked)]:
        raise ValueError(f"asked={asked}: must be the first of call_order={order}, not all of them")
    table["call_order"] = order
    table["num_asked"] = len(asked)


def _read_serving(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read who is to be served, and who steals."""
    serving, target, thief = (position[name] for name in ("serving", "target", "thief"))
    if serving is not None:
        table["serving"] = SERVINGS.index(read_choice("serving", serving, SERVINGS, "or null"))
    if target is not None:
        table["target"] = _card("target", target, GUESTS)
    if thief is not None:
        thief = check_int("thief", thief, 0, config.num_players - 1, "or null")
    due = int(table["active"]) if table["serving"] == THEFT else None
    if thief != due:
        raise ValueError(
            f"serving={serving!r}, thief={thief}: must be {'null' if due is None else due}, the "
            "active player during a theft"
        )
