"""What the observations of several games write alike. Every feature is 0 or 1.

All functions that write take the observation and where to start first, then the length, then what
is written, and return where they end. The row is all 0 before.
"""

from __future__ import annotations

import numpy as np

from waiter_envs.core.jit import njit


@njit
def put_flag(observation, start, is_so):
    """Write whether something is so; return where it ends."""
    observation[start] = is_so
    return start + 1


@njit
def put_binary(observation, start, length, number):
    """Write a number in binary, lowest digit first; return where it ends."""
    cells = observation[start : start + length]
    for digit in range(cells.shape[0]):
        cells[digit] = np.int64(number) >> digit & 1
    return start + length


@njit
def put_thermometer(observation, start, length, count):
    """Write a count as a thermometer, whose first `count` features are 1; return where it ends."""
    for i in range(min(count, length)):
        observation[start + i] = 1
    return start + length


@njit
def put_thermometers(observation, start, length, counts):
    """Write a thermometer of `length` for each of `counts`; return where they end."""
    cells = observation[start : start + length * counts.shape[0]]
    for i in range(counts.shape[0]):
        count = counts[i]
        for level in range(length):
            cells[i * length + level] = level < count
    return start + length * counts.shape[0]


@njit
def put_one(observation, start, length, which):
    """Write a one-hot number, or nothing for a negative one; return where it ends."""
    if which >= 0:
        observation[start + which] = 1
    return start + length


@njit
def bit_length(number):
    """Return the binary digits of a number, as `int.bit_length` does; none for a negative one."""
    length = 0
    while number > 0:
        number >>= 1
        length += 1
    return length
