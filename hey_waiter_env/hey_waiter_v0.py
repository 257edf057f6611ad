"""Version 0 of Hey Waiter! as PettingZoo names it: `hey_waiter_v0.env()`."""

from hey_waiter_env.env import env, raw_env

__all__ = ["env", "raw_env"]
