"""Seconds from `import` to the first step in a fresh process: `python benchmarks/first_use.py`.

Once with an empty compile cache, then with the cache that this left. `--json FILE` also writes the
numbers.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import waiter_envs

PROGRAM = """
import time
start = time.perf_counter()
import {name}_env
imported = time.perf_counter()
tables = {name}_env.tables({tables}, seed=1)
tables.step(tables.sample_actions())
print(imported - start, time.perf_counter() - start)
"""


def first_use(name: str, cache: str, tables: int) -> tuple[float, float]:
    """Return the seconds of a fresh process until the import is done, and the first step."""
    output = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(name=name, tables=tables)],
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    imported, stepped = map(float, output.split())
    return imported, stepped


def main() -> None:
    """Measure every game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1024)
    parser.add_argument("--repeats", type=int, default=3, help="of the measurement with a cache")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results = {}
    print(f"{'game':<16} {'nothing cached':>15} {'cached':>10} {'import alone':>13}")
    for name in waiter_envs.GAMES:
        with tempfile.TemporaryDirectory() as cache:
            _, cold = first_use(name, cache, options.tables)
            warm = [first_use(name, cache, options.tables) for _ in range(options.repeats)]
        imported, stepped = min(row[0] for row in warm), min(row[1] for row in warm)
        results[name] = {"cold": cold, "cached": stepped, "import": imported}
        print(f"{name:<16} {cold:>13.1f} s {stepped:>8.2f} s {imported:>11.2f} s")
    if options.json:
        options.json.write_text(json.dumps(results))


if __name__ == "__main__":
    main()
