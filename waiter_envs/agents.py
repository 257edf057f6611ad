"""What plays at the tables: the interface of all agents, and the ones that fit any game."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs import kernels, rng
from waiter_envs.game import Game, Heuristic
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

    def snapshot(self) -> Any:
        """Return a copy of all that is remembered, to be kept with a snapshot of the tables."""
        return None

    def restore(self, snapshot: Any) -> None:
        """Remember again what `snapshot` returned."""
        del snapshot


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


class RememberingAgent(Agent):
    """An agent with a memory for each table and player, which grows as it is asked."""

    _memory: npt.NDArray[Any] | None = None

    @abstractmethod
    def blank_memories(self, tables: int, players: int) -> npt.NDArray[Any]:
        """Return what is remembered before the first decisions, `(tables, players, ...)`."""

    def memories(self, decisions: Decisions) -> npt.NDArray[Any]:
        """Return all that is remembered, `(tables, players, ...)`, enough for these decisions.

        `memories(decisions)[decisions.table, decisions.player]` belongs to the decisions; writing
        there remembers.
        """
        old = self._memory
        tables = int(decisions.table.max(initial=0)) + 1
        players = int(decisions.player.max(initial=0)) + 1
        if old is None:
            self._memory = old = self.blank_memories(tables, players)
        elif tables > old.shape[0] or players > old.shape[1]:
            grown = self.blank_memories(max(tables, old.shape[0]), max(players, old.shape[1]))
            grown[: old.shape[0], : old.shape[1]] = old
            self._memory = old = grown
        return old

    def reset(self, tables: npt.NDArray[np.int64] | None = None) -> None:
        """Forget what was remembered of these tables, which are dealt anew (`None`: of all)."""
        if self._memory is not None:
            which = slice(None) if tables is None else tables[tables < len(self._memory)]
            old = self._memory[which]
            if len(old):
                self._memory[which] = self.forgotten(old, self.blank_memories(*old.shape[:2]))

    def forgotten(self, memory: npt.NDArray[Any], blank: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return what is left of a memory when a game is over: nothing, unless it is a stream."""
        del memory
        return blank

    def snapshot(self) -> Any:
        """Return a copy of all that is remembered, `(tables, players, ...)`, or `None`."""
        return None if self._memory is None else self._memory.copy()

    def restore(self, snapshot: Any) -> None:
        """Remember again what `snapshot` returned."""
        self._memory = None if snapshot is None else snapshot.copy()


class RuleAgent(RememberingAgent):
    """A rule-based agent of a game, compiled like its rules."""

    def __init__(self, game: Game, name: str, seed: int = 0, **options: Any) -> None:
        """Take the agent `name` of `game.heuristics`.

        Args:
            game: the game that it plays.
            name: of the agent.
            seed: of the random streams of its memories.
            **options: of the agent, if it has any (how fast it forgets).

        Raises:
            ValueError: if there is none of that name; the text lists those that exist.
            TypeError, ValueError: for an option that it does not have, or a wrong value of one.
        """
        if name not in game.heuristics:
            raise ValueError(_unknown(game, name))
        self.game = game
        self.name = name
        self.seed = seed
        self.options = options
        self._table_dtype = game.table_dtype(game.config())  # of the tables it is asked at
        blank_memory = self.heuristic.blank_memory
        if blank_memory is not None:  # a wrong option is refused here
            blank_memory(self._table_dtype, **options)
        elif options:
            raise TypeError(f"agent {name!r} of {game.name} has no options, but got {options}")

    @property
    def heuristic(self) -> Heuristic:
        """The agent's rules, found by name: a pickled agent carries no compiled code."""
        return self.game.heuristics[self.name]

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""
        count = len(decisions.state)
        actions = np.empty(count, np.int32)
        state = np.ascontiguousarray(decisions.state)
        action_mask = np.ascontiguousarray(decisions.action_mask, np.int8)
        choose = self.heuristic.choose
        if self.heuristic.blank_memory is None:
            kernel = self.game.kernel(kernels.choose_actions, state.dtype, choose=choose)
            kernel(state, action_mask, 0, count, actions)
            return actions
        self._table_dtype = state.dtype
        memory = self.memories(decisions)
        here = decisions.table, decisions.player
        mine = memory[here]
        kernel = self.game.kernel(kernels.choose_remembering, state.dtype, choose=choose)
        kernel(state, action_mask, mine, 0, count, actions)
        memory[here] = mine
        return actions

    def blank_memories(self, tables: int, players: int) -> npt.NDArray[np.void]:
        """Return what is remembered before the first decisions, `(tables, players)` structured."""
        assert self.heuristic.blank_memory is not None
        blank = self.heuristic.blank_memory(self._table_dtype, **self.options)
        memory = np.repeat(blank, tables * players).reshape(tables, players)
        for player in range(players):
            memory["rng"][:, player] = rng.streams(self.seed, tables, player)
        return memory

    def forgotten(self, memory: npt.NDArray[Any], blank: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an empty memory whose random streams go on."""
        blank["rng"] = memory["rng"]
        return blank


ActionFunction = Callable[
    [npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.ArrayLike
]
"""A plain function `(observation, action_mask, player) -> actions`, all batched."""

AgentLike = str | os.PathLike[str] | Agent | ActionFunction
"""Whatever `make_agent` takes: a name, the path of a saved policy, an agent or a function."""


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


def make_agent(game: Game, agent: AgentLike, seed: int = 0) -> Agent:
    """Return an agent from its name, from a plain function, or as it is.

    Args:
        game: the game that it plays.
        agent: one of `agent_names(game)`, the path of a saved policy (`waiter_envs.policies`), a
            function, or an agent.
        seed: of a random agent.

    Raises:
        ValueError: for an unknown name, the text lists those that exist; for a path where no
            policy of this game lies.
        TypeError: for anything else.
    """
    if isinstance(agent, Agent):
        return agent
    if agent == "random":
        return RandomAgent(seed)
    if isinstance(agent, str) and agent in game.heuristics:
        return RuleAgent(game, agent, seed)
    if isinstance(agent, os.PathLike) or (isinstance(agent, str) and os.path.exists(agent)):
        from waiter_envs.policies import load_policy

        return load_policy(agent, game)
    if isinstance(agent, str):
        raise ValueError(_unknown(game, agent))
    if callable(agent):
        return FunctionAgent(agent)
    raise TypeError(f"agent={agent!r}: must be a name, an Agent or a function")


def _unknown(game: Game, name: str) -> str:
    names = ", ".join(agent_names(game))
    return f"unknown agent {name!r} for {game.name}; there are {names}, and paths of saved policies"
