"""What the player to act may do: the mask of legal actions (GS-2 to GS-4, GS-6, GS-8, GS-11).

`GS-n` names a ruling of `docs/greasy_spoon.md`. Piles are compared as packed integers; see `cards`.
"""

from __future__ import annotations

import numpy as np

from greasy_spoon_env.actions import (
    ACTION_DONE,
    ACTION_PASS,
    ACTION_RECALL,
    START_COMBO_1,
    START_COMBO_2,
    START_STASH,
)
from greasy_spoon_env.cards import (
    CATEGORY,
    COMBO_1,
    DRINK,
    FIRST_ABOVE,
    FIRST_MAIN,
    FIRST_SIDE,
    GUARD,
    MAIN,
    NOT_OF_LAST_SUIT,
    NUM_CARDS,
    NUM_ITEMS,
    NUM_RANKS,
    OF_FIRST_SUIT,
    ONES,
    PACKED,
    RANK_DIGITS,
    SIDE,
    SUIT_DIGITS,
    VALUE,
)
from greasy_spoon_env.state import COMPLETING, NONE, STASHING
from waiter_envs.core.jit import njit
from waiter_envs.core.rows import sum_of_row
from waiter_envs.core.words import find, lowest_one

NUM_MAINS = NUM_ITEMS - FIRST_MAIN
PART = NUM_MAINS // 3
"""Mains that are looked through at once: a third of them fits into a word."""


@njit
def legal_action_mask(table, mask):
    """Write 1 for every legal action of the player to act, 0 for all others; return their number.

    Args:
        table: a table where somebody is to act.
        mask: `(624,)` int8, written whole.
    """
    mask[:] = 0
    player = np.int64(table.current_player)
    hand = table.hand[player]
    if table.phase == STASHING:
        return mask_stashing(table, hand, mask)
    packed = pack(hand)
    if table.phase == COMPLETING:
        return mask_completing(table, packed, mask)
    legal = mask_dishes(table, packed, sum_of_row(table.hand, player), mask)
    if table.dish[0] != NONE:  # GS-4
        mask[ACTION_PASS] = 1
        legal += 1
    if table.may_recall and sum_of_row(table.backburner, player) > 0:  # GS-8
        mask[ACTION_RECALL] = 1
        legal += 1
    return legal


@njit
def mask_stashing(table, hand, mask):
    """Offer every card that may follow in ascending order, and to end it (GS-6)."""
    legal = 1
    mask[ACTION_DONE] = 1
    for card in range(max(0, table.last_stashed), NUM_CARDS):
        offered = hand[card] > 0
        mask[START_STASH + card] = offered
        legal += offered
    return legal


@njit
def mask_dishes(table, packed, cards, mask):
    """Offer every dish that beats the one on the table, if there is one (GS-2 to GS-4)."""
    first, second = np.int64(table.dish[0]), np.int64(table.dish[1])
    if first == NONE:
        legal = offer_items(packed, 0, FIRST_MAIN, mask)
        mains = offer_items(packed, FIRST_MAIN, NUM_ITEMS, mask)
        return legal + mains + offer_all_combos(packed, cards, mains, mask)
    value = np.int64(VALUE[first])
    dearer = np.int64(FIRST_ABOVE[CATEGORY[first], value + 1])
    if second == NONE:
        return offer_items(packed, dearer, end_of(CATEGORY[first]), mask)
    equal = np.int64(FIRST_ABOVE[MAIN, value])
    second_value = np.int64(VALUE[second])
    if CATEGORY[second] == DRINK:
        legal = offer_mains_of_combo_1(packed, cards, dearer, mask)
        for main in range(equal, dearer):
            rest = packed - PACKED[main]
            offered = holds(packed, PACKED[main]) and best_drink(rest) > second_value
            mask[START_COMBO_1 + main - FIRST_MAIN] = offered
            legal += offered
        return legal
    legal = offer_mains_of_combo_2(packed, dearer, mask)
    for main in range(equal, dearer):
        rest = packed - PACKED[main]
        offered = holds(packed, PACKED[main]) and best_side(rest) > second_value
        mask[START_COMBO_2 + main - FIRST_MAIN] = offered
        legal += offered
    return legal


@njit
def mask_completing(table, packed, mask):
    """Offer every second half that makes the whole legal (GS-3, GS-11)."""
    category = DRINK if table.pending_with == COMBO_1 else SIDE
    start = FIRST_ABOVE[category, 0]
    first, second = table.dish[0], table.dish[1]
    if second != NONE and VALUE[first] == VALUE[table.pending]:
        start = FIRST_ABOVE[category, VALUE[second] + 1]
    return offer_items(packed, np.int64(start), end_of(category), mask)


