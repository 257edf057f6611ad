"""What shows in a position of Garçon to be impossible; `position` reads it entry by entry.

Every function looks at a table that was read, and raises `ValueError` with a text that names the
entries of the position (`docs/garcon.md`). Entries are held against each other: turns, ages, last
turns, slots and piles, the clock, the points and the end. Which plays lead to a position is not
asked.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from garcon_env.actions import (
    COMPLETE_ORDER,
    KIND_NAMES,
    LEAVE_ORDER,
    NO_ACTION,
    NOTEBOOK_ORDER,
    PASSED,
    REPEAT_ORDER,
    TAKE_ORDER,
)
from garcon_env.cards import EVENT_NAMES, ORDER_SLOTS
from garcon_env.config import Config
from garcon_env.state import CHOOSING, DRAW, NAMING, NONE, OVER, PHASES, TURN

Numbers = npt.NDArray[np.int64]


def check_position(config: Config, table: np.void) -> None:
    """Refuse a table that shows itself to be impossible.

    Raises:
        ValueError: naming entries of the position and what is allowed.
    """
    _check_to_act(table)
    _check_limit(config, table)
    _check_ages(table)
    _check_last_turns(config, table)
    _check_what_was_taken(table)
    _check_turns(table)
    _check_slots(table)
    _check_clock(config, table)
    _check_naming_order(table)
    _check_final_round(config, table)
    _check_end(config, table)


# -- Turns -------------------------------------------------------------------------------------


def _distances(table: np.void) -> Numbers:
    """Return how far each player sits from the first one."""
    players = len(table["points"])
    return (np.arange(players) - int(table["first_player"])) % players


def _turns_of(table: np.void) -> Numbers:
    """Return how many turns each player has finished."""
    players = len(table["points"])
    return (int(table["turns_done"]) - _distances(table) + players - 1) // players


def _at_the_end(table: np.void) -> bool:
    """Return whether all name their orders at the end, or have done so (GA-9)."""
    return bool(table["has_clock"] and table["phase"] != TURN and not table["truncated"])


def _completing(table: np.void) -> npt.NDArray[np.bool_]:
    """Return who has completed orders since its last turn, or may have (GA-4, GA-9)."""
    players, distances = len(table["points"]), _distances(table)
    if not _at_the_end(table):
        in_turn = table["phase"] in (NAMING, CHOOSING)
        return (np.arange(players) == table["current_player"]) & in_turn
    if table["phase"] == OVER:
        return np.ones(players, np.bool_)
    return distances <= distances[table["current_player"]]


def _check_to_act(table: np.void) -> None:
    """Check who is to act against the turns; once the game is over, who acted last."""
    players, turns = len(table["points"]), int(table["turns_done"])
    phase, to_act = int(table["phase"]), int(table["current_player"])
    if phase in (NAMING, CHOOSING) and not table["num_open"][to_act]:
        raise ValueError(f"phase={PHASES[phase]!r}: players[{to_act}] has no open order")
    due = (int(table["first_player"]) + turns - (phase == OVER or _at_the_end(table))) % players
    if _at_the_end(table):
        named = table["completed"][to_act].any() or table["order_discards"]
        if phase == OVER and to_act != due and not named:
            raise ValueError(
                f"to_act={to_act}: must be {due}, who had the last turn, or have named an order"
            )
    elif to_act != due:
        raise ValueError(f"to_act={to_act}: must be {due} with turns_done={turns}")
    elif phase == CHOOSING and not (table["completed"][to_act].any() or table["order_discards"]):
        raise ValueError(
            f"phase='choose': players[{to_act}] has turned over an order in this turn, but there "
            "is none among its completed ones, nor a discarded one"
        )


def _check_limit(config: Config, table: np.void) -> None:
    """Check the turns against their limit, and against the end of the last round."""
    players, turns = config.players, int(table["turns_done"])
    last_turn = -(-config.turn_limit // players) * players  # the end of a round
    final = bool(table["final_round"])
    if turns > last_turn:
        raise ValueError(f"turns_done={turns}: must be at most {last_turn}, the end of the game")
    at_limit = turns >= config.turn_limit and not _at_the_end(table)
    if (
        turns
        and table["phase"] != OVER
        and turns % players == 0
        and (at_limit or (final and table["phase"] == TURN))
    ):
        raise ValueError(f"turns_done={turns}, final_round={final}: the game is over")


def _check_ages(table: np.void) -> None:
    """Check the ages of open orders: one is taken in a turn, one event used (GA-8, GA-12)."""
    finished = _turns_of(table)
    for player, number in enumerate(table["num_open"].tolist()):
        ages = table["age"][player].tolist()
        for place in range(number):
            name = f"players[{player}].open[{place}].age={ages[place]}"
            if place == 0 and ages[0] >= finished[player]:
                raise ValueError(
                    f"{name}: must be below {finished[player]}, the turns that it has finished "
                    f"with turns_done={table['turns_done']}"
                )
            if place and ages[place] >= ages[place - 1]:
                raise ValueError(
                    f"{name}: must be below {ages[place - 1]}, since orders are kept oldest "
                    "first, and one is taken in a turn"
                )
        events = table["repeat"][player] + table["notebook"][player]
        for place in range(number):
            needed = number - 1 - place + int(events[place:number].sum())
            if ages[place] < needed:
                raise ValueError(
                    f"players[{player}].open[{place}].age={ages[place]}: must be at least "
                    f"{needed}, a turn for each later order and each event on them and on it"
                )


# -- Last turns --------------------------------------------------------------------------------


def _check_last_turns(config: Config, table: np.void) -> None:
    """Check what each player did last against its turns and what lies before it (GA-11)."""
    finished = _turns_of(table)
    for player, did in enumerate(table["last"].tolist()):
        name = f"players[{player}].last"
        if (did == NO_ACTION) != (finished[player] == 0):
            due = "null" if finished[player] == 0 else "what it did"
            raise ValueError(
                f"{name}: must be {due}, with {finished[player]} turns finished at "
                f"turns_done={table['turns_done']}"
            )
        if did == COMPLETE_ORDER and config.clock:
            raise ValueError(f"{name}: with a clock nobody completes orders in a turn")
        if REPEAT_ORDER <= did <= LEAVE_ORDER and not config.event_counts[did - REPEAT_ORDER]:
            raise ValueError(f"{name}: there is no {EVENT_NAMES[did - REPEAT_ORDER]} in this game")
        if player == table["first_player"] and finished[player] == 1 and did != TAKE_ORDER:
            raise ValueError(f"{name}: the first turn of the game takes an order (GA-2)")
        left_nothing = (PASSED, COMPLETE_ORDER) if config.complete == "all" else (PASSED,)
        if not config.clock and did in left_nothing and table["num_open"][player]:
            raise ValueError(
                f"{name}: after {KIND_NAMES[did]!r} it has no open order before its next turn"
            )
    passed = (table["last"] == PASSED).all()
    if passed and table["phase"] != OVER and not _at_the_end(table):
        raise ValueError("last: everybody has passed, so the turns are over (GA-10)")


def _check_what_was_taken(table: np.void) -> None:
    """Check the order or event that each player took last: it lies there, or somebody left."""
    faces, completing = set(table["face"].tolist()), _completing(table)
    for player, did in enumerate(table["last"].tolist()):
        name, number = f"players[{player}]", int(table["num_open"][player])
        newest = number - 1 if number and table["age"][player, number - 1] == 0 else NONE
        if newest != NONE and did != TAKE_ORDER:
            raise ValueError(
                f"{name}.open[{newest}].age=0: must be above 0, since its last turn took no order"
            )
        if did == TAKE_ORDER and int(table["last_face"][player]) not in faces:
            raise ValueError(f"{name}.last.face: no order has this face")
        if did == TAKE_ORDER and newest != NONE:
            face = table["face"][table["order"][player, newest]]
            if face != table["last_face"][player]:
                raise ValueError(
                    f"{name}.open[{newest}].face: must be that of last.face, which it took in its "
                    "last turn"
                )
        there = {
            TAKE_ORDER: newest != NONE,
            REPEAT_ORDER: bool(table["repeat"][player].any()),
            NOTEBOOK_ORDER: bool(table["notebook"][player].any()),
        }
        if not there.get(did, True) and not completing[player] and not _left_since(table, player):
            raise ValueError(
                f"{name}.last: after {KIND_NAMES[did]!r} it has an open order "
                f"{'of age 0' if did == TAKE_ORDER else 'with this event'}, unless another "
                "player has made a client leave since"
            )


def _left_since(table: np.void, player: int) -> bool:
    """Return whether another player has made a client leave since the last turn of a player."""
    turns = _turns_of(table) * len(table["points"]) + _distances(table)  # when each was the last
    return bool((table["last"][turns > turns[player]] == LEAVE_ORDER).any())


def _events_of(table: np.void, player: int) -> int:
    """Return how many events lie on a player's orders."""
    on_open = int(table["repeat"][player].sum()) + int(table["notebook"][player].sum())
    return on_open + int(table["doubled"][player].sum())


