"""What shows in a position of Dessert to be impossible; `position` reads it entry by entry.

Every function looks at a table that was read, and raises `ValueError` with a text that names the
entries of the position (`docs/dessert.md`). Which plays lead to a position is not asked, and a
decision with a single answer is no fault.
"""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from dessert_env.cards import (
    DESSERTS,
    FEWEST,
    GUESTS,
    HAND_SIZE,
    MOST_SERVED,
    NUM_GUESTS,
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
    PHASES,
    SERVE,
    SERVINGS,
    STOP,
    THEFT,
    TURNED_UP,
    WAITING,
    closing_turns,
)

Cards = npt.NDArray[np.int64]


def check_position(config: Config, table: np.void) -> None:
    """Refuse a table that shows itself to be impossible.

    Raises:
        ValueError: naming entries of the position and what is allowed.
    """
    _check_clock(config, table)
    _check_calls(config, table)
    _check_serving(table)
    _check_turned_up(table)
    _check_to_act(table)
    _check_chosen(table)
    _check_desserts(table)
    _check_warnings(config, table)
    _check_first_turn(table)
    if table["phase"] == OVER:
        _check_end(config, table)
    else:
        _check_nobody_has_won(config, table)


# -- Turns (DE-1, DE-12) -----------------------------------------------------------------------


def _check_clock(config: Config, table: np.void) -> None:
    """Check the turn against the player whose turn it is, the guests and closing time."""
    turn, closing = int(table["turn"]), int(table["closing_turn"])
    if config.first_player is not None:
        due = (config.first_player + turn) % config.num_players
        if table["active"] != due:
            raise ValueError(
                f"active={table['active']} in turn={turn}: must be {due}, since player "
                f"{config.first_player} takes turn 0"
            )
    coming = int((table["guest"] == COMING).sum())
    due = max(NUM_GUESTS - 1 - turn, 0)
    if coming != due:
        raise ValueError(
            f"turn={turn}, {coming} guests in guest_pile: must be {due}, since each turn from 0 on "
            f"turns up one of {NUM_GUESTS}"
        )
    due = max(turn + 1 - NUM_GUESTS, 0)
    if closing != due:
        raise ValueError(
            f"closing_turn={closing} in turn={turn}: must be {due}, since closing time begins with "
            f"turn {NUM_GUESTS}"
        )
    last = closing_turns(config)
    if last != NONE and closing > last:
        raise ValueError(f"closing_turn={closing}: must be {last} at most in this variant")


def _check_turned_up(table: np.void) -> None:
    """Check that a guest lies there when it should."""
    phase = int(table["phase"])
    up = table["new_guest"] != NONE
    needs = phase in (CLAIM, CALL) or (phase == SERVE and table["serving"] == NEW_GUEST)
    if up != needs:
        raise ValueError(
            f"phase={PHASES[phase]!r}, guest={_guest(table['new_guest'])!r}: a guest lies there "
            "while it may be claimed and is served, and at no other time"
        )


def _check_first_turn(table: np.void) -> None:
    """Check that nobody has drawn or spent a dessert before the first guest is served."""
    if table["turn"] > 0 or table["phase"] not in (CLAIM, CALL):
        return
    players, active = range(len(table["warned"])), int(table["active"])
    due = [HAND_SIZE + (player == active) for player in players]
    sizes = [int((table["dessert"] == player).sum()) for player in players]
    dirty = int((table["dessert"] == DIRTY).sum())
    if sizes != due or dirty:
        raise ValueError(
            f"turn=0, phase={PHASES[table['phase']]!r}, {sizes} desserts in hands, {dirty} dirty: "
            f"must be {due} and 0 before the first guest is served"
        )


# -- Calling (DE-3, DE-6) ----------------------------------------------------------------------


def _check_calls(config: Config, table: np.void) -> None:
    """Check that the others are asked in the order of the variant."""
    if table["phase"] != CALL or config.call_order != "clockwise":
        return
    players, order = config.num_players, table["call_order"].tolist()
    clockwise = [(int(table["active"]) + 1 + i) % players for i in range(players - 1)]
    if order != clockwise:
        raise ValueError(f"call_order={order}: must be {clockwise} in this variant")


