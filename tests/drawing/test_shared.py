"""Colours, texts, escaping, places around a table."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import pytest

from waiter_envs.drawing import font, theme
from waiter_envs.drawing.glyphs import GLYPHS, glyph
from waiter_envs.drawing.layout import Box, Phone, around, row
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.svg import element, group, number
from waiter_envs.drawing.theme import DARK, LIGHT, Theme, contrast, theme_of

both_themes = pytest.mark.parametrize("colours", [LIGHT, DARK])

ON_PAPER = ("GREEN", "RED", "BLUE", "PURPLE", "MUSTARD", "BROWN", "PAPER_INK", "PAPER_QUIET")
TILES = ("GREEN", "RED", "BLUE", "PURPLE", "MUSTARD")
PHONE = Phone(own=200, other=90, middle=150)


# -- Colours -----------------------------------------------------------------------------------


def test_contrast() -> None:
    """The measure is that of the Web's guidelines."""
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@both_themes
def test_texts_can_be_read(colours: Theme) -> None:
    """Text has a contrast of 4.5 on whatever it stands on."""
    for ground in (colours.ground, colours.mat):
        assert contrast(colours.ink, ground) >= 4.5
        assert contrast(colours.quiet, ground) >= 4.5
    assert contrast(colours.on_accent, colours.accent_fill) >= 4.5
    assert contrast(theme.ON_COLOUR, colours.back) >= 4.5
    assert contrast(colours.ground, colours.ink) >= 4.5
    for name in ON_PAPER:
        assert contrast(getattr(theme, name), colours.paper) >= 4.5, name
        assert contrast(getattr(theme, name), theme.ON_COLOUR) >= 4.5, name


@both_themes
def test_shapes_can_be_seen(colours: Theme) -> None:
    """Shapes have a contrast of 3 on cloth and mat."""
    for ground in (colours.ground, colours.mat):
        for shape in (colours.accent, colours.back, colours.ink):
            assert contrast(shape, ground) >= 3
        for name in TILES:
            assert contrast(getattr(theme, name), ground) >= 3, name
    assert contrast(theme.WHITE_EDGE, colours.paper) >= 3


def test_unknown_theme() -> None:
    """A theme that there is none of is refused."""
    with pytest.raises(ValueError, match="theme='blue': must be one of 'light', 'dark'"):
        theme_of("blue")


# -- Texts -------------------------------------------------------------------------------------


def test_width_of_texts() -> None:
    """Figures are all equally wide; a wider weight, a wider text; unknown characters are wide."""
    assert len({font.width(figure) for figure in "0123456789"}) == 1
    assert font.width("Soup", 10, True) > font.width("Soup", 10) > 0
    assert font.width("Soup", 20) == pytest.approx(2 * font.width("Soup", 10))
    assert font.width("\u4e2d", 10) == 10
    wanted = "Garçon éàüßŁő\u2026\u2013\u2019\u201c"
    assert set(wanted) <= set(font._advances()["regular"])


def test_outlines_are_those_of_all_characters() -> None:
    """Rasters can draw whatever can be measured."""
    for style in font.WEIGHTS:
        assert set(font._outlines()[style]) == set(font._advances()[style])
    assert font.outline("") == font.outline(" ") == ""
    assert font.outline("\u4e2d") == font.outline(font.MISSING)
    assert font.outline("ii").count("M") == 2 * font.outline("i").count("M") == 4


@pytest.mark.parametrize("room", [0, 5, 40, 90, 500])
def test_texts_fit(room: int) -> None:
    """What is shortened or wrapped is no wider than there is room."""
    text = "Chocolate covered marshmallows"
    assert font.width(font.shorten(text, room), 14) <= room
    assert font.shorten(text, 500) == text
    lines = font.wrap(text, room, 3)
    assert len(lines) <= 3
    assert all(font.width(line, 14) <= room for line in lines)
    assert font.wrap(text, 500, 3) == ["Chocolate covered marshmallows"]
    assert font.wrap(text, 90, 3) == ["Chocolate", "covered", "marshmallows"]
    assert font.wrap("", 90, 3) == []


def test_largest() -> None:
    """The first size that fits is taken, else the smallest."""
    assert font.largest("Soup", 1000, (20, 14)) == 20
    assert font.largest("Soup", font.width("Soup", 14), (20, 14)) == 14
    assert font.largest("Soup", 1, (20, 14)) == 14


# -- SVG ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("nasty", ['<script>alert("&")</script>', "\x00\x0b\ud800 '\"", "]]>&amp;"])
def test_everything_is_escaped(nasty: str) -> None:
    """A text may hold anything: it stays a text."""
    painter = Painter("light")
    box = Box(0, 0, 10, 10)
    for svg in (
        painter.text(0, 0, nasty),
        painter.thing(nasty, box, title=nasty),
        element("g", fill=nasty),
    ):
        root = ET.fromstring(svg)
        assert root.tag in ("text", "g")
        assert all(part.tag in ("text", "g", "title", "rect") for part in root.iter())
    written = ET.fromstring(painter.text(0, 0, "Tom & <Jerry>"))
    assert written.text == "Tom & <Jerry>"


