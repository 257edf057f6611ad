"""Small pictures: dishes, tastes, signs. Each is told by its outline alone, in one colour.

A glyph is drawn on a square of 24: parts that are filled, parts cut out of them, lines, and lines
cut out.
"""

from __future__ import annotations

from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.svg import group

SIZE = 24.0

FILL, CUT, LINE, CUT_LINE = range(4)
"""Parts of a glyph: in its colour or in that of its ground; an area, or a line 1.8 wide."""

_LINE_WIDTH = 1.8


def _disc(x: float, y: float, radius: float) -> str:
    """Return the outline of a disc."""
    r = f"{radius:g}"
    return f"M{x - radius:g} {y:g}a{r} {r} 0 1 0 {2 * radius:g} 0a{r} {r} 0 1 0 {-2 * radius:g} 0z"


def _discs(radius: float, *places: tuple[float, float]) -> str:
    return "".join(_disc(x, y, radius) for x, y in places)


_CUP = "M3 8h14v6.5a6 6 0 0 1-6 6h-2a6 6 0 0 1-6-6z"
_HANDLE = "M17 10h1.5a3 3 0 0 1 0 6H17"
_GLASS = "M5.5 7h13l-1.6 14.5H7.1z"
_STEAM = "M8 5.5c-1.4-1.3 1.4-2 0-3.5M12.5 5.5c-1.4-1.3 1.4-2 0-3.5"

