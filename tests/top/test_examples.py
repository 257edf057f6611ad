"""The examples run, and the training examples give credit where it is due."""

from __future__ import annotations

import ast
import copy
import csv
import importlib.util
import json
import re
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
import torch

import waiter_envs
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.policies import load_policy
from waiter_envs.arena.match import play_match
from waiter_envs.core.tables import Tables

EXAMPLES = Path(__file__).parents[2] / "examples"


def load_example(name: str) -> ModuleType:
    """Import a script of `examples/`."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


ppo = load_example("cleanrl_ppo_selfplay")
recurrent = load_example("cleanrl_ppo_recurrent")
GAMMA, LAMBDA = 0.9, 0.8


# -- Two files ---------------------------------------------------------------------------------


def functions(name: str) -> dict[str, str]:
    """Return the code of every function and method of an example, by name."""
    tree = ast.parse((EXAMPLES / f"{name}.py").read_text())
    found = {}
    for node in tree.body:
        scope = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, ast.FunctionDef):
                found[scope + inner.name] = ast.unparse(inner)
    return found


def test_what_both_files_hold_is_the_same_code() -> None:
    """So what is tested of one holds for the other, but for what a memory changes."""
    plain, remembering = functions(ppo.__name__), functions(recurrent.__name__)
    common = plain.keys() & remembering.keys()
    assert plain.keys() == common
    assert {name for name in common if plain[name] != remembering[name]} == {
        "Network.__init__",
        "Network.forward",
        "Network.value",
        "PolicyAgent.think",
        "Experience.__init__",
        "Experience.carry_over",
        "Experience.open_decisions",
        "Experience.restore",
        "play",
        "learn",
        "Run.__init__",
        "Run.update",
    }


# -- Zeros and ones ----------------------------------------------------------------------------


def dense(numbers: torch.Tensor, legal: Any) -> torch.Tensor:
    """Return one number for each 1 as a matrix, -inf elsewhere."""
    matrix = numbers.new_full((len(legal), legal.width), -torch.inf)
    return matrix.index_put((torch.tensor(legal.row), torch.tensor(legal.column)), numbers)


def zeros_and_ones(rows: int, width: int, share: float) -> Any:
    """Return rows of which some are empty and one is full, each with its first 1 elsewhere."""
    made = (np.random.default_rng(rows).random((rows, width)) < share).astype(np.int8)
    made[[0, rows // 2, -1]] = 0
    made[1] = 1
    return made


def test_ones_know_their_rows_and_columns() -> None:
    """All of them, a choice of them with repeats, and none."""
    rows = zeros_and_ones(9, 300, 0.1)
    for chosen in (np.arange(9), np.array([3, 1, 8, 1, 0]), np.array([0]), np.array([], int)):
        ones = ppo.Ones.of(rows)[chosen]
        assert len(ones) == len(chosen)
        expected_row, expected_column = np.nonzero(rows[chosen])
        np.testing.assert_array_equal(ones.row, expected_row)
        np.testing.assert_array_equal(ones.column, expected_column)
        order, start = ones.by_column
        by_column = np.nonzero(rows[chosen].T)
        np.testing.assert_array_equal(ones.column[order], by_column[0])
        np.testing.assert_array_equal(ones.row[order], by_column[1])
        np.testing.assert_array_equal(np.diff(start), rows[chosen].sum(0))


def test_the_first_layer_is_a_linear_one() -> None:
    """Outputs and gradients are those of the product with the zeros written out."""
    torch.manual_seed(1)
    layer = ppo.FirstLayer(300, 20)
    rows = zeros_and_ones(9, 300, 0.1)
    upstream = torch.randn(9, 20)
    gradients = []
    outputs = []
    for output in (
        layer(ppo.Ones.of(rows)),
        torch.nn.Linear.forward(layer, torch.tensor(rows).float()),
    ):
        layer.zero_grad()
        output.backward(upstream)
        outputs.append(output)
        gradients.append([parameter.grad.clone() for parameter in layer.parameters()])
    torch.testing.assert_close(*outputs)
    torch.testing.assert_close(*gradients)
    assert layer.weight.shape == (20, 300)
    assert layer.weight.grad.stride() == layer.weight.stride(), "Adam walks through both at once"


def test_the_policy_is_the_softmax_of_legal_logits() -> None:
    """Log-probabilities and gradients are those of all logits with the illegal ones masked."""
    torch.manual_seed(1)
    network = ppo.Network(300, 50, (20,))
    torch.nn.init.orthogonal_(network.actor.weight, 5.0)
    seen = ppo.Ones.of(zeros_and_ones(9, 300, 0.1))
    mask = zeros_and_ones(9, 50, 0.2)
    mask[[0, 4, 8], 7] = 1  # a single legal action
    legal = ppo.Ones.of(mask)
    upstream = torch.randn(9, 50)
    found = []
    for sparsely in (True, False):
        network.zero_grad()
        view = network.trunk(seen)
        if sparsely:
            matrix = dense(network.policy(view, legal), legal)
        else:
            logits = network.actor(view).masked_fill(torch.tensor(mask) == 0, -torch.inf)
            matrix = logits.log_softmax(-1)
        (matrix[torch.tensor(mask) == 1] * upstream[torch.tensor(mask) == 1]).sum().backward()
        gradients = [p.grad.clone() for p in network.parameters() if p.grad is not None]
        found.append([matrix, *gradients])
    torch.testing.assert_close(*found, atol=1e-5, rtol=1e-4)
    assert all(mask[row, action] for row, action in enumerate(found[0][0].argmax(-1)))


def test_draws_are_legal_and_follow_the_probabilities() -> None:
    """The likeliest is the first of the largest ones."""
    share = np.array([0.5, 0.0, 0.2, 0.3], np.float32)
    count = 20_000
    legal = ppo.Ones.of(np.tile((share > 0).astype(np.int8), (count, 1)))
    log_probabilities = torch.tensor(share[share > 0]).log().repeat(count)
    drawn = legal.column[ppo.draw(log_probabilities, legal, torch.Generator().manual_seed(2))]
    assert np.abs(np.bincount(drawn, minlength=4) / count - share).max() < 0.02
    few = ppo.Ones.of(np.array([[1, 0, 1], [0, 1, 1]], np.int8))
    assert few.column[ppo.likeliest(torch.tensor([0.0, 2.0, 1.0, 1.0]), few)].tolist() == [2, 1]


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
    experience = ppo.Experience(tables, num_steps=25)
    stream = Stream(tables.num_tables, tables.num_players)
    found: dict[int, tuple[int, float]] = {}
    number = 0
    random = np.random.default_rng(5)
    for rollout in range(40):
        ppo.play(tables, network, experience, ppo.Clock())
        played = experience.action[tables.num_players :]
        played[:] = number + np.arange(played.size).reshape(played.shape)  # names the decisions
        number += played.size
        received = experience.reward[tables.num_players :]
        received += random.normal(size=received.shape)  # as if the rewards were shaped
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


@pytest.mark.parametrize("memory_size", [0, 8])
def test_truncated_games_bootstrap_from_every_players_last_view(memory_size: int) -> None:
    """The values at a cut are those of what each player sees at last, and remembers."""
    game = waiter_envs.load("hey_waiter")
    config = game.config(preset="4_partnership", max_turns=9)
    tables = Tables(game, config, 8, seed=3)
    script, sizes = (recurrent, (memory_size,)) if memory_size else (ppo, ())
    network = script.Network(tables.num_features, tables.num_actions, (8,), *sizes)
    experience = script.Experience(tables, 1, *sizes)
    again = Tables(game, config, 8, autoreset_mode="Disabled")
    for _ in range(20):
        memory = torch.from_numpy(experience.memory.copy()) if memory_size else None
        script.play(tables, network, experience, script.Clock())
        if memory is not None:
            here = np.arange(8), experience.player[-1]
            seen, done = experience.observation[-1], experience.action[-1]
            memory[here] = network.remember(
                script.Ones.of(seen), torch.from_numpy(done), memory[here]
            )
        values = experience.final_value[-1]
        np.testing.assert_array_equal(values.any(axis=1), tables.truncated)
        if tables.truncated.any():
            again.state = tables.final_state
            for player in range(4):
                views = script.Ones.of(again.observe(player))
                if memory is not None:
                    assert memory[:, player].any()
                    views = network.view(views, memory[:, player])
                expected = network.value(views).detach().numpy() * tables.truncated
                np.testing.assert_allclose(values[:, player], expected, atol=1e-6)
            return
    pytest.fail("no game was cut")


# -- Beliefs -----------------------------------------------------------------------------------


def test_what_is_to_be_guessed_is_what_the_decider_does_not_see() -> None:
    """Of the fields that were asked for, in their order, at every decision."""
    game = waiter_envs.load("garcon")
    config = game.config(players=3)
    tables, again = (Tables(game, config, 5, seed=8) for _ in range(2))
    fields = ("named_face", "faces_0")
    beliefs = recurrent.belief_features(game, config, fields)
    network = recurrent.Network(tables.num_features, tables.num_actions, (8,), 8, len(beliefs))
    experience = recurrent.Experience(tables, 60, 8, beliefs)
    recurrent.play(tables, network, experience, recurrent.Clock())
    place = {field.name: field for field in game.hidden_fields(config)}
    seen = 0
    for row in range(3, 63):
        hidden = again.full_observation()[:, again.num_features :]
        expected = [hidden[:, place[f].start : place[f].start + place[f].size] for f in fields]
        np.testing.assert_array_equal(experience.hidden[row], np.concatenate(expected, axis=1))
        seen += int(expected[0].sum())
        again.step(experience.action[row])
    assert seen > 0, "no order was named"


def learnt(policy_coef: float, belief_coef: float) -> tuple[Any, Any, dict[str, float]]:
    """Return a network before and after an update, and the log."""
    game = waiter_envs.load("garcon")
    tables = Tables(game, game.config(players=3), 6, seed=3)
    torch.manual_seed(3)
    beliefs = recurrent.belief_features(game, tables.config, ("faces_0",))
    network = recurrent.Network(tables.num_features, tables.num_actions, (16,), 16, len(beliefs))
    experience = recurrent.Experience(tables, 40, 16, beliefs)
    recurrent.play(tables, network, experience, recurrent.Clock())
    before = copy.deepcopy(network)
    args = recurrent.Args(ent_coef=0.0, vf_coef=0.0, belief_coef=belief_coef, minibatch_size=60)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    credits = experience.credit(GAMMA, LAMBDA)
    log = recurrent.learn(network, optimizer, experience, credits, args, policy_coef)
    return before, network, log


def test_the_policy_learns_when_it_is_told_to() -> None:
    """With weight 0 its head stays as it is, while the guesses teach everything below them."""
    before, after, log = learnt(policy_coef=0.0, belief_coef=1.0)
    assert torch.equal(before.actor.weight, after.actor.weight)
    assert not torch.equal(before.believer.weight, after.believer.weight)
    assert not torch.equal(before.cell.weight_hh, after.cell.weight_hh)
    assert log["losses/belief_loss"] > 0
    before, after, _ = learnt(policy_coef=1.0, belief_coef=0.0)
    assert not torch.equal(before.actor.weight, after.actor.weight)
    assert torch.equal(before.believer.weight, after.believer.weight)


def test_guesses_get_better(tmp_path: Path) -> None:
    """Update after update, on the same kind of games."""
    losses = []
    run = recurrent.Run(
        arguments(
            tmp_path, recurrent, game="greasy_spoon", memory_size=0, total_timesteps=10**6,
            belief=("hand_1",), belief_coef=1.0, policy_after=10**6,
        )
    )  # fmt: skip
    for _ in range(40):
        experience = run.experience
        recurrent.play(run.tables, run.network, experience, run.clock)
        credits = experience.credit(GAMMA, LAMBDA)
        log = recurrent.learn(run.network, run.optimizer, experience, credits, run.args, 0.0)
        experience.carry_over(credits.closed, credits.owed)
        losses.append(log["losses/belief_loss"])
    run.writer.close()
    assert np.mean(losses[-5:]) < 0.8 * np.mean(losses[:3])


def test_adam_starts_anew_with_the_policy(tmp_path: Path) -> None:
    """It counts its steps from the update on with which the policy begins to learn."""
    changes = {"total_timesteps": 512, "policy_after": 256, "update_epochs": 1}
    run = recurrent.Run(arguments(tmp_path, recurrent, game="hey_waiter", **changes))
    counts = []
    for _ in range(6):
        run.update()
        counts.append(int(run.optimizer.state[run.network.actor.weight]["step"]))
    run.writer.close()
    begin = 256 // run.steps
    assert counts[begin] < counts[begin - 1]
    assert counts == sorted(counts[:begin]) + sorted(counts[begin:])


def test_an_unknown_belief_is_refused(tmp_path: Path) -> None:
    """The text lists the hidden fields."""
    with pytest.raises(SystemExit, match="--belief hand_7: unknown hidden field; there are hand_1"):
        recurrent.main(arguments(tmp_path, recurrent, game="greasy_spoon", belief=("hand_7",)))


# -- Memory ------------------------------------------------------------------------------------


def test_a_recurrent_network_decides_again_as_it_did_in_play() -> None:
    """Over rollouts and games, replayed in the order of play, with the network unchanged."""
    game = waiter_envs.load("garcon")
    tables = Tables(game, game.config(players=3, recall=None), 6, seed=3)
    torch.manual_seed(3)
    network = recurrent.Network(tables.num_features, tables.num_actions, (16,), memory_size=16)
    torch.nn.init.orthogonal_(network.actor.weight, 5.0)  # what is remembered shows
    experience = recurrent.Experience(tables, 40, network.memory_size)
    args = recurrent.Args(minibatch_size=60)
    games = 0
    for _ in range(9):
        ended, _ = recurrent.play(tables, network, experience, recurrent.Clock())
        games += ended
        credits = experience.credit(GAMMA, LAMBDA)
        seen = []
        for batch, view in recurrent.replay(network, experience, credits.closed, args):
            legal = recurrent.Ones.of(recurrent.flat(experience.action_mask)[batch])
            again = dense(network.policy(view, legal), legal).detach().numpy()
            again = again[np.arange(len(batch)), recurrent.flat(experience.action)[batch]]
            played = recurrent.flat(experience.log_probability)[batch]
            np.testing.assert_allclose(again, played, atol=1e-4, rtol=1e-4)
            value = network.value(view).detach().numpy()
            np.testing.assert_allclose(value, recurrent.flat(experience.value)[batch], atol=1e-4)
            seen += batch.tolist()
        assert sorted(seen) == np.flatnonzero(credits.closed).tolist()
        experience.carry_over(credits.closed, credits.owed)
    assert games > 6


def test_a_recurrent_policy_remembers_by_table_and_player_until_the_game_ends() -> None:
    """As an agent: asked in any order, it decides as if every player sat alone at its table."""
    game = waiter_envs.load("garcon")
    tables = Tables(game, game.config(players=3), 4, seed=5)
    torch.manual_seed(5)
    network = recurrent.Network(tables.num_features, tables.num_actions, (16,), memory_size=16)
    torch.nn.init.orthogonal_(network.actor.weight, 5.0)
    agent = recurrent.PolicyAgent(network)
    states = np.zeros((4, 3, network.memory_size), np.float32)
    kept = None
    for step in range(200):
        which = np.random.default_rng(step).permutation(4)
        actions = np.zeros(4, np.int64)
        actions[which] = agent.act(Decisions.at(tables, which))
        for table in range(4):
            player = int(tables.current_player[table])
            state = torch.from_numpy(states[table, [player]])
            seen = recurrent.Ones.of(tables.observation[[table]])
            legal = recurrent.Ones.of(tables.action_mask[[table]])
            log_probabilities, _ = network(seen, legal, state)
            state = network.remember(seen, torch.from_numpy(actions[[table]]), state)
            states[table, player] = state.detach().numpy()[0]
            assert legal.column[int(log_probabilities.argmax())] == actions[table]
        tables.step(actions)
        over = tables.terminated | tables.truncated
        agent.reset(np.flatnonzero(over))
        states[over] = 0.0
        if step == 60:
            kept = tables.state.copy(), agent.snapshot(), states.copy()
        if step == 90 and kept:
            tables.state = kept[0]
            agent.restore(kept[1])
            states = kept[2]


# -- Training ----------------------------------------------------------------------------------

TINY = {
    "num_tables": 8,
    "num_steps": 16,
    "minibatch_size": 64,
    "hidden": (16,),
    "opponents": (),
    "torch_threads": 1,
}


def arguments(folder: Path, script: ModuleType = ppo, **changes: Any) -> Any:
    """Return the arguments of a run in `folder`."""
    return script.Args(runs=folder, run_name="run", **{**TINY, **changes})


def stored(folder: Path) -> dict[str, Any]:
    """Return the checkpoint of the run in `folder`."""
    return torch.load(folder / "run" / "checkpoint.pt", weights_only=True)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a short run that has ended."""
    folder = tmp_path_factory.mktemp("trained")
    changes = {"num_tables": 64, "num_steps": 32, "minibatch_size": 256, "hidden": (64,)}
    ppo.main(
        arguments(
            folder,
            **changes,
            total_timesteps=100_000,
            eval_games=200,
            final_games=200,
            opponents=("random",),
        )
    )
    return folder


