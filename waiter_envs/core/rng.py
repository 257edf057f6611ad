"""The random stream that every table carries: PCG32 (PCG-XSH-RR 64/32).

A stream is two unsigned 64-bit words, `(state, increment)`, in the record's field `rng`.
Source: M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
Algorithms for Random Number Generation" (2014). Bounded draws are unbiased: D. Lemire,
"Fast Random Integer Generation in an Interval" (2019). Streams are seeded with SplitMix64,
so table *i* depends on the seed and on *i* alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from waiter_envs.core.jit import njit

_PCG_MULTIPLIER = np.uint64(6364136223846793005)
_U18, _U27, _U59 = np.uint64(18), np.uint64(27), np.uint64(59)
_LOW_32 = np.uint64(0xFFFFFFFF)
_WORD = 2**64 - 1
_U32 = np.uint64(32)
_U1 = np.uint64(1)
_ROTATE = np.uint64(31)


@njit
def next_uint32(rng):
    """Return the stream's next 32 random bits (as uint64) and advance it."""
    old = rng[0]
    rng[0] = old * _PCG_MULTIPLIER + rng[1]
    shifted = (((old >> _U18) ^ old) >> _U27) & _LOW_32
    rotation = old >> _U59
    return ((shifted >> rotation) | (shifted << ((_U32 - rotation) & _ROTATE))) & _LOW_32


@njit
def below(rng, bound):
    """Return an integer drawn uniformly from `0 .. bound - 1`; `bound` is 1 to 2**31."""
    limit = np.uint64(bound)
    product = next_uint32(rng) * limit
    if (product & _LOW_32) < limit:
        threshold = (_LOW_32 + _U1 - limit) % limit
        while (product & _LOW_32) < threshold:
            product = next_uint32(rng) * limit
    return np.int64(product >> _U32)


def stream_of(seed: int, table: int, drawn: int = 0) -> tuple[int, int]:
    """Return stream `table` of a seed after so many draws of 32 bits; see `streams`."""
    ((state, step),) = _streams([seed], np.array([table], np.uint64), 0).tolist()
    factor, term = int(_PCG_MULTIPLIER), step
    while drawn:  # each bit of the number doubles how far a leap goes
        if drawn & 1:
            state = state * factor + term & _WORD
        term, factor = term * (factor + 1) & _WORD, factor * factor & _WORD
        drawn >>= 1
    return state, step


def count_draws(first: tuple[int, int], now: tuple[int, int]) -> int:
    """Return after how many draws a stream has gone from `first` to `now`.

    Raises:
        ValueError: if they are two streams.
    """
    state, step = first
    if now[1] != step:
        raise ValueError("these are different streams")
    factor, term, drawn, bit = int(_PCG_MULTIPLIER), step, 0, 1
    while state != now[0]:  # each leap settles one more of the lowest bits
        if (state ^ now[0]) & bit:
            state = state * factor + term & _WORD
            drawn |= bit
        term, factor = term * (factor + 1) & _WORD, factor * factor & _WORD
        bit <<= 1
    return drawn


def _splitmix64(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return SplitMix64's output for each counter value in `words`."""
    z = words + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def streams(seed: int, count: int, purpose: int = 0) -> npt.NDArray[np.uint64]:
    """Return the start of `count` independent streams.

    Args:
        seed: any non-negative integer; its lowest 64 bits count.
        count: how many streams; stream *i* does not depend on it.
        purpose: another number gives streams unrelated to those of the same seed.

    Returns:
        `(count, 2)` uint64: state and (odd) increment of each stream.
    """
    return _streams([seed], np.arange(count, dtype=np.uint64), purpose)


def first_streams(seeds: Sequence[int], purpose: int = 0) -> npt.NDArray[np.uint64]:
    """Return the first stream of each seed, `(seeds, 2)` uint64; see `streams`."""
    return _streams(seeds, np.zeros(len(seeds), np.uint64), purpose)


def _streams(
    seeds: Sequence[int], index: npt.NDArray[np.uint64], purpose: int
) -> npt.NDArray[np.uint64]:
    """Return stream `index[i]` of `seeds[i]`, or of the only seed."""
    with np.errstate(over="ignore"):
        low_bits = [seed & 0xFFFFFFFFFFFFFFFF for seed in seeds]
        base = _splitmix64(np.array(low_bits, dtype=np.uint64))
        base = _splitmix64(base + np.uint64(purpose))
        state = _splitmix64(base ^ _splitmix64(np.uint64(2) * index))
        increment = _splitmix64(base ^ _splitmix64(np.uint64(2) * index + _U1))
    return np.stack([state, increment | _U1], axis=1)
