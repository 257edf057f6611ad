"""How an action fares when the game is played out, beside the best of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.search import SearchAgent
from waiter_envs.core.game import Game

PLAYOUTS = 600
"""Of all candidates together."""
_CANDIDATES = 12


@dataclass(frozen=True)
class Weighed:
    """An action that was tried."""

    action: int
    value: float
    """What its player was paid on average."""
    tried: int
    """How often."""


class Weighing:
    """A decision that is to be played out; it takes its time, and needs nothing but itself."""

    def __init__(self, game: Game, decisions: Decisions, agent: str) -> None:
        """Keep a decision.

        Args:
            game: the game.
            decisions: one decision; it is copied.
            agent: a rule-based one: whose choice is weighed, and who plays the games out.
        """
        self.game, self.agent = game, agent
        self.decisions = Decisions._make(np.array(column) for column in decisions)

    def run(self) -> tuple[Weighed, Weighed | None] | None:
        """Return the agent's choice and the other action that did best; `None`: it cannot be told.

        Deals that are tried agree with what the player sees; all else would tell what is hidden.
        """
        if self.game.resample is None and self.game.resample_remembering is None:
            return None
        search = SearchAgent(
            self.game,
            num_threads=1,
            simulations=PLAYOUTS,
            candidates=_CANDIDATES,
            ms=None,
            prior=self.agent,
            rollout=self.agent,
        )
        found = search.search(self.decisions)
        columns = (column[0].tolist() for column in (found.actions, found.value, found.tried))
        rows = zip(*columns, strict=True)
        first, *others = (Weighed(*row) for row in rows if row[2])
        # those that were given up early were tried too rarely to be compared
        best = max(others, key=lambda other: (other.tried, other.value), default=None)
        return first, best