def test_a_short_run_learns_and_writes_down_its_results(trained: Path) -> None:
    """The policy is clearly better at the end; log, table and checkpoint are there."""
    checkpoint = stored(trained)
    assert checkpoint["step"] >= 100_000
    with (trained / "run" / "evaluation.csv").open(newline="") as file:
        first, last = list(csv.DictReader(file))
    assert int(first["step"]) == 0
    assert int(last["step"]) == checkpoint["step"]
    assert float(last["low"]) > float(first["high"])
    assert int(last["wins"]) + int(last["draws"]) + int(last["losses"]) == int(last["games"])
    assert list((trained / "run").glob("events.out.tfevents.*"))
    assert not list((trained / "run").glob("*.tmp"))


def test_a_finished_run_is_only_measured_again(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table of results says where the time went, and the environment takes little of it."""
    before = stored(trained)
    changes = {"num_tables": 64, "num_steps": 32, "minibatch_size": 256, "hidden": (64,)}
    ppo.main(
        arguments(
            trained, **changes, total_timesteps=100_000, final_games=20, opponents=("random",)
        )
    )
    assert stored(trained)["step"] == before["step"]
    printed = capsys.readouterr().out
    assert "random" in printed
    share = re.search(r"environment ([0-9.]+)%", printed)
    assert share is not None
    assert float(share[1]) < 15


@pytest.mark.parametrize("script", [ppo, recurrent], ids=["feed_forward", "recurrent"])
def test_games_of_evaluations_are_recorded_if_asked(tmp_path: Path, script: ModuleType) -> None:
    """Who won says the table, too; the policy tells what it thought; else there is no file."""
    changes = {"total_timesteps": 128, "eval_games": 4, "final_games": 6}
    kind = {"game": "greasy_spoon", "opponents": ("random",), "script": script}
    script.main(arguments(tmp_path, **kind, **changes))
    path = tmp_path / "run" / "evaluation.jsonl"
    assert not path.exists()
    script.main(arguments(tmp_path, **kind, **changes, record=True, fresh=True))
    found = list(waiter_envs.records.read(path))
    with (tmp_path / "run" / "evaluation.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert len(found) == sum(int(row["games"]) for row in table) == 10
    for row in table:
        name = f"policy after {row['step']}"
        mine = [record for record in found if name in record.players]
        assert len(mine) == int(row["games"])
        won = [record.winners == (record.players.index(name),) for record in mine]
        assert sum(won) == int(row["wins"])
    for step in found[0].replay():
        mine = found[0].players[step.player] != "random"
        assert (step.thought is not None) == mine
        if step.thought is not None:
            chances, value = step.thought.probabilities, step.thought.value
            assert chances is not None
            assert value is not None
            assert chances[step.action] == max(chances.values())
            assert sum(chances.values()) == pytest.approx(1, abs=0.05)


def test_the_policy_of_a_run_plays_as_an_agent(trained: Path) -> None:
    """Greedy and drawn actions alike are legal, and the same seed draws the same ones."""
    game = waiter_envs.load("hey_waiter")
    config = game.config(preset="2_players")
    path = trained / "run"
    results = [
        play_match(
            game, config, [load_policy(path, game, greedy=greedy, seed=4), "random"], 40, seed=2
        )
        for greedy in (True, False, False)
    ]
    assert results[0] != results[1]
    assert results[1] == results[2]
    assert all(result.agents[0].record.wins > 20 for result in results)


def test_plot_of_a_run(trained: Path, tmp_path: Path) -> None:
    """The plot is written; a folder without a run is refused."""
    plot = load_example("plot_learning")
    plot.main(plot.Args(runs=(trained / "run",), out=tmp_path / "plot.png"))
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(SystemExit, match="does not exist"):
        plot.main(plot.Args(runs=(tmp_path,), out=tmp_path / "none.png"))


@pytest.mark.long
@pytest.mark.parametrize("script", [ppo, recurrent], ids=["feed_forward", "recurrent"])
def test_a_killed_run_ends_like_one_that_was_not(tmp_path: Path, script: ModuleType) -> None:
    """SIGKILL, then the same command again: network and tables are those of an unbroken run."""
    changes = {**TINY, "game": "hey_waiter", "total_timesteps": 128 * 150}
    options = ["--runs", str(tmp_path / "killed"), "--run-name", "run", "--checkpoint-seconds", "0"]
    for name, value in changes.items():
        values = value if isinstance(value, tuple) else (value,)
        options += [f"--{name.replace('_', '-')}", *map(str, values)]
    command = [sys.executable, str(EXAMPLES / f"{script.__name__}.py"), *options]
    with subprocess.Popen(command) as process:
        checkpoint = tmp_path / "killed" / "run" / "checkpoint.pt"
        while not checkpoint.exists():
            assert process.poll() is None, "the run ended before its first checkpoint"
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert 0 < stored(tmp_path / "killed")["step"] < changes["total_timesteps"]

    script.main(arguments(tmp_path / "killed", script, **changes))
    script.main(arguments(tmp_path / "unbroken", script, **changes))
    killed, unbroken = stored(tmp_path / "killed"), stored(tmp_path / "unbroken")
    for part in ("network", "open"):
        for name, tensor in unbroken[part].items():
            assert torch.equal(killed[part][name], tensor), name
    for part in ("step", "tables", "random"):
        assert torch.equal(torch.as_tensor(killed[part]), torch.as_tensor(unbroken[part])), part


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"preset": "3_players"}, "variant"),
        ({"variant": '{"max_turns": 77}'}, "variant"),
        ({"hidden": (16, 16)}, "hidden"),
        ({"num_tables": 4}, "num_tables"),
        ({"learning_rate": 0.5}, "learning_rate"),
    ],
)
def test_checkpoints_of_other_runs_are_refused(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    """Another variant or another network does not continue a run, and leaves it as it was."""
    ppo.main(arguments(tmp_path, total_timesteps=128))
    path = tmp_path / "run" / "checkpoint.pt"
    before = path.read_bytes()
    with pytest.raises(SystemExit, match=f"of another run: its {problem} is"):
        ppo.main(arguments(tmp_path, **{"total_timesteps": 256, **changes}))
    assert path.read_bytes() == before


def test_a_recurrent_run(tmp_path: Path) -> None:
    """It learns, its policy plays as an agent, and no run of another kind continues it."""
    kind = {"script": recurrent, "game": "hey_waiter"}
    recurrent.main(arguments(tmp_path, **kind, total_timesteps=512))
    game = waiter_envs.load("hey_waiter")
    agent = load_policy(tmp_path / "run", game)
    result = play_match(game, game.config(preset="2_players"), [agent, "random"], 8, seed=2)
    assert result.games == 8
    assert agent.snapshot()["state"].shape == (8, 2, 128)
    with pytest.raises(SystemExit, match="its memory_size is 128, and this run's is 16"):
        recurrent.main(arguments(tmp_path, **kind, total_timesteps=512, memory_size=16))
    with pytest.raises(SystemExit, match="its memory_size is 128, and this run's is None"):
        ppo.main(arguments(tmp_path, total_timesteps=512))
    ppo.main(arguments(tmp_path, total_timesteps=512, fresh=True))
    with pytest.raises(SystemExit, match="its memory_size is None, and this run's is 128"):
        recurrent.main(arguments(tmp_path, **kind, total_timesteps=512))


def test_a_checkpoint_of_another_game_is_refused(tmp_path: Path) -> None:
    """The name of the game is looked at first."""
    ppo.main(arguments(tmp_path, total_timesteps=128))
    path = tmp_path / "run" / "checkpoint.pt"
    checkpoint = stored(tmp_path)
    checkpoint["identity"]["game"] = "chess"
    torch.save(checkpoint, path)
    with pytest.raises(SystemExit, match="its game is chess, and this run's is hey_waiter"):
        ppo.main(arguments(tmp_path, total_timesteps=256))


class Harmful:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[Path]]:
        """Say what unpickling does."""
        return Path.touch, (self.path,)


def test_damaged_and_harmful_checkpoints_are_refused(tmp_path: Path) -> None:
    """A cut file, a foreign file and one that runs code when it is read; `fresh` starts over."""
    ppo.main(arguments(tmp_path, total_timesteps=128))
    path = tmp_path / "run" / "checkpoint.pt"
    whole = path.read_bytes()
    mark = tmp_path / "mark"
    for content in (whole[: len(whole) // 2], b"", b"no checkpoint", None):
        if content is None:
            torch.save({"identity": {}, "network": Harmful(mark)}, path)
        else:
            path.write_bytes(content)
        with pytest.raises(SystemExit, match=r"checkpoint\.pt is damaged, or no checkpoint"):
            ppo.main(arguments(tmp_path, total_timesteps=256))
        assert not mark.exists()
    torch.load(path, weights_only=False)
    assert mark.exists(), "the last file was harmless"
    ppo.main(arguments(tmp_path, total_timesteps=256, fresh=True))
    assert stored(tmp_path)["step"] == 256


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"game": "chess"}, "unknown game 'chess'; there are hey_waiter"),
        ({"preset": "7_players"}, "unknown preset '7_players'; there are 2_players"),
        ({"variant": "{dishes: 6}"}, "--variant {dishes: 6}"),
        ({"variant": '{"plates": 6}'}, "unknown variant field plates"),
        ({"variant": '{"dishes": 0}'}, "dishes=0"),
        ({"opponents": ("nobody",)}, "--opponents nobody: unknown agent; hey_waiter has random"),
        ({"num_tables": 0}, "--num-tables 0: must be at least 1"),
        ({"total_timesteps": -1}, "--total-timesteps -1: must be at least 1"),
        ({"learning_rate": float("nan")}, "--learning-rate nan"),
        ({"gamma": 1.5}, "--gamma 1.5: must be from 0 to 1"),
        ({"hidden": (16, 0)}, "--hidden"),
        ({"torch_threads": 0}, "--torch-threads 0"),
        ({"run_name": "a/../../b"}, "--run-name"),
        ({"run_name": ".."}, "--run-name"),
        ({"device": "cuda"}, "--device cuda: PyTorch finds no CUDA device"),
    ],
)
def test_bad_arguments_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], problem: str
) -> None:
    """Each gets an error that says what is wrong, before anything is written."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    args = arguments(tmp_path / "runs")
    for name, value in changes.items():
        setattr(args, name, value)
    with pytest.raises(SystemExit, match=re.escape(problem)):
        ppo.main(args)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("name", "value"), [("memory_size", -1), ("belief_coef", -0.1), ("policy_after", -1)]
)
def test_bad_arguments_of_a_recurrent_run_are_named(tmp_path: Path, name: str, value: Any) -> None:
    """Those that only it has."""
    with pytest.raises(SystemExit, match=f"--{name.replace('_', '-')} {value}: must be at least 0"):
        recurrent.main(arguments(tmp_path / "runs", recurrent, **{name: value}))
    assert not (tmp_path / "runs").exists()


