"""What a position of Hey Waiter! is worth, with all cards open: for playouts that are cut short.

Sides win by a softmax of scores, fitted by logistic regression to 86,000 positions of games between
rule-based agents, who played on from there, with 2 players and with 4 in partnership
(`benchmarks/fit_value.py`).
"""

from __future__ import annotations

import math

import numpy as np

from hey_waiter_env.state import DRAFT, NONE, SERVE
from waiter_envs.core.jit import njit

# What counts for a side, per player but for the first and the last one.
LOG_LEFT = -1.75  # the logarithm of its dishes
LEFT = -0.35  # dishes
FREE = 0.28  # stacks without a cover
COVERED = -0.47  # stacks with one
READY = 0.2  # busboys on their serve side
NEXT = 0.25  # to be next


@njit
def expect(table, totals):
    """Add what every player can expect to be paid yet, in a game that is not over."""
    if table.phase == DRAFT:
        return
    players, total = table.hand.shape[0], 0.0
    for side in range(table.known.shape[0]):
        total += math.exp(score(table, side))
    for side in range(table.known.shape[0]):
        members = num_members(table, side)
        chance = math.exp(score(table, side)) / total
        for player in range(players):
            mine = table.side[player] == side
            totals[player] += chance if mine else -chance * members / (players - members)


@njit
def score(table, side):
    """Return what speaks for a side."""
    left, stacks, next_to_act = 0, 0.0, 0.0
    for player in range(table.hand.shape[0]):
        if table.side[player] != side:
            continue
        next_to_act += table.player_at[table.to_act] == player
        for stack in range(table.num_stacks[player]):
            left += table.height[player, stack]
            stacks += FREE if table.cover[player, stack] == NONE else COVERED
        for colour in range(table.busboy.shape[1]):
            stacks += READY * (table.busboy[player, colour] == SERVE)
    each = (LEFT * left + stacks) / num_members(table, side)
    return LOG_LEFT * math.log(max(np.float64(left), 0.5)) + each + NEXT * next_to_act


@njit
def num_members(table, side):
    """Return how many players belong to a side."""
    members = 0
    for player in range(table.hand.shape[0]):
        members += table.side[player] == side
    return members
