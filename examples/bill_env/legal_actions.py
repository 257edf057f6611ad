"""What the player to act may do in The Bill."""

from __future__ import annotations

import numpy as np

from bill_env.actions import ASK, DEAREST
from waiter_envs.core.jit import njit


@njit
def legal_action_mask(table, mask):
    """Write the mask of the player to act, and return how many actions are legal."""
    left = table.num_players * table.coins - table.bill
    mask[ASK] = table.bill > 0
    legal = np.int64(mask[ASK])
    for price in range(1, DEAREST + 1):
        mask[price] = price <= left
        legal += mask[price]
    return legal
