"""`RandomAgent`: plays any legal action."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.core import kernels, rng
from waiter_envs.core.checks import check_seed


class RandomAgent(Agent):
    """Chooses uniformly among the legal actions."""

    def __init__(self, seed: int = 0) -> None:
        """Start a random stream for each place of a batch.

        Raises:
            TypeError, ValueError: for a bad seed.
        """
        self.seed = check_seed(seed)
        self._streams = rng.streams(self.seed, 0)

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
