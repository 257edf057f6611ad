"""What the observations of several games write alike. Every feature is 0 or 1."""

from __future__ import annotations

import numpy as np

from waiter_envs.core.jit import njit


@njit
def put_binary(observation, start, length, number):
    """Write a number in binary, lowest digit first; return where it ends."""
    cells = observation[start : start + length]
    for digit in range(cells.shape[0]):
        cells[digit] = np.int64(number) >> digit & 1
    return start + length


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
