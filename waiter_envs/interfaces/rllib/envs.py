"""The games as RLlib's environments, and their registration by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Dict, Discrete
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.tune.registry import register_env

from waiter_envs.core.checks import check_int
from waiter_envs.core.games import GAMES, load
from waiter_envs.core.revival import OwnsArrays
from waiter_envs.core.tables import AutoresetMode, Tables
from waiter_envs.interfaces.gymnasium_env import SingleAgentEnv
from waiter_envs.interfaces.spaces import Observation, observation_space

SINGLE_AGENT = "_single_agent"
"""What the names of environments with one learner end with."""


def register_all() -> None:
    """Register every installed game with RLlib: `name` and `name_single_agent`."""
    for name in GAMES:
        register_env(name, partial(MultiAgentTable, name))
        register_env(name + SINGLE_AGENT, partial(single_agent_env, name))


def agent_name(player: int) -> str:
    """Return the name of a player as an agent, the same as in PettingZoo."""
    return f"player_{player}"


class MultiAgentTable(OwnsArrays, MultiAgentEnv):
    """One table as RLlib's multi-agent environment: agents `player_0`, `player_1`, ...

    Only the player to act gets an observation, `{"observation": (features,) int8, "action_mask":
    (actions,) int8}`, and with it the sum of its rewards since its last decision. When the game
    ends all players get their last observation, with a mask of 0s, and what is left of their
    rewards, whoever moved last. So the sum of what an agent receives is its result of the game.

    An illegal action loses the game at once: its player gets -1 for it, the others nothing.

    With the same seed it plays the same game as table 0 of `Tables`.
    """

    def __init__(self, game: str, env_config: Mapping[str, Any] | None = None) -> None:
        """Open a table; `reset` deals it.

        Args:
            game: one of `waiter_envs.GAMES`.
            env_config: fields of the game's `Config` (or `config`, or `preset`).

        Raises:
            TypeError, ValueError: for an unknown game or field, or an impossible variant.
        """
        super().__init__()
        self._tables = Tables.of(
            load(game),
            1,
            autoreset_mode=AutoresetMode.DISABLED,
            num_threads=1,
            **(env_config or {}),
        )
        self.possible_agents = [agent_name(p) for p in range(self._tables.num_players)]
        self.agents = list(self.possible_agents)
        seen: gymnasium.Space[Any] = observation_space(self._tables)
        done: gymnasium.Space[Any] = Discrete(self._tables.num_actions)
        self.observation_spaces = dict.fromkeys(self.agents, seen)
        self.action_spaces = dict.fromkeys(self.agents, done)
        self.observation_space = Dict(self.observation_spaces)
        self.action_space = Dict(self.action_spaces)
        self._owed = np.zeros(self._tables.num_players)
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Deal a game.

        Args:
            seed: starts the random stream again; `None` goes on with the present one.
            options: mean nothing here.

        Returns:
            The observation of the player to act, and its (empty) info.
        """
        self._tables.reset(seed)
        while self._ended():  # by forced moves alone
            self._tables.reset()
        self._over = False
        self._owed[:] = 0.0
        agent = agent_name(self._player())
        return {agent: self._observe(self._player())}, {agent: {}}

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play the action of the player to act.

        Args:
            action_dict: that agent and its action, and nothing else.

        Returns:
            Observations, rewards, terminations, truncations and infos by agent; the flags also
            by `"__all__"`.

        Raises:
            ResetNeeded: if the game is over.
            TypeError, ValueError: if there is not just the action of the player to act, or it is
                not in the action space; the table has not moved.
        """
        if self._over:
            raise ResetNeeded("the game is over: call `reset`")
        player = self._player()
        if list(action_dict) != [agent_name(player)]:
            raise ValueError(f"{list(action_dict)} act, but it is {agent_name(player)}'s turn")
        action = check_int(
            "action", action_dict[agent_name(player)], 0, self._tables.num_actions - 1
        )
        if not self._tables.action_mask[0, action]:
            self._owed[player] -= 1.0
            return self._end(terminated=True, truncated=False)
        self._tables.step(np.array([action], np.int32))
        self._owed += self._tables.rewards[0]
        if self._ended():
            return self._end(bool(self._tables.terminated[0]), bool(self._tables.truncated[0]))
        player = self._player()
        agent = agent_name(player)
        flags = {agent: False, "__all__": False}
        reward = float(self._owed[player])
        self._owed[player] = 0.0
        return {agent: self._observe(player)}, {agent: reward}, flags, dict(flags), {agent: {}}

    def _end(self, terminated: bool, truncated: bool) -> Any:
        """Tell everybody that the game is over."""
        self._over = True
        rewards = dict(zip(self.agents, self._owed.tolist(), strict=True))
        self._owed[:] = 0.0
        return (
            {agent: self._observe(player) for player, agent in enumerate(self.agents)},
            rewards,
            dict.fromkeys([*self.agents, "__all__"], terminated),
            dict.fromkeys([*self.agents, "__all__"], truncated),
            {agent: {} for agent in self.agents},
        )

    def _ended(self) -> bool:
        return bool(self._tables.terminated[0] or self._tables.truncated[0])

    def _player(self) -> int:
        return int(self._tables.current_player[0])

    def _observe(self, player: int) -> Observation:
        mask = self._tables.action_mask[0]
        return {
            "observation": self._tables.observe(player)[0],
            "action_mask": np.zeros_like(mask) if self._over else mask.copy(),
        }


def single_agent_env(
    game: str, env_config: Mapping[str, Any]
) -> SingleAgentEnv | gymnasium.vector.VectorEnv[Any, Any, Any]:
    """Return a table, or several, where one learner plays against opponents.

    Args:
        game: one of `waiter_envs.GAMES`.
        env_config: `opponents`, `seat`, and fields of the game's `Config` (or `config`, or
            `preset`); see `SingleAgentEnv`. RLlib adds `num_envs` if it wants a vector environment
            (`gym_env_vectorize_mode="vector_entry_point"`).
    """
    options = dict(env_config)
    num_envs = options.pop("num_envs", None)
    if num_envs is None:
        return SingleAgentEnv(game, **options)
    return gymnasium.make_vec(load(game).gymnasium_id, num_envs=num_envs, **options)
