"""The compile cache: hit by an unchanged tree, missed by an edited one, safe for many processes.

Most tests run a copy of a tiny game (a counter) with the library's own kernels, in fresh
processes with a cache directory of their own.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import re
import shutil
import subprocess
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import waiter_envs
from waiter_envs.core import jit, kernels, learner, rng, rows, words
from waiter_envs.core.fingerprint import fingerprint, sources
from waiter_envs.core.game import SHARED_SOURCES, Game

RULES = """
from waiter_envs.core.jit import njit
from tiny.parts import grow, twice_the_seats


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
from importlib import resources

import numpy as np

from waiter_envs.core.jit import njit

INCREMENTS = np.array((resources.files("tiny") / "data/increments.csv").read_text().split(), int)
FACTOR = 1


@njit
def grow(action):
    return action * INCREMENTS[0] * FACTOR


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
from waiter_envs.core import compile_cache, jit, kernels, records
from waiter_envs.core.fingerprint import dtype_hash, fingerprint
if "TINY_NO_CACHE" in os.environ:  # as if no directory of this machine could be written
    compile_cache.folders = lambda function: []
from tiny import parts, rules

names = ("init_state", "step", "legal_action_mask", "observe", "rewards")
for seats in map(int, os.environ.get("TINY_SEATS", "1").split()):
    fields = [*records.COMMON_FIELDS, ("total", "i4"), ("seat", "i1", (seats,))]
    dtype = np.dtype(fields, align=True)
    label = f"tiny_{fingerprint([parts, rules, kernels, jit, *jit.COMPILERS])}_{dtype_hash(dtype)}"
    advance = jit.bind(kernels.advance, {n: getattr(rules, n) for n in names}, label)
    blank = records.blank_record(dtype)
    state = blank.copy()
    buffers = (np.zeros((1, 4), np.int8), np.zeros((1, 2), np.int8), np.zeros(1, np.int8),
               np.zeros((1, 1), np.float32), np.zeros(1, bool), np.zeros(1, bool), state.copy())
    for action in (kernels.RESET, 1):
        orders, row = np.array([action], np.int32), np.zeros(0, np.int8)
        advance(state, blank, orders, 1, False, 0, 1, row, *buffers)
    print(int(buffers[3][0, 0]), sum(advance.stats.cache_hits.values()))
"""


@pytest.fixture
def tiny_game(tmp_path: Path) -> Path:
    """Write a package `tiny` with a file of data, and `main.py`, which plays it."""
    package = tmp_path / "tiny"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(RULES)
    (package / "parts.py").write_text(PARTS)
    (package / "data" / "increments.csv").write_text("10 10\n")
    (tmp_path / "main.py").write_text(MAIN)
    return tmp_path


def edit(file: Path, old: str, new: str) -> None:
    """Replace a text that stands in a file once."""
    assert file.read_text().count(old) == 1
    file.write_text(file.read_text().replace(old, new))


def start(
    folder: Path,
    cache: Path,
    before: Callable[[], None] | None = None,
    **settings: str,
) -> subprocess.Popen[str]:
    """Run the folder's `main.py`, in a process that calls `before` first."""
    root = Path(__file__).resolve().parents[2]
    paths = os.pathsep.join([str(folder), str(root)])
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(cache),
        "NUMBA_DISABLE_JIT": "0",
        "PYTHONPATH": paths,
        **settings,
    }
    return subprocess.Popen(
        [sys.executable, "-B", str(folder / "main.py")],
        env=environment,
        cwd=folder,
        preexec_fn=before,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, int, str]:
    """Return the reward of the last step, the number of cache hits and what went to stderr.

    Left out is the line that says what compiles: whether it comes is a matter of seconds.
    """
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    reward, hits = output.splitlines()[-1].split()
    return int(reward), int(hits), re.sub("(?m)^waiter_envs: compiling .*\n", "", errors)


