"""`NUMBA_DISABLE_JIT=1`: the same games, as plain Python that a debugger can step through."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import waiter_envs
from tests.core import both_ways
from waiter_envs.core.interpreted import INTERPRETED, PlainKernel, Record, WideArray, interpret

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: Any, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def told_otherwise(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[Any]]]:
    """Return what `both_ways` tells where the compiler is off (or on, if it is off here)."""
    file = tmp_path_factory.mktemp("told") / "told.pickle"
    run("-m", "tests.core.both_ways", file, NUMBA_DISABLE_JIT="0" if INTERPRETED else "1")
    told: dict[str, dict[str, list[Any]]] = pickle.loads(file.read_bytes())
    return told


@pytest.mark.long
@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_compiled_and_interpreted_games_are_equal(name: str, told_otherwise: Any) -> None:
    here, there = both_ways.play(name), told_otherwise[name]
    assert list(here) == list(there)
    for kind, values in here.items():
        assert len(values) == len(there[kind]) > 0
        for number, (one, other) in enumerate(zip(values, there[kind], strict=True)):
            assert same(one, other), f"{kind} number {number}"
    assert np.any(here["terminated"]) or np.any(here["truncated"]), "no game has ended"
    assert len(set(here["text"])) > 10


def same(one: Any, other: Any) -> bool:
    if isinstance(one, list):
        return all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return type(one) is type(other) and bool(one == other)


def test_a_debugger_steps_into_the_rules() -> None:
    """Rules are called by Python, line by line, and nothing is compiled."""
    code = """
    import sys
    import numba.core.compiler
    import waiter_envs
    seen = set()
    def trace(frame, event, argument):
        if frame.f_globals.get("__name__") == "greasy_spoon_env.rules" and event == "line":
            seen.add((frame.f_code.co_name, frame.f_lineno))
        return trace
    game = waiter_envs.load("greasy_spoon")
    tables = waiter_envs.Tables(game, game.config(), 1, seed=1, num_threads=1)
    sys.settrace(trace)
    for _ in range(5):
        tables.step(tables.sample_actions())
    sys.settrace(None)
    print(len(seen), "step" in {name for name, _ in seen})
    """
    lines, stepped = run("-c", textwrap.dedent(code), NUMBA_DISABLE_JIT="1").split()
    assert int(lines) > 20
    assert stepped == "True"


# -- Arrays and records that mean what they mean to the compiler -----------------------------------

DTYPE = np.dtype(
    [
        ("count", "i1"),
        ("open", "?"),
        ("word", "u8"),
        ("hand", "i1", (2, 3)),
        ("points", "f4", (2,)),
    ],
    align=True,
)


def wide(array: Any) -> Any:
    return array.view(WideArray)


def test_small_integers_do_not_overflow() -> None:
    counts = wide(np.array([[100, 120]], np.int8))
    assert counts[0, 0] + counts[0, 1] == counts[0][0] + counts[0][1] == 220
    (record,) = wide(np.zeros(1, DTYPE))
    record.count = 127
    assert record.count + 1 == 128
    with pytest.raises((OverflowError, ValueError)):
        record.count = 128


def test_words_wrap() -> None:
    words = wide(np.array([2**64 - 1], np.uint64))
    with np.errstate(over="ignore"):
        assert words[0] + np.uint64(1) == 0


def test_views_write_to_their_array() -> None:
    plain = np.zeros((2, 3), np.int8)
    rows = wide(plain)
    row = rows[1]
    row[2] = 5
    rows[0, 1] = 6
    row[:2] = 7
    rows[0][np.int64(2)] = 8
    assert plain.tolist() == [[0, 6, 8], [7, 7, 5]]
    assert row[2] == rows[1, 2] == rows[-1, -1] == 5
    assert [int(number) for number in rows[1, 1:]] == [7, 5]
    with pytest.raises(IndexError):
        rows[2, 0]


def test_records_write_to_their_array() -> None:
    plain = np.zeros((2, 2), DTYPE)
    records = wide(plain)
    record = records[0, 1]
    assert isinstance(record, Record)
    record.hand[1, 2] = 4
    record.open = True
    record.points[:] = 1.5
    record.word = 2**63
    records[1, 0] = record
    record.count = 9
    assert plain[0, 1]["count"] == 9
    assert plain[1, 0]["count"] == 0
    assert plain[1, 0]["hand"].tolist() == [[0, 0, 0], [0, 0, 4]]
    assert records[1][0].word == 2**63
    assert records[1][0].open is True
    records[0, 1] = records[1, 1]
    assert record.count == record.hand[1, 2] == 0, "what was looked up before is not outdated"
    with pytest.raises(AttributeError):
        record.cuont = 1


def test_constants_of_a_module_are_wide() -> None:
    names: dict[str, Any] = {"LIMITS": np.array([127], np.int8)}
    exec("def limit():\n    return LIMITS[0] + 1", names)
    assert PlainKernel(interpret(names["limit"]))() == 128
