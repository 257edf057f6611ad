"""The compile cache: hit by an unchanged tree, missed by an edited one, safe for many processes.

Most tests run a copy of a tiny game (a counter) with the library's own kernels, in fresh
processes with a cache directory of their own.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import waiter_envs
from waiter_envs.core import jit, kernels, rng
from waiter_envs.core.game import SHARED_SOURCES

RULES = """
from waiter_envs.core.jit import njit
from tiny_parts import grow, twice_the_seats


@njit
def init_state(table):
    table.total = 0


@njit
def step(table, action):
    table.total += grow(action) * twice_the_seats(table, 0, 2) // 2


@njit
def legal_action_mask(table, mask):
    mask[:] = 1
    return 2


@njit
def observe(table, player, observation):
    observation[:] = 0


@njit
def rewards(table, totals):
    totals[0] += table.total
"""

PARTS = """
from waiter_envs.core.jit import njit

INCREMENT = 10


@njit
def grow(action):
    return action * INCREMENT


@njit
def twice_the_seats(table, low, high):  # calls itself, so it has machine code of its own
    if high - low == 1:
        return table.seat.shape[0]
    middle = (low + high) // 2
    return twice_the_seats(table, low, middle) + twice_the_seats(table, middle, high)
"""

MAIN = """
import os, sys
import numpy as np
import numba.core.caching
if "TINY_NO_CACHE" in os.environ:  # as if no directory of this machine could be written
    numba.core.caching.FunctionCache._impl_class._locator_classes = []
import tiny_parts, tiny_rules
from waiter_envs.core import jit, kernels, records

names = ("init_state", "step", "legal_action_mask", "observe", "rewards")
for seats in map(int, os.environ.get("TINY_SEATS", "1").split()):
    fields = [*records.COMMON_FIELDS, ("total", "i4"), ("seat", "i1", (seats,))]
    dtype = np.dtype(fields, align=True)
    sources = jit.fingerprint([tiny_parts, tiny_rules, kernels, jit])
    label = f"tiny_{sources}_{jit.dtype_hash(dtype)}"
    advance = jit.bind(kernels.advance, {n: getattr(tiny_rules, n) for n in names}, label)
    blank = records.blank_record(dtype)
    state = blank.copy()
    buffers = (np.zeros((1, 4), np.int8), np.zeros((1, 2), np.int8), np.zeros(1, np.int8),
               np.zeros((1, 1), np.float32), np.zeros(1, bool), np.zeros(1, bool), state.copy())
    for action in (kernels.RESET, 1):
        advance(state, blank, np.array([action], np.int32), 1, 0, 1, *buffers)
    print(int(buffers[3][0, 0]), sum(advance.stats.cache_hits.values()))
