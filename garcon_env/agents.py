"""Rule-based opponents of Garçon, compiled like the rules, with a memory of their own.

They see what their player sees: a face is remembered when its order is taken, since the table
shows it no more. `heuristic` forgets nothing; `forgetful` loses each order that it remembers with
a chance of `fade` in every turn. What it has forgotten, it guesses from the back.

Both take what scores most, put a Repeat on the dearest order they know, and complete their orders
when that reaches the target, or when it is the last chance. They turn a client away from whoever
else is about to reach it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from garcon_env.actions import (
    complete_start,
    done_action,
    leave_start,
    name_start,
    notebook_start,
    repeat_start,
)
from garcon_env.cards import ORDER_SLOTS
from garcon_env.rules import left_of, sees
from garcon_env.state import CHOOSING, NAMING, NONE
from waiter_envs.core.checks import check_number
from waiter_envs.core.game import Heuristic
from waiter_envs.core.jit import njit
from waiter_envs.core.kernels import first_legal
from waiter_envs.core.rng import below

RICH = 12
"""With the clock, a client is worth turning away from who has open orders for so many points."""

CHANCES = 1_000_000
"""Parts of one, in which a chance is written."""


# -- Memory ------------------------------------------------------------------------------------


def memory_dtype(table_dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """Return what an agent remembers at one table in one seat: faces by the round they were taken.

    Nobody takes two orders in a round, so the round names the order.
    """
    assert table_dtype.fields is not None
    cap = table_dtype.fields["order"][0].shape[1]
    return np.dtype(
        [
            ("rng", "u8", (2,)),
            ("fade", "i4"),  # chance to forget an order in a turn, of CHANCES
            ("turn", "i4"),  # last turn in which it was asked, or NONE
            ("round", "i4", (cap,)),  # round in which an order was taken, or NONE
            ("face", "i8", (cap,)),
        ],
        align=True,
    )


def blank_memory(table_dtype: np.dtype[np.void], fade: float = 0.0) -> npt.NDArray[np.void]:
    """Return an empty memory.

    Args:
        table_dtype: of the tables to be played at.
        fade: chance to forget each remembered order in a turn, 0 to 1.

    Raises:
        TypeError, ValueError: if `fade` is no number from 0 to 1.
    """
    memory = np.zeros(1, memory_dtype(table_dtype))
    memory["fade"] = round(CHANCES * check_number("fade", fade, 0.0, 1.0))
    memory["turn"] = NONE
    memory["round"] = NONE
    return memory


def blank_fading_memory(table_dtype: np.dtype[np.void], fade: float = 0.2) -> npt.NDArray[np.void]:
    """Return an empty memory that fades: `blank_memory` with another default."""
    return blank_memory(table_dtype, fade)


@njit
def round_taken(table, player, place):
    """Return the round in which a player took an open order, which its age tells."""
    return table.turns_done // table.points.shape[0] - 1 - table.age[player, place]


@njit
def recall(table, memory, player, place):
    """Return the face of an own open order: seen, remembered, or 0."""
    if sees(table, player, place):
        return np.int64(table.face[table.order[player, place]])
    taken = round_taken(table, player, place)
    for i in range(memory.round.shape[0]):
        if memory.round[i] == taken:
            return memory.face[i]
    return np.int64(0)


@njit
def remember(table, memory, player, slot):
    """Keep the face of an order that is about to be taken in mind."""
    for i in range(memory.round.shape[0]):
        here = False  # is this one still on the table?
        for place in range(table.num_open[player]):
            here |= round_taken(table, player, place) == memory.round[i]
        if not here:
            memory.round[i] = table.turns_done // table.points.shape[0]
            memory.face[i] = table.face[table.market[slot]]
            return


@njit
def recollect(table, player, memory):
    """Write the faces of all own open orders to an empty memory: who forgot none knows them.

    In the round of the player's next turn, or of the one under way, they will be asked for.
    """
    players = table.points.shape[0]
    distance = (player - table.current_player) % players
    now = (table.turns_done + distance) // players
    for place in range(table.num_open[player]):
        memory.round[place] = now - 1 - table.age[player, place]
        memory.face[place] = table.face[table.order[player, place]]


@njit
def fade(table, memory):
    """Let time pass: forget each order with the memory's chance, once in a turn."""
    if memory.turn == table.turns_done:
        return
    memory.turn = table.turns_done
    for i in range(memory.round.shape[0]):
        if memory.fade > 0 and below(memory.rng, CHANCES) < memory.fade:
            memory.face[i] = 0


# -- Policy ------------------------------------------------------------------------------------