GLYPHS: dict[str, tuple[tuple[int, str], ...]] = {
    # -- dishes and drinks -------------------------------------------------------------------
    "soup": (
        (FILL, "M2 11h20c0 5-3.2 9-7 9.8V22H9v-1.2C5.2 20 2 16 2 11z"),
        (
            LINE,
            "M8.5 8c-1.8-1.8 1.8-2.6 0-4.6M15.5 8c-1.8-1.8 1.8-2.6 0-4.6",
        ),
    ),
    "salad": (
        (FILL, "M3.5 20.5C1.5 10 8 3 21 3c.8 12-6.5 19-17.5 17.5z"),
        (CUT_LINE, "M3.5 20.5C8 15 11 12 16.5 8M9.3 14.2V9M12.6 11.2l5.2.6"),
    ),
    "pizza": (
        (FILL, "M1.5 6.5C8 2 16 2 22.5 6.5L12 22.5z"),
        (CUT_LINE, "M4 9.6c5-3.2 11-3.2 16 0"),
        (CUT, _discs(1.5, (9, 11.6), (14.6, 12.2), (11.6, 16.4))),
    ),
    "pie": (
        (FILL, "M1.5 12.5L15 4.5c4 .5 7 4 7.5 8zM2 14.3h20.5V21H2z"),
        (CUT, _discs(1.5, (6.5, 17.6), (12.2, 17.6), (17.9, 17.6))),
    ),
    "coffee": ((FILL, _CUP), (LINE, _HANDLE + _STEAM)),
    "tea": (
        (FILL, _CUP),
        (LINE, _HANDLE + "M7.5 8V3.5h5"),
        (FILL, "M11.5 1.5h4v4h-4z"),
        (CUT_LINE, "M7.5 8v3.5"),
        (CUT, "M5.8 11.2h3.4v4.3H5.8z"),
    ),
    "hot chocolate": (
        (FILL, "M3 9h14v11.5H3z"),
        (LINE, "M17 11.5h1.5a2.8 2.8 0 0 1 0 5.6H17"),
        (FILL, _discs(2.9, (6, 7), (10.2, 5.8), (14, 7.2))),
        (CUT_LINE, "M4 11.5h12"),
    ),
    "lemonade": (
        (FILL, _GLASS),
        (LINE, "M12.5 7l2-5.5h3.5"),
        (FILL, _disc(6.2, 6, 3.6)),
        (CUT_LINE, "M6.2 3.5v5M8 12.5h8"),
    ),
    "orange juice": (
        (FILL, _GLASS),
        (CUT, _disc(12, 13.6, 3.7)),
        (FILL, _disc(12, 13.6, 2.2)),
        (LINE, "M12 7V3M12 4.5c1.5-2.5 4-2.5 5-2"),
    ),
    "omelette": (
        (FILL, "M1.5 15C3 6.5 9 4.5 13.5 5c5.5.6 9 4.5 9 9.5-6 5-15 5.5-21 .5z"),
        (CUT_LINE, "M4 13.5c5 3 11 2.8 16-.2"),
        (CUT, _discs(1.1, (9, 9.4), (13.5, 8.4), (17, 10.5))),
    ),
    "sandwich": (
        (FILL, "M2.5 9.5L12 3l9.5 6.5zM2 15.8h20V21H2z"),
        (
            LINE,
            "M2 12.7c1.7 1.6 3.3 1.6 5 0s3.3-1.6 5 0 3.3 1.6 5 0 3.3-1.6 5 0",
        ),
    ),
    "steak": (
        (
            FILL,
            "M3 12C2.5 6.5 8 3.5 13 4c5.5.5 9 4 8.8 8.5-.2 4.5-4 7-7.8 6-2.5-.7-3.5.5-5.5 1"
            "C5.5 20 3.3 16 3 12z",
        ),
        (
            CUT,
            "M6.5 12.5c0-3 3-5.2 6.5-5 3.8.2 6 2.5 5.8 5-.2 2-1.8 3.2-4 2.5-2.5-.8-8.3 1-8.3-2.5z",
        ),
        (FILL, _disc(14.2, 11, 1.6)),
    ),
    "croissant": (
        (
            FILL,
            "M1.5 17C2 9.5 6.5 4.5 12 4.5S22 9.5 22.5 17c-3 1.5-5 .5-6-2-1-2.3-2.5-3.5-4.5-3.5"
            "S8.5 12.7 7.5 15c-1 2.5-3 3.5-6 2z",
        ),
        (
            CUT_LINE,
            "M4.3 10.5l4 3M9.3 5.2l1.2 6M14.7 5.2l-1.2 6M19.7 10.5l-4 3",
        ),
    ),
    "ice cream": (
        (FILL, "M7 13.5h10L12 23z"),
        (FILL, _discs(4.2, (8.2, 8.8), (15.8, 8.8), (12, 5.2))),
        (CUT_LINE, "M6.5 12.7h11"),
    ),
    "fruit tart": (
        (FILL, "M2.5 13h19l-2.3 7.5H4.8z"),
        (FILL, _discs(3.1, (6.2, 9.2), (12, 7.4), (17.8, 9.2))),
        (CUT_LINE, "M8 14.5l.6 6M12 14.5v6M16 14.5l-.6 6"),
    ),
    "pancakes": (
        (FILL, "M2 9.5C2 7 6 5.5 12 5.5s10 1.5 10 4-4 3.7-10 3.7S2 12 2 9.5z"),
        (
            LINE,
            "M2.5 13.5c1.5 2 5 2.9 9.5 2.9s8-.9 9.5-2.9M2.5 17.5c1.5 2 5 2.9 9.5 2.9s8-.9 9.5-2.9",
        ),
        (CUT, "M9.5 6.5h5v3.6h-5z"),
    ),
    "cheesecake": (
        (FILL, "M2 12L19 5.5c1.8 1.5 3 4 3 6.5zM2 13.8h20V20H2z"),
        (CUT_LINE, "M2 17.5h20"),
        (FILL, _disc(13.5, 4.6, 2.5)),
    ),
    # -- what a waiter has at hand -------------------------------------------------------------
    "cloche": ((FILL, "M2.8 17a9.2 9.2 0 0 1 18.4 0zM1 18.7h22V21H1z" + _disc(12, 5.4, 2.2)),),
    "face": (
        (FILL, _disc(12, 12, 10.5)),
        (CUT, _discs(1.7, (8.2, 9.8), (15.8, 9.8))),
        (CUT_LINE, "M6.8 14c2.2 4 8.2 4 10.4 0"),
    ),
    "tray": (
        (FILL, "M4.5 10.5a7.5 7.5 0 0 1 15 0zM1 12h22v2.4H1zM10.2 14h3.6v8h-3.6z"),
        (FILL, _disc(12, 2.6, 1.7)),
    ),
    # -- condiments ----------------------------------------------------------------------------
    "ketchup": (
        (
            FILL,
            "M9.8 1.5h4.4v3.2H9.8zM10 5.7h4v2.5c2.6 1.4 4 3.4 4 6V22.5H6V14.2c0-2.6 1.4-4.6 4-6z",
        ),
    ),
    "mustard": ((FILL, "M11.2 1h1.6l1.7 6.2h-5zM6.5 8.2h11v14.3h-11z"),),
    "relish": (
        (
            FILL,
            "M4.5 2.5h15v4.2h-15zM5.5 7.9h13c1.3 1 2 2.4 2 4.2V19a3.5 3.5 0 0 1-3.5 3.5H7A3.5 "
            "3.5 0 0 1 3.5 19v-6.9c0-1.8.7-3.2 2-4.2z",
        ),
    ),
    # -- kinds of dishes on an order -------------------------------------------------------------
    "drink": ((FILL, "M4 3h16l-6.3 8.8V19H18v2.5H6V19h4.3v-7.2z"),),
    "plate": (
        (FILL, _disc(12, 12, 10)),
        (CUT, _disc(12, 12, 7)),
        (FILL, _disc(12, 12, 5.2)),
    ),
    "dessert": (
        (FILL, "M5 13.5h14L17.3 22H6.7z"),
        (
            FILL,
            "M3.5 12.3c-.8-3 1.2-4.8 3.3-5C7.5 4.5 9.5 3 12 3s4.5 1.5 5.2 4.3c2.1.2 4.1 2 3.3 5z",
        ),
        (FILL, _disc(12, 2.6, 2)),
        (CUT_LINE, "M9.5 15l.6 6M14.5 15l-.6 6"),
    ),
    # -- events --------------------------------------------------------------------------------
    "repeat": (
        (
            LINE,
            "M4 11V9.5A3.5 3.5 0 0 1 7.5 6H18M20 13v1.5a3.5 3.5 0 0 1-3.5 3.5H6",
        ),
        (FILL, "M15.5 1.5L21.5 6l-6 4.5zM8.5 13.5l-6 4.5 6 4.5z"),
    ),
    "notebook": (
        (FILL, "M5.5 2H20v20H5.5z"),
        (CUT_LINE, "M9 2v20M12 8h5M12 12h5"),
        (LINE, "M3 6h3.5M3 12h3.5M3 18h3.5"),
    ),
    "leave": (
        (FILL, "M3 2h10v20H3z"),
        (CUT, _disc(10.4, 12, 1.2)),
        (LINE, "M14 12h5"),
        (FILL, "M17.5 7.5L23 12l-5.5 4.5z"),
    ),
    # -- tastes --------------------------------------------------------------------------------
    "cake": (
        (FILL, "M2.5 12.5h19V21h-19zM5 6.5h14v4.6H5z"),
        (LINE, "M12 6V3.5"),
        (FILL, _disc(12, 2.5, 1.6)),
        (
            CUT_LINE,
            "M2.5 16c1.6 1.8 3.2 1.8 4.8 0s3.1-1.8 4.7 0 3.2 1.8 4.8 0 3.1-1.8 4.7 0",
        ),
    ),
    "chocolate": (
        (FILL, "M4 2h16v20H4z"),
        (CUT_LINE, "M12 2v20M4 8.7h16M4 15.4h16"),
    ),
    "cookie": (
        (FILL, "M12 2a10 10 0 1 0 10 10 4.2 4.2 0 0 1-4.5-4.3A4.7 4.7 0 0 1 12 2z"),
        (CUT, _discs(1.5, (8, 9), (7.8, 15), (13.4, 12.6), (14.8, 17.4))),
    ),
    "fruit": (
        (FILL, _discs(5, (7, 16.5), (17, 17))),
        (LINE, "M7.5 12C8.5 7.5 11.5 4 17 2.5M17 12.5c.5-3.5.5-6.5 0-10"),
    ),
    "ice_cream": (
        (FILL, "M6 11.5h12L12 23z"),
        (FILL, "M4.5 10a7.5 7.5 0 0 1 15 0z"),
        (CUT_LINE, "M8 12.5l5.5 5.5M16 12.5l-5.5 5.5"),
    ),
    "marshmallow": (
        (
            FILL,
            "M4 7.5C4 5 7.5 3.5 12 3.5S20 5 20 7.5v9c0 2.5-3.5 4-8 4s-8-1.5-8-4z",
        ),
        (CUT_LINE, "M4.5 7.8C5 10 8 11.3 12 11.3s7-1.3 7.5-3.5"),
    ),
    "nuts": (
        (FILL, "M4 9.5C4 5.5 7.5 3.5 12 3.5s8 2 8 6z"),
        (FILL, "M4.8 11h14.4c0 6-3 9.5-7.2 11.5C7.8 20.5 4.8 17 4.8 11z"),
        (LINE, "M12 3.5V1"),
    ),
    "pastry": (
        (FILL, _disc(12, 12, 10)),
        (CUT, _disc(12, 12, 3.6)),
        (
            CUT_LINE,
            "M6.4 5.6l1 1.8M12 4v2M17.6 6.4l-1.4 1.5M5 12h2M18 13.5l2 .8M8 17l-1.2 1.6M14.5 "
            "18l.6 2",
        ),
    ),
    "pudding": (
        (FILL, "M7 5h10l2.5 12h-15zM1.5 18.5h21V21h-21z"),
        (CUT_LINE, "M6 9.5c1.5 2 3 2 4 .5s2.5-1.5 4 0 2.7 1 4-.5"),
    ),
    "spices": (
        (FILL, "M7.5 8.5h9l1.5 14H6zM8 3.5h8v3.8H8z"),
        (CUT, _discs(0.9, (10.2, 5.4), (13.8, 5.4))),
        (CUT_LINE, "M9.5 12h5M9 17.5h6"),
    ),
    "veggies": (
        (FILL, "M14.5 9.5C12 7 8.5 9 7.5 11L2 22l11-5.5c2-1 4-4.5 1.5-7z"),
        (LINE, "M15 8.5c0-3 .5-5 2-6.5M16 9l4-4M15.8 9.5c3 0 4.7-.5 6.2-2"),
        (CUT_LINE, "M7.5 13l2 1.5M9.5 17l1.5-1"),
    ),
    # -- signs of trios ------------------------------------------------------------------------
    "crescent": ((FILL, "M16 2.5a10 10 0 1 0 6 13.5A9 9 0 0 1 16 2.5z"),),
    "spade": (
        (
            FILL,
            "M12 2c3 4 9 6.5 9 11.3 0 4.2-5 5.7-7.8 2.7.2 2.5 1 4.5 2.8 6H8c1.8-1.5 2.6-3.5 "
            "2.8-6C8 19 3 17.5 3 13.3 3 8.5 9 6 12 2z",
        ),
    ),
    "square": ((FILL, "M3.5 3.5h17v17h-17z"),),
    "circle": ((FILL, _disc(12, 12, 10)),),
    "star": (
        (
            FILL,
            "M12 1.5l3.1 6.9 7.5.8-5.6 5 1.6 7.4L12 17.8l-6.6 3.8L7 14.2l-5.6-5 7.5-.8z",
        ),
    ),
    "diamond": ((FILL, "M12 1l8.5 11L12 23 3.5 12z"),),
    "heart": (
        (
            FILL,
            "M12 21.5C6 17 2 13.5 2 8.7 2 5.5 4.3 3.2 7.2 3.2c2 0 3.8 1.1 4.8 3 1-1.9 2.8-3 "
            "4.8-3 2.9 0 5.2 2.3 5.2 5.5 0 4.8-4 8.3-10 12.8z",
        ),
    ),
    "club": (
        (
            FILL,
            _discs(4.7, (12, 6.7), (6.4, 14), (17.6, 14))
            + "M11 12h2c.1 4 1 7.5 3 9.8H8c2-2.3 2.9-5.8 3-9.8z",
        ),
    ),
    "triangle": ((FILL, "M12 2.5l10.5 18.5h-21z"),),
    "question": (
        (FILL, _disc(12, 12, 10.5)),
        (
            CUT_LINE,
            "M8.3 9.3C8.5 7 10 5.8 12 5.8s3.7 1.2 3.7 3.2c0 2.7-3.7 2.7-3.7 5.6",
        ),
        (CUT, _disc(12, 18, 1.4)),
    ),
}
"""The glyphs by name."""


def glyph(
    painter: Painter, name: str, x: float, y: float, size: float, colour: str, ground: str
) -> str:
    """Return a glyph.

    Args:
        painter: what to paint with.
        name: of `GLYPHS`.
        x: left edge.
        y: upper edge.
        size: width and height.
        colour: its own.
        ground: what it stands on, for what is cut out.
    """
    merged: list[tuple[int, str]] = []
    for kind, outline in GLYPHS[name]:
        if merged and merged[-1][0] == kind and kind != LINE:
            merged[-1] = (kind, merged[-1][1] + outline)
        else:
            merged.append((kind, outline))
    parts = []
    for kind, outline in merged:
        ink = colour if kind in (FILL, LINE) else ground
        if kind in (FILL, CUT):
            parts.append(painter.path(outline, ink))
        else:
            parts.append(painter.path(outline, edge=ink, edge_width=_LINE_WIDTH, caps="round"))
    return group(*parts, x=x, y=y, scale=size / SIZE)
