"""What every drawing is painted with: texts that fit, shapes, things with their ids, marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from waiter_envs.drawing import font
from waiter_envs.drawing.layout import Box
from waiter_envs.drawing.svg import clean, element
from waiter_envs.drawing.theme import Theme, theme_of

_CORNER = 7.0
"""Length of the marks at the corners of what was touched."""


def marked(last: Mapping[str, Any]) -> frozenset[str]:
    """Return the ids of what an action concerned, as they are after it."""
    moved = last.get("moved", {})
    now = (moved.get(id, id) for id in last["ids"] if "-hand-" not in id)
    return frozenset(id for id in now if id is not None)


class Painter:
    """Paints in the colours of a theme, and marks what the last action concerned.

    Whatever it paints it returns, as SVG text; it remembers nothing.
    """

    def __init__(self, theme: str | Theme, last: Mapping[str, Any] | None = None) -> None:
        """Take a theme, and the last action as `Game.told` told it.

        What it concerned is marked where it is now. Single cards of a hand are not: those that were
        played are gone.
        """
        self.theme = theme if isinstance(theme, Theme) else theme_of(theme)
        self.touched = marked(last) if last else frozenset()

    # -- texts ---------------------------------------------------------------------------------

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 14,
        *,
        fill: str | None = None,
        bold: bool = False,
        anchor: str | None = None,
        room: float | None = None,
    ) -> str:
        """Return a line of text.

        Args:
            x: where it begins; with `anchor="middle"` its middle, with `"end"` its end.
            y: its base line.
            text: what it says.
            size: of the letters.
            fill: its colour; the theme's ink if it is not given.
            bold: heavier letters.
            anchor: what `x` is.
            room: how wide it may be; it is shortened if it is wider.
        """
        if room is not None:
            text = font.shorten(text, room, size, bold)
        if not text:
            return ""
        return element(
            "text",
            clean(text),
            x=x,
            y=y,
            font_size=size,
            font_weight="600" if bold else None,
            text_anchor=anchor,
            fill=fill or self.theme.ink,
        )

    def lines(
        self, x: float, y: float, texts: Iterable[str], size: float = 14, **options: Any
    ) -> str:
        """Return lines of text, one below the other; the first one's base line is at `y`."""
        return "".join(
            self.text(x, y + i * round(size * 1.2), text, size, **options)
            for i, text in enumerate(texts)
        )

    # -- shapes --------------------------------------------------------------------------------

    def rect(
        self,
        box: Box,
        fill: str = "none",
        *,
        radius: float = 0.0,
        edge: str | None = None,
        edge_width: float = 1.0,
        class_: str | None = None,
        dashes: str | None = None,
    ) -> str:
        """Return a rectangle; an edge lies inside the box."""
        half = edge_width / 2 if edge else 0.0
        return element(
            "rect",
            class_=class_,
            x=box.x + half,
            y=box.y + half,
            width=box.width - 2 * half,
            height=box.height - 2 * half,
            rx=radius or None,
            fill=fill,
            stroke=edge,
            stroke_width=edge_width if edge and edge_width != 1 else None,
            stroke_dasharray=dashes,
        )

    def path(
        self,
        outline: str,
        fill: str = "none",
        *,
        edge: str | None = None,
        edge_width: float = 1.0,
        caps: str | None = None,
    ) -> str:
        """Return a path."""
        return element(
            "path",
            d=outline,
            fill=fill,
            stroke=edge,
            stroke_width=edge_width if edge and edge_width != 1 else None,
            stroke_linecap=caps,
            stroke_linejoin=caps,
        )

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str,
        edge: str | None = None,
        edge_width: float = 1.0,
    ) -> str:
        """Return a disc; an edge lies inside the radius."""
        return element(
            "circle",
            cx=x,
            cy=y,
            r=radius - (edge_width / 2 if edge else 0),
            fill=fill,
            stroke=edge,
            stroke_width=edge_width if edge and edge_width != 1 else None,
        )

    def pill(
        self,
        x: float,
        y: float,
        text: str,
        fill: str,
        ink: str,
        size: float = 12,
        anchor: str = "start",
    ) -> tuple[str, float]:
        """Return a short text on a rounded ground, 18 high, and how wide it is.

        Args:
            x: its left end; with `anchor="end"` its right end.
            y: its middle.
            text: what it says.
            fill: the ground.
            ink: of the text.
            size: of the letters.
            anchor: what `x` is.
        """
        wide = font.width(text, size, True) + 14
        left = x - wide if anchor == "end" else x
        box = Box(left, y - 9, wide, 18)
        words = self.text(left + 7, y + size * 0.34, text, size, fill=ink, bold=True)
        return self.rect(box, fill, radius=9) + words, wide

    # -- things --------------------------------------------------------------------------------

    def thing(
        self, id: str, box: Box, *content: str, title: str | None = None, radius: float = 5.0
    ) -> str:
        """Return something that has an id: what it looks like, its title, and marks if touched.

        Args:
            id: of the view.
            box: where it is; a page may light up its edge and take clicks on it.
            *content: SVG.
            title: what it is, in words.
            radius: of the corners of the box.
        """
        is_touched = id in self.touched
        return element(
            "g",
            element("title", clean(title)) if title else "",
            *content,
            self._corners(box) if is_touched else "",
            element(
                "rect",
                class_="spot",
                x=box.x,
                y=box.y,
                width=box.width,
                height=box.height,
                rx=radius,
                fill="none",
                pointer_events="all",
            ),
            class_="thing touched" if is_touched else "thing",
            data_id=id,
        )

    def _corners(self, box: Box) -> str:
        """Return the mark of what was touched: four corners around it."""
        left, top, right, bottom = box.x - 2, box.y - 2, box.right + 2, box.bottom + 2
        length = min(_CORNER, box.width / 3, box.height / 3)
        corners = [
            f"M{x + dx * length:.1f} {y:.1f}H{x:.1f}V{y + dy * length:.1f}"
            for x, dx in ((left, 1), (right, -1))
            for y, dy in ((top, 1), (bottom, -1))
        ]
        return element(
            "path",
            class_="mark",
            d="".join(corners),
            fill="none",
            stroke=self.theme.ink,
            stroke_width=2,
        )
