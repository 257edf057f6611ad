"""What plays at the tables: the interface of all agents, and the ones that fit any game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


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


class Agent(ABC):
    """An agent: batched decisions in, actions out."""

    @abstractmethod
    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""

    def reset(self, tables: npt.NDArray[np.int64] | None = None) -> None:
        """Forget what was remembered of these tables, which are dealt anew (`None`: of all)."""
        del tables
