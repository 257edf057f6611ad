"""A search in compiled code: worlds, candidates, playouts, and the choice among them.

`waiter_envs.agents.search` says what it is about. Nothing but `deal` looks at the table itself, and
`deal` hands it to the game's `resample`: what is hidden from the player makes no difference.

The loop is a template like those of `kernels`: `deal`, `propose`, `simulate` and `learn` are
placeholders for what `functions` makes of a game and two policies.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs.core.jit import njit
from waiter_envs.core.kernels import count_legal, draw
from waiter_envs.core.playing import Policy, playing, random_word

CHOSEN, CONTRADICTION = range(2)
"""How a search may end."""

NO_LIMIT = 2**62

WORLDS, SIMULATIONS, MOVES = range(3)
"""Columns of what was spent."""

PILOT = 2
"""Worlds in which all candidates are tried, before it is reckoned how many more there can be."""

ENOUGH = 8
"""Worlds for each candidate that the budget must allow before the first halving; with fewer worlds
there are fewer candidates, since the best of many noisy ones is noise."""

_U1 = np.uint64(1)

deal: Any = None
propose: Any = None
simulate: Any = None
learn: Any = None


class Limits(NamedTuple):
    """What a search may spend, and how it chooses."""

    candidates: int
    """Actions tried, at most."""
    ranked: int
    """Of these, the ones that the prior is asked for; the others are drawn at random."""
    simulations: int
    """Playouts, at most."""
    expected: int
    """Playouts that there will be, about; by this the number of candidates is chosen."""
    moves: int
    """Moves in all playouts together, about; `NO_LIMIT`: any number."""
    depth: int
    """Decisions of a playout, at most; -1: to the end."""
    anchor: float
    """Standard errors that a gain over the prior's choice must exceed."""
    prior: int
    """Kind of the prior (`Policy.kind`)."""
    rollout: int
    """Kind of the policy of the playouts."""
    exploration: float
    """Of a tree (`tree_searching`): how many widths of its confidence bounds count."""


class Room(NamedTuple):
    """Arrays for one search at a time."""

    worlds: npt.NDArray[np.void]
    """`(worlds,)`: tables dealt anew."""
    luck: npt.NDArray[np.uint64]
    """`(worlds, 2)`: the random stream of the playouts in each world."""
    simulation: npt.NDArray[np.void]
    """`(1,)`: the table of a playout."""
    mask: npt.NDArray[np.int8]
    """`(actions,)`."""
    paid: npt.NDArray[np.float32]
    """`(players,)`: what the playout has paid."""
    stream: npt.NDArray[np.uint64]
    """`(2,)`: the random stream of the playout."""
    payoff: npt.NDArray[np.float32]
    """`(candidates, worlds)`: what the player was paid."""
    order: npt.NDArray[np.int64]
    """`(candidates,)`: columns, the prior's choice first, then from the best on."""
    prior: Any
    """Memories of the prior, and their blanks (`Policy.memory_arguments`)."""
    rollout: Any
    """The same of the policy of the playouts."""


class Found(NamedTuple):
    """What searches find, a row for each decision and, mostly, a column for each candidate."""

    actions: npt.NDArray[np.int32]
    """The candidates, the prior's choice first."""
    tried: npt.NDArray[np.int32]
    """In how many worlds each was tried; 0 where there is no candidate."""
    value: npt.NDArray[np.float64]
    """What each is paid, on average over these worlds."""
    gain: npt.NDArray[np.float64]
    """How much more that is than the prior's choice is paid in the same worlds."""
    error: npt.NDArray[np.float64]
    """The standard error of the gain."""
    choice: npt.NDArray[np.int64]
    """`(n,)`: the column of the choice."""
    ended: npt.NDArray[np.int8]
    """`(n,)`: `CHOSEN`, or `CONTRADICTION`: what the player knows contradicts itself."""
    spent: npt.NDArray[np.int64]
    """`(n, 3)`: `WORLDS`, `SIMULATIONS`, and `MOVES` in them."""


