"""Plants faults in a game's rules, one at a time, and tells which of them no test catches.

    python -m tests.mutants hey_waiter --sample 200

The compiler is off (`NUMBA_DISABLE_JIT=1`), so a fault is a changed `__code__`, and everybody who
imported the function runs it. The tests are collected once. Each fault gets a forked process,
that plants it and runs the game's tests that call the function, until one fails:

* the tests that caught most in least time come first;
* a test that would take longer than `--slice` seconds of processor time, such as a lock-step of
  thousands of steps, is broken off there and has passed as far as it came; any other that takes
  much longer than without the fault is caught in an endless loop;
* a fault that is alive after `--budget` seconds has survived.

Survivors are printed as `tests/<game>/equivalent_mutants.txt` wants them, which lists faults that
change nothing, each with its reason. `--only FILE` tries the faults of such a list once more.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import importlib
import json
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.faults import Fault, faults_of

TESTS = Path(__file__).parent
MODULES = ("rules", "legal_actions", "actions", "observation")
"""The modules of a game where faults are planted, as far as it has them."""

SHARED = (
    TESTS / "playthroughs",
    TESTS / "core" / "test_contract.py",
    TESTS / "top" / "test_docs.py",
)
"""Tests of all games, whose first parameter names the game."""

PARAMETERS = 4
"""Of a parametrised test that is broken off with so many parameters, the others are left out."""

MEMORY = 2 << 30
"""Bytes that a process may need beyond those that it begins with."""


# -- Faults ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """A function with one fault."""

    function: FunctionType
    fault: Fault
    code: CodeType

    @property
    def key(self) -> str:
        """What identifies it in lists."""
        module = self.function.__module__.rpartition(".")[2]
        return f"{module}.{self.function.__name__}: {self.fault.before} --> {self.fault.after}"

    @property
    def place(self) -> str:
        """File and line."""
        return f"{os.path.relpath(self.code.co_filename)}:{self.fault.line}"


def mutants_of(module: ModuleType) -> Iterator[Mutant]:
    """Yield every fault that can be planted in the functions of a module."""
    for node in functions_of(module):
        function = plain_function(getattr(module, node.name))
        for fault in faults_of(node, vars(module)):
            yield Mutant(function, fault, compile_function(fault.tree, str(module.__file__)))


def note_calls(module: ModuleType, called: set[str]) -> None:
    """Let every function of a module add its name to `called` whenever it is called."""
    vars(module)["_called"] = called
    for node in functions_of(module):
        function = plain_function(getattr(module, node.name))
        node.body.insert(0, ast.parse(f"_called.add({name_of(function.__code__)!r})").body[0])
        function.__code__ = compile_function(node, str(module.__file__))


def functions_of(module: ModuleType) -> list[ast.FunctionDef]:
    """Return the functions that a module defines, without their decorators."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in functions:
        node.decorator_list = []
    return functions


