"""Rule-based opponents of Greasy Spoon, compiled like the rules.

They read only what their player may see. `largest_dish` is the simple rule that is hard to beat
for beginners; `heuristic` weighs every dish that it could serve:

* how many cards it sheds, and what those are worth elsewhere: cards that fit to others in hand,
  and high cards, are better kept;
* how likely nobody beats it, so that its player leads the next round too. Once the opponent has
  drawn its last card its hand is known, and the answer is exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    COMBO_2,
    COPIES,
    COUNTS,
    DRINK,
    FIRST_ABOVE,
    FIRST_MAIN,
    FIRST_SIDE,
    HAND_SIZE,
    ITEMS,
    MAIN,
    NUM_CARDS,
    NUM_ITEMS,
    NUM_RANKS,
    NUM_SUITS,
    NUM_VALUES,
    PACKED,
    SIDE,
    VALUE,
)
from greasy_spoon_env.legal_actions import best_drink, best_side, end_of, holds, pack
from greasy_spoon_env.state import COMPLETING, NONE, STASHING
from waiter_envs.core.game import Heuristic
from waiter_envs.core.jit import njit_allocating as njit
from waiter_envs.core.rows import sum_of_row

NEVER = -1e9

HAND_NOT_KNOWN = -2
"""What `best_of_opponent` returns for every kind of dish while the hand is not known."""

# What the heuristic weighs, found by play against earlier versions of itself; to set aside is as
# good as never to do so, since `recall` gives the cards back.
SHED, LEAD, HEIGHT, FIT_RANK, FIT_NEXT, PASS_SCORE, STASH_BELOW, STASH_DRAW, RECALL_DRAW = range(9)
WEIGHTS = np.array([1.0, 2.0, 0.18, 0.135, 0.085, 0.27, 0.3, 1.0, 0.0])

CARD_AT = np.array(
    [[*item.cards, NONE, NONE][: MAIN + 1] for item in ITEMS],
    np.int64,
)
"""Cards of each item, `(267, 3)`; -1 for none."""


def _unbeaten() -> np.ndarray:
    """Return how likely a hand of 11 from a full deck beats no dish of a kind and main value.

    Counted over hands drawn once and for all: `(5, 24)`. The second half of a combination is
    left out of account.
    """
    rng = np.random.default_rng(11)
    deck = np.repeat(np.arange(NUM_CARDS), COPIES)
    hands = rng.permuted(np.tile(deck, (1000, 1)), axis=1)[:, :HAND_SIZE]
    counts = (hands[:, :, np.newaxis] == np.arange(NUM_CARDS)).sum(axis=1)
    held = (counts[:, np.newaxis] >= COUNTS).all(axis=2)
    best = np.full((len(hands), 5), -1)
    for category in (DRINK, SIDE, MAIN):
        of = np.flatnonzero(category == CATEGORY)
        best[:, category] = np.where(held[:, of], VALUE[of], -1).max(axis=1)
    best[:, COMBO_1] = best[:, COMBO_2] = best[:, MAIN]
    return (best[:, :, np.newaxis] <= np.arange(NUM_VALUES)).mean(axis=0)


UNBEATEN = _unbeaten()

# -- The simple rule ---------------------------------------------------------------------------


@njit
def first_offered(mask, start, stop):
    """Return the first legal action of `start .. stop - 1`, or -1."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return -1


@njit
def choose_largest(table, mask):
    """Serve as many cards as possible, in the first dish of its block; set nothing aside."""
    if mask[ACTION_DONE]:
        return ACTION_DONE
    for start, stop in (
        (START_COMBO_2, ACTION_PASS),
        (START_COMBO_1, START_COMBO_2),
        (FIRST_MAIN, NUM_ITEMS),
        (FIRST_SIDE, FIRST_MAIN),
        (0, FIRST_SIDE),
    ):
        action = first_offered(mask, start, stop)
        if action >= 0:
            return np.int64(action)
    return ACTION_PASS


# -- The heuristic -----------------------------------------------------------------------------


@njit
def choose(table, mask):
    """Return the action that the heuristic takes."""
    return choose_by(table, mask, WEIGHTS)


