"""Drawings as pixels, and in a window."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from waiter_envs.drawing import raster
from waiter_envs.drawing.layout import Box
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.svg import element

PAINTER = Painter("light")


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open windows on no screen."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def picture(*content: str) -> str:
    """Return a drawing of 60 by 40."""
    ground = PAINTER.rect(Box(0, 0, 60, 40), "#FFFFFF")
    namespace = "http://www.w3.org/2000/svg"
    return element("svg", ground, *content, xmlns=namespace, viewBox="0 0 60 40")


def test_pixels() -> None:
    """Pixels are where the drawing has them, in its colours."""
    frame = raster.rgb_array(picture(PAINTER.rect(Box(10, 20, 30, 10), "#0072B2")))
    assert (frame.shape, frame.dtype) == ((40, 60, 3), np.uint8)
    assert frame[25, 15].tolist() == [0x00, 0x72, 0xB2]
    assert frame[5, 5].tolist() == frame[25, 45].tolist() == [255, 255, 255]
    frame[0, 0] = 7  # a frame is whoever's it was handed to


def test_other_sizes() -> None:
    """A drawing comes in any width."""
    svg = picture(PAINTER.rect(Box(10, 20, 30, 10), "#0072B2"))
    assert raster.rgb_array(svg, 600).shape == (400, 600, 3)
    assert raster.png(svg, 120)[:8] == b"\x89PNG\r\n\x1a\n"
    with pytest.raises(ValueError, match="must be a drawing of this package"):
        raster.rgb_array("<svg/>")


@pytest.mark.parametrize(("anchor", "left"), [(None, 30), ("middle", 25), ("end", 20)])
def test_texts_stand_where_they_belong(anchor: str | None, left: int) -> None:
    """A text is drawn in the face that ships, from its anchor on."""
    frame = raster.rgb_array(picture(PAINTER.text(30, 30, "00", 10, anchor=anchor, bold=True)))
    dark = np.flatnonzero(frame.min(axis=(0, 2)) < 128)
    assert left - 1 <= dark[0] <= left + 2
    assert left + 7 <= dark[-1] <= left + 12


def test_tiled() -> None:
    """Frames stand in rows, as many columns as rows or one more."""
    frames = [np.full((2, 3, 3), i, np.uint8) for i in range(1, 6)]
    assert raster.tiled(frames[:1]).shape == (2, 3, 3)
    whole = raster.tiled(frames)
    assert whole.shape == (4, 9, 3)
    assert whole[0, ::3, 0].tolist() == [1, 2, 3]
    assert whole[2, ::3, 0].tolist() == [4, 5, 0]


def test_window() -> None:
    """A window shows frames until it is closed, by us or by whoever sits before it."""
    import pygame

    frame = np.full((40, 60, 3), 90, np.uint8)
    window = raster.Window("Soup", 10**6)
    window.show(frame)
    shown: Any = window._window
    assert (shown.title, shown.size) == ("Soup", (60, 40))
    assert shown.get_surface().get_at((5, 5))[:3] == (90, 90, 90)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(frame)
    assert window._window is None
    window.show(frame)
    assert window._window is None
    window.close()


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pygame-ce the error says what to install."""
    assert raster.is_installed()
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r'pip install "waiter-envs\[render\]"'):
        raster.rgb_array(picture())
    with pytest.raises(ImportError, match=r'pip install "waiter-envs\[render\]"'):
        raster.Window("Soup", 1)
