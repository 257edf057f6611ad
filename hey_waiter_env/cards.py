"""What is printed on the cards of Hey Waiter!, as constants (rulebook: Contents)."""

from __future__ import annotations

WHITE, GREEN, RED, BLUE = 0, 1, 2, 3
"""The four colours: of waiter cards, dishes (soup, salad, pizza, pie), covers and busboys."""

COLOURS = "WGRB"
COLOUR_NAMES = ("white", "green", "red", "blue")
NUM_COLOURS = 4

CARDS_PER_COLOUR = 22
"""Waiter cards of each colour in one set (88 in all)."""

DISHES_PER_COLOUR = 12
"""Dishes of each colour in one set (48 in all)."""

DISHES_PER_SET = NUM_COLOURS * DISHES_PER_COLOUR

BUSBOY_SETS = 4
"""Players whom one set supplies with busboys."""

HAND_SIZE = 7
"""Cards at the deal; cards in hand and stacks make as many at the end of every turn."""

MAX_STACKS = 5
"""Stacks in front of one player."""
