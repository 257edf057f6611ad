"""What a position is worth: paid by some to others, more with fewer dishes, and no bad guess."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hey_waiter_env
from hey_waiter_env import value
from hey_waiter_env.state import DRAFT
from tests.samples import samples
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.make import make_agent
from waiter_envs.core.interpreted import INTERPRETED
from waiter_envs.core.tables import Tables

ROOT = Path(__file__).resolve().parents[2]

expect: Any = None
COUNT = 16 if INTERPRETED else 1024


def expect_all(state: Any, totals: Any) -> None:
    """Add what the players of every table can expect."""
    for i in range(state.shape[0]):
        expect(state[i], totals[i])


def expected(tables: Tables, state: npt.NDArray[np.void]) -> npt.NDArray[np.float32]:
    """Return what every player can expect, `(tables, players)`."""
    totals = np.zeros((len(state), tables.num_players), np.float32)
    game = hey_waiter_env.GAME
    game.kernel(expect_all, state.dtype, expect=game.expect)(state.copy(), totals)
    return totals


def test_what_can_be_expected() -> None:
    tables = hey_waiter_env.tables(COUNT, 3, **samples("hey_waiter").quick)
    for _ in range(8):
        tables.step(tables.sample_actions())
    state = tables.state.copy()
    found = expected(tables, state)
    assert (np.abs(found) <= 1).all()
    assert np.allclose(found.sum(axis=1), 0, atol=1e-6), "what one is paid, the other pays"
    draft = state["phase"] == DRAFT
    assert (found[draft] == 0).all()
    assert (found[~draft] != 0).any(axis=1).mean() > 0.9
    played, everywhere = np.flatnonzero(~draft), state["height"].astype(int)
    fewer = state.copy()
    fewer["height"][:, 0, 0] = np.maximum(1, everywhere[:, 0, 0] - 1)
    grown = expected(tables, fewer) - found
    shrunk = everywhere[:, 0, 0] > 1
    assert (grown[played, 0] >= 0).all()
    assert (grown[shrunk & ~draft, 0] > 0).all()


@pytest.mark.parametrize("preset", ["2_players", "4_partnership"])
def test_chances_are_those_of_the_fit(preset: str) -> None:
    """The same by NumPy, as the script computes it that the weights come from."""
    script = runpy.run_path(str(ROOT / "benchmarks" / "fit_value.py"))
    tables = hey_waiter_env.tables(COUNT, 3, preset=preset)
    for _ in range(20):
        tables.step(tables.sample_actions())
    state = tables.state.copy()
    state = state[state["phase"] != DRAFT]
    weights = np.array([getattr(value, name) for name in script["NAMES"]])
    difference = script["features"](state, 0) - script["features"](state, 1)
    chance = script["chances"](difference, weights)[:, np.newaxis]
    paid = np.where(state["side"] == 0, 2 * chance - 1, 1 - 2 * chance)
    assert len(state) > COUNT / 2
    assert np.allclose(expected(tables, state), paid, atol=1e-5)


@pytest.mark.long
def test_who_is_expected_to_win_does() -> None:
    """More often than not: what is expected is closer to what is paid than nothing is."""
    count = 1024
    tables = hey_waiter_env.tables(count, 3, preset="2_players")
    agent = make_agent(tables.game, "heuristic")
    for _ in range(18):
        tables.step(agent.act(Decisions.at(tables)))
    found = expected(tables, tables.state)
    paid = tables.playout("heuristic", seed=1)
    decided = (found[:, 0] != 0) & (paid[:, 0] != 0)
    assert decided.sum() > count / 2
    miss = np.mean((found - paid)[decided] ** 2)
    assert miss < 0.93 * np.mean(paid[decided] ** 2)
    right = np.sign(found[decided, 0]) == np.sign(paid[decided, 0])
    assert right.mean() > 0.58
