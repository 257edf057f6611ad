"""What comes out of a store of read-only buffers (Ray's, Dask's, joblib's) goes on playing."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import garcon_env
import waiter_envs
from waiter_envs import Agent, Decisions

SEED = 5
NAME = garcon_env.GAME.gymnasium_id


def revived(thing: Any) -> Any:
    """Return a copy of `thing` whose arrays, as they are handed over, cannot be written."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytes(buffer.raw()) for buffer in buffers])


def play_tables(tables: Any) -> bytes:
    """Play on, and return all that was seen."""
    seen = []
    for _ in range(60):
        tables.step(tables.sample_actions())
        seen += [tables.observation.tobytes(), tables.state.tobytes(), tables.rewards.tobytes()]
    tables.reset(SEED)
    return b"".join([*seen, tables.observation.tobytes(), tables.final_state.tobytes()])


def play_aec(env: Any) -> bytes:
    """Play on to the end of the game and into the next one, and return all that was seen."""
    seen = []
    for _ in range(2):
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            over = terminated or truncated
            action = None if over else int(np.flatnonzero(observation["action_mask"])[-1])
            env.step(action)
            seen.append(
                f"{agent} {action} {reward}".encode() + observation["observation"].tobytes()
            )
        env.reset(SEED)
    return b"".join(seen)


def play_one(env: Any) -> bytes:
    """Play on, games after games, and return all that was seen."""
    seen = []
    mask = env.unwrapped.action_masks()
    for _ in range(60):
        observation, reward, terminated, truncated, info = env.step(int(np.flatnonzero(mask)[-1]))
        seen.append(observation["observation"].tobytes() + str(reward).encode())
        if terminated or truncated:
            _, info = env.reset()
        mask = info["action_mask"]
    return b"".join(seen)


def play_many(envs: Any) -> bytes:
    """Play on, games after games, and return all that was seen."""
    seen = []
    for _ in range(60):
        actions = envs.unwrapped.action_masks().argmax(axis=1)
        observation, reward, *_ = envs.step(actions)
        seen += [observation["observation"].tobytes(), reward.tobytes()]
    envs.reset(seed=SEED)
    return b"".join([*seen, str(envs.unwrapped.table.tolist()).encode()])


def ask(agent: Agent) -> bytes:
    """Let an agent play at the same tables whenever it is asked, and return its choices."""
    tables = garcon_env.tables(16, SEED, preset="memory")
    seen = []
    for _ in range(60):
        actions = agent.act(Decisions.at(tables))
        seen.append(actions.tobytes())
        tables.step(actions)
        agent.reset(np.flatnonzero(tables.terminated | tables.truncated))
    return b"".join(seen)


def begun(env: Any) -> Any:
    """Return an environment that has been dealt."""
    env.reset(seed=SEED)
    return env


OPPONENTS = ["random", "heuristic", waiter_envs.RandomAgent(3)]
CASES: dict[str, tuple[Callable[[], Any], Callable[[Any], bytes]]] = {
    "tables": (lambda: garcon_env.tables(600, SEED, num_threads=2), play_tables),
    "env": (lambda: begun(garcon_env.env(max_turns=30)), play_aec),
    "raw_env": (lambda: begun(garcon_env.raw_env(max_turns=30)), play_aec),
    "make": (lambda: begun(gymnasium.make(NAME, opponents=OPPONENTS)), play_one),
    "make_vec": (lambda: begun(gymnasium.make_vec(NAME, 8, opponents=OPPONENTS)), play_many),
    "RandomAgent": (lambda: waiter_envs.RandomAgent(SEED), ask),
    "RuleAgent": (lambda: waiter_envs.RuleAgent(garcon_env.GAME, "heuristic", SEED), ask),
}


@pytest.mark.parametrize("case", CASES)
def test_read_only_buffers(case: str) -> None:
    """It plays as the original does, after having played before it was stored."""
    make, play = CASES[case]
    thing = make()
    play(thing)
    other = revived(thing)
    assert play(other) == play(thing)


def test_writable_arrays_are_not_copied() -> None:
    """A copy within the process shares no less than before."""
    agent = waiter_envs.RandomAgent(SEED)
    ask(agent)
    other = waiter_envs.RandomAgent.__new__(waiter_envs.RandomAgent)
    other.__setstate__(agent.__dict__)
    assert np.shares_memory(other._streams, agent._streams)