@njit
def end_of(category):
    """Return the number that follows the last item of a category."""
    return FIRST_SIDE if category == DRINK else FIRST_MAIN if category == SIDE else NUM_ITEMS


@njit
def pack(counts):
    """Return a pile as one integer; see `cards`."""
    packed = 0
    for card in range(NUM_CARDS):
        packed |= np.int64(counts[card]) << SUIT_DIGITS * card
    return packed


@njit
def holds(packed, need):
    """Return whether a packed hand has all cards of another packed pile."""
    return ((packed | GUARD) - need) & GUARD == GUARD


@njit
def offer_items(packed, start, stop, mask):
    """Offer the items `start .. stop - 1` that a packed hand holds."""
    legal = 0
    need, offers = PACKED[start:stop], mask[start:stop]
    for i in range(offers.shape[0]):
        offers[i] = holds(packed, need[i])
        legal += offers[i]
    return legal


@njit
def offer_all_combos(packed, cards, held, mask):
    """Offer the first halves of all combinations, once the mains that are held are offered."""
    legal = 0
    mains = mask[FIRST_MAIN:NUM_ITEMS]
    if cards > MAIN + 1:  # a main leaves any card for a drink
        combos = mask[START_COMBO_1:START_COMBO_2]
        for main in range(NUM_MAINS):
            combos[main] = mains[main]
        legal += held
    for part in range(0, NUM_MAINS, PART):
        rest = find(mains, part, part + PART, 1)
        while rest:
            main = part + lowest_one(rest)
            rest &= rest - 1
            offered = has_side(packed - PACKED[FIRST_MAIN + main])
            mask[START_COMBO_2 + main] = offered
            legal += offered
    return legal


@njit
def offer_mains_of_combo_1(packed, cards, start, mask):
    """Offer the mains from `start` on that leave any card for a drink."""
    if cards <= MAIN + 1:  # not more than a main has
        return 0
    legal = 0
    need, offers = PACKED[start:], mask[START_COMBO_1 + start - FIRST_MAIN : START_COMBO_2]
    for i in range(offers.shape[0]):
        offers[i] = holds(packed, need[i])
        legal += offers[i]
    return legal


@njit
def offer_mains_of_combo_2(packed, start, mask):
    """Offer the mains from `start` on that leave any side."""
    legal = 0
    need, offers = PACKED[start:], mask[START_COMBO_2 + start - FIRST_MAIN : ACTION_PASS]
    for i in range(offers.shape[0]):
        offers[i] = holds(packed, need[i]) & has_side(packed - need[i])
        legal += offers[i]
    return legal


@njit
def at_least_one(packed):
    """Return a 1 in the lowest digit of every card that is there."""
    return (packed + 3 * ONES) >> 2 & ONES


@njit
def at_least_two(packed):
    """Return a 1 in the lowest digit of every card that is there twice."""
    return (packed + 2 * ONES) >> 2 & ONES


@njit
def ranks_of(single):
    """Return a 1 at the first suit of every rank of which there is a card."""
    return (single | single >> SUIT_DIGITS | single >> 2 * SUIT_DIGITS) & OF_FIRST_SUIT


@njit
def mixed_pairs(single):
    """Return a 1 at some card of every rank of which there are two suits."""
    neighbours = single & single >> SUIT_DIGITS & NOT_OF_LAST_SUIT
    return neighbours | (single & single >> 2 * SUIT_DIGITS & OF_FIRST_SUIT)


@njit
def has_side(packed):
    """Return whether a packed pile holds any side."""
    single = at_least_one(packed)
    ranks = ranks_of(single)
    return (at_least_two(packed) | mixed_pairs(single) | (ranks & ranks >> RANK_DIGITS)) != 0


@njit
def highest_rank(single):
    """Return the rank of the highest card in a set of cards, or -1 if it is empty."""
    rank = NUM_RANKS - 1
    while rank >= 0 and single >> rank * RANK_DIGITS == 0:
        rank -= 1
    return rank


@njit
def best_drink(packed):
    """Return the value of the dearest drink of a packed pile, or -1 without one."""
    return highest_rank(at_least_one(packed))


@njit
def best_side(packed):
    """Return the value of the dearest side of a packed pile, or -1 without one."""
    twice = at_least_two(packed)
    if twice != 0:
        return 3 * NUM_RANKS + highest_rank(twice)
    single = at_least_one(packed)
    fancy_rings = single & single >> RANK_DIGITS
    if fancy_rings != 0:
        return 2 * NUM_RANKS + highest_rank(fancy_rings) + 1
    fries = mixed_pairs(single)
    if fries != 0:
        return NUM_RANKS + highest_rank(fries)
    ranks = ranks_of(single)
    rings = ranks & ranks >> RANK_DIGITS
    return highest_rank(rings) + 1 if rings != 0 else -1
