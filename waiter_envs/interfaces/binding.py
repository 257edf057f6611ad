"""What a game's package offers beside its `GAME`: tables, environments, names in registries."""

from __future__ import annotations

from typing import Any

from gymnasium.envs import registration
from pettingzoo import AECEnv

from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables
from waiter_envs.interfaces import aec


class Binding:
    """The tables and environments of one game."""

    def __init__(self, game: Game) -> None:
        """Bind them to `game`."""
        self.game = game

    def tables(self, num_tables: int, seed: int | None = None, **options: Any) -> Tables:
        """Return many tables at once; see `waiter_envs.Tables`.

        Args:
            num_tables: how many.
            seed: of their random streams.
            **options: options of `Tables`, and fields of `Config` (or `config=`, or `preset=`).
        """
        return Tables.of(self.game, num_tables, seed, **options)

    def env(self, render_mode: str | None = None, **config: Any) -> AECEnv:
        """Return one table as a PettingZoo AEC environment, with the checks of the usual wrappers.

        Args:
            render_mode: `None`, `"ansi"`, `"rgb_array"` or `"human"`.
            **config: fields of `Config` (or `config=`, or `preset=`).

        Raises:
            TypeError, ValueError: for an unknown render mode or field, or an impossible variant.
        """
        return aec.env(self.game, render_mode, **config)

    def raw_env(self, render_mode: str | None = None, **config: Any) -> aec.TableEnv:
        """Return one table as a bare PettingZoo AEC environment; see `env`."""
        return aec.raw_env(self.game, render_mode, **config)


def bind(game: Game) -> Binding:
    """Register a game, once, and return its tables and environments.

    Its names are `HeyWaiter-v0` with Gymnasium, `hey_waiter_v0` with PettingZoo.
    """
    _register_with_gymnasium(game)
    _register_with_pettingzoo(game)
    return Binding(game)


def _register_with_gymnasium(game: Game) -> None:
    if game.gymnasium_id not in registration.registry:
        registration.register(
            game.gymnasium_id,
            entry_point="waiter_envs.interfaces.gymnasium_env:SingleAgentEnv",
            vector_entry_point="waiter_envs.interfaces.gymnasium_vector:SingleAgentVectorEnv",
            kwargs={"game": game.name},
        )


def _register_with_pettingzoo(game: Game) -> None:
    try:
        from pettingzoo import aec_registry, register
    except ImportError:  # older versions have no registry
        return
    identifier = f"{game.name}-v{game.version}"  # `make` takes `name_v0` as well
    if identifier not in aec_registry:
        register("aec", identifier, entry_point=f"{game.name}_env:env")
