"""The rules of Greasy Spoon, in the order in which the rulebook tells them.

Every function works on one table record (`state.table_dtype`), in place. `GS-n` names a ruling
of `docs/greasy_spoon.md`. What a player may do stands in `legal_actions`.
"""

from __future__ import annotations

import numpy as np

from greasy_spoon_env.actions import (
    BEGIN_COMBO_1,
    BEGIN_COMBO_2,
    DONE,
    PASS,
    RECALL,
    SERVE,
    STASH,
    decode,
)
from greasy_spoon_env.cards import (
    COMBO_1,
    COMBO_2,
    COPIES,
    COUNTS,
    HAND_SIZE,
    MOST_SET_ASIDE,
    NUM_CARDS,
)
from greasy_spoon_env.state import COMPLETING, NONE, OVER, SERVING, STASHING
from waiter_envs.core.jit import njit
from waiter_envs.core.rng import below
from waiter_envs.core.rows import sum_of_row

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
    if sum_of_row(table.draw, player) > 0:
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
    draw, hand = table.draw[player], table.hand[player]
    left = sum_of_row(table.draw, player)
    for _ in range(HAND_SIZE - sum_of_row(table.hand, player)):
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
    return sum_of_row(table.draw, player)


@njit
def recall(table, player):
    """Shuffle the backburner into the draw pile at will; the turn goes on (GS-8)."""
    shuffle_in(table, player)
    table.recalled[player] = 1


# -- Ending a game, winning a match ------------------------------------------------------------


@njit
def is_out(table, player):
    """Return whether a player has no card left, wherever it might be (GS-9)."""
    left = sum_of_row(table.hand, player)
    left += sum_of_row(table.draw, player)
    return left + sum_of_row(table.backburner, player) == 0


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
