"""RLlib: rewards reach every agent, sampling is what was played, and a trained policy comes back.

They run where the extra `rllib` is installed; see `.ci/run`.
"""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import ray
import torch
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.utils.pre_checks.env import check_multiagent_environments
from ray.tune.registry import register_env

import waiter_envs
from tests.samples import TRUNCATED, samples
from tests.top.test_examples import load_example
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.policies import FILE_NAME, load_policy
from waiter_envs.arena.match import play_match
from waiter_envs.core.tables import Tables
from waiter_envs.interfaces.rllib import (
    MaskedModule,
    MultiAgentTable,
    PolicyAgent,
    Seating,
    TablesEnvRunner,
)

every_game = pytest.mark.parametrize("name", waiter_envs.GAMES)
TINY = DefaultModelConfig(fcnet_hiddens=[16], fcnet_activation="relu", vf_share_layers=True)
MODULE = RLModuleSpec(module_class=MaskedModule, model_config=TINY)
SEED = 5

Decision = tuple[int, int]
"""A player and its action."""


@pytest.fixture(scope="module", autouse=True)
def local_ray() -> Iterator[None]:
    """Start Ray once, for two env runners and the process that learns."""
    torch.set_num_threads(1)
    ray.init(
        num_cpus=3,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        object_store_memory=2**28,
    )
    yield
    ray.shutdown()


def quick(name: str, **options: Any) -> dict[str, Any]:
    """Return what an environment of a game's quickest variant is made with."""
    return {**samples(name).quick, **options}


def tables(name: str, num_tables: int = 1) -> Tables:
    """Return tables that play what the environments play."""
    return Tables.of(
        waiter_envs.load(name), num_tables, SEED, **quick(name), autoreset_mode="Disabled"
    )


def results(dealt: Tables, log: list[Decision]) -> list[float]:
    """Play a whole game again at the only table; return what each player received."""
    total = np.zeros(dealt.num_players)
    for player, action in log:
        assert dealt.current_player[0] == player
        dealt.step([action])
        total += dealt.rewards[0]
    assert dealt.terminated[0] or dealt.truncated[0]
    return total.tolist()


def settings(env: str, env_config: dict[str, Any], **runners: Any) -> PPOConfig:
    """Return a tiny PPO that plays and learns in this process."""
    return (
        PPOConfig()
        .environment(env, env_config=env_config)
        .env_runners(num_env_runners=0, rollout_fragment_length=16, **runners)
        .rl_module(rl_module_spec=MODULE)
        .training(train_batch_size=64, minibatch_size=32, num_epochs=1)
        .debugging(seed=SEED, log_level="ERROR")
    )


def self_play(env: str, env_config: dict[str, Any], **runners: Any) -> PPOConfig:
    """Return a tiny PPO by self-play."""
    config = settings(env, env_config, **runners)
    return config.multi_agent(policies={"policy"}, policy_mapping_fn=lambda *_, **__: "policy")


# -- Rewards -----------------------------------------------------------------------------------


def play_game(env: Any, seed: int | None, rng: np.random.Generator) -> tuple[Any, Any, bool]:
    """Play at random; return decisions, what each agent received, and whether it was cut."""
    observations, _ = env.reset(seed=seed)
    log: list[Decision] = []
    received = dict.fromkeys(env.possible_agents, 0.0)
    over = False
    while not over:
        ((agent, seen),) = observations.items()
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        log.append((env.possible_agents.index(agent), action))
        observations, rewards, terminated, truncated, _ = env.step({agent: action})
        for receiver, reward in rewards.items():
            received[receiver] += reward
        over = terminated["__all__"] or truncated["__all__"]
    assert set(observations) == set(env.possible_agents)
    return log, list(received.values()), truncated["__all__"]


def stock(name: str) -> PettingZooEnv:
    """Return RLlib's wrapper around the AEC environment of a game."""
    env = PettingZooEnv(waiter_envs.make(name, **quick(name)))
    env.possible_agents = list(env.env.possible_agents)  # of a set, in no order
    return env