def search(state, action_mask, minds, streams, limits, start, stop, room, found):
    """Search for the player to act at every table.

    `minds[i]` is what the player remembers, and brought up to date; `streams[i]` its luck.
    """
    for i in range(start, stop):
        player, stream = np.int64(state[i].current_player), streams[i]
        if not deal(state, i, player, minds, stream, room, 0):
            found.ended[i] = CONTRADICTION
            continue
        actions = found.actions[i]
        alive = propose(room, action_mask[i], player, minds, i, stream, limits, actions)
        rounds = rounds_for(alive)
        dealt, simulations, moves = 0, 0, 0
        for turn in range(-1, rounds):
            goal = PILOT
            if turn >= 0:
                total = affordable(limits, simulations, moves)
                goal = dealt + max(0, total - simulations) // ((rounds - turn) * alive)
            while dealt < min(goal, room.worlds.shape[0]) and rounds > 0:
                if dealt > 0:
                    deal(state, i, player, minds, stream, room, dealt)
                for k in range(alive):
                    column = room.order[k]
                    moves += simulate(room, dealt, np.int64(actions[column]), limits)
                    room.payoff[column, dealt] = room.paid[player]
                dealt += 1
                simulations += alive
            compare(room, alive, dealt, found, i)
            if 0 <= turn < rounds - 1:
                alive = (alive + 1) // 2
        choice = choose(room.order, alive, found.gain[i], found.error[i], limits.anchor)
        learn(room, np.int64(actions[choice]), minds, i)
        found.choice[i] = choice
        found.ended[i] = CHOSEN
        spent = found.spent[i]
        spent[WORLDS], spent[SIMULATIONS], spent[MOVES] = dealt, simulations, moves


@njit
def rounds_for(candidates):
    """Return how often candidates are halved, and tried in between, until two are left."""
    rounds, left = 0, candidates
    while left > 1:
        rounds += 1
        left = (left + 1) // 2
    return rounds


@njit
def affordable_candidates(simulations):
    """Return how many candidates can be tried in `ENOUGH` worlds each before they are halved."""
    candidates = 1
    while (candidates + 1) * rounds_for(candidates + 1) * ENOUGH <= simulations:
        candidates += 1
    return candidates


@njit
def affordable(limits, simulations, moves):
    """Return how many simulations the budget allows, if they go on to be as long as so far."""
    if moves == 0:
        return limits.simulations
    return min(limits.simulations, np.int64(limits.moves * (simulations / moves)))


@njit
def compare(room, alive, dealt, found, i):
    """Write how the candidates that are left compare to the first one, and bring them in order.

    They have been tried in the same worlds, with the same luck: what counts is the difference in
    each world, of which most of the chance has gone.
    """
    payoff, order = room.payoff, room.order
    for k in range(alive):
        column = order[k]
        total, gain, squares = 0.0, 0.0, 0.0
        for world in range(dealt):
            difference = np.float64(payoff[column, world]) - np.float64(payoff[0, world])
            total += payoff[column, world]
            gain += difference
            squares += difference * difference
        found.tried[i, column] = dealt
        if dealt > 1:
            gain /= dealt
            variance = max(0.0, squares / dealt - gain * gain) * dealt / (dealt - 1)
            found.value[i, column] = total / dealt
            found.gain[i, column] = gain
            found.error[i, column] = math.sqrt(variance / dealt)
        place = k
        while place > 1 and found.gain[i, order[place - 1]] < found.gain[i, column]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = column


@njit
def choose(order, alive, gain, error, anchor):
    """Return the column of the choice: the prior's, unless another's gain is sure enough."""
    choice, best = 0, 0.0
    for k in range(1, alive):
        column = order[k]
        sure = gain[column] - anchor * error[column]
        if sure > best:
            choice, best = column, sure
    return choice


# -- What a game and two policies bring --------------------------------------------------------


_made: dict[Any, dict[str, Any]] = {}


