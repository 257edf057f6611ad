"""What is on the cards and on the menu of Greasy Spoon, as constants (rulebook: Setup, Menu Items).

A card is numbered by rank, then suit: K1, M1, R1, K2, ... A multiset of cards is a row of 18
counts, or those counts *packed* into one integer of three binary digits for each card. With the
third digit of every card set (`GUARD`), a subtraction takes all counts from all others at once
and clears the digit of every card that was not there.

An item is numbered drinks first, then sides, then mains; within a category from cheap to dear
(GS-2). So whatever beats an item is a run of numbers up to the end of its category.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

SUITS = "KMR"
"""Ketchup, mustard, relish."""
SUIT_NAMES = ("ketchup", "mustard", "relish")

NUM_SUITS, NUM_RANKS, COPIES = 3, 6, 3

NUM_CARDS = NUM_SUITS * NUM_RANKS
"""Different cards: 18."""

DECK_SIZE = NUM_CARDS * COPIES
"""Cards of each player: 54."""

HAND_SIZE = 11

MOST_SET_ASIDE = 3
"""Cards that may go to the backburner in one pass (GS-6)."""

CARDS = tuple(f"{suit}{rank + 1}" for rank in range(NUM_RANKS) for suit in SUITS)
"""Texts of the cards, in order."""

DRINK, SIDE, MAIN = range(3)
"""Categories: a category has one card more than the one before."""

COMBO_1, COMBO_2 = 3, 4
"""Kinds of a dish beside the categories: a main and a drink, a main and a side."""

TYPES = (
    ("Soda",),
    ("Rings", "Fries", "Fancy Rings", "Fancy Fries"),
    ("Hot Dog", "Cheeseburger", "Fancy Dog", "Fancy Burger"),
)
"""Types of items by category, from cheap to dear."""

NUM_TYPES = 4


class Item(NamedTuple):
    """A dish of one category."""

    category: int
    type: int
    rank: int
    """Of its highest card, from 0."""
    cards: tuple[int, ...]
    """In ascending order."""

    @property
    def value(self) -> int:
        """What counts when items of a category are compared: type, then rank (GS-2)."""
        return self.type * NUM_RANKS + self.rank


def _item(cards: tuple[int, ...]) -> Item | None:
    """Return the dearest item that cards make, if they make any (GS-1)."""
    category = len(cards) - 1
    ranks = [card // NUM_SUITS for card in cards]
    steps = {high - low for low, high in itertools.pairwise(ranks)}
    if not steps <= {0} and not steps <= {1}:
        return None
    alike = steps == {0}
    fancy = len({card % NUM_SUITS for card in cards}) == 1
    return Item(category, 0 if category == DRINK else 2 * fancy + alike, max(ranks), cards)


def _items(category: int) -> list[Item]:
    """Return all items of a category, from cheap to dear."""
    choices = itertools.combinations_with_replacement(range(NUM_CARDS), category + 1)
    return sorted(item for item in map(_item, choices) if item is not None)


ITEMS = tuple(item for category in (DRINK, SIDE, MAIN) for item in _items(category))
"""All items: 18 drinks, 81 sides, 168 mains."""

START_OF = tuple(
    [item.category for item in ITEMS].index(category) for category in (DRINK, SIDE, MAIN)
)
"""First item of each category."""

NUM_ITEMS = len(ITEMS)
FIRST_SIDE, FIRST_MAIN = START_OF[SIDE], START_OF[MAIN]
NUM_DRINKS, NUM_SIDES, NUM_MAINS = FIRST_SIDE, FIRST_MAIN - FIRST_SIDE, NUM_ITEMS - FIRST_MAIN

NUM_VALUES = NUM_TYPES * NUM_RANKS

CATEGORY = np.array([item.category for item in ITEMS], np.int8)
"""Category of each item, `(267,)`."""

VALUE = np.array([item.value for item in ITEMS], np.int8)
"""What counts when items of one category are compared, `(267,)` of 0 to 23."""

COUNTS = np.array([[item.cards.count(c) for c in range(NUM_CARDS)] for item in ITEMS], np.int8)
"""Cards of each item, `(267, 18)`."""


def pack(counts: np.ndarray) -> int:
    """Return a row of 18 counts as one integer, three binary digits for each."""
    return sum(int(count) << 3 * card for card, count in enumerate(counts))


PACKED = np.array([pack(row) for row in COUNTS], np.int64)
"""Cards of each item, packed, `(267,)`."""

FIRST_ABOVE = np.array(
    [
        [
            next(
                (i for i, it in enumerate(ITEMS) if it.category == category and it.value >= value),
                START_OF[category + 1] if category < MAIN else NUM_ITEMS,
            )
            for value in range(NUM_VALUES + 1)
        ]
        for category in (DRINK, SIDE, MAIN)
    ],
    np.int16,
)
"""First item of a category that is worth so much or more, `(3, 25)`; else the category's end."""

ONES = pack(np.ones(NUM_CARDS, np.int8))
"""The lowest digit of every card."""
GUARD = ONES << 2
"""The digit of every card that no count reaches."""
OF_FIRST_SUIT = sum(1 << 3 * card for card in range(0, NUM_CARDS, NUM_SUITS))
"""The lowest digit of every card of the first suit."""
NOT_OF_LAST_SUIT = ONES & ~(OF_FIRST_SUIT << 6)
"""The lowest digit of every card but those of the last suit."""
SUIT_DIGITS, RANK_DIGITS = 3, 3 * NUM_SUITS
"""Binary digits from a card to the same rank of the next suit, and to the next rank."""


def item_text(item: int) -> str:
    """Return an item as text: `M3 R4`."""
    return " ".join(CARDS[card] for card in ITEMS[item].cards)


def card_texts(counts: np.ndarray) -> list[str]:
    """Return the cards of a pile as texts, in order."""
    return [card for card, count in zip(CARDS, counts.tolist(), strict=True) for _ in range(count)]


ITEM_OF = {item.cards: number for number, item in enumerate(ITEMS)}
"""Number of an item by its cards in ascending order."""
