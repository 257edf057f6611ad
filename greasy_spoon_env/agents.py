"""Rule-based opponents of Greasy Spoon, compiled like the rules.

They read only what their player may see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from greasy_spoon_env.actions import (
    ACTION_DONE,
    ACTION_PASS,
    START_COMBO_1,
    START_COMBO_2,
)
from greasy_spoon_env.cards import FIRST_MAIN, FIRST_SIDE, NUM_ITEMS
from waiter_envs.jit import njit


@njit
def first_offered(mask, start, stop):
    """Return the first legal action of `start .. stop - 1`, or -1."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return -1


@njit
def choose_largest(table, mask):
    """Serve as many cards as possible, and of those dishes the cheapest; set nothing aside."""
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


HEURISTICS: Mapping[str, Callable[[Any, Any], int]] = {
    "heuristic": choose_largest,
    "largest_dish": choose_largest,
}
"""Rule-based agents by name: `choose(table, mask)` -> action."""
