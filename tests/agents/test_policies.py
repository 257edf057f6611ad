"""Policies as files: they decide as the networks that they were saved from, and run no code."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import waiter_envs
from tests.top.test_examples import Harmful, load_example
from waiter_envs import SingleAgentEnv, SingleAgentVectorEnv
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.make import make_agent
from waiter_envs.agents.policies import FILE_NAME, load_policy, save_policy
from waiter_envs.arena.match import play_match
from waiter_envs.core.tables import Tables

feed_forward = load_example("cleanrl_ppo_selfplay")
recurrent = load_example("cleanrl_ppo_recurrent")

GAME = waiter_envs.load("garcon")
CONFIG = GAME.config(players=3, recall=1)


def network(memory_size: int = 0, seed: int = 4) -> Any:
    """Return a network of a training example, whose choices depend on all of it."""
    torch.manual_seed(seed)
    features, actions = GAME.num_features(CONFIG), GAME.num_actions(CONFIG)
    if memory_size:
        made = recurrent.Network(features, actions, (24, 16), memory_size, beliefs=5)
    else:
        made = feed_forward.Network(features, actions, (24, 16))
    torch.nn.init.orthogonal_(made.actor.weight, 5.0)
    return made


def saved(folder: Path, memory_size: int = 0) -> Path:
    """Return the file of such a network."""
    save_policy(folder / FILE_NAME, GAME, CONFIG, network(memory_size).state_dict())
    return folder / FILE_NAME


@pytest.mark.parametrize("memory_size", [0, 12])
def test_it_decides_as_the_network_did(tmp_path: Path, memory_size: int) -> None:
    """Through whole games, with and without a memory, asked at some of the tables at a time."""
    script = recurrent if memory_size else feed_forward
    torch_agent = script.PolicyAgent(network(memory_size))
    numpy_agent = load_policy(saved(tmp_path, memory_size), GAME)
    tables = Tables(GAME, CONFIG, 6, seed=2)
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(150):
        actions = np.empty(6, np.int32)
        for which in np.array_split(rng.permutation(6), 2):
            decisions = Decisions.at(tables, which)
            actions[which] = numpy_agent.act(decisions)
            assert np.array_equal(torch_agent.act(decisions), actions[which])
        tables.step(actions)
        over = np.flatnonzero(tables.terminated | tables.truncated)
        numpy_agent.reset(over)
        torch_agent.reset(over)
        ended += len(over)
    assert ended > 3


@pytest.mark.parametrize("memory_size", [0, 12])
@pytest.mark.parametrize("greedy", [True, False])
def test_what_it_thinks_is_what_it_plays(tmp_path: Path, memory_size: int, greedy: bool) -> None:
    """`think` plays on as `act` does, and its probabilities are those of the network then."""
    path = saved(tmp_path, memory_size)
    acting, thinking = (load_policy(path, GAME, greedy=greedy, seed=3) for _ in range(2))
    script = recurrent if memory_size else feed_forward
    torch_agent = script.PolicyAgent(network(memory_size))
    tables = Tables(GAME, CONFIG, 5, seed=6)
    for _ in range(60):
        decisions = Decisions.at(tables)
        actions = acting.act(decisions)
        thought_of, thoughts = thinking.think(decisions)
        assert np.array_equal(actions, thought_of)
        assert thoughts is not None
        chances = thoughts.probabilities
        assert chances is not None
        assert thoughts.values is None
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-5)
        assert not chances[decisions.action_mask == 0].any()
        if greedy:
            expected, told = torch_agent.think(decisions)
            assert np.array_equal(actions, expected)
            np.testing.assert_allclose(chances, told.probabilities, atol=1e-4)
            assert told.values.shape == (5,)
        tables.step(actions)
        over = np.flatnonzero(tables.terminated | tables.truncated)
        for agent in (acting, thinking, torch_agent):
            agent.reset(over)


def test_draws_follow_the_probabilities(tmp_path: Path) -> None:
    """Not greedy, it draws each action as often as the network's softmax says."""
    path = saved(tmp_path)
    tables = Tables(GAME, CONFIG, 1, seed=2)
    count = 4000
    one = Decisions.at(tables)
    many = Decisions(*(np.repeat(array, count, axis=0) for array in one))
    drawn = load_policy(path, GAME, greedy=False, seed=1).act(many._replace(table=np.arange(count)))
    with torch.no_grad():
        legal = feed_forward.Ones.of(one.action_mask)
        log_probabilities, _ = network()(feed_forward.Ones.of(one.observation), legal)
    expected = np.zeros(legal.width)
    expected[legal.column] = log_probabilities.exp().numpy()
    share = np.bincount(drawn, minlength=len(expected)) / count
    assert np.abs(share - expected).max() < 0.04
    again = load_policy(path, GAME, greedy=False, seed=1).act(many._replace(table=np.arange(count)))
    assert np.array_equal(drawn, again)


