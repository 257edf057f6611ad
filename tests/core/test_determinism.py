"""The same seed plays the same games: whatever the batch, the threads, the process, the mode."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import waiter_envs
from tests.samples import samples
from waiter_envs.core.tables import Tables

every_preset = pytest.mark.parametrize(
    ("name", "preset"),
    [(name, preset) for name in waiter_envs.GAMES for preset in waiter_envs.load(name).presets],
)


def deal(name: str, num_tables: int, seed: int, preset: str, **options: Any) -> Tables:
    """Return tables of a preset of a game."""
    return Tables.of(waiter_envs.load(name), num_tables, seed, preset=preset, **options)


def digest(dealt: Tables, steps: int = 40) -> str:
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


def trace(dealt: Tables, first: int, steps: int = 120) -> npt.NDArray[np.void]:
    """Return the first few tables before each of some random steps."""
    states = []
    for _ in range(steps):
        states.append(dealt.state[:first].copy())
        dealt.step(dealt.sample_actions())
    return np.stack(states)


@every_preset
def test_number_of_tables_and_threads(name: str, preset: str) -> None:
    """Table i depends on the seed and on i only; the number of threads changes nothing."""
    few = trace(deal(name, 3, 5, preset), 3)
    many = trace(deal(name, 1024, 5, preset, num_threads=1), 3)
    assert np.array_equal(few, many)
    one, two, three = (deal(name, 1024, 5, preset, num_threads=n) for n in (1, 2, 3))
    assert digest(one, 12) == digest(two, 12) == digest(three, 12)
    assert digest(deal(name, 3, 5, preset)) != digest(deal(name, 3, 6, preset))


@every_preset
def test_seed_starts_all_again(name: str, preset: str) -> None:
    """`reset(seed)` is a new start; `reset()` goes on with the streams, to other games."""
    dealt = deal(name, 4, 9, preset)
    first = digest(dealt)
    dealt.reset(9)
    assert digest(dealt) == first
    dealt.reset()
    assert digest(dealt) != first
    dealt.reset(np.int64(9))
    assert digest(dealt) == first


@every_preset
def test_snapshots(name: str, preset: str) -> None:
    """A restored snapshot goes on as the original did; a different stream goes on differently."""
    dealt = deal(name, 8, 2, preset, **samples(name).ending)
    for _ in range(30):
        dealt.step(dealt.sample_actions())
    snapshot = dealt.state.copy()
    seen = dealt.observation.copy(), dealt.action_mask.copy(), dealt.current_player.copy()
    actions, ends, games = [], [], 0
    for _ in range(samples(name).ending_steps):
        actions.append(dealt.sample_actions().copy())
        dealt.step(actions[-1])
        ends.append(dealt.state.copy())
        games += int((dealt.terminated | dealt.truncated).sum())
    assert games > 5, "new deals are among it"

    for again in (dealt, deal(name, 8, 77, preset, **samples(name).ending)):
        again.state = snapshot
        assert np.array_equal(again.observation, seen[0])
        assert np.array_equal(again.action_mask, seen[1])
        assert np.array_equal(again.current_player, seen[2])
        for action, end in zip(actions, ends, strict=True):
            again.step(action)
            assert np.array_equal(again.state, end)

    snapshot["rng"] += np.uint64(2)
    dealt.state = snapshot
    for action in actions[:60]:  # where other luck does not permit it, something else
        legal = dealt.action_mask[np.arange(8), action] == 1
        dealt.step(np.where(legal, action, dealt.action_mask.argmax(axis=1)))
    fields = [field for field in dealt.state.dtype.names if field != "rng"]
    assert any(not np.array_equal(dealt.state[field], ends[59][field]) for field in fields)


def history(name: str, preset: str, mode: str, table: int) -> tuple[npt.NDArray[Any], list[int]]:
    """Return what one table went through, decision by decision, and which ones ended games."""
    dealt = deal(name, 6, 4, preset, autoreset_mode=mode, **samples(name).ending)
    records, ends = [], []
    for _ in range(samples(name).ending_steps):
        over = dealt.terminated | dealt.truncated
        if mode == "Disabled" and over.any():
            dealt.reset(mask=over)
        if mode != "NextStep" or not over[table]:  # it waits to be dealt again
            records.append(dealt.state[table].copy())
        dealt.step(dealt.sample_actions())
        if dealt.terminated[table] or dealt.truncated[table]:
            records.append(dealt.final_state[table].copy())
            ends.append(len(records))
    return np.array(records), ends


@pytest.mark.parametrize("table", [0, 5])
@every_preset
def test_autoreset_modes(name: str, preset: str, table: int) -> None:
    """In all three modes a table plays the same games, one after another."""
    modes = ("SameStep", "NextStep", "Disabled")
    histories = [history(name, preset, mode, table) for mode in modes]
    shortest = min(len(records) for records, _ in histories)
    expected, ends = histories[0]
    assert shortest > 0.83 * samples(name).ending_steps
    assert len([end for end in ends if end < shortest]) > 1
    for records, _ in histories:
        assert np.array_equal(records[:shortest], expected[:shortest])


FRESH_PROCESS = """
import sys
sys.path[:0] = {path!r}
from tests.core.test_determinism import deal, digest
print(digest(deal({name!r}, 5, 3, {preset!r}), 150))
"""


@pytest.mark.parametrize(
    ("name", "preset"),
    [(name, preset) for name in waiter_envs.GAMES for preset in waiter_envs.load(name).presets],
)
def test_fresh_process(name: str, preset: str) -> None:
    """Another process, with another hash seed, plays the same games."""
    expected = digest(deal(name, 5, 3, preset), 150)
    code = FRESH_PROCESS.format(path=sys.path, name=name, preset=preset)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split()[-1:] == [expected]
