"""The Bill, a minimal game: order dishes in turn; who asks whether all can pay?"""

from bill_env.config import PRESETS, Config
from bill_env.env import GAME, env, raw_env, tables

__all__ = ["GAME", "PRESETS", "Config", "env", "raw_env", "tables"]
