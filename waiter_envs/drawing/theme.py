"""The colours of a drawing, light and dark. Paper is paper in both."""

from __future__ import annotations

from dataclasses import dataclass

from waiter_envs.core.checks import check_choice


@dataclass(frozen=True)
class Theme:
    """Colours by what they are for."""

    name: str
    ground: str
    """The tablecloth."""
    mat: str
    """What lies before a player."""
    ink: str
    """Text on ground and mat; the mark of what was touched last."""
    quiet: str
    """Text on ground and mat that says less."""
    line: str
    """Decoration on ground and mat."""
    accent: str
    """Shapes that say whose decision it is."""
    accent_fill: str
    """Behind text about whose decision it is."""
    on_accent: str
    """Text on `accent_fill`."""
    paper: str
    """Cards."""
    paper_line: str
    """Their edge."""
    shadow: str
    """Under a card."""
    back: str
    """Cards face down."""
    back_line: str
    """The pattern on them."""


PAPER_INK = "#2A2230"
"""Text and shapes on paper."""
PAPER_QUIET = "#6B6070"
"""Text on paper that says less."""
ON_COLOUR = "#FFFFFF"
"""Text on the colours below, and on backs."""

GREEN, RED, BLUE, PURPLE, MUSTARD = "#007B59", "#BB4700", "#0070AF", "#9E4E87", "#846800"
BROWN = "#7A4B2A"
"""Okabe and Ito's bluish green, vermilion, blue, purple and yellow, darkened so far that white text
stands on them, and that they stand on the ground of both themes."""
WHITE_EDGE = "#857A8A"
"""The edge of what is white."""

LIGHT = Theme(
    name="light",
    ground="#FBF7F0",
    mat="#F3ECE1",
    ink="#2A2230",
    quiet="#6B6070",
    line="#D9CDBD",
    accent="#B97400",
    accent_fill="#FFDF9E",
    on_accent="#2A2230",
    paper="#FFFFFF",
    paper_line="#CDC2B4",
    shadow="#E4DACC",
    back="#6A5577",
    back_line="#9C8AA8",
)

DARK = Theme(
    name="dark",
    ground="#1D1723",
    mat="#241D2C",
    ink="#F3ECE4",
    quiet="#B5A8BA",
    line="#443A4E",
    accent="#F2A900",
    accent_fill="#F2A900",
    on_accent="#1D1723",
    paper="#F4EEE5",
    paper_line="#B8AC9E",
    shadow="#130E18",
    back="#7F698D",
    back_line="#B3A2BE",
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def theme_of(theme: str) -> Theme:
    """Return a theme by name.

    Raises:
        TypeError: if it is no text.
        ValueError: if there is none of that name.
    """
    return THEMES[check_choice("theme", theme, tuple(THEMES))]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21, as the Web's guidelines define it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as `#0072B2`."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
