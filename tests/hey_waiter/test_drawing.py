"""Pictures of Hey Waiter!: whole, complete, the same for equal views, nothing hidden in them."""

from __future__ import annotations

from typing import Any

import pytest

from hey_waiter_env import GAME
from tests.drawings import check_drawn_alike, check_kept, check_moments, moments

from .test_leaks import both_deals

KEPT: list[tuple[str, dict[str, Any], int, int | None, str]] = [
    ("2_players", {"preset": "2_players", "dishes": 4}, 30, 0, "light"),
    ("secret", {"preset": "secret_2v2", "dishes": 2}, 10, None, "dark"),
]
"""Positions whose pictures are kept: name, variant, which moment, viewer, theme."""


@pytest.mark.parametrize("preset", GAME.presets)
def test_pictures(preset: str) -> None:
    """Pictures are XML, hold every id once, mark what was touched, and nothing sticks out."""
    shown = moments(GAME, 20, "heuristic", preset=preset)
    check_moments(GAME, [*shown[:4], *shown[-3:]])


@pytest.mark.parametrize("variant", ["2_players", "4_partnership", "double_duty", "secret_2v2"])
def test_nothing_hidden_is_drawn(variant: str) -> None:
    """Deals that differ in what is hidden from a viewer are the same picture."""
    _, before, after, viewers = both_deals(variant)
    check_drawn_alike(GAME, before, after, viewers)


@pytest.mark.parametrize(("name", "variant", "number", "viewer", "theme"), KEPT)
def test_kept_pictures(
    name: str, variant: dict[str, Any], number: int, viewer: int | None, theme: str
) -> None:
    """Some pictures are the ones that were looked at and kept."""
    moment = moments(GAME, 1, **variant)[number]
    check_kept(f"hey_waiter_{name}", moment.drawn(GAME, viewer, theme=theme)[0])


@pytest.mark.parametrize(
    "variant",
    [
        {"seats": tuple(range(12)), "sets": 4, "dishes": 3, "max_turns": 30},
        {"seats": (0, 1), "sets": 6, "dishes": 100, "max_turns": 60},
        {"seats": (0, 1), "dishes": (40, 2), "max_turns": 60},
    ],
)
def test_unusual_tables(variant: dict[str, Any]) -> None:
    """More seats than are drawn around a table, and stacks of 100, fit the picture as well."""
    check_moments(GAME, moments(GAME, 25, **variant)[:3])
