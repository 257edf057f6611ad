"""One learner among opponents at each of many tables: the record that is kept of it, and the loop.

As in `kernels`, the rule functions are placeholders that `jit.bind` replaces.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.core.jit import njit
from waiter_envs.core.kernels import RESET, SAME_STEP, SKIP, draw, first_legal, renew
from waiter_envs.core.network import choose_at
from waiter_envs.core.rng import below

# Whom a table waits for; from 0 on, agents that are asked from Python.
LEARNER, OVER, STUCK = -1, -2, -3

RANDOM = 0
"""Kind of the opponent that chooses uniformly; from 1 on, rule-based ones (`compose`)."""

POLICY = 4096
"""Kind of the first trained policy; the others follow."""

MAX_DEALS = 1000
"""Games dealt in a row, all over before the learner's first decision, until dealing gives up."""

# How a game ends for the learner.
NOT_YET, BY_THE_RULES, CUT, BY_ILLEGAL_ACTION = range(4)

init_state: Any = None
step: Any = None
legal_action_mask: Any = None
observe: Any = None
rewards: Any = None
choose_opponent: Any = None
forget: Any = None


def learner_dtype(num_players: int) -> np.dtype[np.void]:
    """Return the record of what is kept of the learner at one table."""
    return np.dtype(
        [
            ("waits_for", "i4"),  # who acts next: LEARNER, an agent of Python, or OVER, STUCK
            ("seat", "i1"),  # the learner's player
            ("draws_seat", "?"),  # the seat is drawn at each deal
            ("seat_rng", "u8", (2,)),  # the stream that it is drawn from
            ("deals", "i4"),  # games dealt since the learner last acted
            ("dealt", "?"),  # set where a game is dealt; the caller clears it
            ("accrued", "f4", (num_players,)),  # rewards since the learner last acted, by player
            ("reward", "f4"),  # of the learner's last step
            ("terminated", "?"),  # whether that step ended the game by its rules,
            ("truncated", "?"),  # by the turn limit,
            ("illegal", "?"),  # or because the action was illegal
            ("opponent_rng", "u8", (num_players, 2)),  # streams of opponents without a memory
        ],
        align=True,
    )


def blank_learners(count: int, num_players: int, seat: int | None) -> npt.NDArray[np.void]:
    """Return the records of `count` tables, none of them dealt; `seat=None`: seats are drawn."""
    learners = np.zeros(count, learner_dtype(num_players))
    learners["waits_for"] = OVER
    learners["seat"] = 0 if seat is None else seat
    learners["draws_seat"] = seat is None
    return learners


@njit
def begin_step(learner):
    """Clear what the learner's last step left behind."""
    learner.reward = 0.0
    learner.terminated = False
    learner.truncated = False
    learner.illegal = False


@njit
def note_deal(learner):
    """Count a deal, draw the learner's seat, and forget what the last game paid."""
    if learner.draws_seat:
        learner.seat = below(learner.seat_rng, learner.accrued.shape[0])
    learner.accrued[:] = 0.0
    learner.deals += 1
    learner.dealt = True


@njit
def hand_over(learner):
    """Let the learner act: it is paid what has accrued since it last did."""
    if learner.deals == 0:  # what a game paid before the learner's first step is paid with that
        learner.reward = learner.accrued[learner.seat]
        learner.accrued[:] = 0.0
    learner.deals = 0
    learner.waits_for = LEARNER


@njit
def end_game(learner, ending):
    """Pay the learner for the last time, and note how the game ended."""
    learner.terminated = ending != CUT
    learner.truncated = ending == CUT
    learner.illegal = ending == BY_ILLEGAL_ACTION
    learner.reward = -1.0 if learner.illegal else learner.accrued[learner.seat]


