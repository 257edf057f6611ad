"""The face that ships with the package: its files, and how wide a text is in it."""

from __future__ import annotations

import base64
import functools
import json
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Traversable

FAMILY = "Waiter Sans"
WEIGHTS = {"regular": 400, "bold": 600}
"""Weight of each style, as CSS and SVG number them."""

SMALLEST = 12
"""No text of a drawing is smaller, at its natural size."""

ELLIPSIS = "\u2026"

MISSING = "?"
"""Drawn in rasters for a character that the face lacks."""

_WIDEST = 1000
"""Taken for a character that the face lacks, in thousandths of the size."""


def data(name: str) -> Traversable:
    """Return a file of the package, which may lie in an archive."""
    return resources.files("waiter_envs.drawing") / "data" / name


@functools.cache
def _advances() -> dict[str, dict[str, int]]:
    """Return the advance of each character by style, in thousandths of the size."""
    return json.loads(data("widths.json").read_text("utf-8"))  # type: ignore[no-any-return]


@functools.lru_cache(16384)
def width(text: str, size: float = 14, bold: bool = False) -> float:
    """Return how wide a text is in one line, in the units of `size`; kerning may make it less."""
    advances = _advances()["bold" if bold else "regular"]
    return sum(advances.get(character, _WIDEST) for character in text) * size / 1000


def shorten(text: str, room: float, size: float = 14, bold: bool = False) -> str:
    """Return `text`, or as much of it as is no wider than `room` with an ellipsis."""
    if width(text, size, bold) <= room:
        return text
    kept = text
    while kept and width(kept.rstrip() + ELLIPSIS, size, bold) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS if kept else ""


def wrap(text: str, room: float, lines: int, size: float = 14, bold: bool = False) -> list[str]:
    """Return `text` as at most so many lines, broken between words, the last one shortened."""
    words = text.split()
    broken: list[str] = []
    while words and len(broken) < lines - 1:
        taken = 1
        while taken < len(words) and width(" ".join(words[: taken + 1]), size, bold) <= room:
            taken += 1
        broken.append(shorten(" ".join(words[:taken]), room, size, bold))
        words = words[taken:]
    if words:
        broken.append(shorten(" ".join(words), room, size, bold))
    return broken


def largest(text: str, room: float, sizes: tuple[int, ...], bold: bool = False) -> int:
    """Return the first of `sizes`, largest first, in which a text fits; else the last."""
    return next((size for size in sizes if width(text, size, bold) <= room), sizes[-1])


@functools.cache
def _outlines() -> dict[str, dict[str, list[tuple[int, int, str]]]]:
    """Return the contours of each character by style: where each begins, and the rest."""
    return json.loads(data("outlines.json").read_text("utf-8"))  # type: ignore[no-any-return]


@functools.lru_cache(4096)
def outline(text: str, bold: bool = False) -> str:
    """Return a line of text as the outline of a path, 1000 units high, from 0 on its base line."""
    style = "bold" if bold else "regular"
    advances, glyphs = _advances()[style], _outlines()[style]
    parts, at = [], 0
    for character in text:
        known = character if character in glyphs else MISSING
        parts += [f"M{at + x} {-y}{rest}" for x, y, rest in glyphs[known]]
        at += advances.get(character, _WIDEST)
    return "".join(parts)


@functools.cache
def font_face() -> str:
    """Return the style sheet of a drawing that stands alone: it holds both styles of the face."""
    rules = []
    for style, weight in WEIGHTS.items():
        code = base64.b64encode(data(f"waiter-sans-{style}.woff2").read_bytes()).decode("ascii")
        rules.append(
            f'@font-face{{font-family:"{FAMILY}";font-weight:{weight};'
            f"src:url(data:font/woff2;base64,{code}) format('woff2')}}"
        )
    return "".join(rules)
