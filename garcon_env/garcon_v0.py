"""Version 0 of Garçon as PettingZoo names it: `garcon_v0.env()`."""

from garcon_env.env import env, raw_env

__all__ = ["env", "raw_env"]