# -- A clone -----------------------------------------------------------------------------------


def test_a_clone_learns_from_recorded_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It agrees with the agent more often than before, beats random players, and is an agent."""
    clone = load_example("clone_heuristic")
    args = clone.Args(games=600, test_games=30, matches=100, chunk=256, minibatch_size=256)
    args.hidden, args.folder = (64,), tmp_path / "clone"
    result = clone.main(args)
    assert result["agreement"] > 2 * result["agreement of the untrained network"]
    assert result["against random"]["interval"][0] > 0.5
    assert result["decisions"] == len(
        waiter_envs.records.load(args.folder / "games.jsonl.gz").action
    )
    assert json.loads((args.folder / "result.json").read_text())["agreement"] == result["agreement"]
    game = waiter_envs.load("greasy_spoon")
    assert load_policy(args.folder, game).header["variant"] == game.config_to_dict(None)
    before = (args.folder / "games.jsonl.gz").stat().st_mtime_ns
    args.games, args.matches = 600, 2
    clone.main(args)
    assert (args.folder / "games.jsonl.gz").stat().st_mtime_ns == before
    assert "is there, and used as it is" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"preset": "huge"}, "unknown preset 'huge'"),
        ({"agent": "nobody"}, "unknown agent 'nobody'"),
        ({"games": 0}, "--games: must be at least 1"),
        ({"hidden": ()}, "--hidden"),
        ({"learning_rate": float("nan")}, "--learning-rate"),
    ],
)
def test_bad_arguments_of_a_clone_are_named(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    """Before anything is written."""
    clone = load_example("clone_heuristic")
    with pytest.raises(SystemExit, match=re.escape(problem)):
        clone.main(clone.Args(folder=tmp_path / "clone", **changes))
    assert not (tmp_path / "clone").exists()


# -- Best responses ----------------------------------------------------------------------------


@pytest.mark.long
def test_a_best_response_learns_and_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Against agents that play anything it gains; its policy is kept, by whom it was trained on."""
    best = load_example("best_response")
    args = best.Args(against="random", total_timesteps=40_960, deals=60, runs=tmp_path)
    gain = best.main(args)
    assert gain.low > 0.1
    assert f"exploitable by at least {100 * gain.value:+.1f} points" in capsys.readouterr().out
    (folder,) = tmp_path.iterdir()
    assert "greasy_spoon" in folder.name
    assert "random" in folder.name
    game = waiter_envs.load("greasy_spoon")
    policy = load_policy(folder, game)
    paths = [best.run_name(best.Args(against=f"runs/{each}/policy.npz")) for each in "ab"]
    assert paths[0] != paths[1]
    config = game.config()
    record = play_match(game, config, [policy, "random"], 60, 5).agents[0].record
    assert record.win_rate > 0.6


def test_a_best_response_without_deals_is_refused_before_it_learns() -> None:
    best = load_example("best_response")
    with pytest.raises(ValueError, match="deals=0"):
        best.main(best.Args(deals=0, total_timesteps=10**9))


# -- Quick start -------------------------------------------------------------------------------


def test_quickstart_runs() -> None:
    """Both loops print what came out: one winner and one loser, and games won at many tables."""
    script = str(EXAMPLES / "quickstart.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    first, second, many, shares = done.stdout.splitlines()
    assert {line.split(" gets ")[0] for line in (first, second)} == {"player_0", "player_1"}
    assert {line.split(" gets ")[1][:2] for line in (first, second)} == {"+1", "-1"}
    won = int(many.split(": ")[1].split()[0])
    assert won > 2000
    assert sum(int(word) for word in shares.split() if word.isdigit()) == won
