"""A table of The Bill as a picture, made from a view alone."""

from __future__ import annotations

from waiter_envs.core.views import Told, View
from waiter_envs.drawing.cards import empty, paper
from waiter_envs.drawing.layout import Box, Phone, around
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.table import mat, sheet
from waiter_envs.drawing.theme import PAPER_INK


def svg(
    view: View,
    *,
    last: Told | None = None,
    theme: str = "light",
    font: bool = True,
    layout: str = "whole",
) -> str:
    """Return a table as an SVG drawing, always the same text for the same arguments.

    Args:
        view: what `view` returned.
        last: what `told` returned of the last action; it is told, and what it concerned is marked.
        theme: `"light"` or `"dark"`.
        font: whether the drawing carries its face; without, whoever shows it must have it.
        layout: `"whole"`, `"page"` (without the headline) or `"phone"` (and narrow).
    """
    painter = Painter(theme, last)
    players, first = view["players"], view["viewer"] or 0
    seats = around(layout, len(players) - 1, own=140, other=140, phone=Phone(120, 120, 180))
    places = zip([*players[first:], *players[:first]], [seats.own, *seats.others], strict=True)
    mats = [_purse(painter, view, player, box) for player, box in places]
    bill = Box(seats.middle.middle - 60, seats.middle.y + 20, 120, 150)
    coins = painter.text(
        bill.middle, bill.y + 90, str(view["bill"]["coins"]), 40, fill=PAPER_INK, anchor="middle"
    )
    middle = painter.thing("bill", bill, paper(painter, bill, coins), title="the bill")
    return sheet(painter, view, seats, "The Bill", "", last, [*mats, middle], font)


def _purse(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return a player's mat with its purse."""
    purse = Box(box.middle - 40, box.y + 40, 80, 60)
    coins = "?" if player["coins"] is None else str(player["coins"])
    return mat(painter, view, player, box) + empty(painter, purse, coins)
