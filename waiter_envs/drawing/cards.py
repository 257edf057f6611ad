"""Cards: paper, backs, piles of backs with their count, empty places."""

from __future__ import annotations

from waiter_envs.drawing.glyphs import glyph
from waiter_envs.drawing.layout import Box
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.theme import ON_COLOUR

RADIUS = 5.0
"""Of the corners of a card."""


def paper(painter: Painter, box: Box, *content: str, radius: float = RADIUS) -> str:
    """Return a card face up, with what is on it."""
    theme = painter.theme
    shadow = painter.rect(box._replace(y=box.y + 2), theme.shadow, radius=radius)
    face = painter.rect(box, theme.paper, radius=radius, edge=theme.paper_line)
    return shadow + face + "".join(content)


def back(painter: Painter, box: Box, *content: str, radius: float = RADIUS) -> str:
    """Return a card face down, with what is on it."""
    theme = painter.theme
    return painter.rect(box, theme.back, radius=radius, edge=theme.back_line) + "".join(content)


def backs(painter: Painter, box: Box, count: int) -> str:
    """Return a pile of cards face down, which tells how many they are and nothing else."""
    if not count:
        return empty(painter, box, "0")
    below = min(count - 1, 2)
    parts = [
        back(painter, Box(box.x + 2 * i, box.y - 2 * i, box.width - 4, box.height - 4), radius=4)
        for i in range(below + 1)
    ]
    top = Box(box.x + 2 * below, box.y - 2 * below, box.width - 4, box.height - 4)
    size = 18 if box.width >= 34 else 13
    has_dome = box.height >= 56
    words = painter.text(
        top.middle,
        top.y + top.height * (0.62 if has_dome else 0.5) + size * 0.34,
        str(count),
        size,
        fill=ON_COLOUR,
        bold=True,
        anchor="middle",
    )
    if has_dome:
        dome = glyph(
            painter, "cloche", top.middle - 8, top.y + 7, 16, painter.theme.back_line, ON_COLOUR
        )
        words = dome + words
    return "".join(parts) + words


def empty(painter: Painter, box: Box, text: str = "", radius: float = RADIUS) -> str:
    """Return a place where a card may lie, and none does."""
    theme = painter.theme
    size = 18 if box.width >= 34 and text.isdigit() else 13
    return painter.rect(box, radius=radius, edge=theme.line, edge_width=1.5) + painter.text(
        box.middle,
        box.y + box.height / 2 + size * 0.34,
        text,
        size,
        fill=theme.quiet,
        anchor="middle",
    )
