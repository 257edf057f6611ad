"""Stable-Baselines3: the batch as its `VecEnv`, and MaskablePPO learning with it."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

import waiter_envs
from tests.top.test_examples import load_example
from waiter_envs import SingleAgentVectorEnv, Tables
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.policies import load_policy
from waiter_envs.arena.match import play_match
from waiter_envs.interfaces.sb3 import PolicyAgent, TablesVecEnv

from .test_gymnasium_vector import SEED, Learner, fields, lineups, single

every_game = pytest.mark.parametrize("name", waiter_envs.GAMES)

example = load_example("sb3_maskable_ppo")


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Keep PyTorch from sharing small work between threads, which wait for busy cores."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def tables(name: str, count: int, **options: Any) -> TablesVecEnv:
    """Return tables whose games end soon."""
    return TablesVecEnv(
        SingleAgentVectorEnv(name, count, autoreset_mode="SameStep", **options, **fields(name))
    )


@every_game
@pytest.mark.parametrize("flat", [False, True])
def test_as_the_vec_env_of_single_environments(name: str, flat: bool) -> None:
    """Whatever `DummyVecEnv` answers about tables of the same streams, the batch answers."""
    lineup = lineups(name)[0]
    options = {"seat": 0, "flat_observation": flat}
    envs = tables(name, 4, opponents=lineup, **options)
    envs.seed(SEED)
    made = [single(name, lineup, table, **options) for table in range(4)]
    slow = DummyVecEnv([lambda env=env: env for env in made])
    assert envs.observation_space == slow.observation_space
    assert envs.action_space == slow.action_space

    def assert_same(mine: Any, other: Any) -> None:
        if isinstance(mine, dict):
            assert mine.keys() == other.keys()
            for key in mine:
                assert_same(mine[key], other[key])
        else:
            assert np.array_equal(mine, other)

    assert_same(envs.reset(), slow.reset())
    choose = Learner(mistakes=0.02)
    ended = cut = 0
    for _ in range(80):
        masks = get_action_masks(envs)
        assert np.array_equal(masks, get_action_masks(slow))
        assert np.array_equal([ask() for ask in envs.get_attr("action_masks")], masks)
        actions = choose(masks)
        told, expected = envs.step(actions), slow.step(actions)
        for mine, other in zip(told[:3], expected[:3], strict=True):
            assert_same(mine, other)
        for done, mine, other in zip(told[2], told[3], expected[3], strict=True):
            assert ("terminal_observation" in mine) == done
            assert mine.get("TimeLimit.truncated", False) == other["TimeLimit.truncated"]
            assert mine.get("illegal_action") == other.get("illegal_action")
            if done:
                assert_same(mine["terminal_observation"], other["terminal_observation"])
                ended += 1
                cut += mine["TimeLimit.truncated"]
    assert ended > 3
    assert cut > 0 or "max_turns" not in fields(name)
    slow.close()
    envs.close()


@every_game
def test_what_is_asked_of_tables(name: str) -> None:
    """Attributes and methods by table, and what there is not."""
    envs = tables(name, 6, seat=None, render_mode="ansi")
    envs.reset()
    assert is_masking_supported(envs)
    assert is_masking_supported(VecMonitor(envs))
    masks = envs.env_method("action_masks", indices=[4, 1])
    assert np.array_equal(masks, envs.envs.action_masks()[[4, 1]])
    assert envs.get_attr("seat", indices=3) == [envs.envs.seat[3]]
    assert envs.get_attr("render_mode") == ["ansi"] * 6
    assert envs.env_method("render", indices=2) == [envs.envs.render()[2]]
    assert envs.env_is_wrapped(VecMonitor) == [False] * 6
    assert not envs.has_attr("chefs")
    with pytest.raises(AttributeError):
        envs.get_attr("chefs")
    with pytest.raises(AttributeError, match="no method 'chefs' of their own; there are action_m"):
        envs.env_method("chefs")
    with pytest.raises(NotImplementedError, match="seat cannot be set"):
        envs.set_attr("seat", 1)
    assert [sorted(info) for info in envs.reset_infos] == [["action_mask"]] * 6


@every_game
def test_seed(name: str) -> None:
    """`seed` is for the next `reset`, and for that one only."""
    envs = tables(name, 4)
    seen = []
    for seed in (3, None, 3):
        if seed is not None:
            envs.seed(seed)
        seen.append(copy.deepcopy(envs.reset()["observation"]))
    assert np.array_equal(seen[0], seen[2])
    assert not np.array_equal(seen[0], seen[1])


def test_what_cannot_be_wrapped() -> None:
    """Other environments and modes are refused, with what is needed."""
    with pytest.raises(TypeError, match="must be a SingleAgentVectorEnv"):
        TablesVecEnv("hey_waiter")  # type: ignore[arg-type]
    for options in ({}, {"autoreset_mode": "SameStep", "copy": False}):
        envs = SingleAgentVectorEnv("greasy_spoon", 2, **options)
        with pytest.raises(ValueError, match=r'autoreset_mode="SameStep" and copy=True'):
            TablesVecEnv(envs)


def test_dict_observations_and_statistics() -> None:
    """`MultiInputPolicy` takes the mask as a part; `evaluate_policy` counts whole games."""
    envs = VecMonitor(tables("greasy_spoon", 8))
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=16, batch_size=64, n_epochs=1, seed=1)
    model.learn(512)
    assert len(model.ep_info_buffer) > 0
    assert {info["r"] for info in model.ep_info_buffer} <= {-1.0, 1.0}
    rewards, lengths = evaluate_policy(model, envs, n_eval_episodes=16, return_episode_rewards=True)
    assert len(rewards) == 16
    assert set(map(float, rewards)) <= {-1.0, 1.0}
    assert min(lengths) > 3
    result = play_match(envs.envs.game, envs.envs.config, [PolicyAgent(model), "random"], 8)
    assert result.agents[0].record.games == 8
    with pytest.raises(ValueError, match="only policies on flat observations can be saved"):
        PolicyAgent(model).save("policy.npz", envs.envs.game, envs.envs.config)


@pytest.mark.parametrize("flat", [True, False])
def test_a_policy_tells_its_thoughts(flat: bool) -> None:
    """Its chances of legal actions alone, as it plays, and the value that its critic gives."""
    envs = tables("greasy_spoon", 8, flat_observation=flat)
    model = MaskablePPO("MlpPolicy" if flat else "MultiInputPolicy", envs, seed=3)
    agent = PolicyAgent(model)
    dealt = Tables.of(envs.envs.game, 32, seed=1)
    for _ in range(10):
        decisions = Decisions.at(dealt)
        actions, thoughts = agent.think(decisions)
        assert thoughts is not None
        chances, values = thoughts
        assert chances.shape == decisions.action_mask.shape
        assert (chances[decisions.action_mask == 0] == 0).all()
        assert chances.sum(axis=1) == pytest.approx(1, abs=1e-5)
        assert np.array_equal(actions, agent.act(decisions))
        assert np.array_equal(actions, chances.argmax(axis=1))
        seen: Any = decisions.observation
        if not flat:
            seen = {"observation": seen, "action_mask": decisions.action_mask}
        tensor, _ = model.policy.obs_to_tensor(seen)
        with torch.no_grad():
            _, expected, log_chance = model.policy(
                tensor, deterministic=True, action_masks=decisions.action_mask
            )
        assert values == pytest.approx(expected.numpy()[:, 0], abs=1e-5)
        assert chances[np.arange(32), actions] == pytest.approx(log_chance.exp().numpy(), abs=1e-5)
        dealt.step(actions)


@pytest.mark.parametrize("activation", [torch.nn.ReLU, torch.nn.Tanh])
def test_a_saved_policy_decides_as_the_model(tmp_path: Path, activation: Any) -> None:
    """Through NumPy alone; other activations are refused."""
    envs = tables("greasy_spoon", 8, flat_observation=True)
    game, config = envs.envs.game, envs.envs.config
    policy = {"net_arch": [16, 8], "activation_fn": activation}
    model = MaskablePPO("MlpPolicy", envs, policy_kwargs=policy, seed=3)
    PolicyAgent(model).save(tmp_path / "policy.npz", game, config)
    stored = load_policy(tmp_path, game)
    dealt = Tables.of(game, 32, seed=1)
    for _ in range(10):
        decisions = Decisions.at(dealt)
        actions = stored.act(decisions)
        assert np.array_equal(actions, PolicyAgent(model).act(decisions))
        dealt.step(actions)
    policy["activation_fn"] = torch.nn.SiLU
    model = MaskablePPO("MlpPolicy", envs, policy_kwargs=policy, seed=3)
    with pytest.raises(ValueError, match=r"SiLU.*: must be Linear"):
        PolicyAgent(model).save(tmp_path / "other.npz", game, config)
    assert not (tmp_path / "other.npz").exists()


def test_training_improves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Some seconds of the example beat random play clearly; the saved model plays the same."""
    args = example.Args(
        game="greasy_spoon",
        opponents=("random",),
        torch_threads=1,
        num_envs=64,
        num_steps=32,
        minibatch_size=256,
        learning_rate=2e-3,
        hidden=(64,),
        total_timesteps=16384,
        evaluate_against=("random",),
        eval_games=400,
        run_name="test",
        runs=tmp_path,
    )
    record = example.main(args)["random"].agents[0].record
    assert "won against random" in capsys.readouterr().out
    assert record.interval[0] > 0.55
    game = waiter_envs.load("greasy_spoon")
    blank = example.make_model(args, example.make_envs(args, game, game.config()))
    before = play_match(game, game.config(), [PolicyAgent(blank, False), "random"], 400, seed=1)
    assert record.win_rate > before.agents[0].record.win_rate + 0.08
    model = MaskablePPO.load(tmp_path / "test" / "model.zip", device="cpu")
    again = example.evaluate(args, game, game.config(), model)["random"].agents[0].record
    assert again == record
    policy = load_policy(tmp_path / "test", game, compiled=False)  # else chance is another one
    stored = play_match(game, game.config(), [policy, "random"], 400, args.seed)
    assert stored.agents[0].record == record


def test_without_the_extra() -> None:
    """A missing Stable-Baselines3 is an error that names the extra."""
    code = "import sys; sys.modules['stable_baselines3'] = None; import waiter_envs.interfaces.sb3"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert 'pip install "waiter-envs[sb3]"' in ran.stderr


@every_game
def test_make_vec_env_by_name(name: str) -> None:
    """SB3's `make_vec_env` asks for pictures by itself; where there are none it must do without."""
    game = waiter_envs.load(name)
    envs = make_vec_env(
        f"{name}_env:{game.gymnasium_id}", 2, seed=SEED, env_kwargs={"seat": 0, **fields(name)}
    )
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=8, batch_size=8, n_epochs=1, seed=SEED)
    model.learn(16)
    assert model.num_timesteps == 16
