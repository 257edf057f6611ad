"""The loops over tables, as templates: each game compiles them with its own rules (`jit.bind`).

The rule functions named below (`init_state`, `step`, ...) are placeholders that `bind`
replaces; no rule of any game stands here. Each kernel works on tables `start .. stop - 1` and
holds no lock, so several threads may work on disjoint ranges of the same arrays. The loop with a
learner among opponents has a file of its own, `learner`.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from waiter_envs.core import jit, rng
from waiter_envs.core.fingerprint import fingerprint
from waiter_envs.core.jit import bind, kernel, njit
from waiter_envs.core.rng import below

# Negative actions are orders to the driver, never accepted from outside.
RESET = -1
REFRESH = -2
SKIP = -3

# Gymnasium's AutoresetMode as numbers.
NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2

_BLOCK = 32

init_state: Any = None
step: Any = None
legal_action_mask: Any = None
observe: Any = None
observe_hidden: Any = None
rewards: Any = None
decode: Any = None
encode: Any = None
choose: Any = None


@njit
def renew(records, i, blank):
    """Make a record blank again; its random stream goes on."""
    word0, word1 = records[i].rng[0], records[i].rng[1]
    records[i] = blank[0]
    records[i].rng[0], records[i].rng[1] = word0, word1


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
                renew(state, i, blank)
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
            mask[:] = mode == NEXT_STEP  # then any action will do
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


def legal_actions(state, mask):
    """Write the mask of the only table of `state`, all 0 before, unless its game is over."""
    table = state[0]
    if not (table.terminated or table.truncated):
        legal_action_mask(table, mask)


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
sample = bind(_sample, {}, fingerprint([sys.modules[__name__], rng, jit, *jit.COMPILERS]))


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
