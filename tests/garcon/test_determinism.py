"""The same seed plays the same games: whatever the batch, the threads, the process, the mode."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from garcon_env import PRESETS, tables
from waiter_envs.tables import Tables

STEPS = 40
FEW = ("rulebook", "memory")


def digest(dealt: Tables, steps: int = STEPS) -> str:
    """Return a hash of everything that tables hand out over some random steps."""
    summary = hashlib.sha256()
    for _ in range(steps):
        for array in (
            *(dealt.state[name] for name in dealt.state.dtype.names),
            dealt.observation,
            dealt.action_mask,
            dealt.current_player,
            dealt.rewards,
            dealt.terminated,
            dealt.truncated,
        ):
            summary.update(array.tobytes())
        dealt.step(dealt.sample_actions())
    return summary.hexdigest()


def trace(dealt: Tables, first: int, steps: int = STEPS) -> npt.NDArray[np.void]:
    """Return the first few tables before each of some random steps."""
    states = []
    for _ in range(steps):
        states.append(dealt.state[:first].copy())
        dealt.step(dealt.sample_actions())
    return np.stack(states)


@pytest.mark.parametrize("preset", FEW)
def test_number_of_tables_and_threads(preset: str) -> None:
    """Table i depends on the seed and on i only; the number of threads changes nothing."""
    few = trace(tables(3, 5, preset=preset), 3, 120)
    many = trace(tables(1024, 5, preset=preset, num_threads=1), 3, 120)
    assert np.array_equal(few, many)
    one, two, three = (tables(1024, 5, preset=preset, num_threads=n) for n in (1, 2, 3))
    assert digest(one, 12) == digest(two, 12) == digest(three, 12)
    assert digest(tables(3, 5, preset=preset)) != digest(tables(3, 6, preset=preset))


@pytest.mark.parametrize("preset", FEW)
def test_seed_starts_all_again(preset: str) -> None:
    """`reset(seed)` is a new start; `reset()` goes on with the streams, to other games."""
    dealt = tables(4, 9, preset=preset)
    first = digest(dealt)
    dealt.reset(9)
    assert digest(dealt) == first
    dealt.reset()
    assert digest(dealt) != first
    dealt.reset(np.int64(9))
    assert digest(dealt) == first


@pytest.mark.parametrize("preset", PRESETS)
def test_snapshots(preset: str) -> None:
    """A restored snapshot goes on as the original did; a different stream goes on differently."""
    dealt = tables(8, 2, preset=preset)
    for _ in range(30):
        dealt.step(dealt.sample_actions())
    snapshot = dealt.state.copy()
    seen = dealt.observation.copy(), dealt.action_mask.copy(), dealt.current_player.copy()
    actions, ends, games = [], [], 0
    for _ in range(400):
        actions.append(dealt.sample_actions().copy())
        dealt.step(actions[-1])
        ends.append(dealt.state.copy())
        games += int((dealt.terminated | dealt.truncated).sum())
    assert games > 5, "new deals are among it"

    for again in (dealt, tables(8, 77, preset=preset)):
        again.state = snapshot
        assert np.array_equal(again.observation, seen[0])
        assert np.array_equal(again.action_mask, seen[1])
        assert np.array_equal(again.current_player, seen[2])
        for action, end in zip(actions, ends, strict=True):
            again.step(action)
            assert np.array_equal(again.state, end)

    snapshot["rng"] += np.uint64(2)
    dealt.state = snapshot
    places = []
    for action in actions[:100]:
        legal = dealt.action_mask[np.arange(8), action] == 1
        dealt.step(np.where(legal, action, dealt.action_mask.argmax(axis=1)))
        places.append(dealt.state["place"].copy())
    assert not np.array_equal(places[-1], ends[99]["place"])


@pytest.mark.parametrize("preset", FEW)
def test_deals_differ(preset: str) -> None:
    """The table, who begins and, with fresh orders, the faces differ from deal to deal."""
    dealt = tables(64, 1, preset=preset)
    assert len({tuple(market) for market in dealt.state["market"].tolist()}) == 64
    assert set(dealt.state["first_player"].tolist()) == {0, 1, 2, 3}
    faces = len({face.tobytes() for face in dealt.state["face"]})
    assert faces == (64 if PRESETS[preset].fresh else 1)


def history(preset: str, mode: str, table: int) -> tuple[npt.NDArray[Any], list[int]]:
    """Return what one table went through, decision by decision, and which ones ended games."""
    dealt = tables(6, 4, preset=preset, autoreset_mode=mode)
    records, ends = [], []
    for _ in range(600):
        over = dealt.terminated | dealt.truncated
        if mode == "Disabled" and over.any():
            dealt.reset(mask=over)
        if dealt.action_mask[table].any():
            records.append(dealt.state[table].copy())
        dealt.step(dealt.sample_actions())
        if dealt.terminated[table] or dealt.truncated[table]:
            records.append(dealt.final_state[table].copy())
            ends.append(len(records))
    return np.array(records), ends


@pytest.mark.parametrize("table", [0, 5])
@pytest.mark.parametrize("preset", FEW)
def test_autoreset_modes(preset: str, table: int) -> None:
    """In all three modes a table plays the same games, one after another."""
    histories = [history(preset, mode, table) for mode in ("SameStep", "NextStep", "Disabled")]
    shortest = min(len(records) for records, _ in histories)
    expected, ends = histories[0]
    assert shortest > 500
    assert len([end for end in ends if end < shortest]) > 1
    for records, _ in histories:
        assert np.array_equal(records[:shortest], expected[:shortest])


FRESH_PROCESS = """
import sys
sys.path[:0] = {path!r}
from garcon_env import tables
from tests.garcon.test_determinism import FEW, digest
print(*(digest(tables(5, 3, preset=preset), 150) for preset in FEW))
"""


def test_fresh_process() -> None:
    """Another process, with another hash seed, plays the same games."""
    code = FRESH_PROCESS.format(path=sys.path)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    expected = [digest(tables(5, 3, preset=preset), 150) for preset in FEW]
    assert result.stdout.split()[-2:] == expected
