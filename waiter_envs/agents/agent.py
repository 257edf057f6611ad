"""The interface of whatever plays at the tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs.core.checks import check_numbers, shown
from waiter_envs.core.revival import OwnsArrays
from waiter_envs.core.tables import Tables


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
        """Return the decisions at the tables numbered `which` (copies), or at all (views).

        Raises:
            TypeError, ValueError: for anything else.
        """
        if not isinstance(tables, Tables):
            raise TypeError(f"tables={shown(tables)}: must be Tables")
        if which is None:
            number = np.arange(tables.num_tables)
            return cls(
                tables.observation, tables.action_mask, tables.current_player, number, tables.state
            )
        which = check_numbers("which", which, tables.num_tables)
        return cls(
            tables.observation[which],
            tables.action_mask[which],
            tables.current_player[which],
            which,
            tables.state[which],
        )


class Thoughts(NamedTuple):
    """What an agent thinks of n decisions: as much of it as it knows."""

    probabilities: npt.NDArray[np.floating[Any]] | None = None
    """`(n, actions)`: how likely it would play each; 0 where it may not act."""
    values: npt.NDArray[np.floating[Any]] | None = None
    """`(n,)`: what it expects to be paid until the end."""


class Agent(OwnsArrays, ABC):
    """An agent: batched decisions in, actions out."""

    @abstractmethod
    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""

    def think(self, decisions: Decisions) -> tuple[npt.NDArray[np.int32], Thoughts | None]:
        """Return what `act` returns, and what the agent thinks of the decisions, if it tells."""
        return self.act(decisions), None

    def reset(self, tables: npt.NDArray[np.int64] | None = None) -> None:
        """Forget what was remembered of these tables, which are dealt anew (`None`: of all)."""
        del tables

    def snapshot(self) -> Any:
        """Return a copy of all that is remembered, to be kept with a snapshot of the tables."""
        return None

    def restore(self, snapshot: Any) -> None:
        """Remember again what `snapshot` returned."""
        del snapshot


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
        """Return what is left of a memory when a game is over: its random streams (`rng`) go on."""
        if "rng" in (memory.dtype.names or ()):
            blank["rng"] = memory["rng"]
        return blank

    def snapshot(self) -> Any:
        """Return a copy of all that is remembered, `(tables, players, ...)`, or `None`."""
        return None if self._memory is None else self._memory.copy()

    def restore(self, snapshot: Any) -> None:
        """Remember again what `snapshot` returned."""
        self._memory = None if snapshot is None else snapshot.copy()