def _check_turns(table: np.void) -> None:
    """Check that there were turns enough for all that was taken, used and completed."""
    finished, completing = _turns_of(table), _completing(table)
    others = 0  # turns that took neither an order nor an event
    for player, did in enumerate(table["last"].tolist()):
        opened, completed = int(table["num_open"][player]), int(table["completed"][player].sum())
        in_a_turn = did == COMPLETE_ORDER or bool(completed and not completing[player])
        other = in_a_turn + (did == PASSED)
        needed = opened + completed + _events_of(table, player) + other + (did == LEAVE_ORDER)
        if needed > finished[player]:
            raise ValueError(
                f"players[{player}]: its orders and events and its last turn take at least "
                f"{needed} turns, but it has finished {finished[player]} with "
                f"turns_done={table['turns_done']}"
            )
        others += other
    used = sum(_events_of(table, player) for player in range(len(finished)))
    used += int(table["event_discards"].sum())
    needed = max(_num_taken(table), int(table["clock"])) + used + others
    if needed > table["turns_done"]:
        raise ValueError(
            f"turns_done={table['turns_done']}: must be at least {needed}, for all orders and "
            "events that are neither on the table nor in a pile, and the last turns"
        )


def _num_taken(table: np.void) -> int:
    """Return how many orders have been taken and not come back into the pile."""
    completed, opened = int(table["completed"].sum()), int(table["num_open"].sum())
    return opened + completed + int(table["order_discards"])