@njit
def choose(table, mask, memory):
    """Return the action that the heuristic takes."""
    player = np.int64(table.current_player)
    fade(table, memory)
    if table.phase == NAMING:
        return choose_name(table, mask, memory, player)
    if table.phase == CHOOSING:
        return choose_next(table, mask, memory, player)
    known = worth_of_open(table, memory, player)
    finish = table.points[player] + known >= table.target or table.final_round
    if known > 0 and finish and mask[complete_start(table)]:
        return choose_next(table, mask, memory, player)
    action = turn_away(table, mask, player)
    if action != NONE:
        return action
    action = best_gain(table, mask, memory, player)
    if action != NONE:
        if action < ORDER_SLOTS:
            remember(table, memory, player, action)
        return action
    return first_legal(mask)


@njit
def worth_of(table, player, place, known):
    """Return what an open order scores when it is named right, as far as its face is known."""
    order = np.int64(table.order[player, place])
    points = np.int64(table.order_points[order]) if known else usual_points(table, order)
    return points * (1 + np.int64(table.repeat[player, place]))


@njit
def usual_points(table, order):
    """Return the mean points of all orders of the deck that have the back of an order."""
    total, count = 0, 0
    for other in range(table.back.shape[0]):
        if table.back[other] == table.back[order]:
            total += np.int64(table.order_points[other])
            count += 1
    return total // count


@njit
def worth_of_open(table, memory, player):
    """Return what a player's open orders score, those whose face it knows."""
    worth = 0
    for place in range(table.num_open[player]):
        if recall(table, memory, player, place) != 0:
            worth += worth_of(table, player, place, True)
    return worth


@njit
def best_gain(table, mask, memory, player):
    """Return the take, Repeat or Notebook that adds most to the known open orders, or NONE."""
    best, choice = 0, np.int64(NONE)
    for slot in range(ORDER_SLOTS):
        if mask[slot] and table.order_points[table.market[slot]] > best:
            best, choice = np.int64(table.order_points[table.market[slot]]), np.int64(slot)
    for place in range(table.num_open[player]):
        known = recall(table, memory, player, place) != 0
        worth = worth_of(table, player, place, known)
        action = repeat_start(table) + place
        if known and worth > best and mask[action]:
            best, choice = worth, action
        action = notebook_start(table) + place
        if not known and worth > best and mask[action]:
            best, choice = worth, action
    return choice


@njit
def turn_away(table, mask, player):
    """Return the Client leaves that keeps another player from the target, or NONE.

    What they have is guessed from the backs; that they remember it is assumed.
    """
    best, choice = 0, np.int64(NONE)
    players, cap = table.order.shape
    other = player
    for distance in range(players - 1):
        other = left_of(table, other)
        total = np.int64(table.points[other])
        dearest, at = 0, 0
        for place in range(table.num_open[other]):
            worth = worth_of(table, other, place, False)
            total += worth
            if worth > dearest:
                dearest, at = worth, place
        action = leave_start(table) + distance * cap + at
        threat = total >= table.target or table.has_clock
        if dearest > 0 and threat and mask[action] and total > best:
            best, choice = total, action
    if table.has_clock and best < RICH:
        return np.int64(NONE)
    return choice


@njit
def choose_next(table, mask, memory, player):
    """Complete the dearest known order, or stop while nothing is lost by it."""
    best, choice = NONE, np.int64(NONE)
    for place in range(table.num_open[player]):
        known = recall(table, memory, player, place) != 0
        score = worth_of(table, player, place, True) if known else 0
        if score > best and mask[complete_start(table) + place]:
            best, choice = score, complete_start(table) + place
    if best == 0 and mask[done_action(table)]:
        return np.int64(done_action(table))
    return choice


@njit
def choose_name(table, mask, memory, player):
    """Name a dish of the order that is remembered, or guess one."""
    face = recall(table, memory, player, np.int64(table.named))
    start, end = name_start(table), repeat_start(table)
    legal = 0
    for action in range(start, end):
        if mask[action] and face >> (action - start) & 1:
            return np.int64(action)
        legal += mask[action]
    guess = below(memory.rng, legal)
    for action in range(start, end):
        if mask[action]:
            if guess == 0:
                return np.int64(action)
            guess -= 1
    return np.int64(start)


HEURISTICS: Mapping[str, Heuristic] = {
    "heuristic": Heuristic(choose, blank_memory, recollect),
    "forgetful": Heuristic(choose, blank_fading_memory, recollect),
}
"""Rule-based agents by name; both take the option `fade`."""

SEARCH: Mapping[str, Any] = {"simulations": 2048, "candidates": 16, "ranked": 8, "anchor": 1.0}
"""How a search does best, as measured by `benchmarks/search.py`; by default it takes its time: some
20 ms of one core for a decision."""