def test_numbers_are_short() -> None:
    """Numbers have one decimal place, or none."""
    pairs = {0.0: "0", -0.04: "0", 2.0: "2", 2.04: "2", 2.06: "2.1", -10.0: "-10", -0.5: "-0.5"}
    assert {value: number(value) for value in pairs} == pairs


def test_groups() -> None:
    """A group moves and scales what is in it; an empty one is nothing."""
    assert group() == ""
    assert group("<g/>", x=1, y=2, scale=0.5) == (
        '<g transform="translate(1 2) scale(0.5)"><g/></g>'
    )
    assert group("<g/>") == "<g><g/></g>"


def test_touched_things_are_marked() -> None:
    """What was touched has a mark and a class where it is now; cards that left a hand have none."""
    told = {
        "ids": ["cover-red", "p0-hand-3", "p0-hand", "p1-stack-2", "dish"],
        "moved": {"p1-stack-2": "p1-stack-1", "dish": None, "p1-stack-3": "p1-stack-2"},
    }
    painter, box = Painter("dark", told), Box(0, 0, 30, 30)
    expected = {"cover-red": 1, "p0-hand": 1, "p0-hand-3": 0, "draw": 0}
    expected |= {"p1-stack-1": 1, "p1-stack-2": 0, "dish": 0}
    for id, is_touched in expected.items():
        svg = painter.thing(id, box)
        assert svg.count('class="mark"') == svg.count("thing touched") == is_touched


@pytest.mark.parametrize("name", GLYPHS)
def test_glyphs(name: str) -> None:
    """Every glyph is XML, and has something in its own colour."""
    svg = glyph(Painter("light"), name, 5, 5, 12, "#111111", "#EEEEEE")
    ET.fromstring(svg)
    assert "#111111" in svg


# -- Places ------------------------------------------------------------------------------------


def overlap(one: Box, other: Box) -> bool:
    """Return whether two boxes have something in common."""
    return (
        one.x < other.right - 0.01
        and other.x < one.right - 0.01
        and one.y < other.bottom - 0.01
        and other.y < one.bottom - 0.01
    )


@pytest.mark.parametrize("on_top", [2, 3])
@pytest.mark.parametrize("others", [*range(1, 14), 30, 99])
@pytest.mark.parametrize("layout", ["whole", "page"])
def test_places_around_a_table(layout: str, others: int, on_top: int) -> None:
    """All places lie on the table, none over another, clockwise from the viewer's left."""
    seats = around(layout, others, 184, 172, PHONE, on_top=on_top)
    assert len(seats.others) == others
    boxes = [seats.own, *seats.others, seats.middle]
    for box in boxes:
        assert min(box.x, box.y, box.width - 100, box.height - 100) >= 0
        assert box.right <= seats.width
        assert box.bottom <= seats.height
    assert not any(overlap(*pair) for pair in itertools.combinations(boxes, 2))
    if others < 10:
        less = {"whole": 0, "page": 26}[layout]  # the headline
        size = (960, 640 - less) if others < 4 else (1280, 800 - less)
        assert (seats.width, seats.height) == size
    middle = seats.middle.middle
    left = [box for box in seats.others if box.right < seats.middle.x + 1]
    assert [box.y for box in left] == sorted((box.y for box in left), reverse=True)
    tops = [box for box in seats.others if box.y == seats.others[len(left)].y]
    assert [box.x for box in tops] == sorted(box.x for box in tops)
    assert all(box.middle <= middle + 1 for box in seats.others[: others // 2])


@pytest.mark.parametrize("others", [1, 3, 9])
def test_places_on_a_phone(others: int) -> None:
    """One below the other, as high as they are to be: the middle, the viewer, the rest."""
    seats = around("phone", others, 184, 172, PHONE)
    boxes = [seats.middle, seats.own, *seats.others]
    assert [box.height for box in boxes] == [PHONE.middle, PHONE.own, *[PHONE.other] * others]
    assert all(above.bottom < below.y for above, below in itertools.pairwise(boxes))
    assert all(box.x > 0 and box.right < seats.width == 376 for box in boxes)
    assert boxes[-1].bottom < seats.height


def test_layouts_that_there_are_not() -> None:
    """They are refused, with those that there are."""
    with pytest.raises(ValueError, match=r"layout='tablet'.*whole.*page.*phone"):
        around("tablet", 3, 184, 172, PHONE)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 40])
def test_rows_never_leave_their_box(count: int) -> None:
    """Things in a row overlap rather than stand beyond the box."""
    box = Box(10, 0, 200, 30)
    for centred in (False, True):
        place = row(box, count, 50, 5, centred)
        assert place.x >= 10
        assert place.x + place.step * max(count - 1, 0) + 50 <= 210.01
        assert count < 2 or place.step <= 55


def test_columns_and_rows() -> None:
    """A box is shared out whole, but for the gaps."""
    left, right = Box(0, 0, 110, 50).columns(1, 3, gap=10)
    assert (left, right) == (Box(0, 0, 25, 50), Box(35, 0, 75, 50))
    top, bottom = Box(0, 0, 50, 110).rows(1, 3, gap=10)
    assert (top, bottom) == (Box(0, 0, 50, 25), Box(0, 35, 50, 75))
