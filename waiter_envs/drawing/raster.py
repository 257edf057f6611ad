"""Drawings as pixels, and in a window: needs the extra `render`.

Install it with `pip install "waiter-envs[render]"`.
Texts are set in the face that ships with the package, without kerning; no font of the system is
looked at.
"""

from __future__ import annotations

import html
import importlib.util
import io
import math
import os
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.drawing import font

Frame = npt.NDArray[np.uint8]
"""Pixels: `(height, width, 3)`, red, green, blue."""

_SIZE = re.compile('viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
_TEXT = re.compile("<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile('([a-z-]+)="([^"]*)"')


def is_installed() -> bool:
    """Return whether the extra `render` is installed."""
    return importlib.util.find_spec("pygame") is not None


def rgb_array(svg: str, width: int | None = None) -> Frame:
    """Return a drawing as pixels, `(height, width, 3)` uint8.

    Args:
        svg: a drawing of this package; it need not hold its face.
        width: in pixels; `None`: its natural one.

    Raises:
        ImportError: if the extra `render` is not installed.
    """
    pygame = _pygame()
    pixels = np.frombuffer(pygame.image.tobytes(surface := _surface(svg, width), "RGB"), np.uint8)
    return pixels.reshape(surface.get_height(), surface.get_width(), 3).copy()


def png(svg: str, width: int | None = None) -> bytes:
    """Return a drawing as a PNG image; see `rgb_array`."""
    file = io.BytesIO()
    _pygame().image.save(_surface(svg, width).convert(24), file, "picture.png")
    return file.getvalue()


def tiled(frames: Sequence[Frame]) -> Frame:
    """Return equal frames side by side in as many rows as columns, or one less."""
    columns = math.ceil(math.sqrt(len(frames)))
    rows = math.ceil(len(frames) / columns)
    height, width, channels = frames[0].shape
    whole = np.zeros((rows * height, columns * width, channels), np.uint8)
    for i, frame in enumerate(frames):
        row, column = divmod(i, columns)
        whole[row * height :, column * width :][:height, :width] = frame
    return whole


class Window:
    """A window that shows frames, one after the other, from the first one on."""

    def __init__(self, title: str, frames_per_second: float) -> None:
        """Prepare a window.

        Args:
            title: of the window.
            frames_per_second: how many frames are shown at most.

        Raises:
            ImportError: if the extra `render` is not installed.
        """
        self._pygame = _pygame()
        self._title = title
        self._rate = frames_per_second
        self._clock = self._pygame.time.Clock()
        self._window: Any = None
        self._is_closed = False

    def show(self, frame: Frame) -> None:
        """Show a frame, `(height, width, 3)`; once somebody has closed the window, do nothing."""
        if self._is_closed:
            return
        pygame = self._pygame
        pygame.display.init()
        height, width, _ = frame.shape
        if self._window is None:
            self._window = pygame.Window(self._title, (width, height))
        closing = (pygame.QUIT, pygame.WINDOWCLOSE)
        if any(event.type in closing for event in pygame.event.get()):
            self.close()
            return
        surface = self._window.get_surface()
        pygame.surfarray.blit_array(surface, frame.swapaxes(0, 1))
        self._window.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Close the window for good."""
        self._is_closed = True
        if self._window is not None:
            self._window.destroy()
            self._window = None


def _pygame() -> Any:
    """Return the module that draws, which says nothing when it is imported.

    Raises:
        ImportError: if the extra `render` is not installed.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        return importlib.import_module("pygame")
    except ImportError as error:
        raise ImportError(
            'pygame-ce is not installed, which pictures need: pip install "waiter-envs[render]"'
        ) from error


def _surface(svg: str, width: int | None) -> Any:
    """Return a drawing as a surface."""
    size = _SIZE.search(svg)
    if size is None:
        raise ValueError("svg: must be a drawing of this package")
    natural, height = float(size[1]), float(size[2])
    pixels = round(natural) if width is None else width
    file = io.BytesIO(_outlined(svg).encode())
    return _pygame().image.load_sized_svg(file, (pixels, round(height * pixels / natural)))


def _outlined(svg: str) -> str:
    """Return a drawing whose texts are paths."""
    return _TEXT.sub(_as_path, svg)


def _as_path(text: re.Match[str]) -> str:
    """Return the path of a text that `Painter.text` has written."""
    given = dict(_ATTRIBUTE.findall(text[1]))
    words, bold = html.unescape(text[2]), "font-weight" in given
    size = float(given["font-size"])
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[given.get("text-anchor", "start")]
    x = float(given["x"]) - share * font.width(words, size, bold)
    return (
        f'<path transform="translate({x:.2f} {given["y"]})scale({size / 1000:g})" '
        f'fill="{given["fill"]}" d="{font.outline(words, bold)}"/>'
    )