@every_game
@pytest.mark.parametrize("kind", [MultiAgentTable, stock])
def test_every_agent_receives_the_result_of_the_game(name: str, kind: Any) -> None:
    """In our environment and in RLlib's own wrapper of PettingZoo's, whoever moved last."""
    env = kind(name, quick(name)) if kind is MultiAgentTable else kind(name)
    dealt = tables(name)
    rng = np.random.default_rng(0)
    cut = paid_to_others = 0
    for game in range(40):
        log, received, truncated = play_game(env, SEED if game == 0 else None, rng)
        assert received == results(dealt, log)
        cut += truncated
        paid_to_others += any(received[p] for p in range(len(received)) if p != log[-1][0])
        dealt.reset()
    assert paid_to_others, "no game ended by its rules"
    assert cut or name not in TRUNCATED, "no game was cut"


@every_game
def test_rllib_checks_the_environment(name: str) -> None:
    """RLlib's own check, which plays an action that is hardly ever legal."""
    check_multiagent_environments(MultiAgentTable(name, quick(name)))


def test_illegal_actions_lose_and_impossible_ones_are_refused() -> None:
    """An illegal action costs its player 1 and ends the game; others do nothing."""
    env = MultiAgentTable(waiter_envs.GAMES[0])
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step({"player_0": 0})
    ((agent, seen),) = env.reset(seed=1)[0].items()
    other = next(a for a in env.possible_agents if a != agent)
    for actions in ({}, {other: 0}, {agent: 0, other: 0}):
        with pytest.raises(ValueError, match=f"it is {agent}'s turn"):
            env.step(actions)
    with pytest.raises(ValueError, match="action=100000: must be an integer from 0 to"):
        env.step({agent: 100_000})
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    observations, rewards, terminated, truncated, _ = env.step({agent: illegal})
    assert rewards == {a: -1.0 if a == agent else 0.0 for a in env.possible_agents}
    assert terminated["__all__"] is True
    assert truncated["__all__"] is False
    assert not any(each["action_mask"].any() for each in observations.values())


def first_legal(observation: Any, action_mask: Any, player: Any) -> Any:
    """Choose the lowest action."""
    return action_mask.argmax(axis=1)


@every_game
@pytest.mark.parametrize("seat", [0, 1])
def test_one_learner_receives_its_result(name: str, seat: int) -> None:
    """The episodes that RLlib samples, played again against the same opponents."""
    env_config = quick(name, opponents=first_legal, seat=seat)
    runner = SingleAgentEnvRunner(config=settings(f"{name}_single_agent", env_config))
    dealt = tables(name)
    for episode in runner.sample(num_episodes=5):
        actions = iter(episode.get_actions())
        log: list[Decision] = []
        total = 0.0
        while not (dealt.terminated[0] or dealt.truncated[0]):
            player = int(dealt.current_player[0])
            mine = player == seat
            action = int(next(actions) if mine else dealt.action_mask[0].argmax())
            log.append((player, action))
            dealt.step([action])
            total += float(dealt.rewards[0, seat])
        assert next(actions, None) is None
        assert episode.get_return() == total
        assert (episode.is_terminated, episode.is_truncated) == (
            dealt.terminated[0],
            dealt.truncated[0],
        )
        dealt.reset()


# -- Sampling ----------------------------------------------------------------------------------


class Spy:
    """Notes down what is played at some tables."""

    def __init__(self, dealt: Tables) -> None:
        self.played: list[list[int]] = []
        self.step = dealt.step
        dealt.step = self  # type: ignore[method-assign]

    def __call__(self, actions: Any) -> None:
        """Note down and play."""
        self.played.append(np.asarray(actions).tolist())
        self.step(actions)


