"""Dealing anew what a player of The Bill does not know."""

from __future__ import annotations

from waiter_envs.core.jit import njit
from waiter_envs.core.rng import below


@njit
def resample(table, player):
    """Fill the purses of the others anew; return whether what a player knows is possible.

    Once somebody has asked for the bill, all purses are open.
    """
    if not table.terminated:
        for other in range(table.purse.shape[0]):
            if other != player:
                table.purse[other] = 1 + below(table.rng, table.coins)
    return 1 <= table.purse[player] <= table.coins