def _check_warnings(config: Config, table: np.void) -> None:
    """Check that only who has been asked has called falsely."""
    warnings, active = table["warned"].tolist(), int(table["active"])
    if not config.false_calls and any(warnings):
        raise ValueError(f"warnings={warnings}: must be 0 without false calls")
    if table["turn"] > 0:
        return
    asked = [player for player in range(config.num_players) if player != active]
    server = int(table["current_player"])
    if table["phase"] == CLAIM:
        asked = []
    elif table["phase"] == SERVE and table["serving"] == NEW_GUEST:
        # Nobody is asked when the active player claims; who called and can serve called truly.
        asked = [] if server == active else [player for player in asked if player != server]
    elif table["phase"] == CALL:
        asked = table["call_order"][: table["num_asked"]].tolist()
    if any(warned and player not in asked for player, warned in enumerate(warnings)):
        raise ValueError(
            f"warnings={warnings} in turn=0: must be 0 of all but {_players(asked)}, who alone "
            "have been asked"
        )


# -- Serving (DE-2, DE-8, DE-9) ----------------------------------------------------------------


def _check_serving(table: np.void) -> None:
    """Check that somebody is to be served when it should be so, and is to be had."""
    phase, serving, target = (int(table[name]) for name in ("phase", "serving", "target"))
    busy = phase in (SERVE, STOP, BRIBE)
    name = None if serving == NONE else SERVINGS[serving]
    if (serving != NONE) != busy or (target != NONE) != busy:
        raise ValueError(
            f"phase={PHASES[phase]!r}, serving={name!r}, target={_guest(target)!r}: both are "
            "set in the phases 'serve', 'stop' and 'bribe', and in no other"
        )
    if not busy:
        return
    if phase in (STOP, BRIBE) and serving != THEFT:
        raise ValueError(f"phase={PHASES[phase]!r}, serving={name!r}: must be 'steal' there")
    where = int(table["guest"][target])
    if serving == NEW_GUEST:
        allowed, there = "the guest turned up", where == TURNED_UP
    elif serving == FROM_WAITING:
        top = int(table["waiting_room"][table["num_waiting"] - 1])
        allowed, there = "the topmost of the Waiting Room", where == WAITING and target == top
    else:
        allowed, there = "a guest of another player", where >= 0 and where != table["active"]
    if not there:
        raise ValueError(f"target={GUESTS[target]!r}: must be {allowed}")


def _check_to_act(table: np.void) -> None:
    """Check that the right player is to act."""
    phase = int(table["phase"])
    if phase == OVER or (phase == SERVE and table["serving"] == NEW_GUEST):
        return  # see `_check_end`; anybody
    due = int(table["active"])
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
    if len(chosen) and phase not in (SERVE, BRIBE):
        raise ValueError(
            f"phase={PHASES[phase]!r}, chosen={_names(chosen)}: desserts lie there in the "
            "phases 'serve' and 'bribe' only"
        )
    if phase == STOP and not _can_go_on(table, chosen):
        raise ValueError(
            f"phase='stop': player {table['active']} cannot pay for {GUESTS[target]}, bribe "
            "included"
        )
    if phase == BRIBE and not is_serving(tuple(TASTE[target][chosen].tolist())):
        raise ValueError(f"chosen={_names(chosen)}: must satisfy {GUESTS[target]}, none to spare")
    if phase == SERVE and not _can_go_on(table, chosen):
        raise ValueError(
            f"chosen={_names(chosen)}: with the hand of player {table['current_player']} they must "
            f"begin a serving for {GUESTS[target]}, with a dessert left for the bribe in a theft"
        )


def _can_go_on(table: np.void, chosen: Cards) -> bool:
    """Return whether some serving begins with the desserts laid down and goes on from the hand."""
    theft = table["serving"] == THEFT
    server = table["active"] if theft else table["current_player"]
    hand = np.flatnonzero(table["dessert"] == server)
    most = min(MOST_SERVED, len(hand) + len(chosen) - 1) if theft else MOST_SERVED
    taste = TASTE[table["target"]]
    later = hand[hand > chosen.max(initial=-1)]
    more = sorted({int(taste[card]) for card in later} - {0})
    so_far = taste[chosen].tolist()
    return any(
        is_serving((*so_far, *extension))
        for size in range(1, most - len(so_far) + 1)
        for extension in itertools.combinations(more, size)
    )


def _check_desserts(table: np.void) -> None:
    """Check that there is something to bribe with or to discard, and discards only then."""
    phase = int(table["phase"])
    discarded = np.flatnonzero(table["dessert"] == DISCARDED)
    if len(discarded) and phase != FRESHEN:
        raise ValueError(f"discarded={_names(discarded)}: must be empty in phase={PHASES[phase]!r}")
    held = (table["dessert"] == table["current_player"]).any()
    if phase in (BRIBE, FRESHEN) and not held and not len(discarded):
        raise ValueError(
            f"phase={PHASES[phase]!r}: player {table['current_player']} has no desserts"
        )


