"""What is printed on the desserts and the guests, as constants (rulebook: Tastes and Flavors).

To a guest, a dessert is a *taste*: which of the guest's cravings it shows, one bit for each. A
dessert that shows none of them, or anything that the guest dislikes, is of no use: taste 0. There
are places for four cravings; where a guest has fewer, the others count as shown by any dessert
that is of use. So a serving satisfies any guest as soon as its tastes make 15 together (DE-2).

A set of desserts is *packed* into two integers, one bit for each card: the first `HALF` cards, and
the others.
"""

from __future__ import annotations

import csv
import functools
import itertools
import operator
from importlib import resources

import numpy as np


def _rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a file of the package, which may lie in an archive."""
    text = (resources.files("dessert_env") / "data" / name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


_DESSERTS, _GUESTS = _rows("desserts.csv"), _rows("guests.csv")

DESSERTS = tuple(row["dessert"] for row in _DESSERTS)
"""Names of the desserts, in the order of the card list."""
ICONS = tuple(frozenset(row["icons"].split()) for row in _DESSERTS)
"""Icons of each dessert."""

GUESTS = tuple(row["guest"] for row in _GUESTS)
"""Names of the guests, in the order of the card list."""
CRAVINGS = tuple(tuple(row["cravings"].split()) for row in _GUESTS)
"""Icons that each guest wants to see."""
DISLIKES = tuple(frozenset(row["dislikes"].split()) for row in _GUESTS)
"""Icons that each guest must not see."""
FAVORITES = tuple(tuple(filter(None, row["favorites"].split(";"))) for row in _GUESTS)
"""Desserts that earn a tip from each guest (DE-5)."""

NUM_DESSERTS, NUM_GUESTS = len(DESSERTS), len(GUESTS)

TRIO_NAMES = tuple(sorted({row["trio"] for row in _GUESTS}))
NUM_TRIOS, TRIO_SIZE = len(TRIO_NAMES), 3

HAND_SIZE = 5
"""Desserts dealt to each player."""

MOST_SERVED = 3
"""Desserts of one serving at most."""

TRIO = np.array([TRIO_NAMES.index(row["trio"]) for row in _GUESTS], np.int8)
"""Trio icon of each guest, `(24,)`."""

POINTS = np.array([int(row["points"]) for row in _GUESTS], np.int8)
"""Points of each guest, `(24,)`."""

MOST_POINTS = int(POINTS.sum())

# -- Serving (DE-2) ----------------------------------------------------------------------------

MOST_CRAVINGS = 4
SATISFIED = 2**MOST_CRAVINGS - 1
"""What the tastes of a serving make together."""


def _taste(dessert: int, guest: int) -> int:
    """Return the taste of a dessert to a guest."""
    shown = [icon in ICONS[dessert] for icon in CRAVINGS[guest]]
    if not any(shown) or ICONS[dessert] & DISLIKES[guest]:
        return 0
    shown += [True] * (MOST_CRAVINGS - len(shown))
    return sum(1 << place for place, is_shown in enumerate(shown) if is_shown)


TASTE = np.array(
    [[_taste(dessert, guest) for dessert in range(NUM_DESSERTS)] for guest in range(NUM_GUESTS)],
    np.int8,
)
"""Taste of each dessert to each guest, `(24, 76)`."""

FAVORITE = np.array([[name in of for name in DESSERTS] for of in FAVORITES], np.bool_)
"""Whether a dessert earns a tip from a guest, `(24, 76)`."""

STOPS = np.array(
    [[len(icons) == 1 and icons <= set(wanted) for icons in ICONS] for wanted in CRAVINGS],
    np.bool_,
)
"""Whether a dessert is an Ace that keeps a guest from being stolen, `(24, 76)` (DE-8)."""

HALF = NUM_DESSERTS // 2


def pack(cards: np.ndarray) -> tuple[int, int]:
    """Return a set of desserts, `(76,)` bool, packed."""
    bits = sum(1 << card for card in np.flatnonzero(cards).tolist())
    return bits & (1 << HALF) - 1, bits >> HALF


TASTE_SET = np.where(TASTE != 0, 1 << TASTE.astype(np.int64), 0)
"""The taste of each dessert to each guest as a set of tastes, `(24, 76)`; empty for taste 0."""

USEFUL = np.array([pack(tastes != 0) for tastes in TASTE])
"""Desserts that are of use to each guest, packed, `(24, 2)`."""

FAVORITES_OF = np.array([pack(favorites) for favorites in FAVORITE])
"""Desserts that earn a tip from each guest, packed, `(24, 2)`."""

ACES = np.array([pack(stops) for stops in STOPS])
"""Aces that keep each guest from being stolen, packed, `(24, 2)`."""

TRIO_OF = np.array([sum(1 << other for other in np.flatnonzero(t == TRIO)) for t in TRIO])
"""Set of the guests with the trio icon of each guest, `(24,)`: bit i for guest i."""

POINT_DIGITS = np.array(
    [
        sum(1 << guest for guest in range(NUM_GUESTS) if int(POINTS[guest]) >> digit & 1)
        for digit in range(int(POINTS.max()).bit_length())
    ]
)
"""Set of the guests whose points have each binary digit, `(3,)`."""


def _union(tastes: tuple[int, ...]) -> int:
    return functools.reduce(operator.or_, tastes, 0)


def is_serving(tastes: tuple[int, ...]) -> bool:
    """Return whether tastes make a serving of which none could be left out (DE-2)."""
    return (
        len(tastes) <= MOST_SERVED
        and _union(tastes) == SATISFIED
        and all(_union(tastes[:i] + tastes[i + 1 :]) != SATISFIED for i in range(len(tastes)))
    )


_ALL_TASTES = range(1, SATISFIED + 1)

COMPLETES = np.array(
    [
        [
            sum(
                1 << last
                for last in _ALL_TASTES
                if is_serving(tuple(filter(None, (first, second, last))))
            )
            for second in range(SATISFIED + 1)
        ]
        for first in range(SATISFIED + 1)
    ],
    np.int64,
)
"""Set of the tastes that complete a serving after two others, `(16, 16)`; 0 stands for none."""


def _fewest() -> np.ndarray:
    """Return how many desserts a serving needs at least, for each set of tastes at hand."""
    fewest = np.full(1 << (SATISFIED + 1), MOST_SERVED + 1, np.int8)
    sets = np.arange(len(fewest))
    for size in range(MOST_SERVED, 0, -1):
        for tastes in itertools.combinations(_ALL_TASTES, size):
            if is_serving(tastes):
                needed = sum(1 << taste for taste in tastes)
                fewest[sets & needed == needed] = size
    return fewest


FEWEST = _fewest()
"""Desserts of the smallest serving that a set of tastes makes, `(65536,)`; 4 if it makes none."""
