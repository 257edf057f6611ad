"""Cost of the Gymnasium vector environment beside plain tables: `python benchmarks/vector.py`.

Every seat plays at random, at as many tables on both sides, which are measured in turn. A step of
the vector environment plays a decision of each learner and all that the opponents decide until it
is asked again; the plain tables play as many decisions one by one, with actions that
`sample_actions` draws. How many belong to a step of the learner is counted at the plain tables.
The *cost* is the time of the one over the time of the other; `--json FILE` also writes it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

import waiter_envs
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.random_agent import RandomAgent
from waiter_envs.core.game import Game
from waiter_envs.core.tables import AutoresetMode, Tables
from waiter_envs.interfaces.gymnasium_vector import SingleAgentVectorEnv

SEAT = 0
_WARM_UP = 200
"""Steps before the clock starts, so that tables are at all stages of their games."""
_COUNTED = 300
"""Steps of plain tables in which the learner's share of the decisions is counted."""


class Vector:
    """The vector environment, with a learner that plays at random."""

    def __init__(self, game: Game, num_envs: int, num_threads: int, **options: Any) -> None:
        self.env = SingleAgentVectorEnv(
            game, num_envs, seat=SEAT, num_threads=num_threads, **options
        )
        self.learner = RandomAgent(1)
        _, self.info = self.env.reset(seed=0)

    def step(self) -> None:
        """Play a decision of each learner."""
        mask = self.info["action_mask"]
        nothing = np.zeros(0)
        actions = self.learner.act(Decisions(nothing, mask, nothing, nothing, nothing))
        *_, self.info = self.env.step(actions)


def seconds(call: Any, repeats: int) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def measure(
    game: Game, num_envs: int, num_threads: int, rounds: int, options: dict[str, Any]
) -> dict[str, Any]:
    """Return the costs of the vector environment, with and without copies, of one game."""
    tables = Tables.of(game, num_envs, 0, num_threads=num_threads)

    def plain_step() -> None:
        tables.step(tables.sample_actions())

    vectors = {
        copy: Vector(
            game,
            num_envs,
            num_threads,
            copy=copy,
            autoreset_mode=AutoresetMode.SAME_STEP,
            **options,
        )
        for copy in (True, False)
    }
    for _ in range(_WARM_UP):
        plain_step()
        for vector in vectors.values():
            vector.step()
    mine = 0
    for _ in range(_COUNTED):
        mine += int((tables.current_player == SEAT).sum())
        plain_step()
    decisions = _COUNTED * num_envs / mine  # of all, for one of the learner
    repeats = max(1, 20_000 // num_envs)
    plain: list[float] = []
    stepped: dict[bool, list[float]] = {copy: [] for copy in vectors}
    for _ in range(rounds):
        plain.append(seconds(plain_step, round(repeats * decisions)))
        for copy, vector in vectors.items():
            stepped[copy].append(seconds(vector.step, repeats))
    same = statistics.median(plain) * decisions
    return {
        "game": game.name,
        "num_envs": num_envs,
        "num_threads": num_threads,
        "decisions_per_step": decisions,
        "steps_per_second": num_envs / statistics.median(stepped[True]),
        "cost": statistics.median(stepped[True]) / same,
        "cost_without_copies": statistics.median(stepped[False]) / same,
    }


def main() -> None:
    """Measure every game, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(waiter_envs.GAMES))
    parser.add_argument("--num-envs", nargs="+", type=int, default=[64, 1024, 4096])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--flat", action="store_true", help="masks in the infos only")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    results = []
    print("game           envs  threads  decisions/step  learner's steps/s  cost  without copies")
    for name in arguments.games:
        for num_envs in arguments.num_envs:
            for threads in sorted({1, os.cpu_count() or 1}):
                result = measure(
                    waiter_envs.load(name),
                    num_envs,
                    threads,
                    arguments.rounds,
                    {"flat_observation": arguments.flat},
                )
                results.append(result)
                print(
                    f"{name:13} {num_envs:5}  {threads:7}  {result['decisions_per_step']:14.2f}  "
                    f"{result['steps_per_second']:17,.0f}  {result['cost']:4.2f}  "
                    f"{result['cost_without_copies']:.2f}",
                    flush=True,
                )
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
