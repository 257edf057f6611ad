"""The rules of The Bill.

* Everybody has a purse of 1 coin or more, and looks into no other. Somebody begins.
* In turn, a player orders a dish of 1, 2 or 3 coins, or asks for the bill. Nobody asks before the
  first dish; the bill cannot grow beyond what full purses could pay.
* If the bill is more than all purses hold, whoever asked wins, and whoever ordered the last dish
  loses. Else it is the other way round.
"""

from __future__ import annotations

import numpy as np

from bill_env.actions import ASK
from waiter_envs.core.jit import njit
from waiter_envs.core.rng import below


@njit
def init_state(table):
    """Deal on a blank table that has a random stream."""
    for player in range(table.purse.shape[0]):
        table.purse[player] = 1 + below(table.rng, table.coins)
    table.current_player = below(table.rng, table.num_players)


@njit
def step(table, action):
    """Play one legal action of the player to act and move on to the next decision."""
    if action == ASK:
        table.terminated = True
    else:
        table.bill += action
        table.current_player = (table.current_player + 1) % table.num_players


@njit
def rewards(table, totals):
    """Add every player's reward for the last step: +1 to the winner, -1 to the loser."""
    if table.terminated:
        paid_by_all = 0
        for player in range(table.purse.shape[0]):
            paid_by_all += table.purse[player]
        won = 1.0 if table.bill > paid_by_all else -1.0
        asked = np.int64(table.current_player)
        totals[asked] += won
        totals[(asked - 1) % table.num_players] -= won
