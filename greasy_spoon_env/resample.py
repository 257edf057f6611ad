"""Dealing anew what a player of Greasy Spoon does not know (GS-13).

The cards that the opponent has not served are known, and how many lie where. They are a set here,
three binary digits for each card, one for each of its copies; every way to deal the copies is as
likely as any other.
"""

from __future__ import annotations

import math

import numpy as np

from greasy_spoon_env.cards import (
    CATEGORY,
    COMBO_1,
    COMBO_2,
    COPIES,
    COUNTS,
    DECK_SIZE,
    DRINK,
    FIRST_MAIN,
    HAND_SIZE,
    MAIN,
    MOST_SET_ASIDE,
    NUM_CARDS,
    NUM_ITEMS,
    PACKED,
    VALUE,
)
from greasy_spoon_env.legal_actions import best_drink, best_side, has_side, holds, pack
from greasy_spoon_env.rules import begin_combination
from greasy_spoon_env.state import COMPLETING, NONE, OVER, PLAYERS, SERVING, STASHING
from waiter_envs.core.jit import njit
from waiter_envs.core.resampling import unit
from waiter_envs.core.rng import below
from waiter_envs.core.rows import sum_of_row
from waiter_envs.core.words import count_ones, nth_one

WAYS = np.array([[math.comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(DECK_SIZE + 1)])
"""Ways to choose k of n cards, `(55, 12)`."""


@njit
def resample(table, player):
    """Deal anew, in place, all that a player does not know, and what the other is choosing.

    Args:
        table: any table, whose random stream is a new one.
        player: who knows what stays.

    Returns:
        Whether it was possible: what the player knows does not contradict itself.
    """
    if not is_consistent(table):
        return False
    other = 1 - player
    acting = table.current_player == other
    stashed = np.int64(table.stashed) if acting else 0
    in_hand = sum_of_row(table.hand, other)
    if acting and table.phase == COMPLETING:
        in_hand += MAIN + 1
        table.phase = SERVING
        table.pending = NONE
        table.pending_with = NONE
    backburner = sum_of_row(table.backburner, other) - stashed
    cards = not_served(table, other)
    table.hand[other, :] = 0
    table.backburner[other, :] = 0
    if stashed > 0:
        cards = deal_stashing(table, other, cards, in_hand, stashed)
    else:
        cards = deal(table.rng, cards, in_hand, table.hand[other])
    cards = deal(table.rng, cards, backburner, table.backburner[other])
    for card in range(NUM_CARDS):
        table.draw[other, card] = count_ones(cards & copies_of(card))
    if acting and table.phase == SERVING:
        begin_anything(table, other)
    return True


# -- What is known -----------------------------------------------------------------------------


@njit
def is_consistent(table):
    """Return whether both decks are whole, and the entries are such as the rules leave behind."""
    acting, phase = np.int64(table.current_player), table.phase
    half = phase == COMPLETING
    if not (0 <= acting < PLAYERS and SERVING <= phase <= OVER):
        return False
    if half != (FIRST_MAIN <= table.pending < NUM_ITEMS):
        return False
    if not (are_items(table.dish) and 0 <= table.stashed < MOST_SET_ASIDE):
        return False
    faults = (table.stashed > 0) & (phase != STASHING)
    for player in range(PLAYERS):
        for card in range(NUM_CARDS):
            hand, draw = table.hand[player, card], table.draw[player, card]
            backburner, served = table.backburner[player, card], table.served[player, card]
            faults |= (hand < 0) | (draw < 0) | (backburner < 0) | (served < 0)
            whole = hand + draw + backburner + served
            if half and player == acting:
                whole += COUNTS[table.pending, card]
            faults |= whole != COPIES
    if phase == STASHING and not faults:
        faults |= not may_stash(table, acting, np.int64(table.stashed))
    return not faults


@njit
def are_items(dish):
    """Return whether the dish to beat is one, or none."""
    first, second = dish[0], dish[1]
    if second == NONE:
        return NONE <= first < NUM_ITEMS
    return FIRST_MAIN <= first < NUM_ITEMS and 0 <= second < FIRST_MAIN


@njit
def may_stash(table, player, stashed):
    """Return whether a player may have set aside so many cards, and go on (GS-6)."""
    if stashed == 0:
        return True
    if stashed > sum_of_row(table.backburner, player):
        return False
    cards = not_served(table, player)
    in_hand = sum_of_row(table.hand, player)
    return in_hand <= HAND_SIZE and ways_to_stash(cards, in_hand, stashed, NUM_CARDS) > 0


@njit
def copies_of(card):
    """Return the set of all copies of a card."""
    return 7 << COPIES * card


@njit
def below_card(card):
    """Return the set of all copies of all lower cards."""
    return (1 << COPIES * card) - 1


@njit
def not_served(table, player):
    """Return the set of the cards that a player has not served in this game."""
    cards = 0
    for card in range(NUM_CARDS):
        cards |= 7 >> table.served[player, card] << COPIES * card
    return cards


# -- Dealing -----------------------------------------------------------------------------------


@njit
def deal(rng, cards, size, pile):
    """Move so many cards, drawn at random from a set, to a pile; return the set that is left."""
    for _ in range(size):
        copy = nth_one(cards, below(rng, count_ones(cards)))
        cards ^= 1 << copy
        pile[copy // COPIES] += 1
    return cards


@njit
def ways_to_stash(cards, in_hand, stashed, stop):
    """Return in how many ways cards below `stop` can be set aside so that one may follow (GS-6).

    Counted are the choices of the cards set aside and of the hand, of which one is as high as the
    highest set aside at least.
    """
    ways = 0
    for last in range(stop):
        equal, lower = ways_by_last(cards, in_hand, stashed, last)
        ways += equal + lower
    return ways


@njit
def ways_by_last(cards, in_hand, stashed, last):
    """Return the ways in which `last` is the last card set aside.

    Returns:
        With two cards set aside, the ways in which the other one is equal, and those in which it
        is lower; with one, all of them and 0.
    """
    alike, low = count_ones(cards & copies_of(last)), count_ones(cards & below_card(last))
    hands = WAYS[count_ones(cards) - stashed, in_hand]
    if stashed == 1:
        return alike * (hands - WAYS[low, in_hand]), 0
    equal = alike * (alike - 1) // 2 * (hands - WAYS[low, in_hand])
    if low == 0:
        return equal, 0
    return equal, alike * low * (hands - WAYS[low - 1, in_hand])


@njit
def deal_stashing(table, player, cards, in_hand, stashed):
    """Deal the cards set aside in the pass under way, and the hand; return the set that is left."""
    ways = unit(table.rng) * ways_to_stash(cards, in_hand, stashed, NUM_CARDS)
    last = NONE
    equal, lower = 0, 0
    while ways >= 0:  # what is drawn is less than all ways together
        last += 1
        equal, lower = ways_by_last(cards, in_hand, stashed, last)
        ways -= equal + lower
    table.last_stashed = last
    pile = table.backburner[player]
    cards = deal_of(table.rng, cards, copies_of(last), 1, pile)
    if stashed == 2:
        among = copies_of(last) if ways + lower < 0 else below_card(last)
        cards = deal_of(table.rng, cards, among, 1, pile)
    low = cards & below_card(last)
    high = cards ^ low
    may_follow = at_least_one(table.rng, count_ones(high), count_ones(low), in_hand)
    cards = deal_of(table.rng, cards, high, may_follow, table.hand[player])
    return deal_of(table.rng, cards, low, in_hand - may_follow, table.hand[player])


@njit
def deal_of(rng, cards, among, size, pile):
    """Do what `deal` does with those of the cards that are among some others."""
    return cards & ~among | deal(rng, cards & among, size, pile)


@njit
def at_least_one(rng, high, low, drawn):
    """Return how many of the cards drawn are high ones, if one is at least."""
    chance = unit(rng) * (WAYS[high + low, drawn] - WAYS[low, drawn])
    number = 0
    while chance >= 0:
        number += 1
        chance -= WAYS[high, number] * WAYS[low, drawn - number]
    return number


# -- Half a combination ------------------------------------------------------------------------


@njit
def begin_anything(table, player):
    """Let a player have begun nothing, or any combination that it may begin (GS-11)."""
    first, last = COMBO_1, COMBO_2
    if table.dish[1] != NONE:
        first = last = COMBO_1 + np.int64(CATEGORY[table.dish[1]]) - DRINK
    elif table.dish[0] != NONE:  # no combination answers it
        return
    packed = pack(table.hand[player])
    number, choice, choice_with = 1, NONE, NONE
    for main in range(FIRST_MAIN, NUM_ITEMS):
        if holds(packed, PACKED[main]):
            for kind in range(first, last + 1):
                if may_begin(table, packed, main, kind):
                    number += 1
                    if below(table.rng, number) == 0:  # so each is as likely in the end
                        choice, choice_with = main, kind
    if choice != NONE:
        begin_combination(table, player, choice, choice_with)


@njit
def may_begin(table, packed, main, kind):
    """Return whether a packed hand may serve a main that it holds as half a combination (GS-3)."""
    rest = packed - PACKED[main]
    first, second = np.int64(table.dish[0]), np.int64(table.dish[1])
    if first != NONE and VALUE[main] <= VALUE[first]:
        best = best_drink(rest) if kind == COMBO_1 else best_side(rest)
        return VALUE[main] == VALUE[first] and best > VALUE[second]
    return rest != 0 if kind == COMBO_1 else has_side(rest)
