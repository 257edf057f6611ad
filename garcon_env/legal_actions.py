"""What the player to act may do: the mask of legal actions.

Every function reads one table record (`state.table_dtype`) and changes nothing but the mask.
`GA-n` names a ruling of `docs/garcon.md`.
"""

from __future__ import annotations

import numpy as np

from garcon_env.actions import (
    complete_start,
    done_action,
    leave_start,
    name_start,
    notebook_start,
    repeat_start,
)
from garcon_env.cards import LEAVE, NOTEBOOK, ORDER_SLOTS, REPEAT
from garcon_env.rules import left_of, on_table
from garcon_env.state import CHOOSING, NAMING, NONE
from waiter_envs.core.jit import njit


@njit
def legal_action_mask(table, mask):
    """Write 1 for every legal action of the player to act, 0 for all others; return their number.

    Args:
        table: a table where somebody is to act.
        mask: `(actions,)` int8, written whole.
    """
    mask[:] = 0
    player = np.int64(table.current_player)
    if table.phase == NAMING:
        return mask_naming(table, player, mask)
    legal = 0
    if table.phase == CHOOSING:
        legal += offer(mask, complete_start(table), table.num_open[player])
        if not (table.complete_all or table.has_clock):  # GA-4, GA-9
            mask[done_action(table)] = 1
            legal += 1
        return legal
    if table.num_open[player] < table.order.shape[1]:
        for slot in range(ORDER_SLOTS):
            offered = table.market[slot] != NONE
            mask[slot] = offered
            legal += offered
    if table.turns_done == 0:  # GA-2
        return legal
    if not table.has_clock:
        legal += offer(mask, complete_start(table), table.num_open[player])
    return legal + mask_events(table, player, mask)


@njit
def offer(mask, start, count):
    """Offer `count` actions from `start` on; return their number."""
    for action in range(start, start + count):
        mask[action] = 1
    return np.int64(count)


@njit
def mask_naming(table, player, mask):
    """Offer the dishes of the symbol being asked that have not been named (GA-4)."""
    back = table.back[table.order[player, table.named]]
    symbol = 0
    while named_of(table, symbol) == table.back_counts[back, symbol]:
        symbol += 1
    legal = 0
    for dish in range(table.symbol_start[symbol], table.symbol_start[symbol + 1]):
        offered = 1 - (np.int64(table.said) >> dish & 1)
        mask[name_start(table) + dish] = offered
        legal += offered
    return legal


@njit
def named_of(table, symbol):
    """Return how many dishes of a symbol have been named."""
    named = 0
    for dish in range(table.symbol_start[symbol], table.symbol_start[symbol + 1]):
        named += np.int64(table.said) >> dish & 1
    return named


@njit
def mask_events(table, player, mask):
    """Offer the events on the table wherever they can be used (GA-5)."""
    legal = 0
    mine = table.num_open[player]
    if on_table(table, REPEAT):
        for place in range(mine):
            offered = 1 - table.repeat[player, place]
            mask[repeat_start(table) + place] = offered
            legal += offered
    if on_table(table, NOTEBOOK):
        for place in range(mine):
            offered = 1 - table.notebook[player, place]
            mask[notebook_start(table) + place] = offered
            legal += offered
    if on_table(table, LEAVE):
        players, cap = table.order.shape
        other = player
        for distance in range(players - 1):
            other = left_of(table, other)
            start = leave_start(table) + distance * cap
            legal += offer(mask, start, table.num_open[other])
    return legal
