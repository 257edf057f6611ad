"""Version 0 of Greasy Spoon as PettingZoo names it: `greasy_spoon_v0.env()`."""

from greasy_spoon_env.env import env, raw_env

__all__ = ["env", "raw_env"]
