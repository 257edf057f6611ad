"""The examples run, and the training example gives credit where it is due."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import waiter_envs
from waiter_envs.tables import Tables

EXAMPLES = Path(__file__).parents[2] / "examples"
TRAINING = EXAMPLES / "cleanrl_ppo_selfplay.py"


def load_example(name: str) -> ModuleType:
    """Import a script of `examples/`."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


ppo = load_example("cleanrl_ppo_selfplay")
GAMMA, LAMBDA = 0.9, 0.8


# -- Credit ------------------------------------------------------------------------------------


class Stream:
    """Everything that happened at some tables, told decision by decision in plain Python."""

    def __init__(self, num_tables: int, num_players: int) -> None:
        self.open: list[dict[int, dict[str, Any]]] = [{} for _ in range(num_tables)]
        self.num_players = num_players
        self.chains: dict[tuple[int, int, int], list[dict[str, Any]]] = defaultdict(list)
        self.games = [0] * num_tables
        self.ended = 0
        self.truncated = 0

    def record(self, experience: Any, rollout: int) -> None:
        """Follow the steps of one rollout."""
        for row in range(self.num_players, len(experience.player)):
            for table, games in enumerate(self.games):
                player = int(experience.player[row, table])
                value = float(experience.value[row, table])
                self.close(table, player, value, rollout)
                decision = {"id": int(experience.action[row, table]), "value": value, "reward": 0.0}
                self.chains[table, games, player].append(decision)
                self.open[table][player] = decision
                for receiver, waiting in self.open[table].items():
                    waiting["reward"] += float(experience.reward[row, table, receiver])
                if experience.ended[row, table]:
                    self.ended += 1
                    self.truncated += bool(experience.final_value[row, table].any())
                    for receiver in range(self.num_players):
                        last_value = float(experience.final_value[row, table, receiver])
                        self.close(table, receiver, last_value, rollout)
                    self.games[table] += 1

    def close(self, table: int, player: int, next_value: float, rollout: int) -> None:
        """End the transition of a player's open decision."""
        decision = self.open[table].pop(player, None)
        if decision is not None:
            decision["rollout"] = rollout
            decision["error"] = decision["reward"] + GAMMA * next_value - decision["value"]

    def advantages(self) -> dict[int, tuple[int, float]]:
        """Return the rollout in which each decision was closed, and its advantage."""
        found = {}
        for chain in self.chains.values():
            for start, first in enumerate(chain):
                if "error" not in first:
                    continue
                total, weight = 0.0, 1.0
                for decision in chain[start:]:
                    if decision.get("rollout") != first["rollout"]:
                        break
                    total += weight * decision["error"]
                    weight *= GAMMA * LAMBDA
                found[first["id"]] = (first["rollout"], total)
        return found


@pytest.mark.parametrize(
    ("preset", "max_turns"), [("2_players", 250), ("4_partnership", 420), ("double_duty", 400)]
)
def test_credit_agrees_with_a_naive_computation(preset: str, max_turns: int) -> None:
    """Random play over several rollouts: each decision is credited once, and rightly."""
    game = waiter_envs.load("hey_waiter")
    tables = Tables(game, game.config(preset=preset, max_turns=max_turns), 24, seed=5)
    torch.manual_seed(5)
    network = ppo.Network(tables.num_features, tables.num_actions, (8,))
    experience = ppo.Experience(tables, num_steps=100)
    stream = Stream(tables.num_tables, tables.num_players)
    found: dict[int, tuple[int, float]] = {}
    number = 0
    for rollout in range(10):
        ppo.play(tables, network, experience, "cpu", ppo.Clock())
        played = experience.action[tables.num_players :]
        played[:] = number + np.arange(played.size).reshape(played.shape)  # names the decisions
        number += played.size
        stream.record(experience, rollout)
        result = experience.credit(GAMMA, LAMBDA)
        for row, table in zip(*np.nonzero(result.closed), strict=True):
            name = int(experience.action[row, table])
            assert name not in found, "a decision was credited twice"
            found[name] = (rollout, float(result.advantage[row, table]))
        experience.carry_over(result.closed, result.owed)
    expected = stream.advantages()
    assert 0 < stream.truncated < stream.ended
    assert found.keys() == expected.keys()
    assert len(found) > 0.95 * number
    names = sorted(found)
    assert [found[name][0] for name in names] == [expected[name][0] for name in names]
    np.testing.assert_allclose(
        [found[name][1] for name in names], [expected[name][1] for name in names], atol=1e-5
    )


def test_credit_of_rewards_on_the_way() -> None:
    """By hand: several decisions in a row, a reward out of turn, two games, an open end."""
    player = np.array([[-1], [-1], [0], [0], [1], [0], [1], [1]], np.int8)
    value = np.array([[9], [9], [1], [2], [3], [4], [5], [6]], np.float32)
    reward = np.zeros((8, 1, 2), np.float32)
    reward[2, 0] = [0.5, 7]  # player 1 has not decided anything yet: lost on it
    reward[4, 0] = [0.25, 0]  # for player 0's decision in row 3
    reward[5, 0] = [1, -1]  # the end of the game reaches both
    reward[7, 0] = [0, 2]  # for a decision that stays open
    ended = np.zeros((8, 1), np.bool_)
    ended[5] = True
    result = ppo.credit(player, value, reward, ended, np.zeros_like(reward), 1.0, 0.0)
    expected = [0, 0, 0.5 + 2 - 1, 0.25 + 4 - 2, -1 - 3, 1 - 4, 0 + 6 - 5, 0]
    np.testing.assert_allclose(result.advantage[:, 0], expected)
    assert result.closed[:, 0].tolist() == [False, False, True, True, True, True, True, False]
    np.testing.assert_array_equal(result.owed, [[0, 2]])


def test_truncated_games_bootstrap_from_every_players_last_view() -> None:
    """The values at a cut are those of what each player sees of the last position."""
    game = waiter_envs.load("hey_waiter")
    config = game.config(preset="4_partnership", max_turns=9)
    tables = Tables(game, config, 8, seed=3)
    network = ppo.Network(tables.num_features, tables.num_actions, (8,))
    experience = ppo.Experience(tables, num_steps=1)
    again = Tables(game, config, 8, autoreset_mode="Disabled")
    for _ in range(20):
        ppo.play(tables, network, experience, "cpu", ppo.Clock())
        values = experience.final_value[-1]
        np.testing.assert_array_equal(values.any(axis=1), tables.truncated)
        if tables.truncated.any():
            again.state = tables.final_state
            for player in range(4):
                views = torch.from_numpy(again.observe(player))
                expected = network.value(views).detach().numpy() * tables.truncated
                np.testing.assert_allclose(values[:, player], expected, atol=1e-6)
            return
    pytest.fail("no game was cut")
