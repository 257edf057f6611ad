"""Version 0 of Dessert as PettingZoo names it: `dessert_v0.env()`."""

from dessert_env.env import env, raw_env

__all__ = ["env", "raw_env"]
