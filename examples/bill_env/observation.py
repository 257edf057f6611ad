"""What one player may see, as numbers, and the table that names every feature.

The viewer is number 0, the player on its left number 1, and so on. Every feature is 0 or 1.
"""

from __future__ import annotations

from bill_env.config import Config
from waiter_envs.core.blocks import Block
from waiter_envs.core.features import put_one, put_thermometer
from waiter_envs.core.jit import njit


def observation_fields(config: Config) -> list[Block]:
    """Return the fields of an observation, in order."""
    return Block.in_order(
        [
            ("to_act", config.num_players, "who is to act: one-hot"),
            ("purse_0", config.coins, "own coins: one-hot from 1 on"),
            ("bill", config.num_players * config.coins, "coins of the bill: thermometer"),
        ]
    )


def hidden_fields(config: Config) -> list[Block]:
    """Return the fields of what is hidden from a player, in order."""
    return Block.in_order(
        (f"purse_{number}", config.coins, f"coins of player {number}: one-hot from 1 on")
        for number in range(1, config.num_players)
    )


@njit
def observe(table, player, observation):
    """Write what a player may see; return where it ends."""
    observation[:] = 0
    players = table.purse.shape[0]
    at = put_one(observation, 0, players, (table.current_player - player) % players)
    at = put_one(observation, at, table.coins, table.purse[player] - 1)
    return put_thermometer(observation, at, players * table.coins, table.bill)


@njit
def observe_hidden(table, player, features):
    """Write what is hidden from a player; return where it ends."""
    features[:] = 0
    players, at = table.purse.shape[0], 0
    for number in range(1, players):
        other = (player + number) % players
        at = put_one(features, at, table.coins, table.purse[other] - 1)
    return at