def transitions(name: str, played: list[list[int]]) -> tuple[Counter[Any], int, int]:
    """Play again; return every closed transition, how often games ended, and how often by a cut.

    Told table by table in plain Python: the player, what it saw, its action, what it received
    until it saw the next thing, and what that was.
    """
    dealt = tables(name, len(played[0]))
    closed: Counter[Any] = Counter()
    ended = cut = 0
    opened: list[dict[int, list[Any]]] = [{} for _ in played[0]]
    for actions in played:
        seen = dealt.observation.copy()
        player = dealt.current_player.tolist()
        for table, actor in enumerate(player):
            if actor in opened[table]:
                closed[(actor, *opened[table][actor], seen[table].tobytes(), False, False)] += 1
            opened[table][actor] = [seen[table].tobytes(), actions[table], 0.0]
        dealt.step(actions)
        for table, mine in enumerate(opened):
            for actor, transition in mine.items():
                transition[2] += float(dealt.rewards[table, actor])
        over = dealt.terminated | dealt.truncated
        for table in np.flatnonzero(over):
            ended += 1
            cut += int(dealt.truncated[table])
            for actor, transition in opened[table].items():
                view = dealt.observe(actor)[table].tobytes() if dealt.truncated[table] else None
                flags = bool(dealt.terminated[table]), bool(dealt.truncated[table])
                closed[(actor, *transition, view, *flags)] += 1
            opened[table] = {}
        if over.any():
            dealt.reset(mask=over)
    return closed, ended, cut


def sampled(episodes: list[Any]) -> Counter[Any]:
    """Return the transitions of episodes, told as `transitions` tells them."""
    found: Counter[Any] = Counter()
    for episode in episodes:
        seen = [row.tobytes() for row in episode.get_observations()["observation"]]
        for step, action in enumerate(episode.get_actions()):
            last = step == len(episode) - 1
            flags = last and episode.is_terminated, last and episode.is_truncated
            assert episode.get_observations(step)["action_mask"][action] == 1
            found[
                (
                    int(episode.agent_id[-1]),
                    seen[step],
                    int(action),
                    float(episode.get_rewards(step)),
                    None if flags[0] else seen[step + 1],
                    *flags,
                )
            ] += 1
    return found


@every_game
def test_samples_are_what_was_played(name: str) -> None:
    """Over several samples, no transition is lost, doubled, or paid wrongly."""
    config = self_play(name, quick(name), num_envs_per_env_runner=3)
    runner = TablesEnvRunner(config=config)
    spy = Spy(runner.env.tables)
    episodes: list[Any] = []
    for steps in (30, 3, 60, 400):
        piece = runner.sample(num_timesteps=steps)
        assert len({episode.multi_agent_episode_id for episode in piece}) == len(piece)
        episodes += piece
    expected, ended, cut = transitions(name, spy.played)
    assert sampled(episodes) == expected
    assert {episode.module_id for episode in episodes} == {"policy"}
    assert ended
    assert cut or name not in TRUNCATED, "no game was cut"
    metrics = runner.get_metrics()
    assert metrics["num_env_steps_sampled"].peek() == 3 * len(spy.played)
    assert metrics["num_episodes"].peek() == ended
    agents = [counted.peek() for counted in metrics["num_agent_steps_sampled"].values()]
    assert sum(agents) == 3 * len(spy.played)


def test_outputs_of_the_policy_are_its_own() -> None:
    """What was noted down of each decision is what the module says of it, open ones included."""
    name = waiter_envs.GAMES[0]
    runner = TablesEnvRunner(config=self_play(name, quick(name), num_envs_per_env_runner=4))
    module = runner.module["policy"]
    torch.nn.init.orthogonal_(module.pi.net.mlp[0].weight, 5.0)  # what is seen shows
    for _ in range(3):
        for episode in runner.sample(num_timesteps=40):
            rows = episode.get_observations(slice(0, len(episode)))
            seen = {key: torch.as_tensor(value) for key, value in rows.items()}
            logits = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
            noted = torch.as_tensor(episode.get_extra_model_outputs(Columns.ACTION_DIST_INPUTS))
            torch.testing.assert_close(noted, logits, atol=1e-4, rtol=1e-4)
            actions = torch.as_tensor(episode.get_actions())
            chosen = logits.log_softmax(-1).gather(1, actions[:, None])[:, 0]
            logp = torch.as_tensor(episode.get_extra_model_outputs(Columns.ACTION_LOGP))
            torch.testing.assert_close(logp, chosen, atol=1e-4, rtol=1e-4)


def test_random_actions_and_whole_games() -> None:
    """Random actions are legal ones, and games can be asked for by their number."""
    name = waiter_envs.GAMES[0]
    runner = TablesEnvRunner(config=self_play(name, quick(name), num_envs_per_env_runner=2))
    episodes = runner.sample(num_episodes=5, random_actions=True)
    assert sum(episode.is_done for episode in episodes) >= 5
    assert runner.get_metrics()["num_episodes"].peek() >= 5