def plain_function(function: Any) -> FunctionType:
    """Return the function inside wrappers such as `functools.cache`."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    assert isinstance(function, FunctionType), f"{function} runs as compiled code"
    return function


def compile_function(node: ast.FunctionDef, path: str) -> CodeType:
    """Return the code of a function."""
    tree = ast.fix_missing_locations(ast.Module([node], []))
    module = compile(tree, path, "exec", dont_inherit=True)
    return next(const for const in module.co_consts if isinstance(const, CodeType))


def read_keys(path: Path) -> set[str]:
    """Return the faults that a list names, whatever stands before them and after `  # `."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = (re.search(r"\b(\w+\.\w+: .+? --> .+?)(?:  # .*)?$", line) for line in lines)
    return {match[1] for match in found if match}


# -- Running tests in a process of their own ---------------------------------------------------


@dataclass
class Outcome:
    """What a test did."""

    test: str
    seconds: float
    failed: bool
    broken_off: bool
    why: str = ""
    functions: list[str] = field(default_factory=list)


class TimeIsUp(BaseException):
    """A test has had its time; not an `Exception`, which Hypothesis would look into."""


def run_test(item: pytest.Item, seconds: float) -> Outcome:
    """Run a test for some seconds of processor time at most."""
    began = time.process_time()
    failed = broken_off = False
    running = True
    why = ""

    def break_off(*_: Any) -> None:
        nonlocal broken_off
        if running:
            broken_off = True
            raise TimeIsUp

    signal.signal(signal.SIGVTALRM, break_off)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        reports = runtestprotocol(item, log=False, nextitem=None)
        failures = [report.longreprtext for report in reports if report.failed]
        failed, why = bool(failures), "".join(failures)[-1000:]
        running = False
    except (TimeIsUp, TypeError):  # outside of the test, where pytest writes its report
        running = False
        failed = True
        item.session._setupstate.teardown_exact(None)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    took = time.process_time() - began
    return Outcome(item.nodeid, took, failed and not broken_off, broken_off, why)


def fork(work: Callable[[], Iterator[Outcome]], cpu_seconds: float) -> tuple[int, Path]:
    """Start a process that writes outcomes to a file; return its id and the file."""
    handle, name = tempfile.mkstemp(prefix="mutants-")
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        os.close(handle)
        return pid, Path(name)
    try:
        limit_resources(cpu_seconds)
        with os.fdopen(handle, "w", buffering=1) as file:
            try:
                for outcome in work():
                    file.write(json.dumps(vars(outcome)) + "\n")
            except BaseException:
                broken = Outcome("", 0, False, False, traceback.format_exc())
                file.write(json.dumps(vars(broken)) + "\n")
    finally:
        os._exit(0)


def limit_resources(cpu_seconds: float) -> None:
    """Limit the memory and time of this process, and let it be silent."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    limit = int(time.process_time() + cpu_seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)


def collect(path: Path) -> list[Outcome]:
    """Return the outcomes that a process has written, and remove the file."""
    lines = path.read_text().splitlines()
    path.unlink()
    outcomes = [Outcome(**json.loads(line)) for line in lines]
    if outcomes and not outcomes[-1].test:
        print(f"the tester itself failed:\n{outcomes.pop().why}", flush=True)
    return outcomes


def name_of(code: CodeType) -> str:
    """Return a function's name in `Outcome.functions`."""
    return f"{Path(code.co_filename).stem}.{code.co_name}"


@contextlib.contextmanager
def calls_of(paths: set[str]) -> Iterator[set[CodeType]]:
    """Collect the functions of some files that are called meanwhile."""
    called: set[CodeType] = set()

    def on_call(frame: Any, event: str, argument: Any) -> None:
        del event, argument
        if frame.f_code.co_filename in paths:
            called.add(frame.f_code)

    sys.setprofile(on_call)  # not `settrace`, where coverage sits
    try:
        yield called
    finally:
        sys.setprofile(None)


# -- The tests of a game -----------------------------------------------------------------------


class Tester:
    """Pytest's plugin that runs the collected tests in its own way: once for each fault."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Import the game, and note what is called only then."""
        self.options = options
        self.verdicts: dict[str, list[Mutant]] = {"caught": [], "survived": [], "equivalent": []}
        package = f"{options.game}_env"
        names = options.module or [
            name for name in MODULES if importlib.util.find_spec(f"{package}.{name}")
        ]
        folder = Path(str(importlib.util.find_spec(package).origin)).parent  # type: ignore[union-attr]
        self.paths = {str(folder / f"{name}.py") for name in names}
        with calls_of(self.paths) as called:
            self.modules = [importlib.import_module(f"{package}.{name}") for name in names]
        self.at_import = {name_of(code) for code in called if "<" not in code.co_name}
        self.measured: dict[str, Outcome] = {}
        self.kills: Counter[Any] = Counter()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the recorded games of the other games."""
        for item in list(items):
            if (
                item.path.parent.name == "playthroughs"
                and f"[{self.options.game}-" not in item.name
            ):
                items.remove(item)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Say what cannot be collected."""
        if report.failed:
            print(report.longreprtext)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the tests without a fault, then with each."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        self.items = {item.nodeid: item for item in session.items}
        self.measure()
        self.test(self.choose_mutants())
        return True

    def choose_mutants(self) -> list[Mutant]:
        """Return a sample of the faults that are to be tried."""
        options = self.options
        mutants = [mutant for module in self.modules for mutant in mutants_of(module)]
        only = read_keys(options.only) if options.only else {mutant.key for mutant in mutants}
        self.equivalent = read_keys(options.equivalent)
        for key in sorted(self.equivalent - {mutant.key for mutant in mutants}):
            if not options.module:
                print(f"no longer a fault: {key}")
        reached = {name for outcome in self.measured.values() for name in outcome.functions}
        chosen = [
            mutant
            for mutant in mutants
            if mutant.key in only
            and (options.function or mutant.function.__name__) == mutant.function.__name__
            and name_of(mutant.code) not in self.at_import - reached
        ]
        out_of_reach = sorted(self.at_import - reached)
        if out_of_reach:
            print(f"called while importing only, left out: {', '.join(out_of_reach)}")
        total = len(chosen)
        if options.sample is not None and options.sample < total:
            chosen = random.Random(options.seed).sample(chosen, options.sample)
        print(f"{len(chosen)} of {total} faults")
        return chosen

    # -- without a fault -------------------------------------------------------------------

    def measure(self) -> None:
        """Run every test without a fault; keep how long it takes and which functions it calls."""
        began = time.monotonic()
        tests: dict[Any, list[pytest.Item]] = {}
        for item in self.items.values():
            tests.setdefault((item.path, getattr(item, "originalname", item.name)), []).append(item)
        parts = [
            list(tests.values())[i :: self.options.workers] for i in range(self.options.workers)
        ]
        jobs = [fork(functools.partial(self.run_measured, part), 3600) for part in parts]
        outcomes = []
        for pid, path in jobs:
            os.waitpid(pid, 0)
            outcomes += collect(path)
        for outcome in outcomes:
            if outcome.failed:
                print(f"left out, fails without a fault: {outcome.test}\n{outcome.why}")
            elif outcome.functions:
                self.measured[outcome.test] = outcome
        total = sum(outcome.seconds for outcome in self.measured.values())
        print(
            f"{len(self.measured)} tests, {total:.0f} s of processor time; "
            f"measured in {time.monotonic() - began:.0f} s",
            flush=True,
        )

    def run_measured(self, tests: Iterable[list[pytest.Item]]) -> Iterator[Outcome]:
        """Run tests, each with all its parameters, and tell which functions they call.

        Of a test that is broken off with `PARAMETERS` of them, the others are left out.
        """
        called: set[str] = set()
        for module in self.modules:
            note_calls(module, called)
        for items in tests:
            random.Random(0).shuffle(items)
            long = 0
            for item in items:
                called.clear()
                outcome = run_test(item, self.options.slice)
                outcome.functions = sorted(called)
                yield outcome
                long += outcome.broken_off
                if long == PARAMETERS:
                    break

    # -- with faults -----------------------------------------------------------------------

    def test(self, mutants: Iterable[Mutant]) -> None:
        """Try each fault, several at a time, and print those that are not caught."""
        running: dict[int, tuple[Mutant, Path]] = {}
        waiting = list(mutants)
        while waiting or running:
            if waiting and len(running) < self.options.workers:
                mutant = waiting.pop(0)
                work = functools.partial(self.run_mutated, mutant, self.order(mutant))
                pid, path = fork(work, 2 * self.options.budget)
                running[pid] = mutant, path
                continue
            pid, status = os.wait()
            mutant, path = running.pop(pid)
            self.judge(mutant, collect(path), status)

    def order(self, mutant: Mutant) -> list[Outcome]:
        """Return the tests that call a function, the most promising ones first."""
        name = name_of(mutant.code)

        def promise(outcome: Outcome) -> float:
            kills = self.kills[outcome.test] + 5 * self.kills[outcome.test, name]
            return (kills + 0.2) / (outcome.seconds + 0.05)

        tests = [outcome for outcome in self.measured.values() if name in outcome.functions]
        return sorted(tests, key=promise, reverse=True)

    def run_mutated(self, mutant: Mutant, tests: Sequence[Outcome]) -> Iterator[Outcome]:
        """Plant a fault, then run tests until one fails or the budget is spent."""
        for module in self.modules:
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
        mutant.function.__code__ = mutant.code
        left = self.options.budget
        for usual in tests:
            seconds = self.options.slice if usual.broken_off else 5 * usual.seconds + 1
            outcome = run_test(self.items[usual.test], seconds)
            outcome.failed |= outcome.broken_off and not usual.broken_off
            yield outcome
            left -= outcome.seconds
            if outcome.failed or left < 0:
                return

    def judge(self, mutant: Mutant, outcomes: Sequence[Outcome], status: int) -> None:
        """Note whether a fault was caught: by a failing test, or since the process broke."""
        killers = [outcome.test for outcome in outcomes if outcome.failed]
        for test in killers:
            self.kills[test] += 1
            self.kills[test, name_of(mutant.code)] += 1
        caught = bool(killers) or status != 0
        known = mutant.key in self.equivalent
        self.verdicts["caught" if caught else "equivalent" if known else "survived"].append(mutant)
        tried = sum(map(len, self.verdicts.values()))
        if tried % 20 == 0:
            print(f"{tried} tried, {len(self.verdicts['caught'])} caught", flush=True)
        if caught and known:
            print(f"listed as equivalent, but caught by {killers}: {mutant.key}", flush=True)
        elif not caught and not known:
            print(f"survived {mutant.place} {mutant.key}", flush=True)
        elif self.options.verbose:
            print(f"caught by {killers or status}: {mutant.place} {mutant.key}", flush=True)

    def summary(self) -> float:
        """Print the figures; return the share of caught faults among those that change anything."""
        caught, survived, equivalent = (len(each) for each in self.verdicts.values())
        total = caught + survived + equivalent
        share = caught / (total - equivalent) if total > equivalent else 1.0
        print(
            f"{caught} of {total} faults caught ({caught / max(1, total):.1%}); {share:.1%} ",
            end="",
        )
        print(f"without {equivalent} known to be equivalent")
        return share


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 1 where fewer faults are caught than `--least` asks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", help="such as hey_waiter")
    parser.add_argument(
        "--sample", type=int, help="try so many, drawn by --seed; 0 to run the tests"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--module", action="append", help=f"instead of {', '.join(MODULES)}")
    parser.add_argument("--function", help="plant faults in this function only")
    parser.add_argument("--only", type=Path, help="try the faults of a list only")
    parser.add_argument("--tests", action="append", help="run these tests instead of the game's")
    parser.add_argument("--equivalent", type=Path, help="another list of equivalent faults")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--slice", type=float, default=3.0, help="seconds of a test at most")
    parser.add_argument("--budget", type=float, default=40.0, help="seconds of a fault at most")
    parser.add_argument("--least", type=float, default=0.95, help="share that is to be caught")
    parser.add_argument("--verbose", action="store_true", help="print also what is caught")
    options = parser.parse_args(arguments)
    options.equivalent = options.equivalent or TESTS / options.game / "equivalent_mutants.txt"
    tests = options.tests or [TESTS / options.game, *SHARED]
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ["CI"] = "1"  # Hypothesis draws the same examples every time
    tester = Tester(options)
    plugins = [f"-pno:{name}" for name in ("terminal", "cacheprovider", "xdist")]
    status = pytest.main([*plugins, "-s", "-oaddopts=", *map(str, tests)], [tester])
    if status != pytest.ExitCode.OK:
        return int(status)
    return int(tester.summary() < options.least)


if __name__ == "__main__":
    sys.exit(main())
