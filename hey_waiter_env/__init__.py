"""Hey Waiter!: be first to serve all your dishes; two cards side by side make one action."""

from hey_waiter_env import hey_waiter_v0
from hey_waiter_env.config import PRESETS, Config
from hey_waiter_env.env import GAME, env, raw_env, tables

__all__ = ["GAME", "PRESETS", "Config", "env", "hey_waiter_v0", "raw_env", "tables"]