def test_only_trained_policies_are_sampled_and_every_game_is_seated_anew() -> None:
    """The learner sits at one seat of a game against the league."""
    seating = Seating(4, "policy", ["old", "older"], share=0.75)
    agents = [f"player_{player}" for player in range(4)]
    seats = [
        [seating(agent, SimpleNamespace(id_=f"game {number}")) for agent in agents]
        for number in range(2000)
    ]
    league = [each for each in seats if set(each) != {"policy"}]
    assert 0.71 < len(league) / len(seats) < 0.79
    assert all(each.count("policy") == 1 for each in league)
    assert {each.index("policy") for each in league} == {0, 1, 2, 3}
    assert {name for each in league for name in each} == {"policy", "old", "older"}

    name = waiter_envs.GAMES[0]
    game = waiter_envs.load(name)
    players = game.config(**quick(name)).num_players
    config = self_play(name, quick(name), num_envs_per_env_runner=2).multi_agent(
        policies={"policy", "old"},
        policy_mapping_fn=Seating(players, "policy", ["old"], share=1.0),
        policies_to_train=["policy"],
    )
    runner = TablesEnvRunner(config=config)
    episodes = runner.sample(num_timesteps=400)
    assert {episode.module_id for episode in episodes} == {"policy"}
    assert len({episode.agent_id for episode in episodes}) == players
    counted = {k: v.peek() for k, v in runner.get_metrics()["num_module_steps_sampled"].items()}
    assert min(counted["old"], counted["policy"]) > 0


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (lambda config: config.environment("CartPole-v1"), "env='CartPole-v1': must be one of"),
        (lambda config: config.env_runners(batch_mode="complete_episodes"), "batch_mode="),
        (
            lambda config: config.env_runners(env_to_module_connector=lambda *_: None),
            "runs no connectors",
        ),
        (
            lambda config: config.rl_module(
                rl_module_spec=RLModuleSpec(
                    module_class=MaskedModule,
                    model_config=dataclasses.replace(TINY, use_lstm=True, max_seq_len=4),
                )
            ),
            "keeps no states",
        ),
    ],
)
def test_configurations_that_need_the_stock_env_runner_are_refused(
    changes: Any, problem: str
) -> None:
    """Each gets an error that says what is wrong."""
    name = waiter_envs.GAMES[0]
    with pytest.raises(ValueError, match=re.escape(problem)):
        TablesEnvRunner(config=changes(self_play(name, quick(name))))


# -- The policy --------------------------------------------------------------------------------


def test_the_module_masks_and_values() -> None:
    """Illegal actions are never drawn; the value head has gradients; the batch stays as it is."""
    name = waiter_envs.GAMES[0]
    dealt = Tables.of(waiter_envs.load(name), 64, SEED, **quick(name))
    env = MultiAgentTable(name, quick(name))
    module = MaskedModule(
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config=TINY,
    )
    batch = {
        Columns.OBS: {
            "observation": torch.tensor(dealt.observation),
            "action_mask": torch.tensor(dealt.action_mask),
        }
    }
    drawn = module.get_exploration_action_dist_cls()
    for forward in (module.forward_exploration, module.forward_inference, module.forward_train):
        output = forward(batch)
        distribution = drawn.from_logits(output[Columns.ACTION_DIST_INPUTS])
        for _ in range(20):
            actions = distribution.sample()
            assert dealt.action_mask[np.arange(64), actions].all()
        assert torch.isfinite(distribution.entropy()).all()
    values = module.compute_values(batch)
    assert values.shape == (64,)
    torch.testing.assert_close(values, module.compute_values(batch, output[Columns.EMBEDDINGS]))
    values.sum().backward()
    assert all(weight.grad is not None for weight in module.vf.parameters())
    with pytest.raises(ValueError, match="must be a Dict of `observation` and `action_mask`"):
        MaskedModule(observation_space=Box(0, 1, (3,)), action_space=env.action_spaces["player_0"])


