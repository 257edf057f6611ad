"""The games by name, and their registration with Gymnasium and PettingZoo."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from waiter_envs.game import Game

VERSIONS = {"hey_waiter": 0, "greasy_spoon": 0, "garcon": 0, "dessert": 0}
"""Every game that the library knows, with its version; game `x` lives in the package `x_env`."""

GAMES = tuple(name for name in VERSIONS if importlib.util.find_spec(f"{name}_env"))
"""Names of the games whose packages are installed."""


def load(name: str) -> Game:
    """Return a game's binding, importing its package.

    Raises:
        ValueError: if there is no such game; the text lists those that exist.
    """
    if name not in GAMES:
        raise ValueError(f"unknown game {name!r}; there are {', '.join(GAMES)}")
    return importlib.import_module(f"{name}_env").GAME  # type: ignore[no-any-return]


def make(name: str, render_mode: str | None = None, **config: Any) -> AECEnv:
    """Return one table of a game as a PettingZoo AEC environment.

    Args:
        name: one of `GAMES`.
        render_mode: `None` or `"ansi"`.
        **config: fields of the game's `Config` (or `config=`, or `preset=`).

    Raises:
        TypeError, ValueError: for an unknown game, render mode or field, or an impossible variant.
    """
    return load(name).env(render_mode, **config)


def register_all() -> None:
    """Register every installed game with Gymnasium and PettingZoo, importing none of them."""
    for name in GAMES:
        register(name)


def register(name: str) -> None:
    """Register a game, once: `HeyWaiter-v0` with Gymnasium, `hey_waiter_v0` with PettingZoo."""
    _register_with_gymnasium(name)
    _register_with_pettingzoo(name)


def _register_with_gymnasium(name: str) -> None:
    from gymnasium.envs.registration import register, registry

    camel_case = "".join(word.capitalize() for word in name.split("_"))
    identifier = f"{camel_case}-v{VERSIONS[name]}"
    if identifier not in registry:
        register(
            identifier,
            entry_point="waiter_envs.gymnasium_env:SingleAgentEnv",
            vector_entry_point="waiter_envs.gymnasium_vector:SingleAgentVectorEnv",
            kwargs={"game": name},
        )


def _register_with_pettingzoo(name: str) -> None:
    try:
        from pettingzoo import aec_registry, register
    except ImportError:  # older versions have no registry
        return
    identifier = f"{name}-v{VERSIONS[name]}"  # `make` takes `name_v0` as well
    if identifier not in aec_registry:
        register("aec", identifier, entry_point=f"{name}_env:env")
