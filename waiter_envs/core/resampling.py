"""Dealing anew what a player does not know: the loops over tables, as templates like `kernels`.

A game's own `resample` says what its players know. It draws from the table's random stream, which
is replaced before, so nothing of the old one survives. What stands here besides is what the games
need to draw from chances that they have counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from waiter_envs.core.jit import njit
from waiter_envs.core.rng import next_uint32

LOWEST = 2.0**-53
"""The distance between two numbers that `unit` may return."""

resample: Any = None


@njit
def unit(rng):
    """Return a number drawn uniformly from 0 to 1, less than 1, with 53 random bits."""
    high = np.int64(next_uint32(rng)) >> 5
    low = np.int64(next_uint32(rng)) >> 6
    return (high * 67108864.0 + low) * LOWEST


def resample_tables(state, players, streams, start, stop, refused):
    """Give each table a random stream, and deal anew what `players[i]` does not know of table i.

    `refused[i]` says whether what the player knows contradicts itself.
    """
    for i in range(start, stop):
        table = state[i]
        table.rng[0], table.rng[1] = streams[i, 0], streams[i, 1]
        refused[i] = not resample(table, np.int64(players[i]))


def resample_remembering(state, players, streams, memory, start, stop, refused):
    """Do the same with what `players[i]` remembers, `memory[i]`."""
    for i in range(start, stop):
        table = state[i]
        table.rng[0], table.rng[1] = streams[i, 0], streams[i, 1]
        refused[i] = not resample(table, np.int64(players[i]), memory[i])
