"""What differs between the games in the tests that all of them share."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import waiter_envs

SHORT: dict[str, dict[str, Any]] = {
    "hey_waiter": {"max_turns": 6},
    "garcon": {"max_turns": 8},
    "dessert": {"max_turns": 8},
}
"""Fields of a variant whose games end soon, where the default's do not."""

FIELD: dict[str, dict[str, Any]] = {
    "hey_waiter": {"max_turns": 7},
    "greasy_spoon": {"best_of": 3},
    "garcon": {"target": 9},
    "dessert": {"closing_rounds": 2},
}
"""A field of `Config` that is not at its default."""

BAD_FIELD: dict[str, tuple[str, Any, str]] = {
    "hey_waiter": ("max_turns", 0, "max_turns=0: must be an integer from 1"),
    "greasy_spoon": ("best_of", 2, "best_of=2: must be one of 1, 3, 5"),
    "garcon": ("players", 2, "players=2: must be an integer from 3 to 10"),
    "dessert": ("players", 7, "players=7: must be an integer from 2 to 6"),
}
"""Of each game a field, a value that it cannot have, and the complaint."""

TRUNCATED = [
    name
    for name in waiter_envs.GAMES
    if any(field.name == "max_turns" for field in fields(waiter_envs.load(name).config_class))
]
"""Games that may be cut at a turn limit."""

PAID: dict[str, dict[str, Any]] = {
    "hey_waiter": {"preset": "2_players", "max_turns": 300},
    "greasy_spoon": {"best_of": 3, "reward": "game"},
    "garcon": {"reward": "points", "max_turns": 40},
    "dessert": {"players": 3, "closing_rounds": 0, "max_turns": 1000},
}
"""Fields of a variant that pays within short games, if any does."""
