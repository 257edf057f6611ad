"""What all tables have: the sheet with its headline, and a mat before every player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from waiter_envs.drawing import font
from waiter_envs.drawing.glyphs import glyph
from waiter_envs.drawing.layout import GAP, PHONE, WHOLE, Box, Seats
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.svg import clean, element

MAT_HEAD = 28.0
"""Height of the name on a mat."""

View = Mapping[str, Any]


def sheet(
    painter: Painter,
    view: View,
    seats: Seats,
    title: str,
    info: str,
    last: View | None,
    content: Sequence[str],
    with_font: bool,
) -> str:
    """Return a whole drawing.

    Args:
        painter: what to paint with.
        view: of the table.
        seats: where everybody sits, and in which layout.
        title: of the game.
        info: how far it has come.
        last: the last action as the viewer was told of it, or `None`.
        content: what lies on the table.
        with_font: whether the drawing carries its face.
    """
    theme, (layout, width, height, *_) = painter.theme, seats
    told = f"{_name(view, last['player'])} {last['words']}" if last else ""
    name = f"{title}: {view['headline']}" + (f". Last: {told}" if told else "")
    if layout == WHOLE:
        heading = _heading(painter, view, width, title, info, told)
    else:
        heading = (_phone_line if layout == PHONE else _line)(painter, width, info, told)
    return element(
        "svg",
        element("title", clean(name)),
        element("style", font.font_face()) if with_font else "",
        painter.rect(Box(0, 0, width, height), theme.ground),
        heading,
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        class_=f"table {view['game']} {theme.name}" + (f" {layout}" if layout != WHOLE else ""),
        font_family=font.FAMILY,
    )


def _heading(painter: Painter, view: View, width: float, title: str, info: str, told: str) -> str:
    """Return who is to do what, what was done last, and how far the game has come."""
    theme = painter.theme
    right = width - 2 * GAP
    beside = max(font.width(info, 13), font.width(title, 13, True)) + 24
    left = 2 * GAP
    dot = ""
    if view["to_act"] is not None:
        dot = painter.circle(left + 6, 23, 6, theme.accent)
        left += 20
    room = right - left - beside
    size = font.largest(view["headline"], room, (20, 18, 16, 14), True)
    return "".join(
        (
            dot,
            painter.text(left, 30, view["headline"], size, bold=True, room=room),
            painter.text(right, 28, title, 13, fill=theme.quiet, bold=True, anchor="end"),
            painter.text(
                2 * GAP,
                51,
                told,
                14,
                fill=theme.quiet,
                room=right - 2 * GAP - font.width(info, 13) - 24,
            ),
            painter.text(right, 50, info, 13, fill=theme.quiet, anchor="end"),
        )
    )


def _line(painter: Painter, width: float, info: str, told: str) -> str:
    """Return what was done last and how far the game has come, in one line."""
    quiet, right = painter.theme.quiet, width - 2 * GAP
    room = right - 2 * GAP - font.width(info, 13) - 24
    return painter.text(2 * GAP, 22, told, 14, fill=quiet, room=room) + painter.text(
        right, 22, info, 13, fill=quiet, anchor="end"
    )


def _phone_line(painter: Painter, width: float, info: str, told: str) -> str:
    """Return how far the game has come, and below it what was done last."""
    room = width - 2 * GAP
    lines = font.wrap(told, room, 2, 13)
    return painter.text(GAP, 15, info, 13, fill=painter.theme.quiet, room=room) + painter.lines(
        GAP, 32, lines, 13
    )


def _name(view: View, player: int) -> str:
    return str(view["players"][player]["name"])


def mat(
    painter: Painter,
    view: View,
    player: View,
    box: Box,
    notes: str = "",
    mark: str | None = None,
    title: str | None = None,
) -> str:
    """Return what lies under everything that is before a player: a mat with its name.

    Args:
        painter: what to paint with.
        view: of the table.
        player: the entry of the view.
        box: where the mat lies.
        notes: what is told beside the name.
        mark: a glyph before the name.
        title: of the mat, in words.
    """
    theme = painter.theme
    acts = bool(player["to_act"])
    edge = theme.accent if acts else None
    parts = [painter.rect(box, theme.mat, radius=10, edge=edge, edge_width=2.5)]
    x, y = box.x + 10, box.y + 20
    if mark is not None:
        parts.append(glyph(painter, mark, x, y - 12, 14, theme.quiet, theme.mat))
        x += 19
    right = box.right - 9
    if acts or player["player"] in view["winners"]:
        fill, ink, words = (
            (theme.accent_fill, theme.on_accent, "to act")
            if acts
            else (theme.ink, theme.ground, "won")
        )
        pill, wide = painter.pill(right, box.y + 15, words, fill, ink, anchor="end")
        parts.append(pill)
        right -= wide + 6
    name = font.shorten(player["name"], right - x - (30 if player["is_viewer"] else 0), 15, True)
    parts.append(painter.text(x, y, name, 15, bold=True))
    x += font.width(name, 15, True) + 7
    if player["is_viewer"]:
        parts.append(painter.text(x, y, "you", 14, fill=theme.quiet))
        x += 30
    parts.append(painter.text(x, y, notes, 13, fill=theme.quiet, room=right - x))
    return painter.thing(player["id"], box, *parts, title=title, radius=10)
