"""The Gymnasium environment of one learner: Gymnasium's own check, and what it does not ask."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import waiter_envs
from tests.playing import bits
from tests.samples import TRUNCATED, samples
from waiter_envs import Agent, Decisions, SingleAgentEnv
from waiter_envs.core.tables import Tables

every_game = pytest.mark.parametrize("name", waiter_envs.GAMES)

Step = tuple[int, int]


def small(name: str, **options: Any) -> SingleAgentEnv:
    """Return an environment of a game's quickest variant."""
    return SingleAgentEnv(name, **samples(name).small, **options)


def large(name: str, **options: Any) -> SingleAgentEnv:
    """Return an environment of a game's main variant."""
    return SingleAgentEnv(name, **samples(name).large, **options)


class Recorder(Agent):
    """Plays at random and notes down who played what."""

    def __init__(self, log: list[Step], seed: int = 0) -> None:
        self.log = log
        self.rng = np.random.default_rng(seed)
        self.resets = 0

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Choose at random."""
        (mask,) = decisions.action_mask
        assert decisions.table.tolist() == [0]
        assert decisions.state[0]["current_player"] == decisions.player[0]
        action = int(self.rng.choice(np.flatnonzero(mask)))
        self.log.append((int(decisions.player[0]), action))
        return np.array([action], np.int32)

    def reset(self, tables: Any = None) -> None:
        """Count the games."""
        self.resets += 1


def play(env: SingleAgentEnv, info: dict[str, Any], seed: int = 0, limit: int = 10**6) -> list[Any]:
    """Play on at random; return everything that came back, action first."""
    rng = np.random.default_rng(seed)
    steps: list[Any] = []
    ended = False
    while not ended and len(steps) < limit:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        ended = terminated or truncated
        seen = {key: array.tolist() for key, array in observation.items()}
        steps.append((action, seen, reward, terminated, truncated, info["action_mask"].tolist()))
    return steps


@every_game
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seat", [None, 1])
def test_check_env(name: str, seat: int | None) -> None:
    """Gymnasium's `check_env`, as registered."""
    game = waiter_envs.load(name)
    identifier = game.gymnasium_id
    env = gymnasium.make(identifier, seat=seat, **samples(name).small)
    check_env(env.unwrapped)


@every_game
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_plays_the_game_that_tables_play(name: str, seat: int | None) -> None:
    """The actions of all, played at a table of the same seed, pay what the learner received."""
    log: list[Step] = []
    env = large(name, seat=seat, opponents=Recorder(log))
    tables = Tables.of(env.game, 1, 3, config=env.config, autoreset_mode="Disabled")
    for game, seed in enumerate((3, None, None)):
        log.clear()
        observation, info = env.reset(seed=seed)
        assert seat in (None, env.seat)
        total = 0.0
        terminated = truncated = False
        rng = np.random.default_rng(game)
        while not (terminated or truncated):
            assert np.array_equal(observation["action_mask"], info["action_mask"])
            assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            log.append((env.seat, action))
            observation, reward, terminated, truncated, info = env.step(action)
            total += reward
        paid = 0.0
        for actor, action in log:
            assert tables.current_player[0] == actor
            tables.step([action])
            paid += float(tables.rewards[0, env.seat])
        assert (tables.terminated[0], tables.truncated[0]) == (terminated, truncated)
        assert total == paid != 0
        assert np.array_equal(observation["observation"], tables.observe(env.seat)[0])
        assert info["action_mask"].all(), "any action will do"
        tables.reset()


@every_game
def test_each_opponent_plays_its_own_player(name: str) -> None:
    """A list of opponents is given out in the order of the players, the learner left out."""
    others = large(name).config.num_players - 1
    logs: list[list[Step]] = [[] for _ in range(others)]
    agents = [Recorder(log, seed) for seed, log in enumerate(logs)]
    env = large(name, opponents=agents)
    players = set()
    for seed in range(12):
        for log in logs:
            log.clear()
        _, info = env.reset(seed=seed)
        play(env, info)
        players.add(env.seat)
        expected = [player for player in range(others + 1) if player != env.seat]
        assert [{actor for actor, _ in log} for log in logs] == [{player} for player in expected]
    assert players == set(range(others + 1))
    assert [agent.resets for agent in agents] == [12] * others


def first_legal(
    observation: npt.NDArray[np.int8], action_mask: npt.NDArray[np.int8], player: Any
) -> npt.NDArray[np.int64]:
    """An agent that is a plain function."""
    del observation, player
    return action_mask.argmax(axis=1)


@every_game
def test_whatever_can_be_an_opponent(name: str) -> None:
    """Every named agent of the game plays its own way, and so does a function, alone or listed."""
    others = small(name).config.num_players - 1
    kinds = (*waiter_envs.agent_names(waiter_envs.load(name)), first_legal)
    games = {}
    for opponent in kinds:
        env = small(name, opponents=opponent)
        _, info = env.reset(seed=14)
        games[opponent] = play(env, info), bits(env.table)
    assert len({final for _, final in games.values()}) == len(kinds), "an opponent is ignored"
    env = small(name, opponents=[first_legal] * others)
    _, info = env.reset(seed=14)
    assert (play(env, info), bits(env.table)) == games[first_legal]


