"""Speed of saved policies, compiled and by NumPy: `python benchmarks/policies.py`.

Both play the same games: random weights of one seed, the likeliest action in every seat. They are
measured in turn, and the medians compared. Where other processes keep the cores busy, NumPy's BLAS
waits for its own threads: `OPENBLAS_NUM_THREADS=1` leaves it one.

* `match`: decisions a second of all players in `play_match`.
* `learner`: steps a second of a learner that plays at random at many tables
  (`SingleAgentVectorEnv`), with the policy in all other seats.

The *ratio* is compiled over NumPy. `--policy` takes a file in place of random weights,
`--json FILE` also writes the numbers.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import waiter_envs
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.policies import SavedPolicy, load_policy
from waiter_envs.agents.random_agent import RandomAgent
from waiter_envs.arena.match import play_match
from waiter_envs.core.game import Game
from waiter_envs.core.tables import AutoresetMode
from waiter_envs.interfaces.gymnasium_vector import SingleAgentVectorEnv

NAMES = {True: "compiled", False: "numpy"}


def random_policy(
    game: Game, config: Any, hidden: tuple[int, ...], activation: str, compiled: bool
) -> SavedPolicy:
    """Return a policy with random weights, about half of whose hidden units are 0."""
    rng = np.random.default_rng(0)
    sizes = game.num_features(config), *hidden, game.num_actions(config)
    weights: dict[str, Any] = {}
    for number, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        name = "actor" if number == len(hidden) else f"trunk.{number}"
        weights[f"{name}.weight"] = rng.normal(size=(outputs, inputs)) * (2 / inputs) ** 0.5
        weights[f"{name}.bias"] = 0.1 * rng.normal(size=outputs)
    header = {"features": sizes[0], "actions": sizes[-1], "activation": activation}
    arrays = {name: array.astype(np.float32) for name, array in weights.items()}
    return SavedPolicy(header, arrays, compiled=compiled)


class Learner:
    """Steps of a learner that plays at random against a policy."""

    def __init__(self, game: Game, config: Any, policy: SavedPolicy, num_envs: int) -> None:
        self.env = SingleAgentVectorEnv(
            game,
            num_envs,
            opponents=policy,
            seat=0,
            config=config,
            autoreset_mode=AutoresetMode.SAME_STEP,
        )
        self.agent = RandomAgent(1)
        _, self.info = self.env.reset(seed=0)

    def __call__(self, steps: int) -> float:
        """Return how many steps were made in a second."""
        nothing = np.zeros(0)
        start = time.perf_counter()
        for _ in range(steps):
            mask = self.info["action_mask"]
            actions = self.agent.act(Decisions(nothing, mask, nothing, nothing, nothing))
            *_, self.info = self.env.step(actions)
        return steps * self.env.num_envs / (time.perf_counter() - start)


def match_rate(game: Game, config: Any, policy: SavedPolicy, games: int) -> float:
    """Return how many decisions were played in a second."""
    start = time.perf_counter()
    result = play_match(game, config, [policy], games)
    return result.mean_decisions * result.games / (time.perf_counter() - start)


def in_turn(measures: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Return the median of each measure."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            found[name].append(measure())
    return {name: statistics.median(rates) for name, rates in found.items()}


def measure(name: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the rates of one game."""
    game = waiter_envs.load(name)
    config = game.config(preset=options.preset)
    policies = {}
    for compiled, how in NAMES.items():
        if options.policy is not None:
            policies[how] = load_policy(options.policy, game, compiled=compiled)
        else:
            hidden, activation = tuple(options.hidden), options.activation
            policies[how] = random_policy(game, config, hidden, activation, compiled)
    results = []
    for what in ("match", "learner"):
        measures: dict[str, Callable[[], float]] = {}
        for how, policy in policies.items():
            if what == "match":
                match_rate(game, config, policy, 1)  # compiles
                measures[how] = functools.partial(match_rate, game, config, policy, options.games)
            else:
                learner = Learner(game, config, policy, options.num_envs)
                learner(5)
                measures[how] = functools.partial(learner, options.steps)
        rates = in_turn(measures, options.rounds)
        ratio = rates["compiled"] / rates["numpy"]
        results.append({"game": name, "what": what, **rates, "ratio": ratio})
    return results


def main() -> None:
    """Measure every game, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games_named", nargs="*", metavar="game", default=list(waiter_envs.GAMES))
    parser.add_argument("--preset", help="default: each game's default")
    parser.add_argument("--hidden", nargs="*", type=int, default=[256, 256])
    parser.add_argument("--activation", default="relu")
    parser.add_argument("--policy", type=Path, help="a file to measure")
    parser.add_argument("--games", type=int, default=256, help="of a match")
    parser.add_argument("--num-envs", type=int, default=1024, help="tables with a learner")
    parser.add_argument("--steps", type=int, default=10, help="of the learner, in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results = []
    print(f"{os.cpu_count()} cores; rates in a second, medians of {options.rounds} rounds")
    print(f"{'game':<13} {'what':<8} {'compiled':>10} {'numpy':>10} {'ratio':>6}")
    for name in options.games_named:
        for result in measure(name, options):
            results.append(result)
            print(
                f"{result['game']:<13} {result['what']:<8} {result['compiled']:>10,.0f} "
                f"{result['numpy']:>10,.0f} {result['ratio']:>6.1f}",
                flush=True,
            )
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
