"""Makes the face that the drawings use, from Source Sans 3 as Adobe releases it.

    python docs/subset_font.py FOLDER_WITH_TTF

Needs fonttools and brotli. Writes `waiter_envs/drawing/data`: two weights with the Latin letters of
Western and Central Europe, tabular figures, punctuation and a few signs, renamed, since the licence
reserves the name; how wide each character is; and its outline, for rasters. The licence (`OFL.txt`)
stands beside them and is not written.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from fontTools.pens.basePen import decomposeQuadraticSegment
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

DATA = Path(__file__).parents[1] / "waiter_envs" / "drawing" / "data"
FAMILY = "Waiter Sans"
FACES = {"regular": "SourceSans3-Regular.ttf", "bold": "SourceSans3-Semibold.ttf"}
CHARACTERS = [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C]
CHARACTERS += [0x201D, 0x2022, 0x2026, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212]


def subset(source: Path, style: str) -> TTFont:
    """Return one weight with what is needed of it, and write it."""
    font = TTFont(source / FACES[style])
    options = Options(layout_features=["kern", "mark", "mkmk", "ccmp"], hinting=False)
    options.name_IDs = [0, 1, 2, 3, 4, 6, 13, 14]
    options.drop_tables += ["DSIG", "STAT"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    names = {1: FAMILY, 2: style.title(), 3: f"{FAMILY} {style}", 4: f"{FAMILY} {style.title()}"}
    for number, text in {**names, 6: f"WaiterSans-{style.title()}"}.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    font.flavor = "woff2"
    font.save(DATA / f"waiter-sans-{style}.woff2")
    return font


def advances(font: TTFont) -> dict[str, int]:
    """Return how wide each character is, in thousandths of the size."""
    return {chr(c): font["hmtx"][name][0] for c, name in sorted(font.getBestCmap().items())}


def outline(font: TTFont, name: str) -> list[list[Any]]:
    """Return the contours of a glyph: where each begins, and the rest relative to that."""
    glyphs = font.getGlyphSet()
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    contours: list[list[Any]] = []
    at = (0, 0)
    for command, points in pen.value:
        if command == "moveTo":
            contours.append([*points[0], ""])
            at = points[0]
        elif command == "lineTo":
            contours[-1][2] += f"l{_offset(at, points[0])}"
            at = points[0]
        elif command == "qCurveTo":
            for bend, end in decomposeQuadraticSegment(points):
                bend, end = (tuple(round(v) for v in point) for point in (bend, end))
                contours[-1][2] += f"q{_offset(at, bend)} {_offset(at, end)}"
                at = end
        else:
            contours[-1][2] += "z"
    return contours


def _offset(start: tuple[int, ...], end: tuple[int, ...]) -> str:
    """Return the way from one point to another; y grows downwards there."""
    return f"{end[0] - start[0]} {start[1] - end[1]}"


def write(name: str, content: Any) -> None:
    """Write a file of the package."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (DATA / name).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    fonts = {style: subset(Path(sys.argv[1]), style) for style in FACES}
    write("widths.json", {style: advances(font) for style, font in fonts.items()})
    outlines = {
        style: {chr(c): outline(font, name) for c, name in sorted(font.getBestCmap().items())}
        for style, font in fonts.items()
    }
    write("outlines.json", outlines)
