"""Measures how large the pages of replays are: of each game one of usual length.

    python benchmarks/replays.py

Of some games between rule-based agents the page of the one of middle length is made, as
`python -m waiter_envs replay --html` writes it: with all cards open and as everybody sees them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import waiter_envs
from waiter_envs import records
from waiter_envs.arena.match import play_match
from waiter_envs.web.replay import Replay

GAMES = 6
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in waiter_envs.GAMES),
    ("hey_waiter", {"preset": "5v5"}),
]


def usual(name: str, variant: dict[str, Any]) -> records.Record:
    """Return a game of middle length."""
    game = waiter_envs.load(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        agents = ["heuristic", "heuristic"]
        play_match(game, game.config(**variant), agents, GAMES, seed=1, record=path)
        played = sorted(records.read(path), key=lambda record: len(record.actions))
    return played[len(played) // 2]


def main() -> None:
    """Print a row for each variant."""
    print("| game | decisions | kB |\n|---|---|---|")
    for name, variant in VARIANTS:
        record = usual(name, variant)
        size = len(Replay(record).html.encode())
        label = " ".join([waiter_envs.load(name).title, *variant.values()])
        print(f"| {label} | {len(record.actions)} | {size / 1000:.0f} |", flush=True)


if __name__ == "__main__":
    main()
