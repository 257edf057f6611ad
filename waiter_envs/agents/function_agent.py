"""`FunctionAgent`: plays what a plain function chooses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.core.checks import check_callable

ActionFunction = Callable[
    [npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.ArrayLike
]
"""A plain function `(observation, action_mask, player) -> actions`, all batched."""


class FunctionAgent(Agent):
    """Makes an agent of a plain function of observation, mask and player."""

    def __init__(self, function: ActionFunction) -> None:
        """Let `function` choose the actions.

        Raises:
            TypeError: if it is no function.
        """
        check_callable("function", function)
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
