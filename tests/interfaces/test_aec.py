"""The AEC environment: PettingZoo's own suites, and what they do not ask."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pettingzoo.test
import pytest
import torch
from pettingzoo import AECEnv
from pettingzoo.utils import (
    AssertOutOfBoundsWrapper,
    BaseWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
    turn_based_aec_to_parallel,
)

import waiter_envs
from tests.samples import TRUNCATED, samples
from waiter_envs.core.tables import Tables
from waiter_envs.interfaces import aec, rendering

CASES = [(name, preset) for name in waiter_envs.GAMES for preset in samples(name).presets]
every_case = pytest.mark.parametrize(("name", "preset"), CASES)
one_case = pytest.mark.parametrize(
    ("name", "preset"), [(name, samples(name).presets[0]) for name in waiter_envs.GAMES]
)
truncated_case = pytest.mark.parametrize(
    ("name", "preset"), [case for case in CASES if case[0] in TRUNCATED]
)


def make_raw(name: str, preset: str, **config: Any) -> aec.TableEnv:
    """Return a bare environment."""
    return aec.raw_env(waiter_envs.load(name), preset=preset, **config)


def legal_action(mask: npt.NDArray[np.int8], rng: np.random.Generator) -> int:
    """Return a random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


def illegal_action(mask: npt.NDArray[np.int8]) -> int:
    """Return the first illegal action."""
    return int(np.flatnonzero(mask == 0)[0])


def decisions(
    env: AECEnv, seed: int = 0, limit: int = 10**6
) -> Iterator[tuple[str, Any, float, int | None]]:
    """Play on at random; yield agent, observation, reward and action before each step."""
    rng = np.random.default_rng(seed)
    while env.agents and limit > 0:
        limit -= 1
        agent = env.agent_selection
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        action = None if over else legal_action(info["action_mask"], rng)
        yield agent, observation, reward, action
        env.step(action)


def play(env: AECEnv, seed: int = 0, limit: int = 10**6) -> None:
    """Play on at random."""
    for _ in decisions(env, seed, limit):
        pass


# -- PettingZoo's suites -----------------------------------------------------------------------

