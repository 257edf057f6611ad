"""Size and speed of game records: `python benchmarks/records.py`.

Of each game's default variant, games of an agent against itself are recorded (without thoughts),
read, checked, and made arrays of. Bytes are of a whole line, plain and compressed, with the actions
in words and without. Rates are by the seconds of CPU time, all threads together, each the best of
three, so they hold on a busy machine, too; the match that plays the games writes the file, and the
match alone is measured beside.
`--json FILE` also writes the numbers.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import waiter_envs
from waiter_envs import records
from waiter_envs.arena.match import play_match
from waiter_envs.core.game import Game

REPEATS = 3


def best(call: Callable[[], Any]) -> float:
    """Return the least seconds of CPU time that a call took, all threads together."""
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


def size(path: Path, found: list[records.Record]) -> float:
    """Write records to a file; return the bytes of each."""
    records.write(path, found)
    return path.stat().st_size / len(found)


def measure(game: Game, agent: str, games: int, folder: Path) -> dict[str, Any]:
    """Return the figures of one game."""
    config = game.config()
    path = folder / f"{game.name}-{agent}.jsonl.gz"

    def match(record: Path | None = None) -> Any:
        if record is not None:
            record.unlink(missing_ok=True)
        return play_match(game, config, [agent], games, 1, record=record, thoughts=False)

    result = match(path)  # compiles
    played, written = best(match), best(lambda: match(path))
    found = list(records.read(path))
    without = [dataclasses.replace(record, texts=None) for record in found]
    decisions = sum(len(record.actions) for record in found)
    records.load(path, packed=True)  # compiles
    return {
        "game": game.name,
        "agent": agent,
        "games": result.games,
        "decisions_per_game": result.mean_decisions,
        "bytes_plain": size(folder / f"{path.stem}-plain.jsonl", found),
        "bytes_gz": path.stat().st_size / len(found),
        "bytes_plain_without_texts": size(folder / f"{path.stem}-short.jsonl", without),
        "bytes_gz_without_texts": size(folder / f"{path.stem}-short.jsonl.gz", without),
        "games_per_second_played": result.games / played,
        "games_per_second_written": result.games / written,
        "games_per_second_parsed": result.games
        / best(lambda: list(records.read(path, check=False))),
        "games_per_second_read": result.games / best(lambda: list(records.read(path))),
        "decisions_per_second_loaded": decisions / best(lambda: records.load(path, packed=True)),
    }


HEADER = (
    "| game | agent | decisions a game | bytes plain | gz | plain, no texts | gz, no texts | "
    "games/s played | and written | parsed | read and checked | decisions/s loaded |"
)


def line(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    values = list(row.values())
    cells = [*values[:2], f"{values[3]:.1f}", *(f"{value:,.0f}" for value in values[4:])]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=waiter_envs.GAMES, help="default: all")
    parser.add_argument("--agents", nargs="+", default=["heuristic", "random"])
    parser.add_argument("--count", type=int, default=4000, help="games recorded (default 4000)")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    print(f"{HEADER}\n|{'---|' * HEADER.count(' |')}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.games:
            for agent in options.agents:
                row = measure(waiter_envs.load(name), agent, options.count, Path(folder))
                rows.append(row)
                print(line(row), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
