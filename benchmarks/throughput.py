"""Steps per second of many tables and the share of the floor: `python benchmarks/throughput.py`.

Random and rule-based play, batches from 1 to 16384 tables, one thread and all; see
`waiter_envs.arena.throughput` for what is measured. `--json FILE` also writes the numbers.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import waiter_envs
from waiter_envs.agents.make import agent_names
from waiter_envs.arena import throughput
from waiter_envs.cli import parse_fields

BATCHES = (1, 64, 256, 1024, 4096, 16384)


def main() -> None:
    """Measure every game, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(waiter_envs.GAMES))
    parser.add_argument("--presets", nargs="+", help="default: each game's default")
    parser.add_argument("--set", nargs="+", default=[], metavar="FIELD=VALUE")
    parser.add_argument("--batches", nargs="+", type=int, default=list(BATCHES))
    parser.add_argument("--seconds", type=float, default=2.0, help="for each line")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    threads = sorted({1, os.cpu_count() or 1})
    results = []
    for name in options.games:
        game = waiter_envs.load(name)
        print(f"\n{game.title}\n{throughput.HEADER}")
        measured = throughput.measure_all(
            game,
            options.presets or [game.default_preset],
            agent_names(game),
            options.batches,
            threads,
            options.seconds,
            progress=lambda result: print(throughput.line(result), flush=True),
            fields=parse_fields(options.set),
        )
        results += [{"game": name, **result.to_dict()} for result in measured]
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
