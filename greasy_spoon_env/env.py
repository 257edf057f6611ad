"""Binds Greasy Spoon to the shared driver and interfaces: `GAME`, `env`, `raw_env`, `tables`."""

from __future__ import annotations

from greasy_spoon_env import (
    actions,
    agents,
    cards,
    config,
    drawing,
    legal_actions,
    moved,
    observation,
    position,
    resample,
    rules,
    state,
    text,
    view,
)
from waiter_envs.core.game import Game
from waiter_envs.interfaces.binding import bind

GAME = Game.of_modules(
    "greasy_spoon",
    "Greasy Spoon",
    version=0,
    actions=actions,
    agents=agents,
    cards=cards,
    config=config,
    drawing=drawing,
    moved=moved,
    legal_actions=legal_actions,
    observation=observation,
    position=position,
    resample=resample,
    rules=rules,
    state=state,
    text=text,
    view=view,
)

_binding = bind(GAME)
tables = _binding.tables
env = _binding.env
raw_env = _binding.raw_env
