"""What the player to act may do: the mask of legal actions.

`DE-n` names a ruling of `docs/dessert.md`.
"""

from __future__ import annotations

import numpy as np

from dessert_env.actions import (
    ACTION_FRESHEN,
    ACTION_NO,
    ACTION_WAITING_ROOM,
    ACTION_YES,
    START_DESSERT,
    START_STEAL,
)
from dessert_env.cards import (
    COMPLETES,
    HALF,
    MOST_SERVED,
    NUM_DESSERTS,
    NUM_GUESTS,
    SATISFIED,
    STOPS,
    TASTE,
    USEFUL,
)
from dessert_env.rules import (
    can_serve,
    common,
    desserts_at,
    fewest_desserts,
    first_of,
    num_at,
    size_of,
    topmost,
    without_first,
)
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    DISCARDED,
    FRESHEN,
    SERVE,
    STEAL,
    STOP,
    THEFT,
)
from waiter_envs.core.features import put_equal
from waiter_envs.core.jit import njit
from waiter_envs.core.words import highest_one


@njit
def legal_action_mask(table, mask):
    """Write 1 for every legal action of the player to act, 0 for all others; return their number.

    Args:
        table: a table where somebody is to act.
        mask: `(104,)` int8, written whole.
    """
    mask[:] = 0
    player = np.int64(table.current_player)
    desserts = mask[START_DESSERT:START_STEAL]
    if table.phase == SERVE:
        return mask_serving(table, player, desserts)
    if table.phase == BRIBE:
        return mask_hand(table, player, desserts)
    if table.phase == FRESHEN:
        return mask_freshening(table, player, mask, desserts)
    mask[ACTION_NO] = 1
    if table.phase == STEAL:
        return 1 + mask_steal_phase(table, player, mask)
    if table.phase == STOP:
        return 1 + mask_aces(table, player, np.int64(table.target), desserts)
    may_call = table.phase == CALL and table.false_calls
    if may_call or can_serve(table, player, np.int64(table.new_guest)):
        mask[ACTION_YES] = 1
        return 2
    return 1


@njit
def mask_hand(table, player, offers):
    """Offer every dessert of a hand."""
    put_equal(offers, 0, table.dessert, player)
    return num_at(table, player)


@njit
def mask_freshening(table, player, mask, desserts):
    """Offer the desserts after the last one discarded, and to end it after the first (DE-10)."""
    legal = mask_hand(table, player, desserts)
    for card in range(NUM_DESSERTS - 1, -1, -1):
        if table.dessert[card] == DISCARDED:
            for lower in range(card):
                legal -= desserts[lower]
                desserts[lower] = 0
            mask[ACTION_NO] = 1
            return legal + 1
    return legal


@njit
def mask_aces(table, owner, guest, desserts):
    """Offer the Aces that stop a theft (DE-8)."""
    legal = 0
    for card in range(NUM_DESSERTS):
        desserts[card] = table.dessert[card] == owner and STOPS[guest, card]
        legal += desserts[card]
    return legal


@njit
def mask_steal_phase(table, player, mask):
    """Offer what can be paid for, and freshening up (DE-7 to DE-10)."""
    hand = desserts_at(table, player)
    size = size_of(hand)
    most = most_laid_down(THEFT, size)
    legal = 0
    for guest in range(NUM_GUESTS):
        if table.guest[guest] >= 0 and table.guest[guest] != player:
            offered = fewest_desserts(hand, guest) <= most
            mask[START_STEAL + guest] = offered
            legal += offered
    if table.num_waiting > 0:
        mask[ACTION_WAITING_ROOM] = fewest_desserts(hand, topmost(table)) <= MOST_SERVED
        legal += mask[ACTION_WAITING_ROOM]
    mask[ACTION_FRESHEN] = size > 0
    return legal + mask[ACTION_FRESHEN]


@njit
def most_laid_down(serving, desserts):
    """Return how many desserts of a hand a serving may have: a thief keeps a bribe (DE-8)."""
    return min(MOST_SERVED, desserts - 1) if serving == THEFT else MOST_SERVED


@njit
def mask_serving(table, player, desserts):
    """Offer the next desserts of all servings that begin with those laid down (DE-2, DE-8).

    Later desserts can complete a serving in any order, for no two of them taste alike there.
    """
    guest = np.int64(table.target)
    laid_down, hand = desserts_at(table, CHOSEN), desserts_at(table, player)
    first, second, start = 0, 0, 0
    rest = laid_down
    while size_of(rest) > 0:
        card = first_of(rest)
        rest = without_first(rest)
        second = 0 if start == 0 else np.int64(TASTE[guest, card])
        first = np.int64(TASTE[guest, card]) if start == 0 else first
        start = card + 1
    num_laid = size_of(laid_down)
    most = most_laid_down(table.serving, num_laid + size_of(hand)) - num_laid
    legal, later = 0, 0
    rest = common(hand, USEFUL[guest])
    while size_of(rest) > 0:
        card = last_of(rest)
        if card < start:
            break
        rest = without_last(rest)
        taste = np.int64(TASTE[guest, card])
        offered = can_follow(first, second, taste, later, most)
        desserts[card] = offered
        legal += offered
        later |= 1 << taste
    return legal


@njit
def last_of(desserts):
    """Return the last dessert of a packed set, which has any."""
    return HALF + highest_one(desserts[1]) if desserts[1] != 0 else highest_one(desserts[0])


@njit
def without_last(desserts):
    """Return a packed set, which has any, without its last dessert."""
    first, second = desserts
    if second != 0:
        return first, second ^ 1 << highest_one(second)
    return first ^ 1 << highest_one(first), second


@njit
def can_follow(first, second, taste, later, most):
    """Return whether a taste may be laid down after up to two others (0 stands for none).

    Args:
        first: taste of the first dessert laid down.
        second: taste of the second one.
        taste: of the dessert in question.
        later: the set of the tastes that may come after it.
        most: desserts that may be laid down from now on, this one included.
    """
    if most < 1:
        return False
    if COMPLETES[first, second] >> taste & 1:
        return True
    if most < 2 or second != 0:
        return False
    if first != 0:
        return COMPLETES[first, taste] & later != 0
    if COMPLETES[taste, 0] & later != 0:
        return True
    if most < 3:
        return False
    for other in range(1, SATISFIED + 1):
        if later >> other & 1 and COMPLETES[taste, other] & later != 0:
            return True
    return False
