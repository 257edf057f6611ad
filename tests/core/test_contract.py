"""What `Game` says of every game's functions: they count what they write, and write whole rows.

The functions are asked with the compiler off, in a process of its own if this one compiles.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import waiter_envs
from waiter_envs.core.interpreted import INTERPRETED

TABLES, STEPS = 4, 25

legal_action_mask: Any = None  # the game's own functions, once `ask` is bound to them
observe: Any = None
observe_hidden: Any = None


def ask(state: Any, viewers: Any, masks: Any, observations: Any, hidden: Any, counts: Any) -> None:
    """Let the functions fill a row for each table, and write what they return to `counts`."""
    for i in range(state.shape[0]):
        counts[i, 0] = legal_action_mask(state[i], masks[i])
        counts[i, 1] = observe(state[i], viewers[i], observations[i])
        counts[i, 2] = observe_hidden(state[i], viewers[i], hidden[i])


def check(name: str, preset: str) -> None:
    """Ask at positions of random play."""
    game = waiter_envs.load(name)
    dealt = waiter_envs.Tables(game, game.config(preset=preset), TABLES, seed=7)
    sizes = dealt.num_actions, dealt.num_features, game.num_hidden(dealt.config)
    kernel = game.kernel(ask, dealt.state.dtype)
    for step in range(STEPS):
        viewers = (dealt.current_player + step) % dealt.num_players
        counts = np.empty((TABLES, 3), np.int64)
        first, second = ([np.full((TABLES, n), old, np.int8) for n in sizes] for old in (5, 6))
        kernel(dealt.state, viewers, *first, counts)
        kernel(dealt.state, viewers, *second, counts)
        assert all(map(np.array_equal, first, second)), "whole rows are written"
        assert np.array_equal(first[0], dealt.action_mask)
        assert np.array_equal(first[1], dealt.observe(viewers))
        assert np.array_equal(counts[:, 0], first[0].sum(axis=1))
        assert (counts[:, 1:] == sizes[1:]).all()
        dealt.step(dealt.sample_actions())


def check_all(name: str) -> None:
    """Ask in every preset of a game."""
    for preset in waiter_envs.load(name).presets:
        check(name, preset)


if INTERPRETED:

    @pytest.mark.parametrize(
        ("name", "preset"),
        [(name, preset) for name in waiter_envs.GAMES for preset in waiter_envs.load(name).presets],
    )
    def test_rows_are_written_whole_and_counted(name: str, preset: str) -> None:
        """Mask, observation and hidden features."""
        check(name, preset)

else:

    @pytest.mark.parametrize("name", waiter_envs.GAMES)
    def test_rows_are_written_whole_and_counted_by_plain_python(name: str) -> None:
        """Mask, observation and hidden features, in every preset."""
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        code = f"from tests.core.test_contract import check_all; check_all({name!r})"
        subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=600)
