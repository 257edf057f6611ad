"""Positions of Dessert as plain JSON types: written, read and checked.

Piles and hands are lists of names, written in the order of the card list and read in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dessert_env.cards import (
    DESSERTS,
    GUESTS,
    MOST_SERVED,
    NUM_TRIOS,
    POINTS,
    STOPS,
    TASTE,
    TRIO,
    TRIO_SIZE,
    is_serving,
)
from dessert_env.config import Config
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    CLAIM,
    COMING,
    DIRTY,
    DISCARDED,
    DRAW,
    FRESHEN,
    FROM_WAITING,
    NEW_GUEST,
    NONE,
    OVER,
    PILE,
    SERVE,
    STOP,
    THEFT,
    TURNED_UP,
    WAITING,
    blank_table,
)
from waiter_envs.core.plain_types import (
    check_keys,
    read_bool,
    read_choice,
    read_int,
    read_ints,
    read_list,
)

PHASES = ("claim", "call", "serve", "steal", "stop", "bribe", "freshen", "over")
"""Names of the phases CLAIM to OVER."""

SERVINGS = ("guest", "steal", "waiting room")
"""Names of NEW_GUEST, THEFT and FROM_WAITING."""

UNKNOWN = -128
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


def position_to_dict(table: np.void) -> dict[str, Any]:
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
    """Return the table that a position describes: the inverse of `position_to_dict`.

    What compiled code relies on is checked, and that every card is there once. Whether plays lead
    to a position is not asked.

    Args:
        config: the variant.
        position: plain JSON types; see the section "Position" of `docs/dessert.md`.

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
    _read_desserts(config, table, position)
    _read_guests(config, table, position)
    _read_calls(config, table, position)
    _read_serving(config, table, position)
    _read_warnings(config, table, position["warnings"])
    _check_to_act(table)
    _check_chosen(table)
    _check_phase(table)
    _check_closing(config, table, position["closing_turn"])
    _check_end(config, table)
    return array


