"""A ladder as a picture, SVG as text: ratings with intervals, and who beats whom."""

from __future__ import annotations

import math
from collections.abc import Iterator
from xml.sax.saxutils import escape

from waiter_envs.arena.ladder import Ladder
from waiter_envs.arena.ladder_text import percent, ranking

_ROW, _PLOT, _CELL, _TOP, _MARGIN = 30, 320, 48, 64, 16
_INK, _QUIET, _LINE, _DOT = "#222222", "#5c5c5c", "#cccccc", "#1f5fa8"
_BLUE, _RED = (31, 95, 168), (176, 58, 46)


def ladder_picture(ladder: Ladder, title: str) -> str:
    """Return a drawing of a ladder."""
    order = ranking(ladder)
    names = [ladder.agents[a].name for a in order]
    left = _MARGIN + 7.4 * (3 + max(map(len, names)))
    right = left + _PLOT + 40
    width, height = right + _CELL * len(order) + _MARGIN, _TOP + _ROW * len(order) + 44
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'width="{width:.0f}" height="{height}" font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width:.0f}" height="{height}" fill="#ffffff"/>',
        _text(_MARGIN, 24, title, weight="bold"),
        _text(left, 48, "rating, 95% interval", fill=_QUIET),
        _text(right, 48, "paid more than, in %", fill=_QUIET),
        *_scale(ladder, left, height),
    ]
    for row, a in enumerate(order):
        middle = _TOP + _ROW * row + _ROW / 2
        parts.append(_text(_MARGIN, middle + 4, f"{row + 1} {names[row]}"))
        parts += _interval(ladder, a, left, middle)
        for column, b in enumerate(order):
            parts += _cell(ladder.beats[a][b], right + _CELL * column, middle)
    for column in range(len(order)):
        middle = right + _CELL * (column + 0.5) - 2
        parts.append(_text(middle, height - 26, str(column + 1), fill=_QUIET, anchor="middle"))
    return "\n".join([*parts, "</svg>\n"])


def _text(
    x: float, y: float, text: str, *, fill: str = _INK, anchor: str = "start", weight: str = ""
) -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" text-anchor="{anchor}"{bold}>'
        f"{escape(text)}</text>"
    )


def _bounds(ladder: Ladder) -> tuple[float, float, float]:
    """Return the ends of the scale, and how far its marks are apart."""
    low = min(min(agent.interval[0], agent.rating) for agent in ladder.agents)
    high = max(max(agent.interval[1], agent.rating) for agent in ladder.agents)
    span = max(1.0, high - low)
    mark = next(step for step in (50, 100, 200, 500, 1000, 10_000) if span / step <= 8)
    return math.floor(low / mark) * mark, math.ceil(high / mark) * mark, mark


def _place(ladder: Ladder, rating: float, left: float) -> float:
    low, high, _ = _bounds(ladder)
    return left + _PLOT * (rating - low) / max(1.0, high - low)


def _scale(ladder: Ladder, left: float, height: float) -> Iterator[str]:
    low, high, mark = _bounds(ladder)
    for number in range(round((high - low) / mark) + 1):
        rating = low + number * mark
        x = _place(ladder, rating, left)
        yield (f'<line x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{height - 44}" stroke="{_LINE}"/>')
        yield _text(x, height - 26, f"{rating:.0f}", fill=_QUIET, anchor="middle")


def _interval(ladder: Ladder, a: int, left: float, y: float) -> Iterator[str]:
    agent = ladder.agents[a]
    start, stop = (_place(ladder, end, left) for end in agent.interval)
    yield (
        f'<line x1="{start:.1f}" y1="{y}" x2="{stop:.1f}" y2="{y}" stroke="{_DOT}" '
        'stroke-width="3"/>'
    )
    yield f'<circle cx="{_place(ladder, agent.rating, left):.1f}" cy="{y}" r="5" fill="{_DOT}"/>'


def _cell(share: float | None, x: float, y: float) -> Iterator[str]:
    """Yield a cell of the matrix: blue above half, red below, white at half."""
    if share is None:
        return
    colour = _BLUE if share > 0.5 else _RED
    far = 0.65 * abs(2 * share - 1)  # dark letters stay legible
    mixed = [round(255 + far * (part - 255)) for part in colour]
    yield (
        f'<rect x="{x:.1f}" y="{y - _ROW / 2 + 2}" width="{_CELL - 4}" height="{_ROW - 4}" '
        f'fill="rgb({mixed[0]},{mixed[1]},{mixed[2]})"/>'
    )
    yield _text(x + _CELL / 2 - 2, y + 4, percent(share), anchor="middle")
