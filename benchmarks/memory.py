"""Is it memory that counts? Policies against each other: `python benchmarks/memory.py RUN RUN ...`.

Each RUN is a folder of `examples/cleanrl_ppo_recurrent.py`; all learnt the same variant of Garçon.
Every policy plays every other one: alone among copies of it, then the other way round; seats are
rotated. In a game of n players the lone one wins 1/n of the decided games if both are equally good.
"""

from __future__ import annotations

import argparse
import itertools
import json
from pathlib import Path

import waiter_envs
from waiter_envs.arena.match import play_match


def main() -> None:
    """Play all pairs of policies against each other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path, help="folders of training runs")
    parser.add_argument("--game", default="garcon")
    parser.add_argument("--preset", default="memory")
    parser.add_argument("--variant", default="{}", help="fields that change the preset, as JSON")
    parser.add_argument("--games", type=int, default=4000)
    options = parser.parse_args()
    game = waiter_envs.load(options.game)
    config = game.config(preset=options.preset, **json.loads(options.variant))
    print(f"{'alone':<24} {'among':<24} {'won':>7} {'95% interval':>16} {'drawn':>7} {'reward':>8}")
    for alone, among in itertools.permutations(options.runs, 2):
        result = play_match(game, config, [alone, among], options.games, seed=1)
        first = result.agents[0]
        low, high = first.record.interval
        drawn = first.record.draws / first.record.games
        print(
            f"{alone.name:<24} {among.name:<24} {first.record.win_rate:7.1%} "
            f"{low:7.1%} to {high:5.1%} {drawn:7.1%} {first.mean_reward:8.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