def functions(game: Any, prior: Policy, rollout: Policy) -> dict[str, Any]:
    """Return the functions that `search` needs, the same whenever asked for."""
    key = game.name, prior.name, rollout.name
    if key not in _made:
        remembering = remembering_heuristic(game)
        play_on = playing(game, rollout)
        prior_remembers = prior.blank_memory.dtype.names is not None
        _made[key] = {
            "deal": _dealing(game.resample, game.resample_remembering),
            "propose": _proposing(prior.choose, _recall if prior_remembers else _recall_nothing),
            "simulate": _simulating(
                game.step, game.rewards, rollout.attend, play_on, game.expect or expect_nothing
            ),
            "learn": _learning(remembering.choose) if remembering else learn_nothing,
        }
        _made[key]["propose"].__name__ = f"propose_{prior.name}"
        _made[key]["simulate"].__name__ = f"simulate_{rollout.name}"
    return _made[key]


def remembering_heuristic(game: Any) -> Any:
    """Return the first rule-based agent with a memory, or `None`."""
    return next((h for h in game.heuristics.values() if h.blank_memory is not None), None)


def _dealing(resample, resample_remembering):
    @njit
    def deal_seen(state, i, player, minds, stream, room, world):
        begin(state, i, stream, room, world)
        return resample(room.worlds[world], player)

    @njit
    def deal_remembered(state, i, player, minds, stream, room, world):
        begin(state, i, stream, room, world)
        return resample_remembering(room.worlds[world], player, minds[i])

    return deal_seen if resample_remembering is None else deal_remembered


@njit
def begin(state, i, stream, room, world):
    """Let a world be a copy of a table, with luck of its own."""
    room.worlds[world] = state[i]
    chance = room.worlds[world].rng
    chance[0], chance[1] = random_word(stream), random_word(stream) | _U1
    room.luck[world, 0], room.luck[world, 1] = random_word(stream), random_word(stream) | _U1


def _proposing(prefer, recall):
    @njit
    def propose(room, mask, player, minds, i, stream, limits, actions):
        """List candidates: the prior's choice, its choice without that, and so on, then any."""
        left, world = room.mask, room.worlds[0]
        for action in range(left.shape[0]):
            left[action] = mask[action]
        legal = count_legal(left)
        most = min(legal, limits.candidates, affordable_candidates(limits.expected))
        ranked = limits.ranked
        count = 0
        while count < most:
            action = np.int64(-1)
            if count < ranked:
                recall(room, player, minds, i)
                memories = room.prior[0]
                action = prefer(
                    limits.prior, world, left, legal - count, stream, memories, 0, player
                )
                if action < 0 or action >= left.shape[0] or left[action] == 0:
                    ranked = count  # it does not look at the mask that closely
                    continue
            else:
                action = draw(left, legal - count, stream)
            left[action] = 0
            actions[count] = action
            room.order[count] = count
            count += 1
        return count

    return propose


@njit
def _recall(room, player, minds, i):
    room.prior[0][0][0, player] = minds[i]


@njit
def _recall_nothing(room, player, minds, i):
    pass


@njit
def take_luck(room, world):
    """Begin a playout: in a copy of a world, with its luck."""
    room.simulation[0] = room.worlds[world]
    room.stream[0], room.stream[1] = room.luck[world, 0], room.luck[world, 1]
    room.paid[:] = 0.0


def _simulating(step, rewards, attend, play_on, expect):
    @njit
    def simulate(room, world, action, limits):
        """Play an action in a world, then on; return how many moves that took."""
        take_luck(room, world)
        table, paid, stream = room.simulation[0], room.paid, room.stream
        memories, blanks = room.rollout
        step(table, action)
        rewards(table, paid)
        attend(memories, blanks, 0, table, stream)
        moves = 1 + play_on(
            table, room.mask, paid, limits.rollout, limits.depth, stream, memories, 0
        )
        if not (table.terminated or table.truncated):
            expect(table, paid)
        return moves

    return simulate


@njit
def expect_nothing(table, totals):
    """Expect nothing more, where a game does not tell."""


def _learning(choose):
    @njit
    def learn(room, action, minds, i):
        """Let the rule-based agent remember an action, by leaving it no choice."""
        room.mask[:] = 0
        room.mask[action] = 1
        choose(room.worlds[0], room.mask, minds[i])

    return learn


@njit
def learn_nothing(room, action, minds, i):
    """Remember nothing, where agents have no memory."""