@njit
def choose_by(table, mask, weights):
    """Return the best action by some weights."""
    player = np.int64(table.current_player)
    packed = pack(table.hand[player])
    ranks = np.zeros(NUM_RANKS, np.int64)
    for card in range(NUM_CARDS):
        ranks[card // NUM_SUITS] += table.hand[player, card]
    if table.phase == STASHING:
        return choose_stash(table, player, ranks, mask, weights)
    rival = best_of_opponent(table, player)
    if table.phase == COMPLETING:
        kind = np.int64(table.pending_with)
        return best_second(table, packed, ranks, np.int64(table.pending), kind, rival, weights)[1]
    if mask[ACTION_RECALL] and sum_of_row(table.draw, player) >= weights[RECALL_DRAW]:
        return np.int64(ACTION_RECALL)
    best, choice = NEVER, np.int64(ACTION_PASS)
    if mask[ACTION_PASS]:
        best = weights[PASS_SCORE]
    for item in range(NUM_ITEMS):
        if mask[item]:
            kind = np.int64(CATEGORY[item])
            move(ranks, item, -1)
            score = worth(ranks, item, weights)
            score += weights[LEAD] * unbeaten(kind, item, NONE, rival)
            move(ranks, item, 1)
            if score > best:
                best, choice = score, item
    for kind in (COMBO_1, COMBO_2):
        start = START_COMBO_1 if kind == COMBO_1 else START_COMBO_2
        for main in range(FIRST_MAIN, NUM_ITEMS):
            if mask[start + main - FIRST_MAIN]:
                move(ranks, main, -1)
                rest = packed - PACKED[main]
                score = best_second(table, rest, ranks, main, kind, rival, weights)[0]
                score += worth(ranks, main, weights)
                move(ranks, main, 1)
                if score > best:
                    best, choice = score, start + main - FIRST_MAIN
    return choice


@njit
def move(ranks, item, sign):
    """Add the cards of an item to the numbers of cards of each rank, or take them away."""
    for place in range(CATEGORY[item] + 1):
        ranks[CARD_AT[item, place] // NUM_SUITS] += sign


@njit
def worth(ranks, item, weights):
    """Return what it is worth to shed an item, beside the cards of `ranks` that stay."""
    score = 0.0
    for place in range(CATEGORY[item] + 1):
        rank = CARD_AT[item, place] // NUM_SUITS
        score += weights[SHED] - weights[HEIGHT] * rank - fit(ranks, rank, weights)
    return score


@njit
def fit(ranks, rank, weights):
    """Return how well a card goes with others."""
    near = 0
    if rank > 0:
        near += ranks[rank - 1]
    if rank < NUM_RANKS - 1:
        near += ranks[rank + 1]
    return weights[FIT_RANK] * ranks[rank] + weights[FIT_NEXT] * near


@njit
def best_second(table, packed, ranks, main, kind, rival, weights):
    """Return the score of the best second half of a combination, and its item."""
    category = DRINK if kind == COMBO_1 else SIDE
    start = np.int64(FIRST_ABOVE[category, 0])
    first, second = np.int64(table.dish[0]), np.int64(table.dish[1])
    if second != NONE and VALUE[first] == VALUE[main]:
        start = np.int64(FIRST_ABOVE[category, VALUE[second] + 1])
    best, choice = NEVER, 0
    for item in range(start, end_of(category)):
        if holds(packed, PACKED[item]):
            move(ranks, item, -1)
            score = worth(ranks, item, weights)
            score += weights[LEAD] * unbeaten(kind, main, item, rival)
            move(ranks, item, 1)
            if score > best:
                best, choice = score, item
    return best, choice


@njit
def unbeaten(kind, first, second, rival):
    """Return how likely the opponent cannot beat a dish; surely, once its hand is known."""
    value = np.int64(VALUE[first])
    if rival[0] == HAND_NOT_KNOWN:
        return UNBEATEN[kind, value]
    if second != NONE:
        value = value * NUM_VALUES + VALUE[second]
    return 1.0 if rival[kind] <= value else 0.0


@njit
def best_of_opponent(table, player):
    """Return the value of the best dish of each kind that the opponent holds, -1 without one.

    Known once it has drawn its last card: the hand is what it has not served yet.
    """
    other = 1 - player
    best = np.full(5, HAND_NOT_KNOWN)
    if sum_of_row(table.draw, other) + sum_of_row(table.backburner, other) > 0:
        return best
    packed = pack(COPIES - table.served[other])
    best[:] = -1
    best[DRINK] = best_drink(packed)
    best[SIDE] = best_side(packed)
    for main in range(FIRST_MAIN, NUM_ITEMS):
        if holds(packed, PACKED[main]):
            rest = packed - PACKED[main]
            value = np.int64(VALUE[main])
            best[MAIN] = value
            drink, side = best_drink(rest), best_side(rest)
            if drink >= 0:
                best[COMBO_1] = max(best[COMBO_1], value * NUM_VALUES + drink)
            if side >= 0:
                best[COMBO_2] = max(best[COMBO_2], value * NUM_VALUES + side)
    return best


@njit
def choose_stash(table, player, ranks, mask, weights):
    """Set aside a card of little worth, the lowest first, to exchange it by a recall.

    Without recall it would come back at the end, with all others at once: then nothing.
    """
    if not table.may_recall or sum_of_row(table.draw, player) < weights[STASH_DRAW]:
        return np.int64(ACTION_DONE)
    for card in range(NUM_CARDS):
        if mask[START_STASH + card]:
            rank = card // NUM_SUITS
            ranks[rank] -= 1
            score = fit(ranks, rank, weights) + weights[HEIGHT] * rank
            ranks[rank] += 1
            if score < weights[STASH_BELOW]:
                return np.int64(START_STASH + card)
    return np.int64(ACTION_DONE)


HEURISTICS: Mapping[str, Heuristic] = {
    "heuristic": Heuristic(choose),
    "largest_dish": Heuristic(choose_largest),
}
"""Rule-based agents by name."""

SEARCH: Mapping[str, Any] = {"simulations": 256, "candidates": 24, "ranked": 8, "anchor": 0.5}
"""How a search does best, as measured by `benchmarks/search.py`; by default it takes its time: some
20 ms of one core for a decision."""
