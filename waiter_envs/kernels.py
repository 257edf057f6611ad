"""The loops over tables, as templates: each game compiles them with its own rules (`jit.bind`).

The rule functions named below (`init_state`, `step`, ...) are placeholders that `bind`
replaces; no rule of any game stands here. Each kernel works on tables `start .. stop - 1` and
holds no lock, so several threads may work on disjoint ranges of the same arrays.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from waiter_envs import jit, rng
from waiter_envs.jit import bind, fingerprint, kernel, njit
from waiter_envs.rng import below

# Negative actions are orders to the driver, never accepted from outside.
RESET = -1
REFRESH = -2
SKIP = -3

# Gymnasium's AutoresetMode as numbers.
NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2

# Whom a table of `play_to_learner` waits for; from 0 on, agents that are asked from Python.
LEARNER, OVER, STUCK = -1, -2, -3

RANDOM = 0
"""Kind of the opponent that chooses uniformly; from 1 on, rule-based ones (`opponents`)."""

MAX_DEALS = 1000
"""Games dealt in a row, all over before the learner's first decision, until dealing gives up."""

_BLOCK = 32

init_state: Any = None
step: Any = None
legal_action_mask: Any = None
observe: Any = None
observe_hidden: Any = None
rewards: Any = None
decode: Any = None
encode: Any = None
num_actions_at: Any = None
choose: Any = None
choose_opponent: Any = None
forget: Any = None


@njit
def first_legal(mask):
    """Return the lowest action whose mask is 1."""
    action = 0
    while mask[action] == 0:
        action += 1
    return action


def advance(
    state,
    blank,
    actions,
    mode,
    start,
    stop,
    observation,
    action_mask,
    current_player,
    reward,
    terminated,
    truncated,
    final_state,
):
    """Carry out `actions` at every table: an action, `RESET` or `REFRESH`; then look again.

    Decisions with a single legal action happen at once, again and again, so a live table
    always has two legal actions or more. (`REFRESH` alone takes a position as it is.)
    Where a game ends, `final_state` keeps its last position.
    """
    for i in range(start, stop):
        table = state[i]
        mask = action_mask[i]
        row = reward[i]
        row[:] = 0.0
        terminated[i] = False
        truncated[i] = False
        action = np.int64(actions[i])
        over = table.terminated or table.truncated
        deal = action == RESET or (action >= 0 and over)
        if action == REFRESH and over:
            rewards(table, row)
        if action >= 0 and not over:
            step(table, action)
            rewards(table, row)
        while True:
            if deal:
                word0, word1 = table.rng[0], table.rng[1]
                state[i] = blank[0]
                table.rng[0], table.rng[1] = word0, word1
                init_state(table)
            over = table.terminated or table.truncated
            if not over:
                legal = legal_action_mask(table, mask)
                while legal == 1 and action != REFRESH:
                    step(table, first_legal(mask))
                    rewards(table, row)
                    over = table.terminated or table.truncated
                    if over:
                        break
                    legal = legal_action_mask(table, mask)
            if not over:
                break
            terminated[i] = table.terminated
            truncated[i] = table.truncated
            mask[:] = 0
            if action != REFRESH:
                final_state[i] = table
            if mode != SAME_STEP or action == REFRESH or deal:
                break
            deal = True
        current_player[i] = table.current_player
        observe(table, table.current_player, observation[i])


def observe_players(state, players, start, stop, observation):
    """Write what player `players[i]` of table i may see to `observation[i]`."""
    for i in range(start, stop):
        observe(state[i], players[i], observation[i])


def observe_full(state, players, start, stop, features, observation):
    """Write what `players[i]` may see, then what is hidden from it, to `observation[i]`."""
    for i in range(start, stop):
        observe(state[i], players[i], observation[i, :features])
        observe_hidden(state[i], players[i], observation[i, features:])


def legal_actions(state):
    """Return the mask of the only table of `state`, all 0 if its game is over."""
    table = state[0]
    mask = np.zeros(num_actions_at(table), np.int8)
    if not (table.terminated or table.truncated):
        legal_action_mask(table, mask)
    return mask


def decode_action(state, action):
    """Return the description of a legal action at the only table of `state`."""
    return decode(state[0], action)


def encode_action(state, description):
    """Return the index of a described action at the only table of `state`."""
    return encode(state[0], description)


def choose_actions(state, action_mask, start, stop, actions):
    """Write the rule-based agent's choice at every live table to `actions`."""
    for i in range(start, stop):
        actions[i] = 0
        if not (state[i].terminated or state[i].truncated):
            actions[i] = choose(state[i], action_mask[i])


def choose_remembering(state, action_mask, memory, start, stop, actions):
    """Write the choice of an agent with a memory, which it may change, to `actions`."""
    for i in range(start, stop):
        actions[i] = 0
        if not (state[i].terminated or state[i].truncated):
            actions[i] = choose(state[i], action_mask[i], memory[i])