suite_warnings = [
    # True of every environment with masks that PettingZoo does not know by name.
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    # An agent whose game is over has nothing to do.
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def with_suite_warnings(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test: every warning is an error, except those listed above."""
    for mark in suite_warnings:
        test = mark(test)
    return test


@every_case
@with_suite_warnings
def test_api(name: str, preset: str) -> None:
    """PettingZoo's `api_test`."""
    pettingzoo.test.api_test(waiter_envs.make(name, preset=preset), num_cycles=300)


@one_case
@with_suite_warnings
def test_api_of_the_bare_environment_in_their_wrappers(name: str, preset: str) -> None:
    """PettingZoo's `api_test`, on `raw_env` in PettingZoo's own wrappers."""
    pettingzoo.test.api_test(their_wrappers(make_raw(name, preset)), num_cycles=300)


@every_case
@with_suite_warnings
def test_seed(name: str, preset: str) -> None:
    """PettingZoo's `seed_test`."""
    pettingzoo.test.seed_test(lambda: waiter_envs.make(name, preset=preset), num_cycles=100)


@every_case
@with_suite_warnings
def test_render(name: str, preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PettingZoo's `render_test`."""
    monkeypatch.setattr(rendering, "FRAMES_PER_SECOND", 10**6)
    pettingzoo.test.render_test(
        lambda render_mode: waiter_envs.make(name, render_mode, preset=preset),
        {"ansi": lambda text: len(text) > 0},
    )


class AnyAction(BaseWrapper):
    """Takes any action of the action space for a legal one: the suite knows no masks."""

    def step(self, action: int | None) -> None:
        """Play the action, or another in its place."""
        if action is not None:
            legal = np.flatnonzero(self.env.observe(self.agent_selection)["action_mask"])
            action = int(legal[action % len(legal)])
        super().step(action)


def test_max_cycles() -> None:
    """PettingZoo's `max_cycles_test`, on a stand-in for a module.

    The suite gives its `max_cycles` to an environment that counts the decisions of each agent,
    and to a parallel one, here PettingZoo's own for games in turns, where one decision is one
    cycle. Our `max_turns` counts no picks, of which each of the two players has one.
    """

    def make_with(max_turns: int) -> AECEnv:
        env = waiter_envs.make("hey_waiter", preset="2_players", max_turns=max_turns)
        return OrderEnforcingWrapper(AnyAction(env))

    class Module:
        @staticmethod
        def env(max_cycles: int) -> AECEnv:
            return make_with(2 * max_cycles - 2)

        @staticmethod
        def parallel_env(max_cycles: int) -> Any:
            return turn_based_aec_to_parallel(make_with(max_cycles - 2))

    pettingzoo.test.max_cycles_test(Module)


@one_case
def test_save_observation(
    name: str, preset: str, capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: Any
) -> None:
    """PettingZoo's `test_save_obs`: it sees that observations are no images, and says so."""
    monkeypatch.chdir(tmp_path)
    pettingzoo.test.test_save_obs(waiter_envs.make(name, preset=preset))
    assert "Observations must be Box to save observations as image" in capsys.readouterr().out


@every_case
@pytest.mark.filterwarnings("error")
def test_state_space(name: str, preset: str) -> None:
    """PettingZoo's check of `state_space`; `state()` is what player 0 sees, and more."""
    env = waiter_envs.make(name, preset=preset)
    importlib.import_module("pettingzoo.test.state_test").test_state_space(env)
    env.reset(seed=1)
    for _ in decisions(env, limit=50):
        state, seen = env.state(), env.observe("player_0")["observation"]
        assert env.state_space.contains(state)
        assert len(state) > len(seen)
        assert np.array_equal(state[: len(seen)], seen)


# -- Wrappers ----------------------------------------------------------------------------------


def their_wrappers(env: aec.TableEnv) -> AECEnv:
    """Return `env` in the three wrappers of PettingZoo's classic environments."""
    checked: AECEnv = TerminateIllegalWrapper(env, illegal_reward=-1)
    checked = AssertOutOfBoundsWrapper(checked)
    return OrderEnforcingWrapper(checked)


def snapshot(env: AECEnv) -> Any:
    """Return all that an environment tells."""
    told = {
        "agents": list(env.agents),
        "agent": env.agent_selection,
        "rewards": dict(env.rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
    }
    if env.agents:
        observation, reward, terminated, truncated, _ = env.last()
        told["last"] = (to_lists(observation), reward, terminated, truncated)
        told["infos"] = {agent: to_lists(info) for agent, info in env.infos.items()}
    return told


def to_lists(arrays: Any) -> dict[str, list[int]]:
    """Return the arrays of an observation or info as lists."""
    return {key: array.tolist() for key, array in arrays.items()}


@one_case
def test_one_layer_checks_what_three_wrappers_check(name: str, preset: str) -> None:
    """A whole game tells the same through `env()` as through PettingZoo's wrappers."""
    ours = waiter_envs.make(name, preset=preset)
    theirs = their_wrappers(make_raw(name, preset))
    assert isinstance(ours, OrderEnforcingWrapper)
    assert str(ours) == str(theirs)
    ours.reset(seed=4)
    theirs.reset(seed=4)
    for _, _, _, action in decisions(ours):
        assert snapshot(ours) == snapshot(theirs)
        theirs.step(action)
    assert snapshot(ours) == snapshot(theirs)


@every_case
def test_illegal_action_loses(name: str, preset: str) -> None:
    """An illegal action ends the game; its agent loses 1. So do PettingZoo's wrappers."""
    ours = waiter_envs.make(name, preset=preset)
    theirs = their_wrappers(make_raw(name, preset))
    for env in (ours, theirs):
        env.reset(seed=5)
        play(env, limit=7)
    offender = ours.agent_selection
    for env in (ours, theirs):
        env.step(illegal_action(env.last()[0]["action_mask"]))
    total: dict[str, float] = defaultdict(float)
    while ours.agents:
        told, expected = snapshot(ours), snapshot(theirs)
        infos = told.pop("infos")
        expected.pop("infos")  # theirs still offers the offender its actions
        assert told == expected
        assert not any(any(info["action_mask"]) for info in infos.values())
        assert not any(ours.last()[0]["action_mask"])
        total[ours.agent_selection] += ours.last()[1]
        ours.step(None)
        theirs.step(None)
    assert total == {agent: -float(agent == offender) for agent in ours.possible_agents}
    ours.reset(seed=5)
    play(ours)
    assert not ours.agents


ACTIONS_OF_NO_SPACE = [
    *(-1, "size", "below", 2**40, 2**70, -(2**70), 1.0, float("nan"), None, "G>R", b"1", [0]),
    *(True, False, np.True_, np.array([0]), np.array([1, 2]), np.float64(1), {}),
]


@one_case
@pytest.mark.parametrize("action", ACTIONS_OF_NO_SPACE)
def test_action_outside_of_the_space(name: str, preset: str, action: Any) -> None:
    """What is no action of the space is refused, and the game goes on as if nothing happened."""
    env = waiter_envs.make(name, preset=preset)
    env.reset(seed=6)
    play(env, limit=3)
    size = int(env.action_space(env.agent_selection).n)
    if isinstance(action, str) and action == "size":
        action = size
    elif isinstance(action, str) and action == "below":  # as an index it would name a legal action
        action = int(np.flatnonzero(env.last()[0]["action_mask"])[0]) - size
    before = snapshot(env)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(action)
    with pytest.raises((ValueError, TypeError), match="must be an integer from 0 to"):
        env.unwrapped.step(action)
    assert snapshot(env) == before
    play(env)
    assert not env.agents


@one_case
def test_illegal_action_of_the_bare_environment(name: str, preset: str) -> None:
    """`raw_env` refuses an illegal action, and an action of an agent whose game is over."""
    env = make_raw(name, preset)
    env.reset(seed=7)
    play(env, limit=3)
    before = snapshot(env)
    action = illegal_action(env.observe(env.agent_selection)["action_mask"])
    with pytest.raises(ValueError, match=f"action {action} is illegal for {env.agent_selection}"):
        env.step(action)
    assert snapshot(env) == before
    for agent, _, _, _ in decisions(env):
        if env.terminations[agent]:
            with pytest.raises(ValueError, match="only valid action is None"):
                env.step(0)
            assert agent in env.agents


@one_case
def test_order_of_calls(name: str, preset: str) -> None:
    """Before `reset` nothing works; in a loop over agents each takes a step; then a warning."""
    env = waiter_envs.make(name, "ansi", preset=preset)
    for attribute in ("agents", "agent_selection", "rewards", "terminations", "infos"):
        with pytest.raises(AttributeError, match=f"{attribute} cannot be accessed before reset"):
            getattr(env, attribute)
    for call in (env.last, env.render, env.state, env.agent_iter):
        with pytest.raises(AssertionError, match="reset"):
            call()
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)
    with pytest.raises(AssertionError, match="reset"):
        env.observe("player_0")
    env.reset(seed=8)
    with pytest.raises(AssertionError, match="need to call step"):
        list(env.agent_iter())
    env.reset(seed=8)
    play(env)
    env.step(None)
    assert env.agents == []


# -- What is played, seen and paid -------------------------------------------------------------


@every_case
def test_plays_the_same_games_as_tables(name: str, preset: str) -> None:
    """With the same seed, two games in a row are those of table 0 of `Tables`."""
    game = waiter_envs.load(name)
    env = waiter_envs.make(name, preset=preset)
    tables = Tables.of(game, 3, 9, preset=preset)
    for seed in (9, None):
        env.reset(seed=seed)
        received: dict[str, float] = defaultdict(float)
        paid = np.zeros(tables.num_players)
        for agent, observation, reward, action in decisions(env):
            received[agent] += reward
            if action is None:
                continue
            assert agent == f"player_{tables.current_player[0]}"
            assert np.array_equal(observation["observation"], tables.observation[0])
            assert np.array_equal(observation["action_mask"], tables.action_mask[0])
            actions = tables.sample_actions().copy()
            actions[0] = action
            tables.step(actions)
            paid += tables.rewards[0]
        assert tables.terminated[0]
        assert [received[agent] for agent in env.possible_agents] == paid.tolist()
        assert sum(paid) == pytest.approx(0, abs=1e-6)
        drawn = game.position_to_dict(tables.final_state[0])["winner"] == "draw"
        assert max(paid) == (0 if drawn else 1)


@every_case
def test_observe(name: str, preset: str) -> None:
    """Every agent can be observed at any time, and nothing that was handed out changes."""
    game = waiter_envs.load(name)
    short = samples(name).short
    env = waiter_envs.make(name, preset=preset, **short)
    tables = Tables.of(game, 1, 10, preset=preset, autoreset_mode="Disabled", **short)
    env.reset(seed=10)
    handed_out: list[tuple[Any, Any]] = []
    for agent, seen, _, action in decisions(env):
        table = env.table
        for player, other in enumerate(env.possible_agents):
            observation = env.observe(other)
            to_act = other == agent and action is not None
            assert np.array_equal(observation["observation"], tables.observe(player)[0])
            assert observation["action_mask"].any() == to_act
            assert env.observation_space(other).contains(observation)
            handed_out.append((observation, to_lists(observation)))
            if other in env.agents:
                info = env.infos[other]
                assert np.array_equal(info["action_mask"], observation["action_mask"])
                handed_out.append((info, to_lists(info)))
        assert env.table == table
        handed_out.append((seen, to_lists(seen)))
        if action is not None:
            tables.step([action])
    for player, other in enumerate(env.possible_agents):
        assert np.array_equal(env.observe(other)["observation"], tables.observe(player)[0])
    for arrays, lists in handed_out:
        assert to_lists(arrays) == lists
    with pytest.raises(ValueError, match="no agent 'cook'; there are player_0"):
        env.observe("cook")


@truncated_case
def test_truncation(name: str, preset: str) -> None:
    """At the turn limit everybody is truncated, nobody terminated, and nobody is paid."""
    env = waiter_envs.make(name, preset=preset, max_turns=5)
    env.reset(seed=11)
    ended = []
    for agent, _, reward, action in decisions(env):
        assert reward == 0
        if action is None:
            assert not any(env.terminations.values())
            assert all(env.truncations.values())
            ended.append(agent)
    assert ended == env.possible_agents


@one_case
def test_rewards_along_the_way(name: str, preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rewards in mid-game reach every agent once, with `last()` after they were paid."""
    env = waiter_envs.make(name, preset=preset)
    env.reset(seed=20)
    advance, rng = env.unwrapped._advance, np.random.default_rng(20)
    payments: list[npt.NDArray[np.float64]] = []

    def pay_now_and_then() -> None:
        advance()
        if rng.random() < 0.5:
            env.unwrapped._tables.buffers.rewards[0] += rng.integers(
                -9, 10, len(env.possible_agents)
            )
        payments.append(env.unwrapped._tables.rewards[0].astype(np.float64))

    monkeypatch.setattr(env.unwrapped, "_advance", pay_now_and_then)
    received: dict[str, float] = defaultdict(float)
    for agent, _, reward, _ in decisions(env):
        received[agent] += reward
        if env.terminations[agent]:
            continue
        player = env.possible_agents.index(agent)
        assert received[agent] == pytest.approx(sum(paid[player] for paid in payments), abs=1e-12)
        if payments:
            assert list(env.rewards.values()) == payments[-1].tolist()
    totals = sum(payments).tolist()
    assert [received[agent] for agent in env.possible_agents] == pytest.approx(totals, abs=1e-12)


@one_case
def test_reset_goes_on_with_the_stream(name: str, preset: str) -> None:
    """Without a seed another game is dealt, the same after the same seed."""
    env = waiter_envs.make(name, preset=preset)
    deals = []
    for seed in (12, None, None, 12, None):
        env.reset(seed=seed)
        deals.append(env.state().tobytes())
    assert deals[3:] == deals[:2]
    assert len(set(deals)) == 3
    env.reset(seed=np.int64(12))
    assert env.state().tobytes() == deals[0]
    for wrong in (-1, 0.5, "x"):
        with pytest.raises((ValueError, TypeError), match="seed"):
            env.reset(seed=wrong)
    assert env.state().tobytes() == deals[0]


@every_case
def test_render_shows_what_the_agent_to_act_sees(name: str, preset: str) -> None:
    """`render()` is the game's text for the player to act, at the end for the last one."""
    game = waiter_envs.load(name)
    env = waiter_envs.make(name, "ansi", preset=preset)
    env.reset(seed=13)
    actor = ""
    for agent, _, _, action in decisions(env):
        actor = actor if action is None else agent
        player = env.possible_agents.index(actor)
        assert env.render() == game.render(env.table, player)


@one_case
def test_start_from_a_position(name: str, preset: str) -> None:
    """A game can start from a position in words; the rest of it is seeded like any other."""
    game = waiter_envs.load(name)
    played, started, again = (waiter_envs.make(name, preset=preset) for _ in range(3))
    played.reset(seed=14)
    play(played, limit=30)
    position = game.position_to_dict(played.table)
    started.reset(seed=15, options={"position": position})
    again.reset(seed=15, options={"position": position})
    assert game.position_to_dict(started.table) == position
    assert started.agent_selection == played.agent_selection
    assert to_lists(started.last()[0]) == to_lists(played.last()[0])
    for _, _, _, action in decisions(started):
        assert snapshot(started) == snapshot(again)
        again.step(action)
    assert not started.agents

    tables = Tables.of(game, 1, preset=preset, autoreset_mode="Disabled")
    tables.state = game.position_from_dict(tables.config, position, 15).reshape(1)
    started.reset(seed=15, options={"position": position})
    played.reset(seed=1)
    again.reset(seed=2)
    for env in (played, again):  # without a seed, the position goes on with the present stream
        env.reset(options={"position": position})
    states = []
    for agent, _, _, action in decisions(started):
        if action is not None:
            assert agent == f"player_{tables.current_player[0]}"
            assert np.array_equal(started.state(), tables.full_observation(0)[0])
            tables.step([action])
        if len(states) < 10:
            states.append([env.state().tobytes() for env in (started, played, again)])
            for env in (played, again):  # where other luck does not permit it, something else
                mask = env.observe(env.agent_selection)["action_mask"]
                env.step(action if mask[action] else int(mask.argmax()))
    assert len(set(states[0])) == 1
    assert len(set(states[-1])) == 3

    over = game.position_to_dict(started.table)
    again.reset(options={"position": over})
    assert all(again.terminations.values())
    play(again)
    assert again.agents == []

    played.reset(seed=14)
    before = snapshot(played)
    with pytest.raises(ValueError, match="nonsense"):
        played.reset(options={"position": {**position, "nonsense": 1}})
    assert snapshot(played) == before


def test_forced_decision_of_a_position_is_taken_as_it_is() -> None:
    """A position may leave a single legal action; it is asked for, with a single 1."""
    game = waiter_envs.load("hey_waiter")
    env = waiter_envs.make("hey_waiter", preset="2_players")
    env.reset(seed=16)
    play(env, limit=1)
    position = game.position_to_dict(env.table)
    chooser = position["players"][position["seats"][position["to_act"]]]
    other = position["players"][1 - position["seats"][position["to_act"]]]
    chooser["hand"] = "WWWWWWW"
    out = chooser["hand"] + other["hand"] + other["stacks"][0]["card"]
    position["draw"] = {colour: 22 - out.count(colour) for colour in "WGRB"}
    env.reset(seed=16, options={"position": position})
    legal = np.flatnonzero(env.last()[0]["action_mask"])
    assert len(legal) == 1
    assert game.action_to_text(env.table, legal[0]).endswith("on W")
    play(env)
    assert not env.agents


# -- Copies ------------------------------------------------------------------------------------


@one_case
@pytest.mark.parametrize("moves", [0, 20, 10**6])
@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("bare", [False, True])
def test_copy_goes_on_identically(
    name: str, preset: str, moves: int, clone: Any, bare: bool
) -> None:
    """A copy made at the start, mid-game or among the last, empty steps plays on the same."""
    env = make_raw(name, preset) if bare else waiter_envs.make(name, preset=preset)
    env.reset(seed=17)
    for _ in decisions(env, limit=moves):
        if any(env.terminations.values()):
            break
    for agent in env.possible_agents:
        env.action_space(agent).seed(18)
    twin = clone(env)
    before = snapshot(twin)
    untouched = clone(twin)
    for agent, observation, _, action in decisions(env):
        assert snapshot(twin) == snapshot(env)
        if action is not None:
            mask = observation["action_mask"]
            sampled = [e.action_space(agent).sample(mask) for e in (env, twin)]
            assert sampled[0] == sampled[1]
        twin.step(action)
    assert snapshot(untouched) == before
    env.reset()
    twin.reset()
    assert snapshot(twin) == snapshot(env)


IN_ANOTHER_PROCESS = """
import pickle, sys
env = pickle.load(sys.stdin.buffer)
env.step(int(env.last()[0]["action_mask"].nonzero()[0][0]))
sys.stdout.buffer.write(env.state().tobytes())
"""


@one_case
def test_pickle_in_another_process(name: str, preset: str) -> None:
    """A process that has compiled nothing yet goes on with a pickled game."""
    env = waiter_envs.make(name, preset=preset)
    env.reset(seed=19)
    play(env, limit=9)
    result = subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS],
        input=pickle.dumps(env),
        capture_output=True,
        check=True,
    )
    env.step(int(env.last()[0]["action_mask"].nonzero()[0][0]))
    assert result.stdout == env.state().tobytes()


# -- Construction ------------------------------------------------------------------------------


@every_case
def test_names_spaces_and_metadata(name: str, preset: str) -> None:
    """Agents, spaces and metadata are what PettingZoo asks for."""
    game = waiter_envs.load(name)
    env = waiter_envs.make(name, preset=preset)
    config = game.presets[preset]
    assert env.possible_agents == [f"player_{i}" for i in range(config.num_players)]
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert space["observation"].shape == (game.num_features(config),)
        assert space["action_mask"].shape == (env.action_space(agent).n,)
        assert env.action_space(agent).n == game.num_actions(config)
    assert str(env) == env.metadata["name"] == f"{name}_v{game.version}"
    assert env.metadata["render_modes"] == ["ansi", "rgb_array", "human"]
    assert env.metadata["is_parallelizable"] is False
    assert env.render_mode is None


@one_case
def test_bad_arguments(name: str, preset: str) -> None:
    """What an environment cannot be made of is refused, with what is allowed."""
    with pytest.raises(ValueError, match="render_mode='film': must be None or one of"):
        waiter_envs.make(name, "film", preset=preset)
    with pytest.raises(ValueError, match=f"unknown preset 'none'; there are .*{preset}"):
        waiter_envs.make(name, preset="none")
    field, value, complaint = samples(name).bad_field
    with pytest.raises(TypeError, match=rf"unknown variant field chefs; .* has .*{field}"):
        waiter_envs.make(name, chefs=3)
    with pytest.raises(ValueError, match=complaint):
        waiter_envs.make(name, preset=preset, **{field: value})


@one_case
def test_pytorch_takes_every_mask_without_a_warning(name: str, preset: str) -> None:
    """Wrappers such as TorchRL's make tensors of observations and infos as they are."""
    env = waiter_envs.make(name, preset=preset)
    env.reset(seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for agent in env.possible_agents:
            torch.from_numpy(env.infos[agent]["action_mask"])
            for array in env.observe(agent).values():
                torch.from_numpy(array)


@one_case
def test_before_the_first_reset(name: str, preset: str) -> None:
    """What a game in progress has is asked for in vain, in a sentence."""
    env = make_raw(name, preset)
    for call in (env.last, lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(AttributeError, match="no game is in progress, call `reset` first"):
            call()
    with pytest.raises(AttributeError, match="no attribute 'chef'"):
        env.chef  # noqa: B018
    env.reset(seed=1)
    env.last()