# -- The table ---------------------------------------------------------------------------------


def _check_slots(table: np.void) -> None:
    """Check that slots were filled as long as there were cards (GA-1).

    While orders are named, discards may lie there that came after the filling.
    """
    filled = table["phase"] == TURN or (table["phase"] == OVER and not _at_the_end(table))
    orders, events = int(table["order_pile"]), int(table["event_pile"].sum())
    if filled:
        orders += int(table["order_discards"])
        events += int(table["event_discards"].sum())
    if (table["market"] == NONE).any() and orders:
        raise ValueError("market_orders: a slot is empty, though there are orders to fill it")
    if (table["market_event"] == NONE).any() and events:
        raise ValueError("market_events: a slot is empty, though there are events to fill it")


def _check_clock(config: Config, table: np.void) -> None:
    """Check the clock against the orders that were taken (GA-9).

    An order that was taken is open, completed or discarded, until the discards are shuffled.
    """
    if not config.clock:
        return
    low = high = int(table["clock"])
    if high == config.num_clock_places:  # later takings do not move it
        high += config.players - 1
    taken, shuffled = _num_taken(table), high > len(table["place"]) - ORDER_SLOTS
    if taken > high or (taken < low and not shuffled):
        raise ValueError(
            f"clock={table['clock']}: {taken} orders are open, completed or discarded, so "
            "that many have been taken"
        )


def _check_naming_order(table: np.void) -> None:
    """Check who has named its orders at the end and who has not (GA-9)."""
    if not table["has_clock"]:
        return
    may_have_named = _completing(table)
    for player in range(len(may_have_named)):
        if table["completed"][player].any() and not may_have_named[player]:
            raise ValueError(
                f"players[{player}].completed: with a clock orders are named at the end, from the "
                "first player on"
            )
        done = may_have_named[player] and (
            table["phase"] == OVER or player != table["current_player"]
        )
        if done and _at_the_end(table) and table["num_open"][player]:
            raise ValueError(
                f"phase={PHASES[table['phase']]!r}: players[{player}] has open orders, but has "
                "named all of them by now"
            )


# -- The end -----------------------------------------------------------------------------------


def _check_final_round(config: Config, table: np.void) -> None:
    """Check whether this is the last round, and since when (GA-7, GA-9)."""
    reached = table["points"] >= config.target
    if config.clock:
        final, by = table["clock"] == config.num_clock_places, "the clock"
    else:
        final, by = reached.any(), f"the points and target={config.target}"
    if final != table["final_round"]:
        raise ValueError(
            f"final_round={bool(table['final_round'])}: must be {bool(final)}, by {by}"
        )
    if config.clock:
        return
    turns, completing = int(table["turns_done"]), _completing(table)
    in_round = turns % config.players or (config.players if table["phase"] == OVER else 0)
    for player in np.flatnonzero(reached & ~completing).tolist():
        had_turn = _distances(table)[player] < in_round
        if table["last"][player] != COMPLETE_ORDER or not had_turn:
            raise ValueError(
                f"players[{player}].points={table['points'][player]}: it reached the target in "
                f"this round, so with turns_done={turns} its last turn must be 'complete'"
            )


def _check_end(config: Config, table: np.void) -> None:
    """Check that something ended the game, or the turns, and who has won (GA-7, GA-9, GA-10)."""
    turns, final = int(table["turns_done"]), bool(table["final_round"])
    passed = bool((table["last"] == PASSED).all())
    round_is_over = turns % config.players == 0
    if table["truncated"] and (turns < config.turn_limit or not round_is_over or final or passed):
        raise ValueError(
            f"turns_done={turns}, final_round={final}: a game is truncated after "
            f"{-(-config.turn_limit // config.players) * config.players} turns, unless this is the "
            "last round or everybody has passed"
        )
    if passed and table["phase"] == OVER and not config.clock and (table["market"] != NONE).any():
        raise ValueError("market_orders: nobody passes while there are orders to take (GA-10)")
    over = table["winner"] != NONE
    if (over or _at_the_end(table)) and not (passed or (final and round_is_over)):
        raise ValueError(
            f"phase={PHASES[table['phase']]!r}, turns_done={turns}, final_round={final}: turns end "
            "with the last round, or when everybody has passed"
        )
    if over:
        best = np.flatnonzero(table["points"] == table["points"].max()).tolist()
        due = best[0] if len(best) == 1 else DRAW
        if table["winner"] != due:
            raise ValueError(f"winner: must be {'draw' if due == DRAW else due} by the points")