"""


@pytest.fixture
def tiny_game(tmp_path: Path) -> Path:
    for name, text in (("rules", RULES), ("parts", PARTS), ("main", MAIN)):
        (tmp_path / f"tiny_{name}.py").write_text(textwrap.dedent(text))
    return tmp_path


def start(folder: Path, cache: Path, **settings: str) -> subprocess.Popen[str]:
    root = Path(__file__).resolve().parents[2]
    paths = os.pathsep.join([str(folder), str(root)])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": paths, **settings}
    return subprocess.Popen(
        [sys.executable, "-B", str(folder / "tiny_main.py")],
        env=environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, int, str]:
    """Return the reward of the last step, the number of cache hits and what went to stderr."""
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    reward, hits = output.splitlines()[-1].split()
    return int(reward), int(hits), errors


def test_unchanged_tree_hits_and_edited_rules_miss(tiny_game, tmp_path):
    cache = tmp_path / "cache"
    assert finish(start(tiny_game, cache))[:2] == (10, 0)
    assert finish(start(tiny_game, cache))[:2] == (10, 1)
    parts = tiny_game / "tiny_parts.py"
    parts.write_text(parts.read_text().replace("INCREMENT = 10", "INCREMENT = 20"))
    assert finish(start(tiny_game, cache))[:2] == (20, 0)
    assert finish(start(tiny_game, cache))[:2] == (20, 1)


def test_many_processes_may_start_on_a_cold_cache(tiny_game, tmp_path):
    cache = tmp_path / "cache"
    processes = [start(tiny_game, cache) for _ in range(8)]
    results = [finish(process) for process in processes]
    assert {reward for reward, _, _ in results} == {10}
    assert sorted(hits for _, hits, _ in results) == [0] + [1] * 7, "one compiles, seven wait"
    assert finish(start(tiny_game, cache))[:2] == (10, 1)


def test_many_processes_may_start_a_game_on_a_cold_cache(tmp_path):
    """As the env runners of a cluster do: each imports a game, deals, plays, and gets the same."""
    code = """
    import zlib
    import waiter_envs
    from waiter_envs.core import kernels
    game = waiter_envs.load("greasy_spoon")
    tables = Tables.of(game, 2, seed=1, num_threads=1, preset="best_of_1")
    for _ in range(50):
        tables.step(tables.sample_actions())
    advance = game.kernel(kernels.advance, tables.state.dtype)
    hits = sum(advance.stats.cache_hits.values())
    print(zlib.crc32(tables.observation.tobytes()), hits)
    """
    (tmp_path / "tiny_main.py").write_text(textwrap.dedent(code))
    processes = [start(tmp_path, tmp_path / "cache") for _ in range(8)]
    results = [finish(process) for process in processes]
    assert len({seen for seen, _, _ in results}) == 1
    assert sorted(hits for _, hits, _ in results) == [0] + [1] * 7, "one compiles, seven wait"
    assert not any(errors for _, _, errors in results)


def test_code_of_two_processes_does_not_clash_in_one(tiny_game, tmp_path):
    """A process compiles one variant and loads another: each plays by its own code."""
    cache = tmp_path / "cache"
    assert finish(start(tiny_game, cache, TINY_SEATS="2"))[:2] == (20, 0)
    assert finish(start(tiny_game, cache, TINY_SEATS="3 2"))[:2] == (20, 1)
    assert finish(start(tiny_game, cache, TINY_SEATS="3 2 5"))[:2] == (50, 0)
    assert finish(start(tiny_game, cache, TINY_SEATS="7 3 5"))[:2] == (50, 1)


def test_forked_processes_name_their_code_apart():
    """Children of one process compile, too, what their siblings may load."""
    code = (
        "import os; from waiter_envs.core import jit\n"
        "from numba.core.bytecode import FunctionIdentity\n"
        "for _ in range(3):\n"
        "    if os.fork() == 0:\n"
        "        print(next(FunctionIdentity._unique_ids), flush=True); os._exit(0)\n"
        "    os.wait()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    numbers = sorted(map(int, done.stdout.split()))
    assert len(numbers) == 3
    assert min(b - a for a, b in itertools.pairwise(numbers)) > 10**6


def test_without_any_place_for_a_cache_it_works_and_warns(tiny_game, tmp_path):
    reward, hits, errors = finish(start(tiny_game, tmp_path / "cache", TINY_NO_CACHE="1"))
    assert (reward, hits) == (10, 0)
    assert "NUMBA_CACHE_DIR" in errors


def test_cache_directory_that_cannot_be_made_does_no_harm(tiny_game, tmp_path):
    # A file where the directory should be: nobody can write there, root neither.
    cache = tmp_path / "cache"
    cache.write_text("")
    assert finish(start(tiny_game, cache))[0] == 10


def test_half_written_cache_file_is_compiled_again(tiny_game, tmp_path):
    cache = tmp_path / "cache"
    finish(start(tiny_game, cache))
    for path in cache.rglob("*advance*"):
        path.write_bytes(path.read_bytes()[:100])
    assert finish(start(tiny_game, cache))[0] == 10


def test_sampling_is_compiled_anew_when_the_generator_is_edited():
    name = kernels.sample.py_func.__name__
    assert name.endswith(jit.fingerprint([kernels, rng, jit]))
    assert jit.fingerprint([kernels, jit]) not in name


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_all_compiled_code_is_in_the_fingerprint(name: str) -> None:
    """Whatever compiled function a game's rules call, an edit of its file is noticed."""
    game = waiter_envs.load(name)
    known = {module.__name__ for module in (*game.modules, *SHARED_SOURCES)}
    used = {
        value.py_func.__module__
        for module in game.modules
        for value in vars(module).values()
        if hasattr(value, "py_func")
    }
    assert len(used) > 3
    assert used <= known
