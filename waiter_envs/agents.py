"""What plays at the tables: the interface of all agents, and the ones that fit any game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

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


class RuleAgent(Agent):
    """A rule-based agent of a game, compiled like its rules.

    One that remembers has a memory for each table and player, which grows as it is asked.
    """

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
        self._heuristic = game.heuristics[name]
        if options and self._heuristic.blank_memory is None:
            raise TypeError(f"agent {name!r} of {game.name} has no options, but got {options}")
        if options and self._heuristic.blank_memory is not None:  # a wrong one is refused here
            self._heuristic.blank_memory(game.table_dtype(game.config()), **options)
        self._memory: npt.NDArray[np.void] | None = None

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""
        count = len(decisions.state)
        actions = np.empty(count, np.int32)
        state = np.ascontiguousarray(decisions.state)
        action_mask = np.ascontiguousarray(decisions.action_mask, np.int8)
        choose = self._heuristic.choose
        if self._heuristic.blank_memory is None:
            kernel = self.game.kernel(kernels.choose_actions, state.dtype, choose=choose)
            kernel(state, action_mask, 0, count, actions)
            return actions
        memory = self._memories(decisions)
        here = decisions.table, decisions.player
        mine = memory[here]
        kernel = self.game.kernel(kernels.choose_remembering, state.dtype, choose=choose)
        kernel(state, action_mask, mine, 0, count, actions)
        memory[here] = mine
        return actions

    def _memories(self, decisions: Decisions) -> npt.NDArray[np.void]:
        """Return the memories, `(tables, players)`, enough for these decisions."""
        shape = (0, 0) if self._memory is None else self._memory.shape
        tables = max(shape[0], int(decisions.table.max(initial=0)) + 1)
        players = max(shape[1], int(decisions.player.max(initial=0)) + 1)
        if self._memory is None or (tables, players) != shape:
            assert self._heuristic.blank_memory is not None
            blank = self._heuristic.blank_memory(decisions.state.dtype, **self.options)
            memory = np.repeat(blank, tables * players).reshape(tables, players)
            for player in range(players):
                memory["rng"][:, player] = rng.streams(self.seed, tables, player)
            if self._memory is not None:
                memory[: shape[0], : shape[1]] = self._memory
            self._blank, self._memory = blank, memory
        return self._memory

    def reset(self, tables: npt.NDArray[np.int64] | None = None) -> None:
        """Forget what was remembered of these tables, which are dealt anew (`None`: of all)."""
        if self._memory is None:
            return
        which = np.arange(len(self._memory)) if tables is None else np.asarray(tables)
        which = which[which < len(self._memory)]
        streams = self._memory["rng"][which].copy()
        self._memory[which] = self._blank
        self._memory["rng"][which] = streams

    def snapshot(self) -> Any:
        """Return a copy of all that is remembered, `(tables, players)` structured, or `None`."""
        return None if self._memory is None else self._memory.copy()

    def restore(self, snapshot: Any) -> None:
        """Remember again what `snapshot` returned."""
        self._memory = None if snapshot is None else snapshot.copy()


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
        return RuleAgent(game, agent, seed)
    if callable(agent):
        return FunctionAgent(agent)
    raise TypeError(f"agent={agent!r}: must be a name, an Agent or a function")


def _unknown(game: Game, name: str) -> str:
    return f"unknown agent {name!r} for {game.name}; there are {', '.join(agent_names(game))}"
