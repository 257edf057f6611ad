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
_STEAM = "M8 5.5c-1.4-1.3 1.4-2 0-3.5M12.500 5.5c-1.4-1.3 1.4-2 0-3.5"

GLYPHS: dict[str, tuple[tuple[int, str], ...]] = {
    # -- dishes and drinks -------------------------------------------------------------------
    "soup": (
        (FILL, "M2 11h20c0 5-3.200 9-7 9.800V22H9v-1.200C5.200 20 2 16 2 11z"),
        (
            LINE,
            "M8.500 8c-1.800-1.800 1.800-2.600 0-4.600M15.500 8c-1.800-1.800 1.800-2.600 0-4.600",
        ),
    ),
    "salad": (
        (FILL, "M3.500 20.500C1.500 10 8 3 21 3c.8 12-6.500 19-17.500 17.500z"),
        (CUT_LINE, "M3.500 20.500C8 15 11 12 16.500 8M9.300 14.200V9M12.600 11.200l5.200.6"),
    ),
    "pizza": (
        (FILL, "M1.500 6.500C8 2 16 2 22.500 6.500L12 22.500z"),
        (CUT_LINE, "M4 9.600c5-3.200 11-3.200 16 0"),
        (CUT, _discs(1.5, (9, 11.6), (14.6, 12.2), (11.6, 16.4))),
    ),
    "pie": (
        (FILL, "M1.500 12.500L15 4.500c4 .5 7 4 7.500 8zM2 14.300h20.500V21H2z"),
        (CUT, _discs(1.5, (6.5, 17.6), (12.2, 17.6), (17.9, 17.6))),
    ),
    "coffee": ((FILL, _CUP), (LINE, _HANDLE + _STEAM)),
    "tea": (
        (FILL, _CUP),
        (LINE, _HANDLE + "M7.500 8V3.500h5"),
        (FILL, "M11.500 1.500h4v4h-4z"),
        (CUT_LINE, "M7.500 8v3.500"),
        (CUT, "M5.800 11.200h3.400v4.300H5.800z"),
    ),
    "hot chocolate": (
        (FILL, "M3 9h14v11.500H3z"),
        (LINE, "M17 11.500h1.500a2.800 2.800 0 0 1 0 5.600H17"),
        (FILL, _discs(2.9, (6, 7), (10.2, 5.8), (14, 7.2))),
        (CUT_LINE, "M4 11.500h12"),
    ),
    "lemonade": (
        (FILL, _GLASS),
        (LINE, "M12.500 7l2-5.500h3.500"),
        (FILL, _disc(6.2, 6, 3.6)),
        (CUT_LINE, "M6.200 3.500v5M8 12.500h8"),
    ),
    "orange juice": (
        (FILL, _GLASS),
        (CUT, _disc(12, 13.6, 3.7)),
        (FILL, _disc(12, 13.6, 2.2)),
        (LINE, "M12 7V3M12 4.500c1.500-2.500 4-2.500 5-2"),
    ),
    "omelette": (
        (FILL, "M1.500 15C3 6.500 9 4.500 13.500 5c5.500.6 9 4.500 9 9.500-6 5-15 5.500-21 .5z"),
        (CUT_LINE, "M4 13.500c5 3 11 2.800 16-.2"),
        (CUT, _discs(1.1, (9, 9.4), (13.5, 8.4), (17, 10.5))),
    ),
    "sandwich": (
        (FILL, "M2.500 9.500L12 3l9.500 6.500zM2 15.800h20V21H2z"),
        (
            LINE,
            "M2 12.700c1.700 1.600 3.300 1.600 5 0s3.300-1.600 5 0 3.300 1.600 5 0 3.300-1.600 5 0",
        ),
    ),
    "steak": (
        (
            FILL,
            "M3 12C2.500 6.500 8 3.500 13 4c5.500.5 9 4 8.800 8.500-.2 4.500-4 7-7.800 6-2.500-.7-3.500.5-5.500 1"
            "C5.500 20 3.300 16 3 12z",
        ),
        (
            CUT,
            "M6.500 12.500c0-3 3-5.200 6.500-5 3.800.2 6 2.500 5.800 5-.2 2-1.800 3.200-4 2.500-2.500-.8-8.300 1-8.300-2.500z",
        ),
        (FILL, _disc(14.2, 11, 1.6)),
    ),
    "croissant": (
        (
            FILL,
            "M1.500 17C2 9.500 6.500 4.500 12 4.500S22 9.500 22.500 17c-3 1.500-5 .5-6-2-1-2.300-2.500-3.500-4.500-3.500"
            "S8.500 12.700 7.500 15c-1 2.500-3 3.500-6 2z",
        ),
        (
            CUT_LINE,
            "M4.300 10.500l4 3M9.300 5.200l1.200 6M14.700 5.200l-1.200 6M19.700 10.500l-4 3",
        ),
    ),
    "ice cream": (
        (FILL, "M7 13.500h10L12 23z"),
        (FILL, _discs(4.2, (8.2, 8.8), (15.8, 8.8), (12, 5.2))),
        (CUT_LINE, "M6.500 12.700h11"),
    ),
    "fruit tart": (
        (FILL, "M2.500 13h19l-2.300 7.500H4.800z"),
        (FILL, _discs(3.1, (6.2, 9.2), (12, 7.4), (17.8, 9.2))),
        (CUT_LINE, "M8 14.500l.6 6M12 14.500v6M16 14.500l-.6 6"),
    ),
    "pancakes": (
        (FILL, "M2 9.500C2 7 6 5.500 12 5.500s10 1.500 10 4-4 3.700-10 3.700S2 12 2 9.500z"),
        (
            LINE,
            "M2.500 13.500c1.500 2 5 2.900 9.500 2.900s8-.9 9.500-2.900M2.500 17.500c1.500 2 5 2.900 9.500 2.900s8-.9 9.500-2.900",
        ),
        (CUT, "M9.500 6.500h5v3.600h-5z"),
    ),
    "cheesecake": (
        (FILL, "M2 12L19 5.500c1.800 1.500 3 4 3 6.500zM2 13.800h20V20H2z"),
        (CUT_LINE, "M2 17.500h20"),
        (FILL, _disc(13.5, 4.6, 2.5)),
    ),
    # -- what a waiter has at hand -------------------------------------------------------------
    "cloche": (
        (FILL, "M2.800 17a9.200 9.200 0 0 1 18.400 0zM1 18.700h22V21H1z" + _disc(12, 5.4, 2.2)),
    ),
    "face": (
        (FILL, _disc(12, 12, 10.5)),
        (CUT, _discs(1.7, (8.2, 9.8), (15.8, 9.8))),
        (CUT_LINE, "M6.800 14c2.200 4 8.200 4 10.400 0"),
    ),
    "tray": (
        (FILL, "M4.500 10.500a7.500 7.500 0 0 1 15 0zM1 12h22v2.400H1zM10.200 14h3.600v8h-3.600z"),
        (FILL, _disc(12, 2.6, 1.7)),
    ),
    # -- condiments ----------------------------------------------------------------------------
    "ketchup": (
        (
            FILL,
            "M9.800 1.500h4.400v3.200H9.800zM10 5.700h4v2.500c2.600 1.400 4 3.400 4 6V22.500H6V14.200c0-2.600 1.400-4.600 4-6z",
        ),
    ),
    "mustard": ((FILL, "M11.200 1h1.600l1.700 6.200h-5zM6.500 8.200h11v14.300h-11z"),),
    "relish": (
        (
            FILL,
            "M4.500 2.500h15v4.200h-15zM5.500 7.900h13c1.300 1 2 2.400 2 4.200V19a3.500 3.500 0 0 1-3.500 3.500H7A3.500 3.500 0 0 1 3.500 19v-6.900c0-1.800.7-3.200 2-4.200z",
        ),
    ),
    # -- kinds of dishes on an order -------------------------------------------------------------
    "drink": ((FILL, "M4 3h16l-6.300 8.800V19H18v2.500H6V19h4.300v-7.200z"),),
    "plate": (
        (FILL, _disc(12, 12, 10)),
        (CUT, _disc(12, 12, 7)),
        (FILL, _disc(12, 12, 5.2)),
    ),
    "dessert": (
        (FILL, "M5 13.500h14L17.300 22H6.700z"),
        (
            FILL,
            "M3.500 12.300c-.8-3 1.200-4.800 3.300-5C7.500 4.500 9.500 3 12 3s4.500 1.500 5.200 4.300c2.100.2 4.100 2 3.300 5z",
        ),
        (FILL, _disc(12, 2.6, 2)),
        (CUT_LINE, "M9.500 15l.6 6M14.500 15l-.6 6"),
    ),
    # -- events --------------------------------------------------------------------------------
    "repeat": (
        (
            LINE,
            "M4 11V9.500A3.500 3.500 0 0 1 7.500 6H18M20 13v1.500a3.500 3.500 0 0 1-3.500 3.500H6",
        ),
        (FILL, "M15.500 1.500L21.500 6l-6 4.500zM8.500 13.500l-6 4.500 6 4.500z"),
    ),
    "notebook": (
        (FILL, "M5.500 2H20v20H5.500z"),
        (CUT_LINE, "M9 2v20M12 8h5M12 12h5"),
        (LINE, "M3 6h3.500M3 12h3.500M3 18h3.500"),
    ),
    "leave": (
        (FILL, "M3 2h10v20H3z"),
        (CUT, _disc(10.4, 12, 1.2)),
        (LINE, "M14 12h5"),
        (FILL, "M17.500 7.500L23 12l-5.500 4.500z"),
    ),
    # -- tastes --------------------------------------------------------------------------------
    "cake": (
        (FILL, "M2.500 12.500h19V21h-19zM5 6.500h14v4.600H5z"),
        (LINE, "M12 6V3.500"),
        (FILL, _disc(12, 2.5, 1.6)),
        (
            CUT_LINE,
            "M2.500 16c1.600 1.800 3.200 1.800 4.800 0s3.100-1.800 4.700 0 3.200 1.800 4.800 0 3.100-1.800 4.700 0",
        ),
    ),
    "chocolate": (
        (FILL, "M4 2h16v20H4z"),
        (CUT_LINE, "M12 2v20M4 8.700h16M4 15.400h16"),
    ),
    "cookie": (
        (FILL, "M12 2a10 10 0 1 0 10 10 4.200 4.200 0 0 1-4.500-4.300A4.700 4.700 0 0 1 12 2z"),
        (CUT, _discs(1.5, (8, 9), (7.8, 15), (13.4, 12.6), (14.8, 17.4))),
    ),
    "fruit": (
        (FILL, _discs(5, (7, 16.5), (17, 17))),
        (LINE, "M7.500 12C8.500 7.500 11.500 4 17 2.500M17 12.500c.5-3.500.5-6.500 0-10"),
    ),
    "ice_cream": (
        (FILL, "M6 11.500h12L12 23z"),
        (FILL, "M4.500 10a7.500 7.500 0 0 1 15 0z"),
        (CUT_LINE, "M8 12.500l5.500 5.500M16 12.500l-5.500 5.500"),
    ),
    "marshmallow": (
        (
            FILL,
            "M4 7.500C4 5 7.500 3.500 12 3.500S20 5 20 7.500v9c0 2.500-3.500 4-8 4s-8-1.500-8-4z",
        ),
        (CUT_LINE, "M4.500 7.800C5 10 8 11.300 12 11.300s7-1.300 7.500-3.500"),
    ),
    "nuts": (
        (FILL, "M4 9.500C4 5.500 7.500 3.500 12 3.500s8 2 8 6z"),
        (FILL, "M4.800 11h14.400c0 6-3 9.500-7.200 11.500C7.800 20.500 4.800 17 4.800 11z"),
        (LINE, "M12 3.500V1"),
    ),
    "pastry": (
        (FILL, _disc(12, 12, 10)),
        (CUT, _disc(12, 12, 3.6)),
        (
            CUT_LINE,
            "M6.400 5.600l1 1.800M12 4v2M17.600 6.400l-1.400 1.500M5 12h2M18 13.500l2 .8M8 17l-1.200 1.600M14.500 18l.6 2",
        ),
    ),
    "pudding": (
        (FILL, "M7 5h10l2.500 12h-15zM1.500 18.500h21V21h-21z"),
        (CUT_LINE, "M6 9.500c1.500 2 3 2 4 .5s2.500-1.500 4 0 2.700 1 4-.5"),
    ),
    "spices": (
        (FILL, "M7.500 8.500h9l1.500 14H6zM8 3.500h8v3.800H8z"),
        (CUT, _discs(0.9, (10.2, 5.4), (13.8, 5.4))),
        (CUT_LINE, "M9.500 12h5M9 17.500h6"),
    ),
    "veggies": (
        (FILL, "M14.500 9.500C12 7 8.500 9 7.500 11L2 22l11-5.500c2-1 4-4.500 1.500-7z"),
        (LINE, "M15 8.500c0-3 .5-5 2-6.500M16 9l4-4M15.800 9.500c3 0 4.700-.5 6.200-2"),
        (CUT_LINE, "M7.500 13l2 1.500M9.500 17l1.500-1"),
    ),
    # -- signs of trios ------------------------------------------------------------------------
    "crescent": ((FILL, "M16 2.500a10 10 0 1 0 6 13.500A9 9 0 0 1 16 2.500z"),),
    "spade": (
        (
            FILL,
            "M12 2c3 4 9 6.500 9 11.300 0 4.200-5 5.700-7.800 2.700.2 2.500 1 4.500 2.800 6H8c1.800-1.500 2.600-3.500 2.800-6C8 19 3 17.500 3 13.300 3 8.500 9 6 12 2z",
        ),
    ),
    "square": ((FILL, "M3.500 3.500h17v17h-17z"),),
    "circle": ((FILL, _disc(12, 12, 10)),),
    "star": (
        (
            FILL,
            "M12 1.500l3.100 6.900 7.500.8-5.600 5 1.600 7.400L12 17.800l-6.600 3.800L7 14.200l-5.600-5 7.500-.8z",
        ),
    ),
    "diamond": ((FILL, "M12 1l8.500 11L12 23 3.500 12z"),),
    "heart": (
        (
            FILL,
            "M12 21.500C6 17 2 13.500 2 8.700 2 5.500 4.300 3.200 7.200 3.200c2 0 3.800 1.100 4.800 3 1-1.900 2.800-3 4.800-3 2.900 0 5.200 2.300 5.200 5.500 0 4.800-4 8.300-10 12.800z",
        ),
    ),
    "club": (
        (
            FILL,
            _discs(4.7, (12, 6.7), (6.4, 14), (17.6, 14))
            + "M11 12h2c.1 4 1 7.500 3 9.800H8c2-2.300 2.900-5.800 3-9.800z",
        ),
    ),
    "triangle": ((FILL, "M12 2.500l10.500 18.500h-21z"),),
    "question": (
        (FILL, _disc(12, 12, 10.5)),
        (
            CUT_LINE,
            "M8.300 9.300C8.500 7 10 5.800 12 5.800s3.700 1.200 3.700 3.200c0 2.700-3.700 2.700-3.700 5.600",
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
