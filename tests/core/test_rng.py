"""The random streams: known outputs, unbiased draws, independence of the number of tables."""

from __future__ import annotations

import numpy as np
import pytest

from waiter_envs.core import jit, rng


@jit.kernel
def draw_words(state, words):
    for i in range(words.shape[0]):
        words[i] = rng.next_uint32(state)


@jit.kernel
def draw_below(state, bound, draws):
    for i in range(draws.shape[0]):
        draws[i] = rng.below(state, bound)


def reference_pcg32(state: int, increment: int, count: int) -> list[int]:
    """PCG-XSH-RR 64/32 in Python's own integers."""
    words = []
    for _ in range(count):
        old = state
        state = (old * 6364136223846793005 + increment) % 2**64
        shifted = (((old >> 18) ^ old) >> 27) % 2**32
        rotation = old >> 59
        words.append((shifted >> rotation | shifted << (-rotation % 32)) % 2**32)
    return words


def test_known_words_of_the_published_generator():
    # The generator's published demonstration: initial state 42, sequence 54.
    increment = 54 << 1 | 1
    state = (increment + 42) * 6364136223846793005 % 2**64 + increment
    words = np.zeros(6, np.uint64)
    draw_words(np.array([state % 2**64, increment], np.uint64), words)
    expected = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
    assert words.tolist() == expected


def test_words_match_a_plain_implementation():
    for state, increment in rng.streams(12345, 20).tolist():
        words = np.zeros(50, np.uint64)
        draw_words(np.array([state, increment], np.uint64), words)
        assert words.tolist() == reference_pcg32(state, increment, 50)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 48, 1000])
def test_bounded_draws_are_uniform(bound):
    draws = np.zeros(60_000, np.int64)
    draw_below(rng.streams(bound, 1)[0], bound, draws)
    counts = np.bincount(draws, minlength=bound)
    assert len(counts) == bound
    expected = len(draws) / bound
    chi_squared = ((counts - expected) ** 2 / expected).sum()
    freedom = bound - 1
    assert chi_squared < freedom + 6 * np.sqrt(2 * freedom) + 1e-9


def test_streams_depend_on_seed_and_index_only():
    few, many = rng.streams(9, 3), rng.streams(9, 1000)
    assert (few == many[:3]).all()
    assert len(np.unique(many[:, 0])) == 1000
    assert len(np.unique(many[:, 1])) == 1000
    assert (many[:, 1] % 2 == 1).all()
    assert not (rng.streams(10, 3) == few).any()
    assert not (rng.streams(9, 3, purpose=1) == few).any()


def test_the_first_stream_of_every_seed():
    seeds = [0, 9, 2**64 - 1, 9]
    expected = np.concatenate([rng.streams(seed, 1, purpose=2) for seed in seeds])
    assert (rng.first_streams(seeds, purpose=2) == expected).all()


def test_a_stream_leaps_as_far_as_it_was_drawn() -> None:
    """By any number of draws, and back to the number; another stream is refused."""
    first = rng.streams(7, 3)
    stream = first[2].copy()
    for drawn in range(70):
        now = int(stream[0]), int(stream[1])
        assert rng.stream_of(7, 2, drawn) == now
        assert rng.count_draws(rng.stream_of(7, 2), now) == drawn
        draw_words(stream, np.zeros(1, np.uint64))
    for drawn in (2**20 + 3, 2**40 - 1, 2**64 - 1):
        assert rng.count_draws(rng.stream_of(7, 2), rng.stream_of(7, 2, drawn)) == drawn
    assert rng.stream_of(7, 2, 2**64) == rng.stream_of(7, 2)
    with pytest.raises(ValueError, match="different streams"):
        rng.count_draws(rng.stream_of(7, 2), rng.stream_of(7, 1))
