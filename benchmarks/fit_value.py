"""Fits what a position of Hey Waiter! is worth to how games end: `python benchmarks/fit_value.py`.

Prints the weights of `hey_waiter_env/value.py` beside those that come out, and the mean squared
error of the chances of winning on positions that were kept apart, beside that of an even guess.
Positions are those of games between rule-based agents, at some decisions; from each, they play on
once.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from hey_waiter_env import GAME, value
from hey_waiter_env.state import DRAFT, NONE, SERVE
from waiter_envs import Decisions, Tables, make_agent

PRESETS = ("2_players", "4_partnership")
DECISIONS = (4, 9, 14, 19, 24, 29, 34, 40, 46, 52, 58)
"""After how many decisions positions are taken."""
NAMES = ("LOG_LEFT", "LEFT", "FREE", "COVERED", "READY", "NEXT")

Floats = npt.NDArray[np.float64]


def positions(preset: str, tables: int) -> tuple[npt.NDArray[np.void], Floats]:
    """Return positions and whether the first side won from there; draws and drafts are left out."""
    config = GAME.config(preset=preset)
    dealt = Tables(GAME, config, tables, 7, observe=False)
    agent = make_agent(GAME, "heuristic")
    states, won = [], []
    for decision in range(max(DECISIONS) + 1):
        dealt.step(agent.act(Decisions.at(dealt)))
        if decision in DECISIONS:
            state = dealt.state.copy()
            rest = Tables(GAME, config, tables, observe=False, autoreset_mode="Disabled")
            rest.state = state
            paid = rest.playout("heuristic", seed=decision)
            kept = (state["phase"] != DRAFT) & (paid[:, 0] != 0)
            states.append(state[kept])
            won.append((paid[kept, 0] > 0) == (state["side"][kept, 0] == 0))
    return np.concatenate(states), np.concatenate(won).astype(np.float64)


def features(state: npt.NDArray[np.void], side: int) -> Floats:
    """Return what counts for a side, `(positions, weights)`, in the order of `NAMES`."""
    ours = state["side"] == side  # (positions, players)
    members = ours.sum(axis=1)
    stack = np.arange(state["height"].shape[2])
    there = (stack < state["num_stacks"][:, :, np.newaxis]) & ours[:, :, np.newaxis]
    left = (state["height"] * there).sum(axis=(1, 2))
    free = ((state["cover"] == NONE) & there).sum(axis=(1, 2))
    ready = ((state["busboy"] == SERVE) & ours[:, :, np.newaxis]).sum(axis=(1, 2))
    actor = state["player_at"][np.arange(len(state)), state["to_act"]]
    columns = (
        np.log(np.maximum(left, 0.5)),
        left / members,
        free / members,
        (there.sum(axis=(1, 2)) - free) / members,
        ready / members,
        state["side"][np.arange(len(state)), actor] == side,
    )
    return np.stack(columns, axis=1).astype(np.float64)


def fit(difference: Floats, won: Floats) -> Floats:
    """Return the weights of a logistic regression, by Newton's method."""
    weights = np.zeros(difference.shape[1])
    for _ in range(30):
        chance = chances(difference, weights)
        curvature = (difference * (chance * (1 - chance))[:, np.newaxis]).T @ difference
        curvature += 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(curvature, difference.T @ (won - chance))
    return weights


def chances(difference: Floats, weights: Floats) -> Any:
    """Return how likely the first side wins."""
    return 1 / (1 + np.exp(-difference @ weights))


def main() -> None:
    """Play, fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=4000, help="of each preset")
    args = parser.parse_args()
    parts = [positions(preset, args.tables) for preset in PRESETS]
    differences = [features(state, 0) - features(state, 1) for state, _ in parts]
    difference, won = np.concatenate(differences), np.concatenate([won for _, won in parts])
    apart = np.arange(len(won)) % 2 == 0
    weights = fit(difference[~apart], won[~apart])
    kept = np.array([getattr(value, name) for name in NAMES])
    print(f"{len(won):,} positions\n\n| | kept | fitted |\n|---|---|---|")
    for name, old, new in zip(NAMES, kept, weights, strict=True):
        print(f"| {name} | {old:.2f} | {new:.2f} |")
    for name, these in (("kept", kept), ("fitted", weights)):
        error = np.mean((chances(difference[apart], these) - won[apart]) ** 2)
        print(f"mean squared error, {name} weights: {error:.4f} (an even guess: 0.25)")


if __name__ == "__main__":
    main()
