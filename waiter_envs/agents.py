"""What plays at the tables: the interface of all agents, and the ones that fit any game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs import kernels, rng
from waiter_envs.game import Game
from waiter_envs.tables import Tables


class Decisions(NamedTuple):
    """Decisions that an agent is asked for, n at once, one at each of n different tables."""

    observation: npt.NDArray[np.int8]
    """`(n, features)`: what the player to act sees."""
    action_mask: npt.NDArray[np.int8]
    """`(n, actions)`: 1 where it may act."""
    player: npt.NDArray[np.int8]
    """`(n,)`: the player to act."""
    table: npt.NDArray[np.int64]
    """`(n,)`: numbers of the tables, for agents that remember."""
    state: npt.NDArray[np.void]
    """`(n,)`: the records, for compiled agents; they read only what their player may see."""

    @classmethod
    def at(cls, tables: Tables, which: npt.NDArray[np.int64] | None = None) -> Decisions:
        """Return the decisions at the tables numbered `which` (copies), or at all (views)."""
        if which is None:
            number = np.arange(tables.num_tables)
            return cls(
                tables.observation, tables.action_mask, tables.current_player, number, tables.state
            )
        return cls(
            tables.observation[which],
            tables.action_mask[which],
            tables.current_player[which],
            which,
            tables.state[which],
        )


class Agent(ABC):
    """An agent: batched decisions in, actions out."""

    @abstractmethod
    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""

    def reset(self, tables: npt.NDArray[np.int64] | None = None) -> None:
        """Forget what was remembered of these tables, which are dealt anew (`None`: of all)."""
        del tables


class RandomAgent(Agent):
    """Chooses uniformly among the legal actions."""

    def __init__(self, seed: int = 0) -> None:
        """Start a random stream for each place of a batch."""
        self.seed = seed
        self._streams = rng.streams(seed, 0)

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""
        count = len(decisions.action_mask)
        if count > len(self._streams):
            more = rng.streams(self.seed, count)
            self._streams = np.concatenate([self._streams, more[len(self._streams) :]])
        actions = np.empty(count, np.int32)
        action_mask = np.ascontiguousarray(decisions.action_mask, np.int8)
        kernels.sample(action_mask, self._streams, 0, count, actions)
        return actions


class RuleAgent(Agent):
    """A rule-based agent of a game, compiled like its rules."""

    def __init__(self, game: Game, name: str) -> None:
        """Take the agent `name` of `game.heuristics`.

        Raises:
            ValueError: if there is none of that name; the text lists those that exist.
        """
        if name not in game.heuristics:
            raise ValueError(_unknown(game, name))
        self.game = game
        self.name = name

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""
        count = len(decisions.state)
        actions = np.empty(count, np.int32)
        state = np.ascontiguousarray(decisions.state)
        action_mask = np.ascontiguousarray(decisions.action_mask, np.int8)
        choose = self.game.heuristics[self.name]
        kernel = self.game.kernel(kernels.choose_actions, state.dtype, choose=choose)
        kernel(state, action_mask, 0, count, actions)
        return actions


ActionFunction = Callable[
    [npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.ArrayLike
]
"""A plain function `(observation, action_mask, player) -> actions`, all batched."""


class FunctionAgent(Agent):
    """Makes an agent of a plain function of observation, mask and player."""

    def __init__(self, function: ActionFunction) -> None:
        """Let `function` choose the actions."""
        self.function = function

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return what the function chose, `(n,)` int32.

        Raises:
            ValueError: if it did not choose one action of the action space for each decision.
        """
        chosen = np.asarray(
            self.function(decisions.observation, decisions.action_mask, decisions.player)
        )
        count, num_actions = decisions.action_mask.shape
        if chosen.dtype.kind not in "iu" or chosen.shape != (count,):
            raise ValueError(
                f"the function chose an array of dtype {chosen.dtype} and shape {chosen.shape}; "
                f"it must choose ({count},) integers"
            )
        if count and not 0 <= chosen.min() <= chosen.max() < num_actions:
            raise ValueError(f"the function must choose actions from 0 to {num_actions - 1}")
        return chosen.astype(np.int32)


def agent_names(game: Game) -> tuple[str, ...]:
    """Return the names that `make_agent` knows for a game."""
    return ("random", *game.heuristics)


def make_agent(game: Game, agent: str | Agent | ActionFunction, seed: int = 0) -> Agent:
    """Return an agent from its name, from a plain function, or as it is.

    Args:
        game: the game that it plays.
        agent: one of `agent_names(game)`, a function, or an agent.
        seed: of a random agent.

    Raises:
        ValueError: for an unknown name; the text lists those that exist.
        TypeError: for anything else.
    """
    if isinstance(agent, Agent):
        return agent
    if agent == "random":
        return RandomAgent(seed)
    if isinstance(agent, str):
        return RuleAgent(game, agent)
    if callable(agent):
        return FunctionAgent(agent)
    raise TypeError(f"agent={agent!r}: must be a name, an Agent or a function")


def _unknown(game: Game, name: str) -> str:
    return f"unknown agent {name!r} for {game.name}; there are {', '.join(agent_names(game))}"
