"""Garçon: take orders, keep them in memory, and name their dishes to score."""

from garcon_env import garcon_v0
from garcon_env.config import PRESETS, Config
from garcon_env.env import GAME, env, raw_env, tables

__all__ = ["GAME", "PRESETS", "Config", "env", "garcon_v0", "raw_env", "tables"]
