"""Binds Garçon to the shared driver and interfaces: `GAME`, `env`, `raw_env`, `tables`."""

from __future__ import annotations

from garcon_env import (
    actions,
    agents,
    cards,
    config,
    legal_actions,
    observation,
    position,
    position_checks,
    render,
    resample,
    rules,
    state,
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
    legal_actions=legal_actions,
    observation=observation,
    position=position,
    position_checks=position_checks,
    render=render,
    resample=resample,
    rules=rules,
    state=state,
)

_binding = bind(GAME)
tables = _binding.tables
env = _binding.env
raw_env = _binding.raw_env
