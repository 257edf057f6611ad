"""Dealing anew what a player of Hey Waiter! does not know (HW-16).

Known are the cards in one's hand, those under one's stacks, and the discards. All others are in the
hands of the others, under their stacks and in the draw pile, and every way to deal them there is as
likely.
"""

from __future__ import annotations

import numpy as np

from hey_waiter_env.actions import DRAFT_PICK, MOVE_DISHES, ONTO, TAKE
from hey_waiter_env.cards import MAX_STACKS, NUM_COLOURS
from hey_waiter_env.state import NONE
from waiter_envs.core.jit import njit
from waiter_envs.core.rng import below


@njit
def resample(table, player):
    """Deal anew, in place, all that a player does not know.

    Args:
        table: any table, whose random stream is a new one.
        player: who knows what stays.

    Returns:
        Whether it was possible: what the player knows does not contradict itself.
    """
    if not (is_consistent(table, player) and has_sides(table)):
        return False
    for colour in range(NUM_COLOURS):  # all that is not known, in the draw pile first
        table.draw[colour] = not_known(table, player, colour)
    for other in range(table.hand.shape[0]):
        if other != player:
            deal(table, other)
            lay_down(table, other)
    if table.secret:
        draw_sides(table)
    return True


# -- What is known -----------------------------------------------------------------------------


@njit
def is_consistent(table, player):
    """Return whether there are as many cards of each colour as there should be, and no others."""
    wrong = False
    size = 0
    for other in range(table.hand.shape[0]):
        stacks = table.num_stacks[other]
        wrong |= (stacks < 0) | (stacks > MAX_STACKS)
        for colour in range(NUM_COLOURS):
            wrong |= table.hand[other, colour] < 0
            size += table.hand[other, colour] if other != player else 0
        for stack in range(MAX_STACKS):
            card = table.card[other, stack]
            wrong |= (card < NONE) | (card >= NUM_COLOURS) | ((card == NONE) != (stack >= stacks))
        size += stacks if other != player else 0
    for colour in range(NUM_COLOURS):
        left = not_known(table, player, colour)
        wrong |= (left < 0) | (table.draw[colour] < 0) | (table.discard[colour] < 0)
        size += table.draw[colour] - left
    return size == 0 and not wrong


@njit
def not_known(table, player, colour):
    """Return how many cards of a colour a player sees nowhere."""
    number = np.int64(table.cards_per_colour) - table.discard[colour] - table.hand[player, colour]
    for stack in range(MAX_STACKS):
        number -= table.card[player, stack] == colour
    return number


@njit
def has_sides(table):
    """Return whether every player is on a side."""
    wrong = False
    for player in range(table.side.shape[0]):
        wrong |= (table.side[player] < 0) | (table.side[player] >= table.known.shape[0])
    return not wrong


# -- Dealing -----------------------------------------------------------------------------------


@njit
def deal(table, player):
    """Deal a player another hand of the same size, and other cards under its stacks."""
    size = 0
    for colour in range(NUM_COLOURS):
        size += table.hand[player, colour]
        table.hand[player, colour] = 0
    for _ in range(size):
        table.hand[player, draw_card(table)] += 1
    for stack in range(table.num_stacks[player]):
        table.card[player, stack] = draw_card(table)


@njit
def draw_card(table):
    """Draw a card of the draw pile, and return its colour."""
    first, second, third = table.draw[0], table.draw[1], table.draw[2]
    pick = below(table.rng, first + second + third + table.draw[3])
    colour = np.int64(pick >= first) + (pick >= first + second)
    colour += pick >= first + second + third
    table.draw[colour] -= 1
    return colour


@njit
def lay_down(table, player):
    """Let the card that a player laid down last be the one that is there now (HW-15).

    It lies under the newest stack, or under the one that was moved whole. Where the player has no
    stack any more it is in its hand.
    """
    last = table.last[player]
    place, stack = NONE, np.int64(table.num_stacks[player]) - 1
    if last[0] == DRAFT_PICK:
        place = 2
    elif last[0] == TAKE:
        place = 5
    elif last[0] == MOVE_DISHES and last[4] < ONTO:
        place = 4
        if last[3] == 0:
            stack = min(max(0, np.int64(last[2])), stack)
    if place == NONE:
        return
    if stack >= 0:
        last[place] = table.card[player, stack]
        return
    colour = 0
    while colour < NUM_COLOURS - 1 and table.hand[player, colour] == 0:
        colour += 1
    last[place] = colour


@njit
def draw_sides(table):
    """Draw anew who is on the sides that nobody knows, among players with equally many seats.

    They are sorted first, lest the draw should tell what they were.
    """
    players = table.side.shape[0]
    for player in range(players):
        for other in range(player + 1, players):
            if table.side[other] < table.side[player] and may_exchange(table, player, other):
                exchange(table, player, other)
    for player in range(1, players):
        alike = 0
        for other in range(player + 1):
            alike += may_exchange(table, player, other)
        place = below(table.rng, max(1, alike))
        for other in range(player + 1):
            if may_exchange(table, player, other):
                if place == 0:
                    exchange(table, player, other)
                    break
                place -= 1


@njit
def may_exchange(table, player, other):
    """Return whether two players may be on each other's sides, for all that is known (HW-14)."""
    known = table.known[table.side[player]] or table.known[table.side[other]]
    return not known and table.seats_of[other] == table.seats_of[player]


@njit
def exchange(table, player, other):
    """Let two players change sides."""
    mine, theirs = table.side[player], table.side[other]
    table.side[player], table.side[other] = theirs, mine
