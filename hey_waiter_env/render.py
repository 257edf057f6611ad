"""A table of Hey Waiter! as text for people."""

from __future__ import annotations

import numpy as np


def render(table: np.void, player: int) -> str:
    """Return the table as `player` sees it."""
    raise NotImplementedError