def stock_pettingzoo(config: Any) -> PettingZooEnv:
    """Return RLlib's own wrapper around a PettingZoo environment."""
    return PettingZooEnv(waiter_envs.make(waiter_envs.GAMES[0], **config))


@pytest.mark.parametrize("use_lstm", [False, True])
@pytest.mark.parametrize("kind", ["stock", "table", "single"])
def test_trains_with_the_stock_env_runners(kind: str, use_lstm: bool) -> None:
    """The masked module in RLlib's own env runners, with a memory of its own or without."""
    name = waiter_envs.GAMES[0]
    if kind == "single":
        config = settings(
            f"{name}_single_agent",
            quick(name, opponents="heuristic"),
            num_envs_per_env_runner=2,
            gym_env_vectorize_mode="vector_entry_point",
        )
    else:
        register_env("stock", stock_pettingzoo)
        env = name if kind == "table" else "stock"
        config = self_play(env, quick(name), num_envs_per_env_runner=2)
        assert config.env_runner_cls in (None, MultiAgentEnvRunner)
        if use_lstm:
            config.env_runners(batch_mode="complete_episodes", rollout_fragment_length="auto")
    model = dataclasses.replace(TINY, use_lstm=use_lstm, lstm_cell_size=8, max_seq_len=4)
    config.rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config=model))
    algo = config.build_algo()
    result = algo.train()
    algo.stop()
    learned = result["learners"]["default_policy" if kind == "single" else "policy"]
    assert learned["num_module_steps_trained_lifetime"] > 0
    assert np.isfinite(learned["total_loss"])


# -- Training with two env runners -------------------------------------------------------------

example = load_example("rllib_ppo_selfplay")


def arguments(folder: Path, **changes: Any) -> Any:
    """Return the arguments of a run in `folder`."""
    tiny = {
        "num_tables": 8,
        "num_steps": 16,
        "minibatch_size": 64,
        "hidden": (16,),
        "total_timesteps": 768,
        "league": 1,
        "league_interval": 700,
        "opponents": ("random",),
        "eval_games": 20,
        "final_games": 20,
    }
    return example.Args(runs=folder, run_name="run", **{**tiny, **changes})


def equal(weights: Any, others: Any) -> bool:
    """Return whether two states of a module are the same."""
    return set(weights) == set(others) and all(
        np.array_equal(weights[name], others[name]) for name in weights
    )


def decides(module: MaskedModule) -> Any:
    """Return the part of a module's state that decides: all but the value head."""
    unused = tuple(module.get_non_inference_attributes())
    return {k: v.numpy().copy() for k, v in module.state_dict().items() if not k.startswith(unused)}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Train a few iterations with two env runners; the league follows, and stays frozen."""
    folder = tmp_path_factory.mktemp("rllib")
    run = example.Run(arguments(folder))
    learner, snapshot = "policy", "snapshot_0"

    def weights(name: str) -> list[Any]:
        states = run.algo.env_runner_group.foreach_env_runner(
            lambda runner: decides(runner.module[name])
        )
        assert len(states) == 3
        assert all(equal(state, states[0]) for state in states)
        return states

    before = weights(learner)
    run.update()
    assert run.step == 256
    after = weights(learner)
    assert not equal(before[0], after[0])
    assert not equal(weights(snapshot)[0], after[0])
    example.copy_to_league(run.algo, snapshot)
    assert all(equal(state, after[0]) for state in weights(snapshot))
    run.train()
    assert run.step == 768
    assert not equal(weights(learner)[0], after[0])
    assert not equal(weights(snapshot)[0], after[0]), "the league has had a newer one"
    final = {name: weights(name)[0] for name in (learner, snapshot)}
    run.algo.stop()
    return folder, final


def test_a_policy_plays_a_match_after_training(
    trained: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """The checkpoint goes on where it was, with other env runners; the policy is the same."""
    folder, final = trained
    path = folder / "run"
    args = arguments(folder, num_env_runners=0, total_timesteps=1000)
    run = example.Run(args)
    assert "continues" in capsys.readouterr().out
    assert run.step == 768
    for name, weights in final.items():
        assert equal(weights, decides(run.algo.get_module(name)))
    stored = load_policy(path, run.game, compiled=False)  # else chance is another one
    results = [
        play_match(run.game, run.config, [agent, "random"], 20, seed=args.seed)
        for agent in (stored, run.agent())
    ]
    assert results[0] == results[1]
    run.train()
    assert run.step >= 1000
    assert not equal(final["policy"], decides(run.algo.get_module("policy")))
    assert equal(final["snapshot_0"], decides(run.algo.get_module("snapshot_0")))
    run.report()
    run.algo.stop()
    assert re.search(r"throughput: [\d,]+ env steps/s", capsys.readouterr().out)
    assert len(run.checkpoints()) == 1

    drawn = load_policy(path, run.game, greedy=False, seed=3)
    assert play_match(run.game, run.config, [drawn, "random"], 20, seed=1).games == 20
    with pytest.raises(SystemExit, match="of another run: its learning_rate is"):
        example.Run(arguments(folder, learning_rate=0.5))


@pytest.mark.parametrize("shared", [True, False])
def test_a_saved_policy_decides_as_the_module(tmp_path: Path, shared: bool) -> None:
    """With layers of its own or shared with the value's, and NumPy alone."""
    game = waiter_envs.load(waiter_envs.GAMES[0])
    env = MultiAgentTable(game.name)
    module = MaskedModule(
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config=DefaultModelConfig(fcnet_hiddens=[16, 8], vf_share_layers=shared),
    )
    PolicyAgent(module).save(tmp_path / FILE_NAME, game, game.config())
    stored = load_policy(tmp_path, game)
    tables = Tables.of(game, 32, seed=1)
    for _ in range(10):
        decisions = Decisions.at(tables)
        actions = stored.act(decisions)
        assert np.array_equal(actions, PolicyAgent(module).act(decisions))
        tables.step(actions)


