"""AEC steps per second beside PettingZoo's classic games: `python benchmarks/aec.py`.

One table, `env.last()` and `env.step()`, actions drawn at random from the mask (drawn by the same
code for every environment, and not counted). All environments are measured in turn, many short
times, in one run; the table gives medians and the ratio to `leduc_holdem_v4`. A peer that cannot
be imported is named. `--json FILE` also writes the numbers.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import waiter_envs

PEERS = (
    "leduc_holdem_v4",
    "texas_holdem_v4",
    "texas_holdem_no_limit_v6",
    "gin_rummy_v4",
    "tictactoe_v3",
    "connect_four_v3",
    "rps_v2",
)
BASE = "leduc_holdem_v4"


def environments() -> tuple[dict[str, Any], list[str]]:
    """Return the environments that can be made, and the names of those that cannot."""
    made: dict[str, Any] = {}
    missing = []
    for name in waiter_envs.GAMES:
        made[f"{name} (ours)"] = waiter_envs.make(name)
        made[f"{name} (ours, raw)"] = waiter_envs.make(name).unwrapped
    for name in PEERS:
        try:
            made[name] = importlib.import_module(f"pettingzoo.classic.{name}").env()
        except Exception as error:
            missing.append(f"{name} ({type(error).__name__}: {error})")
    return made, missing


def steps_per_second(env: Any, seconds: float, chance: np.random.Generator) -> float:
    """Play for some seconds; the time to choose actions is not counted."""
    steps = 0
    spent = 0.0
    stop = time.perf_counter() + seconds
    env.reset(seed=int(chance.integers(2**31)))
    while time.perf_counter() < stop:
        start = time.perf_counter()
        observation, _, terminated, truncated, info = env.last()
        spent += time.perf_counter() - start
        action = None
        if terminated or truncated:
            env.reset(seed=int(chance.integers(2**31)))
            continue
        mask = info.get("action_mask")
        if mask is None and isinstance(observation, dict):
            mask = observation["action_mask"]
        size = env.action_space(env.agent_selection).n
        action = int(chance.integers(size) if mask is None else chance.choice(np.flatnonzero(mask)))
        start = time.perf_counter()
        env.step(action)
        spent += time.perf_counter() - start
        steps += 1
    return steps / spent


def main() -> None:
    """Measure all environments in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.1, help="for each turn")
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    made, missing = environments()
    rates: dict[str, list[float]] = {name: [] for name in made}
    chance = np.random.default_rng(0)
    for _ in range(options.turns):
        for name, env in made.items():
            rates[name].append(steps_per_second(env, options.seconds, chance))
    median = {name: float(np.median(measured)) for name, measured in rates.items()}
    print(f"{'environment':<28} {'steps/s':>10} {'ratio to ' + BASE:>26}")
    for name, rate in sorted(median.items(), key=lambda item: -item[1]):
        ratio = f"{rate / median[BASE]:.1f}" if BASE in median else "-"
        print(f"{name:<28} {rate:>10,.0f} {ratio:>26}")
    for name in missing:
        print(f"not measured: {name}")
    if options.json:
        options.json.write_text(json.dumps({"steps_per_second": median, "missing": missing}))


if __name__ == "__main__":
    main()