def _read_progress(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read the turn, the phase, and who has won."""
    phase = PHASES.index(read_choice("phase", position["phase"], PHASES))
    most = config.num_players - 1
    winner = position["winner"]
    if winner is not None:
        winner = read_int("winner", winner, 0, most, "or null")
    draw, truncated = (read_bool(name, position[name]) for name in ("draw", "truncated"))
    ends = (winner is not None) + draw + truncated
    if ends != (phase == OVER):
        raise ValueError(
            f"phase={PHASES[phase]!r}, winner={winner}, draw={draw}, truncated={truncated}: of the "
            "last three exactly one is set when the game is over, and none before"
        )
    table["phase"] = phase
    table["turn"] = read_int("turn", position["turn"], 0, config.max_turns - 1)
    table["active"] = read_int("active", position["active"], 0, most)
    table["current_player"] = read_int("to_act", position["to_act"], 0, most)
    table["winner"] = DRAW if draw else NONE if winner is None else winner
    table["terminated"] = phase == OVER and not truncated
    table["truncated"] = truncated
    if config.first_player is not None:
        due = (config.first_player + int(table["turn"])) % config.num_players
        if table["active"] != due:
            raise ValueError(
                f"active={table['active']} in turn={table['turn']}: must be {due}, since player "
                f"{config.first_player} takes turn 0"
            )


def _read_desserts(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read where every dessert is."""
    place = table["dessert"]
    place[:] = UNKNOWN
    for player, names in enumerate(read_list("hands", position["hands"], config.num_players)):
        _put(f"hands[{player}]", names, DESSERTS, place, player)
    _put("pile", position["pile"], DESSERTS, place, PILE)
    _put("dirty", position["dirty"], DESSERTS, place, DIRTY)
    chosen = _put("chosen", position["chosen"], DESSERTS, place, CHOSEN)
    if chosen != sorted(chosen) or len(chosen) > MOST_SERVED:
        raise ValueError(
            f"chosen={list(position['chosen'])}: must be {MOST_SERVED} desserts at most, in the "
            "order of the card list"
        )
    discarded = _cards("discarded", position["discarded"], DESSERTS)
    if discarded != sorted(set(discarded)):
        raise ValueError(
            f"discarded={list(position['discarded'])}: must be in the order of the card list, each "
            "once"
        )
    for card in discarded:
        if place[card] != DIRTY:
            raise ValueError(f"discarded: {DESSERTS[card]!r} must be among the dirty dishes too")
        place[card] = DISCARDED
    _check_all_there("desserts", DESSERTS, place)


def _read_guests(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read where every guest is."""
    place = table["guest"]
    place[:] = UNKNOWN
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
        if place[card] != UNKNOWN:
            raise ValueError(f"{name}: {names[card]!r} is there twice, or elsewhere too")
        place[card] = at
    return numbers


def _cards(name: str, cards: Any, names: Sequence[str]) -> list[int]:
    """Return the numbers of some cards."""
    return [names.index(_name(name, card, names)) for card in read_list(name, cards)]


def _name(name: str, card: Any, names: Sequence[str]) -> str:
    if not isinstance(card, str) or card not in names:
        what = "dessert" if names is DESSERTS else "guest"
        raise ValueError(f"{name}: {card!r} is no {what}; the card list names all {len(names)}")
    return card


def _check_all_there(what: str, names: Iterable[str], place: npt.NDArray[np.int8]) -> None:
    missing = [name for name, at in zip(names, place.tolist(), strict=True) if at == UNKNOWN]
    if missing:
        raise ValueError(f"{what} nowhere: {', '.join(missing)}; every one must be somewhere")


def _read_calls(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read in which order the others are asked, and who was asked."""
    players = config.num_players
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
    clockwise = [(active + 1 + i) % players for i in range(players - 1)]
    if sorted(order) != sorted(clockwise):
        raise ValueError(f"call_order={order}: must have all players but the active one, {active}")
    if config.call_order == "clockwise" and order != clockwise:
        raise ValueError(f"call_order={order}: must be {clockwise} in this variant")
    if len(asked) >= len(order) or asked != order[: len(asked)]:
        raise ValueError(f"asked={asked}: must be the first of call_order={order}, not all of them")
    table["call_order"] = order
    table["num_asked"] = len(asked)


def _read_serving(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read who is to be served, and check that it is where it should be."""
    serving, target, thief = (position[name] for name in ("serving", "target", "thief"))
    busy = int(table["phase"]) in (SERVE, STOP, BRIBE)
    if (serving is not None) != busy or (target is not None) != busy:
        raise ValueError(
            f"phase={PHASES[table['phase']]!r}, serving={serving!r}, target={target!r}: both are "
            "set in the phases 'serve', 'stop' and 'bribe', and in no other"
        )
    if busy:
        table["serving"] = SERVINGS.index(read_choice("serving", serving, SERVINGS))
        table["target"] = GUESTS.index(_name("target", target, GUESTS))
        if int(table["phase"]) in (STOP, BRIBE) and table["serving"] != THEFT:
            raise ValueError(
                f"phase={PHASES[table['phase']]!r}, serving={serving!r}: must be 'steal' there"
            )
        _check_target(config, table)
    due = int(table["active"]) if table["serving"] == THEFT else None
    if thief != due or isinstance(thief, bool):
        raise ValueError(
            f"thief={thief!r}: must be {'null' if due is None else due}, the active player during "
            "a theft"
        )


def _check_target(config: Config, table: np.void) -> None:
    """Check that the guest to be served is to be had."""
    serving, target = int(table["serving"]), int(table["target"])
    where = int(table["guest"][target])
    if serving == NEW_GUEST:
        allowed, there = "the guest turned up", where == TURNED_UP
    elif serving == FROM_WAITING:
        top = int(table["waiting_room"][table["num_waiting"] - 1])
        allowed, there = "the topmost of the Waiting Room", where == WAITING and target == top
    else:
        allowed, there = "a guest of another player", where not in (int(table["active"]), COMING)
        there = there and where >= 0
    if not there:
        raise ValueError(f"target={GUESTS[target]!r}: must be {allowed}")


def _read_warnings(config: Config, table: np.void, warnings: Any) -> None:
    table["warned"] = read_ints("warnings", warnings, config.num_players, 2)
    if table["warned"].any() and not config.false_calls:
        raise ValueError(f"warnings={list(warnings)}: must be 0 without false calls")


# -- Checking ----------------------------------------------------------------------------------


def _check_to_act(table: np.void) -> None:
    """Check that the right player is to act."""
    phase, active = int(table["phase"]), int(table["active"])
    if phase == OVER or (phase == SERVE and table["serving"] == NEW_GUEST):
        return  # anybody
    due = active
    if phase == CALL:
        due = int(table["call_order"][table["num_asked"]])
    elif phase == STOP:
        due = int(table["guest"][table["target"]])
    if table["current_player"] != due:
        raise ValueError(
            f"to_act={table['current_player']} in phase={PHASES[phase]!r}: must be {due}"
        )


def _check_chosen(table: np.void) -> None:
    """Check that the desserts laid down, and what is held, can make the serving."""
    phase, target = int(table["phase"]), int(table["target"])
    chosen = np.flatnonzero(table["dessert"] == CHOSEN)
    if phase not in (SERVE, BRIBE):
        if len(chosen):
            raise ValueError(
                f"phase={PHASES[phase]!r}, chosen={_names(chosen)}: desserts lie there in the "
                "phases 'serve' and 'bribe' only"
            )
        if phase == STOP and not _can_go_on(table, chosen, target):
            raise ValueError(
                f"phase='stop': player {table['active']} cannot pay for {GUESTS[target]}, bribe "
                "included"
            )
        return
    if phase == BRIBE:
        if not is_serving(tuple(TASTE[target][chosen].tolist())):
            raise ValueError(
                f"chosen={_names(chosen)}: must satisfy {GUESTS[target]}, none to spare"
            )
    elif not _can_go_on(table, chosen, target):
        raise ValueError(
            f"chosen={_names(chosen)}: with the hand of player {table['current_player']} they must "
            f"begin a serving for {GUESTS[target]}, with a dessert left for the bribe in a theft"
        )


def _can_go_on(table: np.void, chosen: npt.NDArray[np.int64], target: int) -> bool:
    """Return whether some serving begins with the desserts laid down and goes on from the hand."""
    server = table["active"] if table["serving"] == THEFT else table["current_player"]
    hand = np.flatnonzero(table["dessert"] == server)
    most = MOST_SERVED
    if table["serving"] == THEFT:
        most = min(most, len(hand) + len(chosen) - 1)
    taste = TASTE[target]
    later = hand[hand > chosen.max(initial=-1)]
    more = sorted({int(taste[card]) for card in later} - {0})
    so_far = taste[chosen].tolist()
    extensions = [[a] for a in more] + [[a, b] for a in more for b in more if a < b]
    extensions += [[a, b, c] for a in more for b in more for c in more if a < b < c]
    return any(
        len(so_far) + len(extension) <= most and is_serving((*so_far, *extension))
        for extension in extensions
    )


def _names(cards: npt.NDArray[np.int64]) -> list[str]:
    return [DESSERTS[card] for card in cards]


def _check_phase(table: np.void) -> None:
    """Check what a phase needs beside a serving."""
    phase = int(table["phase"])
    up = table["new_guest"] != NONE
    needs = phase in (CLAIM, CALL) or (phase == SERVE and table["serving"] == NEW_GUEST)
    if up != needs:
        raise ValueError(
            f"phase={PHASES[phase]!r}, guest={_guest(table['new_guest'])!r}: a guest lies there "
            "while it may be claimed and is served, and at no other time"
        )
    owner = int(table["guest"][table["target"]])
    hand = table["dessert"] == owner
    if phase == STOP and not (hand & STOPS[table["target"]]).any():
        raise ValueError(
            f"phase='stop': player {owner} has no Ace that {GUESTS[table['target']]} craves"
        )
    mine = np.flatnonzero(table["dessert"] == table["current_player"])
    discarded = np.flatnonzero(table["dessert"] == DISCARDED)
    if len(discarded) and phase != FRESHEN:
        raise ValueError(f"discarded={_names(discarded)}: must be empty in phase={PHASES[phase]!r}")
    if phase in (BRIBE, FRESHEN) and not len(mine) and not len(discarded):
        raise ValueError(
            f"phase={PHASES[phase]!r}: player {table['current_player']} has no desserts"
        )


def _check_closing(config: Config, table: np.void, closing_turn: Any) -> None:
    """Read how many turns of closing time have begun."""
    coming = bool((table["guest"] == COMING).any()) or table["new_guest"] != NONE
    most = 0 if coming else int(table["turn"])
    if config.closing_rounds is not None:
        most = min(most, config.closing_rounds * config.num_players)
    hint = "while guests come" if coming else f"in turn {table['turn']} of this variant"
    table["closing_turn"] = read_int("closing_turn", closing_turn, 0, most, hint)


def _check_end(config: Config, table: np.void) -> None:
    """Check who has won, and that nobody has in a game that goes on (DE-13)."""
    players = range(config.num_players)
    trios = [player for player in players if _has_trio(table, player)]
    winner, won = int(table["winner"]), bool(table["terminated"])
    if trios:
        if [winner] != trios:
            raise ValueError(f"a trio before {_players(trios)}: it wins at once, and there is one")
        return
    if table["truncated"] and table["turn"] != config.max_turns - 1:
        raise ValueError(f"truncated in turn={table['turn']}: must be {config.max_turns - 1}")
    last = None if config.closing_rounds is None else config.closing_rounds * config.num_players
    coming = bool((table["guest"] == COMING).any())
    closed = not coming and table["closing_turn"] == last
    if table["truncated"] and closed:
        raise ValueError(f"truncated, closing_turn={last}: points decide then, in any turn")
    if not won:
        return
    if not closed:
        raise ValueError(
            f"nobody has a trio, closing_turn={table['closing_turn']}: points decide "
            + ("never in this variant" if last is None else f"after turn {last} of closing time")
        )
    points = [int(POINTS[table["guest"] == player].sum()) for player in players]
    best = [player for player in players if points[player] == max(points)]
    if [winner] != best and not (winner == DRAW and len(best) > 1):
        raise ValueError(
            f"winner={winner if winner >= 0 else None}, points {points}: most points win, a tie at "
            "the top is a draw"
        )


def _has_trio(table: np.void, player: int) -> bool:
    """Return whether a player has any trio (DE-13)."""
    trios = TRIO[table["guest"] == player]
    return bool((np.bincount(trios, minlength=NUM_TRIOS) == TRIO_SIZE).any())


def _players(numbers: list[int]) -> str:
    return ", ".join(f"player {number}" for number in numbers)
