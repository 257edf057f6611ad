"""The Gymnasium spaces of one table, the same for every adapter."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from waiter_envs.core.tables import Tables

Observation = dict[str, npt.NDArray[np.int8]]


def bits(size: int) -> spaces.Box:
    """Return the space of `size` features that are 0 or 1: `(size,)` int8."""
    return spaces.Box(0, 1, (size,), np.int8)


def observation_space(tables: Tables, flat: bool = False) -> spaces.Space[Any]:
    """Return the space of `{"observation": (features,), "action_mask": (actions,)}`, int8.

    Args:
        tables: whose sizes they are.
        flat: of the features alone, `(features,)` int8.
    """
    features = bits(tables.num_features)
    if flat:
        return features
    return spaces.Dict({"observation": features, "action_mask": bits(tables.num_actions)})
