"""Hey Waiter!: be first to serve all your dishes; two cards side by side make one action."""

from hey_waiter_env.config import PRESETS, Config
from hey_waiter_env.env import GAME, tables

__all__ = ["GAME", "PRESETS", "Config", "tables"]
