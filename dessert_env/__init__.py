"""Dessert: serve guests what they crave, steal them from others, and seat a trio."""

from dessert_env import dessert_v0
from dessert_env.config import PRESETS, Config
from dessert_env.env import GAME, env, raw_env, tables

__all__ = ["GAME", "PRESETS", "Config", "dessert_v0", "env", "raw_env", "tables"]
