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

from waiter_envs.core import jit, rng, words
from waiter_envs.core.fingerprint import fingerprint
from waiter_envs.core.jit import bind, njit
from waiter_envs.core.rng import below
from waiter_envs.core.words import count_ones, find, load_word, nth_one

# Negative actions are orders to the driver, never accepted from outside.
RESET = -1
REFRESH = -2
SKIP = -3

# Gymnasium's AutoresetMode as numbers.
NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2

BLOCK = 64
"""Actions that are looked through at once."""

PACKING = sum(1 << 63 - 9 * i for i in range(8)) - (1 << 64)
"""A factor that brings the lowest bits of eight bytes to the highest byte, the first one highest.

As a signed number of 64 bits; products are meant to overflow."""

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
    checked,
    start,
    stop,
    row,
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

    Nothing is observed if `observation` has no columns. If `row` has any, it takes the features of
    one table after the other, and `observation` gets them packed, eight in a byte.

    Returns:
        -1; or, if the actions are to be `checked` first, the first table whose action cannot be
        taken: then nothing has moved.
    """
    if checked:
        refused = find_refused(actions, action_mask, terminated, truncated, mode, start, stop)
        if refused >= 0:
            return refused
    for i in range(start, stop):
        table = state[i]
        mask = action_mask[i]
        paid = reward[i]
        paid[:] = 0.0
        terminated[i] = False
        truncated[i] = False
        action = np.int64(actions[i])
        over = table.terminated or table.truncated
        deal = action == RESET or (action >= 0 and over)
        if action == REFRESH and over:
            rewards(table, paid)
        if action >= 0 and not over:
            step(table, action)
            rewards(table, paid)
        while True:
            if deal:
                renew(state, i, blank)
                init_state(table)
            over = table.terminated or table.truncated
            if not over:
                legal = legal_action_mask(table, mask)
                while legal == 1 and action != REFRESH:
                    step(table, first_legal(mask))
                    rewards(table, paid)
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
        if row.shape[0] > 0:
            observe(table, table.current_player, row)
            pack(row, observation[i])
        elif observation.shape[1] > 0:
            observe(table, table.current_player, observation[i])
    return -1


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


def decode_actions(state, actions, start, stop, descriptions):
    """Write the description of each legal action; a negative number is none, and skipped."""
    for i in range(start, stop):
        if actions[i] >= 0:
            description = decode(state[i], np.int64(actions[i]))
            for j in range(descriptions.shape[1]):
                descriptions[i, j] = description[j]


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
def pack(row, packed):
    """Write features eight in a byte, the first one highest, as `numpy.packbits` does."""
    whole = row.shape[0] // 8
    for byte in range(whole):
        packed[byte] = load_word(row, 8 * byte) * PACKING >> 56 & 0xFF
    if whole < packed.shape[0]:
        last = 0
        for feature in range(8 * whole, row.shape[0]):
            last |= np.int64(row[feature]) << 7 - feature % 8
        packed[whole] = last


@njit
def count_legal(mask):
    """Return how many actions a mask allows."""
    legal = 0
    start, size = 0, mask.shape[0]
    while size - start >= BLOCK:
        legal += count_ones(find(mask, start, start + BLOCK, 1))
        start += BLOCK
    for action in range(start, size):
        legal += mask[action]
    return legal


@njit
def draw(mask, legal, stream):
    """Return one of the `legal` actions whose mask is 1, uniformly at random."""
    left = below(stream, legal)
    action, size = 0, mask.shape[0]
    while size - action >= BLOCK:
        allowed = find(mask, action, action + BLOCK, 1)
        in_block = count_ones(allowed)
        if in_block > left:
            return action + nth_one(allowed, left)
        left -= in_block
        action += BLOCK
    while left >= mask[action]:
        left -= mask[action]
        action += 1
    return action


def _sample(action_mask, streams, start, stop, actions):
    """Write a uniformly random legal action of each row to `actions` (0 where none is)."""
    for i in range(start, stop):
        mask = action_mask[i]
        legal = count_legal(mask)
        actions[i] = 0
        if legal > 0:
            actions[i] = draw(mask, legal, streams[i])


# It calls another file's function, so its cache too must notice an edit there.
sample = bind(_sample, {}, fingerprint([sys.modules[__name__], rng, jit, words, *jit.COMPILERS]))


@njit
def is_refused(action, mask, over, mode):
    """Return whether a table does not take an action.

    A table that waits to be dealt anew (`NEXT_STEP`) takes any action of the action space; a
    finished one with autoreset disabled takes none.
    """
    if action < 0 or action >= mask.shape[0]:
        return True
    if over and mode == DISABLED:
        return True
    return mask[action] == 0 and not (over and mode == NEXT_STEP)


@njit
def find_refused(actions, action_mask, terminated, truncated, mode, start, stop):
    """Return the first table from `start` to `stop - 1` that does not take its action, or -1."""
    for i in range(start, stop):
        over = terminated[i] or truncated[i]
        if is_refused(actions[i], action_mask[i], over, mode):
            return i
    return -1


def _first_refused(actions, action_mask, terminated, truncated, mode):
    """Return the first table whose action cannot be taken, or -1."""
    return find_refused(actions, action_mask, terminated, truncated, mode, 0, actions.shape[0])


first_refused = bind(
    _first_refused, {}, fingerprint([sys.modules[__name__], rng, jit, words, *jit.COMPILERS])
)