@every_game
def test_seeds(name: str) -> None:
    """Games, opponents and the learner's player come from the seed; without one they go on."""

    def games(env: SingleAgentEnv, seeds: tuple[int | None, ...]) -> list[Any]:
        return [(env.reset(seed=s)[1]["action_mask"].tolist(), env.seat) for s in seeds]

    env = large(name)
    told = []
    for seed in (4, None, 4, None, 5):
        _, info = env.reset(seed=seed)
        told.append((env.seat, play(env, info)))
    assert told[0] == told[2]
    assert told[1] == told[3]
    assert told[0] != told[1]
    assert told[0] != told[4]
    assert games(large(name), (6, None, None)) == games(large(name), (6, None, None))


@every_game
@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copy_goes_on_identically(name: str, clone: Any) -> None:
    """A copy made mid-game plays on the same, opponents and all."""
    env = small(name)
    _, info = env.reset(seed=7)
    info["action_mask"] = np.array(play(env, info, limit=5)[-1][-1])
    twin = clone(env)
    assert play(twin, info, seed=1) == play(env, info, seed=1)
    assert np.array_equal(twin.reset()[0]["observation"], env.reset()[0]["observation"])


@pytest.mark.parametrize("name", TRUNCATED)
def test_truncation(name: str) -> None:
    """At the turn limit the game is truncated, and pays nothing."""
    env = small(name, max_turns=6)
    _, info = env.reset(seed=8)
    steps = play(env, info)
    assert steps[-1][3:5] == (False, True)
    assert sum(step[2] for step in steps) == 0


@every_game
def test_illegal_action_loses(name: str) -> None:
    """An illegal action ends the game at once, with reward -1; then only `reset` works."""
    env = small(name)
    _, info = env.reset(seed=9)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    observation, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"] is True
    assert observation["action_mask"].all()
    with pytest.raises(ResetNeeded, match="call `reset`"):
        env.step(illegal)
    _, info = env.reset()
    assert len(play(env, info)) > 1


@every_game
def test_action_outside_of_the_space(name: str) -> None:
    """What is no action of the space is refused, and the table has not moved."""
    env, twin = small(name), small(name)
    with pytest.raises(ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=10)
    twin.reset(seed=10)
    for action in (-1, env.action_space.n, 0.0, None):
        with pytest.raises((ValueError, TypeError), match=r"action=.*must be an integer from 0"):
            env.step(action)
    assert play(env, info) == play(twin, info)


@every_game
def test_games_that_end_before_the_learner_is_to_act(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are dealt again; if there is no end of them, `reset` says so."""
    env = small(name)
    play_opponents = env._play_opponents
    deals: list[bytes] = []

    def end_early() -> None:
        deals.append(bits(env.table))
        play_opponents()
        env._over = len(deals) < last

    monkeypatch.setattr(env, "_play_opponents", end_early)
    last = 3
    env.reset(seed=11)
    assert len(set(deals)) == len(deals) == 3
    last = 10**9
    with pytest.raises(RuntimeError, match="games in a row ended before player_"):
        env.reset(seed=11)


@every_game
def test_vector(name: str) -> None:
    """Gymnasium's own vector environment takes it."""
    game = waiter_envs.load(name)
    identifier = game.gymnasium_id
    envs = gymnasium.make_vec(identifier, 2, vectorization_mode="sync", **samples(name).small)
    observation, info = envs.reset(seed=12)
    for _ in range(20):
        actions = [int(np.flatnonzero(mask)[0]) for mask in observation["action_mask"]]
        observation, _, _, _, info = envs.step(np.array(actions))
    assert observation["observation"].shape == envs.observation_space["observation"].shape
    assert np.array_equal(observation["action_mask"], info["action_mask"])
    envs.close()


@every_game
def test_render(name: str) -> None:
    """`render()` is the game's text for the learner; without a mode it warns."""
    env = small(name, render_mode="ansi")
    env.reset(seed=13)
    text = env.render()
    assert text == env.game.render(env.table, env.seat)
    silent = small(name)
    silent.reset(seed=13)
    with pytest.warns(UserWarning, match="render_mode is None"):
        assert silent.render() is None


@every_game
def test_bad_arguments(name: str) -> None:
    """What an environment cannot be made of is refused, with what is allowed."""
    players = small(name).config.num_players
    allowed = f"must be an integer from 0 to {players - 1}"
    with pytest.raises(ValueError, match=f"seat={players}: {allowed}"):
        small(name, seat=players)
    for opponents in (["random"] * players, None, 3):
        with pytest.raises(ValueError, match=f"must be one agent, or a list of {players - 1}"):
            small(name, opponents=opponents)
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        small(name, opponents="nobody")
    with pytest.raises(ValueError, match="render_mode='film'"):
        small(name, render_mode="film")
    with pytest.raises(ValueError, match="unknown game 'chess'; there are"):
        SingleAgentEnv("chess")
    with pytest.raises(TypeError, match="unknown variant field chefs"):
        small(name, chefs=1)