@njit
def draw(mask, legal, stream):
    """Return one of the `legal` actions whose mask is 1, uniformly at random."""
    left = below(stream, legal)
    action = 0
    for _ in range(mask.shape[0] // _BLOCK):  # skip whole blocks, then look one by one
        in_block = 0
        for offset in range(_BLOCK):
            in_block += mask[action + offset]
        if in_block > left:
            break
        left -= in_block
        action += _BLOCK
    while left >= mask[action]:
        left -= mask[action]
        action += 1
    return action


def _sample(action_mask, streams, start, stop, actions):
    """Write a uniformly random legal action of each row to `actions` (0 where none is)."""
    for i in range(start, stop):
        mask = action_mask[i]
        legal = 0
        for action in range(action_mask.shape[1]):
            legal += mask[action]
        actions[i] = 0
        if legal > 0:
            actions[i] = draw(mask, legal, streams[i])


# It calls another file's function, so its cache too must notice an edit there.
sample = bind(_sample, {}, fingerprint([sys.modules[__name__], rng, jit]))


@kernel
def first_refused(actions, action_mask, terminated, truncated, mode):
    """Return the first table whose action cannot be taken, or -1.

    A table that waits to be dealt anew (`NEXT_STEP`) takes any action of the action space; a
    finished one with autoreset disabled takes none.
    """
    num_actions = action_mask.shape[1]
    for i in range(actions.shape[0]):
        if actions[i] < 0 or actions[i] >= num_actions:
            return i
        if terminated[i] or truncated[i]:
            if mode == DISABLED:
                return i
            if mode == NEXT_STEP:
                continue
        if action_mask[i, actions[i]] == 0:
            return i
    return -1


# -- One learner among opponents ---------------------------------------------------------------


def play_to_learner(
    state,
    blank,
    orders,
    mode,
    start,
    stop,
    observation,
    action_mask,
    asked,
    seat,
    seat_streams,
    deals,
    dealt,
    paid,
    reward,
    terminated,
    truncated,
    illegal,
    final_observation,
    kinds,
    streams,
    memories,
    blank_memories,
):
    """Carry out `orders` at every table, then let the opponents act until somebody is asked.

    An order is an action of whoever was asked, `RESET`, or `SKIP`, which leaves the table alone.
    `asked[i]` tells who is: the learner, who sees `observation[i]` and `action_mask[i]`; nobody,
    since the game is `OVER` (any action then deals the next one); or an agent of Python, whose
    number it is: its move belongs to the learner's step that is under way.

    * `seat[i]` is the learner's player; drawn at each deal if there are `seat_streams`, one for
      each table, else fixed.
    * `deals[i]` counts the games dealt since the learner was last asked; `dealt[i]` is set where a
      game is dealt. `paid[i]` is what each player was paid since the learner was last asked.
    * `kinds` tells of each opponent, in the order of the players with the learner left out, who it
      is: `RANDOM`, the number of a rule-based agent, or -1 less an agent of Python.
    * `streams[i, player]` is for random choices. Of each rule-based agent the tuple `memories`
      holds what it remembers, `(tables, players)`, and `blank_memories` an empty memory, `(1,)`.
    """
    for i in range(start, stop):
        order = np.int64(orders[i])
        if order == SKIP:
            continue
        table = state[i]
        mask = action_mask[i]
        row = paid[i]
        if asked[i] < 0:  # a step of the learner begins
            reward[i] = 0.0
            terminated[i] = False
            truncated[i] = False
            illegal[i] = False
        deal = order == RESET or asked[i] == OVER
        lost = False
        if not deal:
            lost = asked[i] == LEARNER and mask[order] == 0
            if not lost:
                step(table, order)
                rewards(table, row)
        while True:
            if deal:
                if deals[i] == MAX_DEALS:
                    asked[i] = STUCK
                    break
                word0, word1 = table.rng[0], table.rng[1]
                state[i] = blank[0]
                table.rng[0], table.rng[1] = word0, word1
                init_state(table)
                if seat_streams.shape[0] > 0:
                    seat[i] = below(seat_streams[i], row.shape[0])
                forget(memories, blank_memories, i)
                row[:] = 0.0
                deals[i] += 1
                dealt[i] = True
                deal = False
            if lost or table.terminated or table.truncated:
                deal = True
                if deals[i] > 0:  # over before the learner's first decision: no game of its own
                    continue
                terminated[i] = lost or table.terminated
                truncated[i] = not lost and table.truncated
                illegal[i] = lost
                reward[i] = -1.0 if lost else row[seat[i]]
                mask[:] = 0
                lost = False
                if mode == SAME_STEP:
                    observe(table, seat[i], final_observation[i])
                    continue
                observe(table, seat[i], observation[i])
                asked[i] = OVER
                break
            legal = legal_action_mask(table, mask)
            player = np.int64(table.current_player)
            if legal == 1:
                action = first_legal(mask)
            elif player == seat[i]:
                if deals[i] == 0:
                    reward[i] = row[player]
                    row[:] = 0.0
                deals[i] = 0
                asked[i] = LEARNER
                observe(table, player, observation[i])
                break
            else:
                kind = np.int64(kinds[player - (player > seat[i])])
                if kind < 0:
                    asked[i] = -1 - kind
                    observe(table, player, observation[i])
                    break
                action = choose_opponent(
                    kind, table, mask, legal, streams[i, player], memories, i, player
                )
            step(table, action)
            rewards(table, row)


def opponents(heuristics):
    """Return the functions `choose_opponent` and `forget` of `play_to_learner`.

    Args:
        heuristics: a list of `Heuristic`, those of kind 1, 2 and so on.
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


def _and_forget(number, first):
    @njit
    def forget(memories, blank_memories, i):
        first(memories, blank_memories, i)
        memory = memories[number]
        for player in range(memory.shape[1]):
            word0, word1 = memory[i, player].rng[0], memory[i, player].rng[1]
            memory[i, player] = blank_memories[number][0]
            memory[i, player].rng[0], memory[i, player].rng[1] = word0, word1

    return forget
