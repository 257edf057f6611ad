"""Dishes as texts, and the dearest item of a pile: all of them, at the edges of categories."""

from __future__ import annotations

import numpy as np
import pytest

from greasy_spoon_env import cards, legal_actions
from greasy_spoon_env.actions import dish_text, parse_dish
from greasy_spoon_env.cards import (
    COPIES,
    COUNTS,
    FIRST_MAIN,
    FIRST_SIDE,
    NUM_CARDS,
    NUM_ITEMS,
    PACKED,
    VALUE,
)
from greasy_spoon_env.legal_actions import best_drink, best_side, pack
from greasy_spoon_env.state import NONE
from tests.kernels import kernel_of

EDGES = (0, FIRST_SIDE - 1, FIRST_SIDE, FIRST_MAIN - 1, FIRST_MAIN, NUM_ITEMS - 1)


@pytest.mark.parametrize("first", range(NUM_ITEMS))
def test_dishes_are_read_as_they_are_written(first: int) -> None:
    """Every item alone; as a combination, a main with a drink or a side, and nothing else."""
    assert parse_dish(dish_text((first, NONE))) == (first, NONE)
    for second in EDGES:
        dish = first, second
        if first >= FIRST_MAIN > second:
            assert parse_dish(dish_text(dish)) == dish
        else:
            with pytest.raises(ValueError, match="is no combination"):
                parse_dish(dish_text(dish))


@kernel_of(cards, legal_actions)
def dearest(counts):
    """Return the values of the dearest drink and side of a pile, and the pile packed."""
    packed = pack(counts)
    return best_drink(packed), best_side(packed), packed


def held(counts: np.ndarray, start: int, stop: int) -> int:
    """Return the value of the dearest item of a category that a pile holds, by looking at all."""
    whole = (COUNTS[start:stop] <= counts).all(axis=1)
    return int(VALUE[start:stop][whole].max()) if whole.any() else -1


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 6, 11])
def test_the_dearest_drink_and_side(size: int) -> None:
    """Of small piles, also of none at all and of single cards, which make no side."""
    chance = np.random.default_rng(size)
    deck = np.repeat(np.arange(NUM_CARDS), COPIES)
    for _ in range(200):
        cards = chance.choice(deck, size, replace=False)
        counts = np.bincount(cards, minlength=NUM_CARDS).astype(np.int8)
        drink, side, packed = dearest(counts)
        assert drink == held(counts, 0, FIRST_SIDE)
        assert side == held(counts, FIRST_SIDE, FIRST_MAIN)
        assert all(packed == PACKED[card] for card in cards[:1] if size == 1)