def test_a_path_names_an_agent(tmp_path: Path) -> None:
    """The file and its folder, as text and as path, in a match and at the command line."""
    path = saved(tmp_path)
    results = [
        play_match(GAME, CONFIG, [agent, "random"], 12, seed=3).agents[0].record
        for agent in (path, str(path), tmp_path, str(tmp_path), load_policy(path, GAME))
    ]
    assert all(result == results[0] for result in results)
    command = [sys.executable, "-m", "waiter_envs", "match", "garcon", "--games", "3"]
    command += ["--set", "players=3", "recall=1", "--agents", str(tmp_path), "random"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "3 games" in done.stdout


def test_a_path_names_an_opponent(tmp_path: Path) -> None:
    """Of one learner, at one table and at many: the file's path plays as its agent does."""
    path = saved(tmp_path)
    for make in (SingleAgentEnv, functools.partial(SingleAgentVectorEnv, num_envs=4)):
        seen = []
        for opponents in (path, str(path), [path, tmp_path], load_policy(path, GAME)):
            env = make("garcon", opponents=opponents, seat=0, config=CONFIG, flat_observation=True)
            observation, info = env.reset(seed=3)
            seen.append([observation])
            for _ in range(30):
                observation, *_, info = env.step(info["action_mask"].argmax(axis=-1))
                seen[-1].append(observation)
                if not info["action_mask"].any():
                    break
        assert all(np.array_equal(other, seen[0]) for other in seen)


def test_it_needs_no_pytorch(tmp_path: Path) -> None:
    """A process that plays a saved policy imports NumPy alone."""
    code = f"""
import sys
import waiter_envs
from waiter_envs.arena.match import play_match
game = waiter_envs.load("garcon")
play_match(game, game.config(players=3, recall=1), [{str(saved(tmp_path))!r}, "random"], 3)
print("torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "False", done.stderr


def change(**entries: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return what changes entries of a header."""
    return lambda header: {**header, **entries}


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (change(game="dessert"), "plays dessert_v0, not garcon_v0"),
        (change(version=7), "plays garcon_v7, not garcon_v0"),
        (change(format=1), "is no policy of format 2"),
        (change(activation="sine"), "is damaged: activation='sine': must be one of relu, tanh"),
        (change(activation=[]), "is damaged: activation="),
        (change(actions=5), r"is damaged: actor.weight has shape .* must be \(5, 16\) finite"),
        (change(features=5), r"is damaged: trunk.0.weight has shape .* must be \(any, 5\)"),
        (change(features="5"), "is damaged: features='5': must be an integer from 1"),
        (change(features=10**12), "is damaged: features=1000000000000: must be an integer"),
        (change(features=float("inf")), "is damaged: features=inf: must be an integer"),
    ],
)
def test_a_wrong_header_is_refused(tmp_path: Path, changed: Any, problem: str) -> None:
    """The text names file and fault."""
    path = saved(tmp_path)
    with np.load(path) as content:
        arrays = dict(content)
    header = changed(json.loads(str(arrays.pop("header"))))
    np.savez(path, header=np.array(json.dumps(header)), **arrays)
    with pytest.raises(ValueError, match=f"{FILE_NAME}.*{problem}"):
        make_agent(GAME, str(path))


