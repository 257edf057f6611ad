"""This checkout beside another one: `python benchmarks/beside.py ../before`.

Steps a second in random play, with the actions chosen beforehand, of one thread; then the seconds
of processor time of the first use with nothing cached. Each measurement is a process of its own,
this checkout and the other in turn, several times; the table shows medians and their ratio.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import waiter_envs

HERE = Path(__file__).parents[1]

STEPS = """
import sys, time
import waiter_envs
name, count, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
game = waiter_envs.load(name)
tables = waiter_envs.Tables(game, game.config(), count, 0, num_threads=1)
for _ in range(200):
    tables.step(tables.sample_actions())
rates, stop = [], time.perf_counter() + seconds
repeats = max(1, 1024 // count)
while time.perf_counter() < stop:
    spent = 0.0
    for _ in range(repeats):
        actions = tables.sample_actions()
        start = time.perf_counter()
        tables.step(actions)
        spent += time.perf_counter() - start
    rates.append(repeats * count / spent)
print(sorted(rates)[len(rates) // 2])
"""

FIRST_USE = """
import resource, sys
import waiter_envs
tables = waiter_envs.Tables.of(waiter_envs.load(sys.argv[1]), 1024, 1)
tables.step(tables.sample_actions())
print(resource.getrusage(resource.RUSAGE_SELF).ru_utime)
"""


def run(checkout: Path, program: str, *arguments: str, cache: str | None = None) -> float:
    """Return the number that a program prints which imports the library from a checkout."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    if cache:
        environment["NUMBA_CACHE_DIR"] = cache
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, cwd=checkout, env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def first_use(checkout: Path, name: str) -> float:
    """Return the seconds of processor time until the first step, with nothing cached."""
    with tempfile.TemporaryDirectory() as cache:
        return run(checkout, FIRST_USE, name, cache=cache)


def main() -> None:
    """Measure every game, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the other checkout")
    parser.add_argument("games", nargs="*", default=list(waiter_envs.GAMES))
    parser.add_argument("--batches", nargs="+", type=int, default=[64, 256, 4096])
    parser.add_argument("--seconds", type=float, default=0.5, help="for each measurement")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--first-use", action="store_true", help="also compile everything anew")
    options = parser.parse_args()
    checkouts = options.other.resolve(), HERE
    print(f"{'game':<14} {'tables':>10} {'other':>12} {'here':>12} {'ratio':>6}")
    for name in options.games:
        for count in options.batches:
            arguments = name, str(count), str(options.seconds)
            rates = [[run(c, STEPS, *arguments) for c in checkouts] for _ in range(options.turns)]
            other, here = np.median(rates, axis=0)
            print(f"{name:<14} {count:>10} {other:>12,.0f} {here:>12,.0f} {here / other:>6.2f}")
        if options.first_use:
            other, here = (first_use(checkout, name) for checkout in checkouts)
            print(f"{name:<14} {'first use':>10} {other:>10.1f} s {here:>10.1f} s", flush=True)


if __name__ == "__main__":
    main()
