"""The rules of Greasy Spoon, in the order in which the rulebook tells them.

Every function works on one table record (`state.table_dtype`), in place. `GS-n` names a ruling
of `docs/greasy_spoon.md`.
"""

from __future__ import annotations

import numpy as np

from greasy_spoon_env.actions import (
    ACTION_DONE,
    ACTION_PASS,
    ACTION_RECALL,
    BEGIN_COMBO_1,
    BEGIN_COMBO_2,
    DONE,
    PASS,
    RECALL,
    SERVE,
    START_COMBO_1,
    START_COMBO_2,
    START_STASH,
    STASH,
    decode,
)
from greasy_spoon_env.cards import (
    CATEGORY,
    COMBO_1,
    COMBO_2,
    COPIES,
    COUNTS,
    DRINK,
    FIRST_ABOVE,
    FIRST_MAIN,
    FIRST_SIDE,
    GUARD,
    HAND_SIZE,
    MAIN,
    MOST_SET_ASIDE,
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
from greasy_spoon_env.state import COMPLETING, NONE, OVER, SERVING, STASHING
from waiter_envs.core.jit import njit
from waiter_envs.core.rng import below

# -- Dealing the cards, determining the starter ------------------------------------------------


@njit
def init_state(table):
    """Begin a match on a blank table that has a random stream (GS-10)."""
    table.starter = table.starter_option
    if table.starter_option == NONE:
        table.starter = below(table.rng, 2)
    deal(table)


@njit
def deal(table):
    """Deal a game: all is as at the start of a match but its score and the starter (GS-10)."""
    for player in range(2):
        for card in range(NUM_CARDS):
            table.hand[player, card] = 0
            table.draw[player, card] = COPIES
            table.backburner[player, card] = 0
            table.served[player, card] = 0
        table.set_aside[player] = 0
        table.recalled[player] = 0
        refill(table, player)
    table.leader = table.starter
    clear_dish(table)
    begin_turn(table, np.int64(table.starter))


# -- Starting and continuing a round -----------------------------------------------------------


@njit
def step(table, action):
    """Play one legal action of the player to act and move on to the next decision."""
    kind, what = decode(table, action)
    player = np.int64(table.current_player)
    table.just_won = NONE
    if kind == SERVE:
        serve(table, player, what)
    elif kind == BEGIN_COMBO_1:
        begin_combination(table, player, what, COMBO_1)
    elif kind == BEGIN_COMBO_2:
        begin_combination(table, player, what, COMBO_2)
    elif kind == PASS:
        pass_turn(table, player)
    elif kind == STASH:
        stash(table, player, what)
    elif kind == DONE:
        finish_pass(table, player)
    elif kind == RECALL:
        recall(table, player)


@njit
def begin_turn(table, player):
    """Hand the turn to a player."""
    table.phase = SERVING
    table.current_player = player
    table.recalled[player] = 0


@njit
def serve(table, player, item):
    """Serve an item, or with it the whole of a combination (GS-5, GS-9)."""
    take_from_hand(table, player, item)
    if table.pending == NONE:
        table.dish[0] = item
        table.dish[1] = NONE
    else:
        table.dish[0] = table.pending
        table.dish[1] = item
        add_to_served(table, player, np.int64(table.pending))
        table.pending = NONE
        table.pending_with = NONE
    add_to_served(table, player, item)
    refill(table, player)
    if is_out(table, player):
        end_game(table, player)
    else:
        begin_turn(table, 1 - player)


@njit
def begin_combination(table, player, main, kind):
    """Choose the first half of a combination; nobody else sees a thing (GS-11)."""
    take_from_hand(table, player, main)
    table.pending = main
    table.pending_with = kind
    table.phase = COMPLETING


@njit
def take_from_hand(table, player, item):
    """Remove the cards of an item from a hand."""
    for card in range(NUM_CARDS):
        table.hand[player, card] -= COUNTS[item, card]


@njit
def add_to_served(table, player, item):
    """Note that a player has served an item."""
    for card in range(NUM_CARDS):
        table.served[player, card] += COUNTS[item, card]


# -- Passing -----------------------------------------------------------------------------------


@njit
def pass_turn(table, player):
    """Lose the round to the other, who leads the next; then set cards aside (GS-4, GS-6)."""
    table.leader = 1 - player
    clear_dish(table)
    if pile_size(table.draw[player]) > 0:
        table.phase = STASHING
    else:
        finish_pass(table, player)


@njit
def clear_dish(table):
    """Leave no dish to beat."""
    table.dish[0] = NONE
    table.dish[1] = NONE


@njit
def stash(table, player, card):
    """Put one card on the backburner; end by itself with the third or the last card (GS-6)."""
    table.hand[player, card] -= 1
    table.backburner[player, card] += 1
    table.stashed += 1
    table.last_stashed = card
    if table.stashed == MOST_SET_ASIDE:
        finish_pass(table, player)
        return
    for higher in range(card, NUM_CARDS):
        if table.hand[player, higher] > 0:
            return
    finish_pass(table, player)


@njit
def finish_pass(table, player):
    """Refill after the setting aside, and let the winner of the round lead (GS-4, GS-6)."""
    table.set_aside[player] = table.stashed
    table.stashed = 0
    table.last_stashed = NONE
    refill(table, player)
    begin_turn(table, np.int64(table.leader))


# -- Drawing cards -----------------------------------------------------------------------------


@njit
def refill(table, player):
    """Draw up to 11 cards; an empty pile is made anew from the backburner at once (GS-5, GS-7)."""
    draw = table.draw[player]
    hand = table.hand[player]
    left = pile_size(draw)
    for _ in range(HAND_SIZE - pile_size(hand)):
        if left == 0:
            return
        pick = below(table.rng, left)
        card, passed = 0, 0
        for other in range(NUM_CARDS - 1):  # no branches, which could not be foreseen
            passed += draw[other]
            card += passed <= pick
        draw[card] -= 1
        hand[card] += 1
        left -= 1
        if left == 0:
            left = shuffle_in(table, player)


@njit
def shuffle_in(table, player):
    """Shuffle the backburner into the draw pile, and return the pile's size (GS-7, GS-8)."""
    for card in range(NUM_CARDS):
        table.draw[player, card] += table.backburner[player, card]
        table.backburner[player, card] = 0
    return pile_size(table.draw[player])


@njit
def recall(table, player):
    """Shuffle the backburner into the draw pile at will; the turn goes on (GS-8)."""
    shuffle_in(table, player)
    table.recalled[player] = 1


@njit
def pile_size(pile):
    """Return how many cards a pile holds."""
    size = 0
    for card in range(NUM_CARDS):
        size += pile[card]
    return size


# -- Ending a game, winning a match ------------------------------------------------------------


@njit
def is_out(table, player):
    """Return whether a player has no card left, wherever it might be (GS-9)."""
    left = pile_size(table.hand[player])
    left += pile_size(table.draw[player])
    return left + pile_size(table.backburner[player]) == 0


@njit
def end_game(table, player):
    """Let a player win a game, and with the majority of games the match (GS-9, GS-10)."""
    table.just_won = player
    table.score[player] += 1
    table.games_played += 1
    if table.score[player] == table.games_to_win:
        table.winner = player
        table.phase = OVER
        table.terminated = True
    else:
        table.starter = 1 - table.starter
        deal(table)


@njit
def rewards(table, totals):
    """Add every player's reward for the last step: +1 to the winner of what is paid, else -1."""
    winner = np.int64(table.just_won if table.pay_games else table.winner)
    if winner != NONE:
        totals[winner] += 1.0
        totals[1 - winner] -= 1.0


# -- What is legal -----------------------------------------------------------------------------


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
    legal = mask_dishes(table, packed, pile_size(hand), mask)
    if table.dish[0] != NONE:  # GS-4
        mask[ACTION_PASS] = 1
        legal += 1
    if table.may_recall and pile_size(table.backburner[player]) > 0:  # GS-8
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
        legal = offer_items(packed, 0, NUM_ITEMS, mask)
        legal += offer_mains_of_combo_1(packed, cards, FIRST_MAIN, mask)
        return legal + offer_mains_of_combo_2(packed, FIRST_MAIN, mask)
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