def play_to_learner(
    state,
    blank,
    orders,
    mode,
    start,
    stop,
    observation,
    action_mask,
    learners,
    final_observation,
    kinds,
    memories,
    blank_memories,
):
    """Carry out `orders` at every table, then let the opponents act until somebody is asked.

    An order is an action of whoever the table waits for, `RESET`, or `SKIP`, which leaves the
    table alone. `learners[i]` (`learner_dtype`) tells whom it waits for then: the learner, who
    sees `observation[i]` and `action_mask[i]`; nobody, since the game is `OVER` (any action then
    deals the next one); or an agent of Python, whose move belongs to the learner's step that is
    under way.

    * `kinds` tells of each opponent, in the order of the players with the learner left out, who it
      is: `RANDOM`, the number of a rule-based agent, `POLICY` plus that of a trained policy, or
      -1 less an agent of Python.
    * Of each rule-based agent the tuple `memories` holds what it remembers, `(tables, players)`,
      and `blank_memories` an empty memory, `(1,)`. If there are policies, the last item of
      `memories` holds all their networks.
    """
    for i in range(start, stop):
        order = np.int64(orders[i])
        if order == SKIP:
            continue
        table, learner, mask = state[i], learners[i], action_mask[i]
        if learner.waits_for < 0:
            begin_step(learner)
        deal = order == RESET or learner.waits_for == OVER
        ending = NOT_YET
        if not deal:
            if learner.waits_for == LEARNER and mask[order] == 0:
                ending = BY_ILLEGAL_ACTION
            else:
                step(table, order)
                rewards(table, learner.accrued)
        while True:
            if deal:
                if learner.deals == MAX_DEALS:
                    learner.waits_for = STUCK
                    break
                renew(state, i, blank)
                init_state(table)
                forget(memories, blank_memories, i)
                note_deal(learner)
                ending = NOT_YET
            if table.terminated:
                ending = BY_THE_RULES
            elif table.truncated:
                ending = CUT
            deal = ending != NOT_YET
            if deal:
                if learner.deals > 0:  # over before the learner's first decision: deal again
                    continue
                end_game(learner, ending)
                mask[:] = 1  # any action will do, where one is asked for
                if mode == SAME_STEP:
                    observe(table, learner.seat, final_observation[i])
                    continue
                observe(table, learner.seat, observation[i])
                learner.waits_for = OVER
                break
            legal = legal_action_mask(table, mask)
            player, seat = np.int64(table.current_player), np.int64(learner.seat)
            if legal == 1:
                action = first_legal(mask)
            elif player == seat:
                hand_over(learner)
                observe(table, player, observation[i])
                break
            else:
                kind = np.int64(kinds[player - (player > seat)])
                if kind < 0:
                    learner.waits_for = -1 - kind
                    observe(table, player, observation[i])
                    break
                stream = learner.opponent_rng[player]
                action = choose_opponent(kind, table, mask, legal, stream, memories, i, player)
            step(table, action)
            rewards(table, learner.accrued)


def compose(heuristics: Any, observe: Any = None) -> tuple[Any, Any]:
    """Return the functions `choose_opponent` and `forget` of `play_to_learner`.

    Args:
        heuristics: a list of `Heuristic`, those of kind 1, 2 and so on.
        observe: the game's, if there are trained policies.
    """

    @njit
    def choose_random(kind, table, mask, legal, stream, memories, i, player):
        return draw(mask, legal, stream)

    @njit
    def forget_nothing(memories, blank_memories, i):
        pass

    chosen, forgotten = choose_random, forget_nothing
    for number, heuristic in enumerate(heuristics):
        if heuristic.blank_memory is None:
            chosen = _or_choose(number, heuristic.choose, chosen)
        else:
            chosen = _or_choose_remembering(number, heuristic.choose, chosen)
            forgotten = _and_forget(number, forgotten)
    if observe is not None:
        chosen = _or_choose_policy(len(heuristics), choose_at(observe), chosen)
    return chosen, forgotten


def _or_choose(number, choose, otherwise):
    @njit
    def choose_opponent(kind, table, mask, legal, stream, memories, i, player):
        if kind == number + 1:
            return choose(table, mask)
        return otherwise(kind, table, mask, legal, stream, memories, i, player)

    return choose_opponent


def _or_choose_remembering(number, choose, otherwise):
    @njit
    def choose_opponent(kind, table, mask, legal, stream, memories, i, player):
        if kind == number + 1:
            return choose(table, mask, memories[number][i, player])
        return otherwise(kind, table, mask, legal, stream, memories, i, player)

    return choose_opponent


def _or_choose_policy(number, choose, otherwise):
    @njit
    def choose_opponent(kind, table, mask, legal, stream, memories, i, player):
        if kind >= POLICY:
            weights, layouts = memories[number]
            return choose(table, mask, weights, layouts[kind - POLICY], stream)
        return otherwise(kind, table, mask, legal, stream, memories, i, player)

    return choose_opponent


def _and_forget(number, first):
    @njit
    def forget(memories, blank_memories, i):
        first(memories, blank_memories, i)
        memory = memories[number][i]
        for player in range(memory.shape[0]):
            renew(memory, player, blank_memories[number])

    return forget
