"""Where observations end, and the features that all games write alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import waiter_envs
from tests.kernels import kernel_of
from tests.samples import samples
from waiter_envs import Tables
from waiter_envs.core.features import bit_length, put_binary, put_one, put_thermometer

observe: Any = None  # the game's own functions, once `ends` is compiled with them
observe_hidden: Any = None


def ends(state: Any, player: Any, observation: Any, hidden: Any) -> Any:
    """Return where the two parts of what can be seen of the only table end."""
    return observe(state[0], player, observation), observe_hidden(state[0], player, hidden)


CASES = [(name, preset) for name in waiter_envs.GAMES for preset in samples(name).presets[:2]]


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_observations_end_where_their_fields_end(name: str, preset: str) -> None:
    """Writers return where they end; the last one ends with the last field, at any moment."""
    tables = Tables.of(waiter_envs.load(name), 1, 3, preset=preset)
    ends_of = tables.game.kernel(ends, tables.state.dtype)
    for _ in range(30):
        for player in range(tables.num_players):
            observation = np.full(tables.num_features, 7, np.int8)
            hidden = np.full(tables.num_hidden, 7, np.int8)
            found = ends_of(tables.state, player, observation, hidden)
            assert found == (tables.num_features, tables.num_hidden)
            assert observation.max() <= 1, "the row is written whole"
            assert hidden.max() <= 1
        tables.step(tables.sample_actions())


@kernel_of()
def write(row, which, count):
    """Write one feature of each kind from place 2 on."""
    if which == 0:
        return put_thermometer(row, 2, 6, count)
    if which == 1:
        return put_binary(row, 2, 6, count)
    return put_one(row, 2, 6, count)


@kernel_of()
def digits(number):
    """Return the binary digits of a number."""
    return bit_length(number)


@pytest.mark.parametrize("count", range(6))
def test_features_against_a_plain_reading(count: int) -> None:
    """A thermometer, a binary number and a one-hot, each between cells that stay as they are."""
    expected = (
        [1] * count + [0] * (6 - count),
        [int(digit) for digit in f"{count:06b}"[::-1]],
        [int(i == count) for i in range(6)],
    )
    for which, features in enumerate(expected):
        row = np.zeros(10, np.int8)
        assert write(row, which, count) == 8
        assert row.tolist() == [0, 0, *features, 0, 0]
    assert digits(count) == count.bit_length()
