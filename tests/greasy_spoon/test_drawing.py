"""Pictures of Greasy Spoon: whole, complete, the same for equal views, nothing hidden in them."""

from __future__ import annotations

from typing import Any

import pytest

from greasy_spoon_env import GAME
from tests.drawings import check_drawn_alike, check_kept, check_moments, moments

from .test_leaks import both_deals

KEPT: list[tuple[str, dict[str, Any], int, int | None, str]] = [
    ("to_beat", {}, 20, 0, "light"),
    ("open", {"preset": "best_of_3"}, -1, None, "dark"),
]
"""Positions whose pictures are kept: name, variant, which moment, viewer, theme."""


@pytest.mark.parametrize("preset", GAME.presets)
def test_pictures(preset: str) -> None:
    """Pictures are XML, hold every id once, mark what was touched, and nothing sticks out."""
    shown = moments(GAME, 20, "heuristic", preset=preset)
    check_moments(GAME, [*shown[:4], *shown[-3:]])


@pytest.mark.parametrize("variant", ["best_of_1", "best_of_3"])
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
    check_kept(f"greasy_spoon_{name}", moment.drawn(GAME, viewer, theme=theme)[0])
