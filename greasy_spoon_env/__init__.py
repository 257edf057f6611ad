"""Greasy Spoon: two decks, dearer and dearer dishes; be first to shed all your cards."""

from greasy_spoon_env import greasy_spoon_v0
from greasy_spoon_env.config import PRESETS, Config
from greasy_spoon_env.env import GAME, env, raw_env, tables

__all__ = ["GAME", "PRESETS", "Config", "env", "greasy_spoon_v0", "raw_env", "tables"]
