"""Environments by the names of their games."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from waiter_envs.core.games import GAMES, load
from waiter_envs.interfaces import aec


def make(name: str, render_mode: str | None = None, **config: Any) -> AECEnv:
    """Return one table of a game as a PettingZoo AEC environment.

    Args:
        name: one of `GAMES`.
        render_mode: `None` or `"ansi"`.
        **config: fields of the game's `Config` (or `config=`, or `preset=`).

    Raises:
        TypeError, ValueError: for an unknown game, render mode or field, or an impossible variant.
    """
    return aec.env(load(name), render_mode, **config)


def register_all() -> None:
    """Import every installed game, which registers it with Gymnasium and PettingZoo."""
    for name in GAMES:
        load(name)
