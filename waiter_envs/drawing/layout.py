"""Where things stand: boxes, rows in them, and the places of players around a table."""

from __future__ import annotations

import math
from typing import NamedTuple

from waiter_envs.core.checks import check_choice

GAP = 8.0
"""Between two boxes."""

WHOLE, PAGE, PHONE = "whole", "page", "phone"
HEADERS = {WHOLE: 60.0, PAGE: 34.0, PHONE: 58.0}
"""The layouts of a drawing, with the height above the table. `whole` stands alone and has a
headline, `page` leaves that to the page, `phone` does so too and is as narrow as a phone."""

NARROW = 376.0
"""Width of a drawing for a phone: at 360 pixels its smallest text is more than 11 of them."""

SMALL, LARGE = (960.0, 640.0), (1280.0, 800.0)
"""Natural sizes of a drawing, for up to 4 seats and for more."""


class Box(NamedTuple):
    """A rectangle, in the units of the drawing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """Half way between left and right."""
        return self.x + self.width / 2

    @property
    def is_narrow(self) -> bool:
        """Whether it is no wider than a phone's drawing."""
        return self.width < NARROW

    def inset(self, by: float, top: float | None = None) -> Box:
        """Return the box without a margin; the upper one may be another."""
        above = by if top is None else top
        return Box(self.x + by, self.y + above, self.width - 2 * by, self.height - above - by)

    def columns(self, *shares: float, gap: float = GAP) -> list[Box]:
        """Return boxes side by side whose widths are as the shares."""
        room = (self.width - gap * (len(shares) - 1)) / sum(shares)
        boxes, x = [], self.x
        for share in shares:
            boxes.append(Box(x, self.y, share * room, self.height))
            x += share * room + gap
        return boxes

    def rows(self, *shares: float, gap: float = GAP) -> list[Box]:
        """Return boxes one below the other whose heights are as the shares."""
        room = (self.height - gap * (len(shares) - 1)) / sum(shares)
        boxes, y = [], self.y
        for share in shares:
            boxes.append(Box(self.x, y, self.width, share * room))
            y += share * room + gap
        return boxes

    def left(self, width: float) -> Box:
        """Return so much of the left side."""
        return Box(self.x, self.y, width, self.height)

    def without_left(self, width: float) -> Box:
        """Return the box without so much of its left side."""
        return Box(self.x + width, self.y, self.width - width, self.height)


class Seats(NamedTuple):
    """A table seen from above."""

    layout: str
    width: float
    height: float
    own: Box
    """Of the viewer, at the bottom."""
    others: tuple[Box, ...]
    """Of the other players, clockwise from the viewer on: up the left side, along the top, down
    the right side; on a phone one below the other, under the viewer's."""
    middle: Box


class Phone(NamedTuple):
    """Heights on a phone."""

    own: float
    other: float
    middle: float


def around(
    layout: str,
    others: int,
    own: float,
    other: float,
    phone: Phone,
    side: float = 0.25,
    on_top: int = 2,
) -> Seats:
    """Return where everybody sits.

    Args:
        layout: one of `HEADERS`.
        others: players besides the viewer.
        own: height of the viewer's place.
        other: least height of another place.
        phone: heights on a phone.
        side: width of the places at the sides, as a share of the table's.
        on_top: up to so many others all sit along the top.

    Raises:
        TypeError, ValueError: if there is no such layout.
    """
    header = HEADERS[check_choice("layout", layout, tuple(HEADERS))]
    if layout == PHONE:
        return _stacked(others, header, phone)
    sides, top = (0, others) if others <= on_top else _shares(others)
    width, height = SMALL if others < 4 else LARGE
    rows = 1 if others < 5 else sides + 1
    height += header - HEADERS[WHOLE]
    height = max(height, header + own + GAP + (other + GAP) * rows)
    table = Box(GAP, header, width - 2 * GAP, height - header - GAP)
    place = Box(table.x, table.bottom - own, table.width, own)
    row = Box(table.x, table.y, table.width, other)
    if sides and others < 5:  # one at each side, as high as the table
        left, centre, right = table._replace(height=table.height - own - GAP).columns(
            side, 1 - 2 * side, side
        )
        tops = centre._replace(height=other).columns(*[1] * top)
        middle = centre._replace(y=row.bottom + GAP, height=place.y - row.bottom - 2 * GAP)
        return Seats(layout, width, height, place, (left, *tops, right), middle)
    tops = row.columns(*[1] * top)
    between = Box(table.x, row.bottom + GAP, table.width, place.y - row.bottom - 2 * GAP)
    if not sides:
        return Seats(layout, width, height, place, tuple(tops), between)
    left, middle, right = between.columns(side, 1 - 2 * side, side)
    ups, downs = left.rows(*[1] * sides)[::-1], right.rows(*[1] * sides)
    return Seats(layout, width, height, place, (*ups, *tops, *downs), middle)


def _stacked(others: int, header: float, heights: Phone) -> Seats:
    """Return places one below the other: the middle, the viewer's, and the others'."""
    wide = NARROW - 2 * GAP
    middle = Box(GAP, header, wide, heights.middle)
    own = Box(GAP, middle.bottom + GAP, wide, heights.own)
    step = heights.other + GAP
    rest = tuple(Box(GAP, own.bottom + GAP + i * step, wide, heights.other) for i in range(others))
    height = own.bottom + GAP + others * step
    return Seats(PHONE, NARROW, height, own, rest, middle)


def _shares(others: int) -> tuple[int, int]:
    """Return how many players sit at each side, and how many along the top."""
    sides = 1 if others < 8 else max(2, math.ceil((others - 5) / 2))
    return sides, others - 2 * sides


class Row(NamedTuple):
    """Where equal things stand side by side, overlapping where there is too little room."""

    x: float
    step: float


def row(box: Box, count: int, width: float, gap: float, centred: bool = False) -> Row:
    """Return where `count` things of a width stand in a box: the first, and from one to the next.

    They overlap if they must; the last one is never beyond the box.
    """
    if count < 2:
        step = 0.0
    else:
        step = min(width + gap, (box.width - width) / (count - 1))
    used = step * max(count - 1, 0) + width
    return Row(box.x + (box.width - used) / 2 if centred else box.x, step)
