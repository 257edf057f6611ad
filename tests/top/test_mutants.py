"""The mutation tester: it plants the faults it should, and tells who notices which."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults import difference, faults_of

ROOT = Path(__file__).resolve().parents[2]

RULES = """
def add(value, step):
    if value + step > 10:
        return 10
    return value + step


def climb(top):
    place = 0
    while place < top:
        place += 1
    return place


def unused(value):
    return value + 5


WIDTH = unused(2)
"""

TESTS = """
from adder_env.rules import add, climb

def test_add():
    assert [add(1, 2), add(3, 5), add(4, 5), add(9, 2), add(9, 3)] == [3, 8, 9, 10, 10]

def test_climb():
    assert [climb(0), climb(1), climb(3)] == [0, 1, 3]

def test_long():
    while True:
        assert add(1, 1) > -50
"""

EQUIVALENT = [
    "rules.add: if value + step > 10: --> if value + step > 9:",
    "rules.add: if value + step > 10: --> if value + step >= 10:",
    "rules.climb: place = 0 --> place = -1",
]
"""At 10 both answers of `add` are 10; `climb` goes up to 0 from -1 as well."""


def run_tester(folder: Path, *options: str, tests: str = TESTS) -> subprocess.CompletedProcess[str]:
    """Run the command on a game of two functions, on every fault there is."""
    (folder / "adder_env").mkdir()
    (folder / "adder_env" / "__init__.py").touch()
    (folder / "adder_env" / "rules.py").write_text(RULES)
    (folder / "test_adder.py").write_text(tests)
    command = [sys.executable, "-m", "tests.mutants", "adder", "--tests", "test_adder.py"]
    return subprocess.run(
        [*command, "--slice", "0.2", "--least", "1", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def survivors(output: str) -> list[str]:
    """Return the faults that a run prints as survivors."""
    prefix = "survived "
    lines = [line for line in output.splitlines() if line.startswith(prefix)]
    return sorted(line.removeprefix(prefix).split(" ", 1)[1] for line in lines)


def test_all_are_caught_but_what_changes_nothing(tmp_path: Path) -> None:
    """Also endless loops; what only an import calls is left out, a long test is broken off."""
    done = run_tester(tmp_path)
    assert survivors(done.stdout) == EQUIVALENT, done.stdout + done.stderr
    assert done.returncode == 1
    assert "left out: rules.unused" in done.stdout


def test_equivalent_faults_are_known_by_a_list(tmp_path: Path) -> None:
    """A listed survivor is none; a listed fault that a test catches, or that is none, is named."""
    caught = "rules.climb: place += 1 --> place -= 1"
    stale = "rules.climb: place += 7 --> pass"
    known = tmp_path / "known.txt"
    known.write_text("  # the same\n".join([*EQUIVALENT, caught, stale]))
    done = run_tester(tmp_path, "--equivalent", str(known))
    assert done.returncode == 0, done.stdout + done.stderr
    assert not survivors(done.stdout)
    assert "100.0% without 3 known to be equivalent" in done.stdout
    assert f"test_adder.py::test_climb']: {caught}" in done.stdout
    assert f"no longer a fault: {stale}" in done.stdout


def test_what_no_test_asks_for_survives(tmp_path: Path) -> None:
    """Without the test that reaches 10, its faults are survivors; `--only` tries those again."""
    weaker = TESTS.replace(", add(9, 2), add(9, 3)] == [3, 8, 9, 10, 10]", "] == [3, 8, 9]")
    again = tmp_path / "again.txt"
    ten = "rules.add: return 10 --> return 11"
    again.write_text(f"survived adder_env/rules.py:3 {ten}\n{EQUIVALENT[2]}\n")
    done = run_tester(tmp_path, "--only", str(again), tests=weaker)
    assert survivors(done.stdout) == [ten, EQUIVALENT[2]], done.stdout + done.stderr
    assert "0 of 2 faults caught" in done.stdout


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        (
            "return a < B",
            {"return a <= B", "return a >= B", "return a < B + 1", "return not a < B"},
        ),
        ("x[a, b] = 0", {"x[b, a] = 0", "x[a, b] = 1", "x[a, b] = -1", "pass"}),
        ("x = 'a'", set()),
        ("x = a and b", {"x = a or b", "x = a", "x = b"}),
        ("x[0] = min(a, b)", {"x[1] = min(a, b)", "x[-1] = min(a, b)", "x[0] = max(a, b)", "pass"}),
        (
            "for i in range(a): break",
            {"for i in range(a + 1):", "for i in range(a - 1):", "continue", "pass"},
        ),
        ("f(a, b)", {"f(b, a)", "pass"}),
        ("if not a: return", {"if True:", "if False:", "if a:", "pass"}),
        ("a |= b >> 1", {"a &= b >> 1", "a |= b << 1", "a |= b >> 2", "a |= b >> 0", "pass"}),
        (
            "return a if b else -a",
            {"return a", "return -a", "return -a if b else a", "return a if b else a"},
        ),
        ("x = a.shape[0]", set()),
    ],
)
def test_faults(source: str, changed: set[str]) -> None:
    """Every kind of fault, and no other."""
    function = ast.parse(f"def f(a, b):\n    {source}").body[0]
    assert isinstance(function, ast.FunctionDef)
    unchanged = ast.dump(function)
    faults = list(faults_of(function, {"B": 3}))
    assert {fault.after for fault in faults} == changed
    assert {fault.line for fault in faults} <= {2}
    for fault in faults:
        assert ast.dump(fault.tree) != unchanged
    assert ast.dump(function) == unchanged


def test_long_lines_are_cut() -> None:
    """Of two long lines the part is shown where they differ."""
    before, after = difference("a" * 99 + "<" + "b" * 99, "a" * 99 + ">" + "b" * 99)
    assert (before, after) == ("a" * 30 + "<" + "b" * 30, "a" * 30 + ">" + "b" * 30)
    assert difference("a < b", "a > b") == ("a < b", "a > b")
