"""The games by name."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from waiter_envs.core.checks import shown

if TYPE_CHECKING:
    import numpy as np

    from waiter_envs.core.game import Game

_KNOWN = ("hey_waiter", "greasy_spoon", "garcon", "dessert")
"""Every game of this library; game `x` lives in the package `x_env`."""

GAMES = tuple(name for name in _KNOWN if importlib.util.find_spec(f"{name}_env"))
"""Names of the games whose packages are installed."""


def load(name: str) -> Game:
    """Return a game's binding, importing its package.

    Raises:
        TypeError: if `name` is no text.
        ValueError: if there is no such game; the text lists those that exist.
    """
    if not isinstance(name, str):
        raise TypeError(f"name={shown(name)}: must be the name of a game")
    if name not in GAMES:
        raise ValueError(f"unknown game {shown(name)}; there are {', '.join(GAMES)}")
    return importlib.import_module(f"{name}_env").GAME  # type: ignore[no-any-return]


def game_of(table: np.void) -> Game:
    """Return the game of this library that a table's record belongs to.

    Raises:
        ValueError: if it is of none of them.
    """
    for name in GAMES:
        game = load(name)
        if game.table_dtype(game.config()).names == table.dtype.names:
            return game
    raise ValueError(f"a table with fields {shown(table.dtype.names)}: of none of {shown(GAMES)}")
