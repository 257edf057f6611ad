"""The fields that every game's table record begins with."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

COMMON_FIELDS: list[tuple[Any, ...]] = [
    ("variant", "u8"),  # tells the variant from others whose records look alike
    ("rng", "u8", (2,)),  # the table's own random stream (waiter_envs.core.rng)
    ("num_players", "i1"),  # how many play
    ("current_player", "i1"),  # the player to act
    ("terminated", "?"),  # the game has ended by its rules
    ("truncated", "?"),  # the game was cut at its turn limit
]
"""What the driver reads of a table, whatever the game."""


def blank_record(dtype: np.dtype[np.void]) -> npt.NDArray[np.void]:
    """Return an array of one record, every byte 0, padding included."""
    return np.frombuffer(bytearray(dtype.itemsize), dtype=dtype)


def name_variant(table: npt.NDArray[np.void], num_players: int) -> npt.NDArray[np.void]:
    """Write to a blank table what tells its variant from all others, and return it."""
    table["num_players"] = num_players
    digest = hashlib.sha256(table.tobytes()).digest()
    table["variant"] = int.from_bytes(digest[:8], "little")
    return table
