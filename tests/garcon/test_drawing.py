"""Pictures of Garçon: whole, complete, the same for equal views, nothing hidden in them."""

from __future__ import annotations

from typing import Any

import pytest

from garcon_env import GAME
from tests.drawings import check_drawn_alike, check_kept, check_moments, moments

from .test_leaks import both

KEPT: list[tuple[str, dict[str, Any], int, int | None, str]] = [
    ("turn", {"players": 3}, 15, 0, "light"),
    ("clock", {"players": 3, "preset": "clock"}, -2, None, "dark"),
]
"""Positions whose pictures are kept: name, variant, which moment, viewer, theme."""


@pytest.mark.parametrize("preset", GAME.presets)
def test_pictures(preset: str) -> None:
    """Pictures are XML, hold every id once, mark what was touched, and nothing sticks out."""
    shown = moments(GAME, 20, "heuristic", preset=preset)
    check_moments(GAME, [*shown[:4], *shown[-3:]], "menu-[0-9]+")


@pytest.mark.parametrize("variant", ["rulebook", "memory"])
def test_nothing_hidden_is_drawn(variant: str) -> None:
    """Deals that differ in what is hidden from a viewer are the same picture."""
    _, before, after, viewers = both(variant)
    check_drawn_alike(GAME, before, after, viewers)


@pytest.mark.parametrize(("name", "variant", "number", "viewer", "theme"), KEPT)
def test_kept_pictures(
    name: str, variant: dict[str, Any], number: int, viewer: int | None, theme: str
) -> None:
    """Some pictures are the ones that were looked at and kept."""
    moment = moments(GAME, 1, **variant)[number]
    check_kept(f"garcon_{name}", moment.drawn(GAME, viewer, theme=theme)[0])


def test_a_menu_of_ones_own() -> None:
    """Dishes with long names, many of them, of symbols without a glyph, fit the picture as well."""
    dishes = [f"Grie\u00dfnockerlsuppe mit <Einlage> & {i}" for i in range(20)]
    menu = [(f"sp{i}", "Vorspeise") for i in range(20)] + [(dish, "<b>") for dish in dishes]
    orders = [(i + 1, [f"sp{i}", dishes[i]]) for i in range(20)]
    shown = moments(GAME, 8, players=5, menu=menu, orders=orders)
    assert any(GAME.view(moment.table, 0)["naming"] for moment in shown)
    check_moments(GAME, shown, "menu-[0-9]+")


def test_the_menu_is_drawn_while_an_order_is_named() -> None:
    """Then all of it stands there, to be clicked."""
    for moment in moments(GAME, 1, players=3):
        view = GAME.view(moment.table, 0)
        drawn = GAME.svg(moment.table, 0, font=False).count('data-id="menu-')
        assert drawn == (15 if view["naming"] else 0)
