"""What the observations of several games write alike. Every feature is 0 or 1.

All functions that write take the observation and where to start first, then the length, then what
is written, and return where they end. The row is all 0 before, and it is written from front to
back: eight cells are written at once, so up to seven behind the end may be cleared.
"""

from __future__ import annotations

import numpy as np

from waiter_envs.core.jit import njit
from waiter_envs.core.words import LANES, store_equal_lanes, store_half_word, store_word


def _word(cells: list[int]) -> int:
    """Return up to eight cells as one word, the first one in its lowest byte."""
    return sum(cell << 8 * place for place, cell in enumerate(cells))


DIGITS = np.array([_word([number >> digit & 1 for digit in range(8)]) for number in range(256)])
"""The digits of each number, `(256,)`: a cell for each, lowest first."""

LEVELS = np.array([_word([level < count for level in range(8)]) for count in range(9)])
"""A thermometer of eight cells for each count, `(9,)`."""

ONE_OF = np.array([0, *(_word([place == which for place in range(8)]) for which in range(8))])
"""A one-hot number in eight cells, `(9,)`: none for -1, which comes first, then 0 to 7."""


@njit
def put_word(observation, start, word):
    """Write eight cells, or as many as the row still has."""
    left = observation.shape[0] - start
    if left >= 8:
        store_word(observation, start, word)
        return
    if left & 4:
        store_half_word(observation, start, word)
        start += 4
        word >>= 32
    if left & 2:
        observation[start] = word & 1
        observation[start + 1] = word >> 8 & 1
        start += 2
        word >>= 16
    if left & 1:
        observation[start] = word & 1


@njit
def put_flag(observation, start, is_so):
    """Write whether something is so; return where it ends."""
    observation[start] = is_so
    return start + 1


@njit
def put_binary(observation, start, length, number):
    """Write a number in binary, lowest digit first; return where it ends."""
    rest = np.int64(number) & (1 << length) - 1
    put_word(observation, start, DIGITS[rest & 0xFF])
    for digit in range(8, length, 8):
        put_word(observation, start + digit, DIGITS[rest >> digit & 0xFF])
    return start + length


@njit
def put_thermometer(observation, start, length, count):
    """Write a count as a thermometer, whose first `count` features are 1; return where it ends."""
    count = min(np.int64(count), length)
    put_word(observation, start, LEVELS[min(count, 8)])
    for level in range(8, length, 8):
        put_word(observation, start + level, LEVELS[min(max(count - level, 0), 8)])
    return start + length


@njit
def put_thermometers(observation, start, length, counts):
    """Write a thermometer of `length` for each of `counts`; return where they end."""
    if length <= 8:
        for i in range(counts.shape[0]):
            put_word(observation, start, LEVELS[min(np.int64(counts[i]), length)])
            start += length
        return start
    for i in range(counts.shape[0]):
        start = put_thermometer(observation, start, length, counts[i])
    return start


@njit
def put_binaries(observation, start, length, numbers):
    """Write each of a row of numbers in `length` binary digits; return where they end."""
    if length <= 8:
        highest = (1 << length) - 1
        for i in range(numbers.shape[0]):
            put_word(observation, start, DIGITS[numbers[i] & highest])
            start += length
        return start
    for i in range(numbers.shape[0]):
        start = put_binary(observation, start, length, numbers[i])
    return start


@njit
def put_one(observation, start, length, which):
    """Write a one-hot number, or nothing for a negative one; return where it ends."""
    if which >= 0:
        observation[start + which] = 1
    return start + length


@njit
def put_equal(observation, start, places, value):
    """Write of each place, sixteen or more, whether it holds `value`; return where they end."""
    last = places.shape[0] - LANES
    for place in range(0, last, LANES):
        store_equal_lanes(observation, start + place, places, place, value)
    store_equal_lanes(observation, start + last, places, last, value)
    return start + places.shape[0]


@njit
def bit_length(number):
    """Return the binary digits of a number, as `int.bit_length` does; none for a negative one."""
    length = 0
    while number > 0:
        number >>= 1
        length += 1
    return length
