"""Binds Garçon to the shared driver and interfaces: `GAME`, `env`, `raw_env`, `tables`."""

from __future__ import annotations

from garcon_env import (
    actions,
    agents,
    cards,
    config,
    drawing,
    legal_actions,
    moved,
    observation,
    position,
    position_checks,
    resample,
    rules,
    state,
    text,
    view,
)
from waiter_envs.core.game import Game
from waiter_envs.interfaces.binding import bind

GAME = Game.of_modules(
    "garcon",
    "Garçon",
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
    position_checks=position_checks,
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