def test_what_is_no_stack_of_dense_layers_is_not_saved(tmp_path: Path) -> None:
    """The text says what may be saved; no file is written."""
    game = waiter_envs.load(waiter_envs.GAMES[0])
    env = MultiAgentTable(game.name)
    module = MaskedModule(
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config=DefaultModelConfig(fcnet_hiddens=[8], fcnet_activation="swish"),
    )
    with pytest.raises(ValueError, match="must be Linear, at least two, and between them ReLU"):
        PolicyAgent(module).save(tmp_path / FILE_NAME, game, game.config())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"game": "chess"}, "unknown game 'chess'; there are"),
        ({"variant": "[]"}, "--variant []"),
        ({"opponents": ("nobody",)}, "--opponents nobody: unknown agent"),
        ({"num_env_runners": -1}, "--num-env-runners -1: must be at least 0"),
        ({"league": -1}, "--league -1: must be at least 0"),
        ({"league_share": 1.5}, "--league-share 1.5: must be from 0 to 1"),
        ({"hidden": (0,)}, "--hidden"),
        ({"run_name": "a/b"}, "--run-name"),
        ({"torch_threads": 0}, "--torch-threads 0"),
    ],
)
def test_bad_arguments_are_named(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    """Each gets an error that says what is wrong, before anything is written."""
    args = arguments(tmp_path / "runs")
    for name, value in changes.items():
        setattr(args, name, value)
    with pytest.raises(SystemExit, match=re.escape(problem)):
        example.main(args)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(("page", "steps"), [("README.md", 2048), ("docs/training.md", 4096)])
def test_the_code_of_the_documentation_trains(page: str, steps: int) -> None:
    """As it stands on the page, but in this process alone."""
    text = (Path(__file__).parents[2] / page).read_text()
    (block,) = re.findall(r"```py\n(.*?)```", text, flags=re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(block.replace("num_env_runners=2", "num_env_runners=0"), namespace)
    algo = namespace["algo"]
    trained = algo.iteration
    result = algo.train()
    assert result["env_runners"]["num_env_steps_sampled_lifetime"] == steps * (trained + 1)
    algo.stop()


def test_without_ray_the_extra_is_named() -> None:
    """The error says what to install."""
    code = "import sys; sys.modules['ray'] = None; import waiter_envs.interfaces.rllib"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode != 0
    assert 'pip install "waiter-envs[rllib]"' in done.stderr
