"""Positions of Hey Waiter! as plain JSON types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hey_waiter_env.config import Config


def position_to_dict(table: np.void) -> dict[str, Any]:
    """Return a position in plain JSON types."""
    raise NotImplementedError


def read_position(config: Config, position: Mapping[str, Any]) -> npt.NDArray[np.void]:
    """Return an array of one table that a position describes."""
    raise NotImplementedError
