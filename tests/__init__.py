"""Tests of the library, one folder for each room of `waiter_envs` and one for each game."""