def test_unchanged_tree_hits_and_an_edited_one_misses(tiny_game, tmp_path):
    """Edited are a rule, a file of data, and a module that computes a constant for the rules."""
    cache, package = tmp_path / "cache", tmp_path / "tiny"
    elsewhere = tmp_path / "elsewhere.py"
    elsewhere.write_text("TWO = 2\n")
    assert finish(start(tiny_game, cache))[:2] == (10, 0)
    assert finish(start(tiny_game, cache))[:2] == (10, 1)
    edit(package / "parts.py", "FACTOR = 1", "from elsewhere import TWO as FACTOR")
    assert finish(start(tiny_game, cache))[:2] == (20, 0)
    edit(package / "data" / "increments.csv", "10 10", "30 10")
    assert finish(start(tiny_game, cache))[:2] == (60, 0)
    edit(elsewhere, "2", "3")
    assert finish(start(tiny_game, cache))[:2] == (90, 0)
    assert finish(start(tiny_game, cache))[:2] == (90, 1)


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
    from waiter_envs.core.tables import Tables
    game = waiter_envs.load("greasy_spoon")
    tables = Tables.of(game, 2, seed=1, num_threads=1, preset="best_of_1")
    for _ in range(50):
        tables.step(tables.sample_actions())
    advance = game.kernel(kernels.advance, tables.state.dtype)
    hits = sum(advance.stats.cache_hits.values())
    print(zlib.crc32(tables.observation.tobytes()), hits)
    """
    (tmp_path / "main.py").write_text(textwrap.dedent(code))
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


@pytest.fixture
def sealed(tmp_path):
    """Yield a function that takes the right to write from a folder, and all in it."""
    modes: dict[Path, int] = {}

    def seal(folder: Path) -> None:
        for path in (folder, *folder.rglob("*")):
            modes[path] = path.stat().st_mode
            path.chmod(modes[path] & ~0o222)

    yield seal
    for path, mode in modes.items():
        path.chmod(mode)


def obey_modes() -> None:
    """Let root of this process, too, write only where a folder's mode says so (Linux)."""
    if os.geteuid() == 0:
        drop_from_bounding_set, override_modes = 24, 1  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE
        if ctypes.CDLL(None).prctl(drop_from_bounding_set, override_modes, 0, 0, 0):
            raise OSError("cannot give up root's right to write anywhere")