@pytest.mark.parametrize(
    "missing", ["actor.bias", "cell.bias_hh", "action_embedding.weight", "trunk.2.bias"]
)
def test_missing_weights_are_refused(tmp_path: Path, missing: str) -> None:
    """On loading and on saving."""
    path = saved(tmp_path, memory_size=8)
    with np.load(path) as content:
        arrays = {name: content[name] for name in content.files if name != missing}
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=f"is damaged: there is no {missing}"):
        load_policy(path, GAME)
    arrays.pop("header")
    target = tmp_path / "other.npz"
    with pytest.raises(ValueError, match=f"there is no {missing}"):
        save_policy(target, GAME, CONFIG, arrays)
    assert not target.exists()


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("actor.bias", lambda array: array * np.nan),
        ("actor.bias", lambda array: array[:1]),
        ("trunk.0.weight", lambda array: array.T),
        ("trunk.0.weight", lambda array: array.astype(np.complex64)),
        ("action_embedding.weight", lambda array: array[:5]),
        ("cell.bias_hh", lambda array: array[0]),
        ("cell.weight_hh", lambda array: array[:-1]),
    ],
)
def test_wrong_weights_are_refused(tmp_path: Path, name: str, damage: Any) -> None:
    """Of another shape, of another type, or not finite; on loading, not in play."""
    path = saved(tmp_path, memory_size=8)
    with np.load(path) as content:
        arrays = dict(content)
    np.savez(path, **{**arrays, name: damage(arrays[name])})
    with pytest.raises(ValueError, match=rf"is damaged: {name} has shape .* finite float32"):
        load_policy(path, GAME)


def test_any_damaged_byte_is_an_error_or_harmless(tmp_path: Path) -> None:
    """Whatever a flipped byte does to the archive, the error is a `ValueError`."""
    path = saved(tmp_path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    refused = 0
    for place in [*rng.integers(0, len(whole), 100), *range(len(whole) - 400, len(whole))]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.integers(8)
        path.write_bytes(bytes(damaged))
        try:
            load_policy(path, GAME)
        except ValueError as error:
            refused += "policy.npz" in str(error)
    assert refused > 200


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A cut file, a foreign one, none at all, and one that would run code."""
    path = saved(tmp_path)
    whole = path.read_bytes()
    mark = tmp_path / "mark"
    np.save(tmp_path / "one.npy", np.zeros(3))
    one = (tmp_path / "one.npy").read_bytes()
    for content in (whole[: len(whole) // 2], b"", b"no policy", one, None):
        if content is None:
            np.savez(path, header=np.array(Harmful(mark), dtype=object))
        else:
            path.write_bytes(content)
        with pytest.raises(ValueError, match=r"policy\.npz is no policy written by"):
            load_policy(path, GAME)
        assert not mark.exists()
    np.load(path, allow_pickle=True)["header"]
    assert mark.exists(), "the last file was harmless"
    path.unlink()
    with pytest.raises(ValueError, match="no such file; training writes"):
        make_agent(GAME, tmp_path)
    with pytest.raises(ValueError, match="unknown agent 'runs/nowhere' for garcon; there are rand"):
        make_agent(GAME, "runs/nowhere")


def test_another_variant_is_refused_at_the_table(tmp_path: Path) -> None:
    """Sizes tell."""
    agent = load_policy(saved(tmp_path), GAME)
    with pytest.raises(ValueError, match=r"has learnt a variant with .*'recall': 1.*; this one"):
        agent.act(Decisions.at(Tables.of(GAME, 2, 1, players=4)))


def test_another_variant_of_the_same_sizes_is_warned_of(tmp_path: Path) -> None:
    """Sizes do not tell; the number of the variant does. One warning is enough."""
    agent = load_policy(saved(tmp_path), GAME)
    same = Decisions.at(Tables(GAME, CONFIG, 2, 1))
    other = Decisions.at(Tables.of(GAME, 2, 1, config=CONFIG, target=CONFIG.target + 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agent.act(same)
    with pytest.warns(UserWarning, match="learnt another variant of the same sizes: .*'target'"):
        agent.act(other)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agent.act(other)
