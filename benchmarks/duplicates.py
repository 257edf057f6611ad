"""By how much duplicate deals narrow intervals: `python benchmarks/duplicates.py`.

Each game's quick agents play a ladder twice, with as many games: each deal in all seatings, and
each game from a deal of its own. The table has the widths of 95% intervals, duplicate over
independent (less than 1: narrower), of ratings and of shares of wins, as geometric means over the
agents, and in the last column what a ladder itself reckons from the duplicate deals alone. A ratio
r is worth 1 / r^2 times as many games. Widths are known to some 3%: 1,000 bootstrap samples each.
"""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

import waiter_envs
from waiter_envs.agents.make import agent_names
from waiter_envs.arena.ladder import Ladder, play_ladder

VARIANTS = (
    ("hey_waiter", "2_players"),
    ("hey_waiter", "4_partnership"),
    ("greasy_spoon", "best_of_1"),
    ("garcon", "rulebook"),
    ("dessert", "standard"),
)


def widths(ladder: Ladder, what: str) -> list[float]:
    """Return the widths of an interval of all agents."""
    return [high - low for low, high in (getattr(agent, what) for agent in ladder.agents)]


def ratio(duplicate: Ladder, independent: Ladder, what: str) -> float:
    """Return the geometric mean of widths over widths, of those agents that have any."""
    pairs = zip(widths(duplicate, what), widths(independent, what), strict=True)
    logs = [math.log(one / other) for one, other in pairs if one > 0 and other > 0]
    return math.exp(sum(logs) / len(logs)) if logs else float("nan")


def measure(name: str, preset: str, deals: int, seed: int) -> dict[str, Any]:
    """Return the ratios of one variant."""
    game = waiter_envs.load(name)
    config = game.config(preset=preset)
    names = agent_names(game)
    duplicate, independent = (
        play_ladder(game, config, names, deals, seed, duplicate=same) for same in (True, False)
    )
    return {
        "game": name,
        "preset": preset,
        "deals": deals,
        "games": duplicate.games,
        "rating": ratio(duplicate, independent, "interval"),
        "won": ratio(duplicate, independent, "won_interval"),
        "reckoned": duplicate.narrowing,
    }


def main() -> None:
    """Measure all variants, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variants", nargs="+", metavar="GAME:PRESET", help="default: five")
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    variants = [tuple(text.split(":")) for text in args.variants or ()] or VARIANTS
    print("| | games | ratings | shares of wins | reckoned, ratings |\n|---|---|---|---|---|")
    results = []
    for name, preset in variants:
        row = measure(name, preset, args.deals, args.seed)
        results.append(row)
        cells = [f"{row[key]:.2f}" for key in ("rating", "won", "reckoned")]
        print(f"| {name} {preset} | {row['games']:,} | {' | '.join(cells)} |", flush=True)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