def contents(folder: Path) -> dict[Path, tuple[int, bytes]]:
    return {
        path: (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_cache_that_can_only_be_read_is_read(tiny_game, tmp_path, sealed):
    """As in an image, whose cache was filled by another user than the one that runs it."""
    cache, home = tmp_path / "cache", tmp_path / "home"
    assert finish(start(tiny_game, cache))[:2] == (10, 0)
    home.mkdir()
    sealed(cache)
    before = contents(cache)
    for _ in range(2):
        reader = start(tiny_game, cache, obey_modes, HOME=str(home), PYTHONWARNINGS="error")
        assert finish(reader) == (10, 1, "")
    assert contents(cache) == before
    assert not list(home.iterdir()), "nothing is written elsewhere either"


def test_what_a_sealed_cache_lacks_is_compiled_once(tiny_game, tmp_path, sealed):
    """It goes where the user may write; where there is no such place, one warning says so."""
    library = tmp_path / "library"
    shutil.copytree(
        Path(waiter_envs.__file__).parent,
        library / "waiter_envs",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    cache, home = tmp_path / "cache", tmp_path / "home"
    paths = os.pathsep.join([str(tiny_game), str(library)])
    settings = {"PYTHONPATH": paths, "XDG_CACHE_HOME": str(home), "HOME": str(home)}
    assert finish(start(tiny_game, cache, **settings))[:2] == (10, 0)
    home.mkdir()
    sealed(cache)
    sealed(library)
    settings["TINY_SEATS"] = "1 2"
    assert finish(start(tiny_game, cache, obey_modes, **settings)) == (20, 0, "")
    assert finish(start(tiny_game, cache, obey_modes, **settings)) == (20, 1, "")
    shutil.rmtree(home)
    home.write_text("")  # no place at all
    reward, hits, errors = finish(start(tiny_game, cache, obey_modes, **settings))
    assert (reward, hits) == (20, 0)
    assert errors.count("RuntimeWarning") == 1
    assert "NUMBA_CACHE_DIR" in errors


def test_half_written_cache_file_is_compiled_again(tiny_game, tmp_path):
    cache = tmp_path / "cache"
    finish(start(tiny_game, cache))
    for path in cache.rglob("*advance*"):
        path.write_bytes(path.read_bytes()[:100])
    assert finish(start(tiny_game, cache))[0] == 10


def test_sampling_is_compiled_anew_when_the_generator_is_edited():
    name = kernels.sample.py_func.__name__
    assert name.endswith(fingerprint([kernels, rng, jit, words, *jit.COMPILERS]))
    assert fingerprint([kernels, jit, words, *jit.COMPILERS]) not in name


def compiled_functions(game: Game) -> set[types.FunctionType]:
    """Return the Python functions of all code that is compiled for a game."""
    names = ("init_state", "step", "legal_action_mask", "observe", "observe_hidden", "rewards")
    rules = [getattr(game, name) for name in (*names, "decode", "encode")]
    agents = [heuristic.choose for heuristic in game.heuristics.values()]
    players = learner.compose(list(game.heuristics.values()))
    templates = [
        value
        for module in (kernels, learner)
        for value in vars(module).values()
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__
    ]
    found: set[types.FunctionType] = set()
    waiting = [*rules, *agents, *players, kernels.sample, kernels.first_refused, *templates]
    while waiting:
        function = getattr(waiting[-1], "py_func", waiting[-1])
        waiting.pop()
        if isinstance(function, types.FunctionType) and function not in found:
            found.add(function)
            used = [value for _, value in used_by(function)]
            waiting += [value for value in used if hasattr(value, "py_func")]
            modules = (rows.__name__, words.__name__)  # compiled code has versions of its own
            waiting += [value for value in used if getattr(value, "__module__", "") in modules]
    return found


def used_by(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield what a function uses from outside, with where it is found: `module.name`."""
    for cell in function.__closure__ or ():
        yield "closure", cell.cell_contents
    for name in names_in(function.__code__):
        if name in function.__globals__:
            value = function.__globals__[name]
            yield f"{function.__module__}.{name}", value
            if isinstance(value, types.ModuleType):
                for attribute in names_in(function.__code__) & set(vars(value)):
                    yield f"{value.__name__}.{attribute}", getattr(value, attribute)


def names_in(code: types.CodeType) -> set[str]:
    """Return the names that code, and the code within it, looks up."""
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return set(code.co_names).union(*map(names_in, inner))


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_all_compiled_code_is_in_the_fingerprint(name: str) -> None:
    """An edit of any function that is compiled, and of any constant in it, is noticed."""
    game = waiter_envs.load(name)
    hashed = sources((*game.modules, *SHARED_SOURCES))
    functions = compiled_functions(game)
    assert len({function.__module__ for function in functions}) > 5
    assert {function.__module__ for function in functions} <= set(hashed)
    constants = set()
    for function in functions:
        for place, value in used_by(function):
            if isinstance(value, (np.ndarray, int, float, np.generic, tuple)):
                constants.add(place)
            else:
                assert callable(value) or value is None or isinstance(value, types.ModuleType), (
                    f"{place}: neither function nor constant, so it may not be in the fingerprint"
                )
    constants.discard("closure")  # a number that a hashed function hands to another
    assert len(constants) > 20
    assert constants <= set(hashed)


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_all_data_are_in_the_fingerprint(name: str) -> None:
    game = waiter_envs.load(name)
    package = f"{name}_env"
    folder = Path(__file__).resolve().parents[2] / package
    files = {
        f"{package}/{path.relative_to(folder).as_posix()}"
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc", ".typed", ".nbi", ".nbc", ".lock")
    }
    assert files <= set(sources(game.modules))
    assert files or name not in ("garcon", "dessert"), "these have data"


def test_what_cannot_be_read_has_no_fingerprint() -> None:
    with pytest.raises(ImportError, match="made_up: neither source nor bytecode"):
        fingerprint([types.ModuleType("made_up")])