# -- The end (DE-13) ---------------------------------------------------------------------------


def _check_nobody_has_won(config: Config, table: np.void) -> None:
    """Check that nobody has a trio in a game that goes on."""
    trios = _with_trio(config, table)
    if trios:
        raise ValueError(f"a trio before {_players(trios)}: it wins at once")


def _check_end(config: Config, table: np.void) -> None:
    """Check who has won, and why."""
    trios = _with_trio(config, table)
    if trios:
        _check_trio(table, trios)
        return
    last = closing_turns(config)
    closed = table["closing_turn"] == last and not (table["guest"] == COMING).any()
    if table["truncated"]:
        if table["turn"] != config.max_turns - 1:
            raise ValueError(f"truncated in turn={table['turn']}: must be {config.max_turns - 1}")
        if closed:
            raise ValueError(f"truncated, closing_turn={last}: points decide then, in any turn")
    elif not closed:
        raise ValueError(
            f"nobody has a trio, closing_turn={table['closing_turn']}: points decide "
            + ("never in this variant" if last == NONE else f"after turn {last} of closing time")
        )
    else:
        _check_points(config, table)
    _check_last_action(table)


def _check_trio(table: np.void, trios: list[int]) -> None:
    """Check that who has just served the last guest of a trio has won."""
    winner = int(table["winner"])
    if [winner] != trios:
        raise ValueError(f"a trio before {_players(trios)}: it wins at once, and there is one")
    if table["current_player"] != winner:
        raise ValueError(f"to_act={table['current_player']}: must be {winner}, who made a trio")
    if table["closing_turn"] and table["active"] != winner:
        raise ValueError(
            f"active={table['active']}: must be {winner}, who made a trio; in closing time nobody "
            "else serves"
        )
    mine = np.flatnonzero(table["guest"] == winner)
    dirty = np.flatnonzero(table["dessert"] == DIRTY)
    if not any(
        _satisfies(dirty, int(guest)) for guest in mine if TRIO[guest] in _trios(table, winner)
    ):
        raise ValueError(f"dirty={_names(dirty)}: must have what the last guest of the trio got")


def _check_points(config: Config, table: np.void) -> None:
    """Check that the most points have won."""
    players, winner = range(config.num_players), int(table["winner"])
    points = [int(POINTS[table["guest"] == player].sum()) for player in players]
    best = [player for player in players if points[player] == max(points)]
    if [winner] != best and not (winner == DRAW and len(best) > 1):
        raise ValueError(
            f"winner={winner if winner >= 0 else None}, points {points}: most points win, a tie at "
            "the top is a draw"
        )


def _check_last_action(table: np.void) -> None:
    """Check who ended the last turn: the active player, or who stopped its theft (DE-8)."""
    last, thief = int(table["current_player"]), int(table["active"])
    dirty, hand = table["dessert"] == DIRTY, np.flatnonzero(table["dessert"] == thief)
    stopped = any(
        (dirty & STOPS[guest]).any() and _satisfies(hand, int(guest), len(hand) - 1)
        for guest in np.flatnonzero(table["guest"] == last)
    )
    if last != thief and not stopped:
        raise ValueError(
            f"to_act={last}: must be {thief}, the active player, or one who has just stopped its "
            "theft with an Ace"
        )


def _with_trio(config: Config, table: np.void) -> list[int]:
    """Return the players who have a trio."""
    return [player for player in range(config.num_players) if len(_trios(table, player))]


def _trios(table: np.void, player: int) -> Cards:
    """Return the trios that a player has."""
    icons = np.bincount(TRIO[table["guest"] == player], minlength=NUM_TRIOS)
    return np.flatnonzero(icons == TRIO_SIZE)


def _satisfies(cards: Cards, guest: int, most: int = MOST_SERVED) -> bool:
    """Return whether some of the desserts, so many at most, make a serving for a guest."""
    tastes = sum(1 << int(taste) for taste in np.unique(TASTE[guest][cards]))
    return bool(FEWEST[tastes] <= min(most, MOST_SERVED))


# -- Names -------------------------------------------------------------------------------------


def _guest(guest: int) -> str | None:
    return None if guest == NONE else GUESTS[guest]


def _names(cards: Cards) -> list[str]:
    return [DESSERTS[card] for card in cards]


def _players(numbers: list[int]) -> str:
    return ", ".join(f"player {number}" for number in numbers) or "none"
