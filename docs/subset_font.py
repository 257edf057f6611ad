"""Makes the two faces that the drawings use, from Source Sans 3 as Adobe releases it.

    python docs/subset_font.py FOLDER_WITH_TTF

Needs fonttools and brotli. Writes `waiter_envs/drawing/data`: the Latin letters of Western and
Central Europe, tabular figures, punctuation and a few signs; renamed, since the licence reserves
the name. The licence (`OFL.txt`) stands beside the faces and is not written.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

DATA = Path(__file__).parents[1] / "waiter_envs" / "drawing" / "data"
FAMILY = "Waiter Sans"
FACES = {"regular": "SourceSans3-Regular.ttf", "bold": "SourceSans3-Semibold.ttf"}
CHARACTERS = [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C]
CHARACTERS += [0x201D, 0x2022, 0x2026, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212]


def make(source: Path, style: str) -> dict[str, int]:
    """Write one face, and return the advance of each character in thousandths of the size."""
    font = TTFont(source / FACES[style])
    options = Options(layout_features=["kern", "mark", "mkmk", "ccmp"], hinting=False)
    options.name_IDs = [0, 1, 2, 3, 4, 6, 13, 14]
    options.drop_tables += ["DSIG", "STAT"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    name = font["name"]
    names = {1: FAMILY, 2: style.title(), 3: f"{FAMILY} {style}", 4: f"{FAMILY} {style.title()}"}
    for number, text in {**names, 6: f"WaiterSans-{style.title()}"}.items():
        name.setName(text, number, 3, 1, 0x409)
    font.save(DATA / f"waiter-sans-{style}.ttf")
    font.flavor = "woff2"
    font.save(DATA / f"waiter-sans-{style}.woff2")
    scale = 1000 / font["head"].unitsPerEm
    advances = font["hmtx"]
    return {chr(c): round(advances[g][0] * scale) for c, g in sorted(font.getBestCmap().items())}


if __name__ == "__main__":
    widths = {style: make(Path(sys.argv[1]), style) for style in FACES}
    text = json.dumps(widths, ensure_ascii=False, separators=(",", ":"))
    (DATA / "widths.json").write_text(text + "\n", "utf-8")
