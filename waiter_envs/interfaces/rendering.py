"""What all environments say about rendering, and how they do it."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import logger

from waiter_envs.core.checks import shown
from waiter_envs.core.errors import RenderModeError
from waiter_envs.core.game import Game
from waiter_envs.core.views import Told
from waiter_envs.drawing import raster

RENDER_MODES = ("ansi", "rgb_array", "human")
"""What `render_mode` may be, besides `None`."""

PIXEL_MODES = ("rgb_array", "human")
"""Those that need the extra `render`."""

FRAMES_PER_SECOND = 2
"""Of films, and of a window: a position is to be read."""

RENDERING = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_PER_SECOND}
"""The entries of an environment's `metadata`."""

MOST_FRAMES = 9
"""Tables that a vector environment draws, the first ones."""


def check_render_mode(render_mode: str | None) -> str | None:
    """Return `render_mode`, or refuse it.

    Raises:
        RenderModeError: if it is neither `None` nor one of `RENDER_MODES`, or needs what is not
            installed.
    """
    if render_mode is None:
        return None
    if not (isinstance(render_mode, str) and render_mode in RENDER_MODES):
        allowed = ", ".join(map(repr, RENDER_MODES))
        raise RenderModeError(f"render_mode={shown(render_mode)}: must be None or one of {allowed}")
    if render_mode in PIXEL_MODES and not raster.is_installed():
        raise RenderModeError(
            f"render_mode={render_mode!r}: must be None or 'ansi', or pygame-ce installed: "
            'pip install "waiter-envs[render]"'
        )
    return render_mode


def renders(render_mode: str | None) -> bool:
    """Return whether `render` has something to do; warn if it was called in vain."""
    if render_mode is None:
        logger.warn("render() was called, but render_mode is None")
    return render_mode is not None


class Picture:
    """What an environment shows of its tables, always as one seat sees them."""

    def __init__(self, game: Game, render_mode: str | None) -> None:
        """Show tables of a game in a mode that has been checked."""
        self.game = game
        self.render_mode = render_mode
        self.draws = render_mode in PIXEL_MODES
        """Whether the last action is to be noted."""
        self._before: tuple[np.void, int] | None = None
        self._window: raster.Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the window: it stays where it is."""
        return {**self.__dict__, "_window": None}

    def note(self, table: np.void | None, action: int = 0) -> None:
        """Note the table before an action; `None`: a new game has none yet."""
        self._before = None if table is None else (table, action)

    def svg(self, table: np.void, viewer: int, font: bool = True) -> str:
        """Return a table as a drawing, with the last action as far as the viewer is told of it."""
        last: Told | None = None
        if self._before is not None:
            last = self.game.told(*self._before, viewer, table)
        return self.game.svg(table, viewer, last=last, font=font)

    def frame(self, table: np.void, viewer: int) -> raster.Frame:
        """Return a table as pixels, `(height, width, 3)` uint8."""
        return raster.rgb_array(self.svg(table, viewer, font=False))

    def show(self, frame: raster.Frame) -> None:
        """Show a frame in the window, which is opened if there is none yet."""
        if self._window is None:
            self._window = raster.Window(self.game.title, FRAMES_PER_SECOND)
        self._window.show(frame)

    def render(self, table: np.void, viewer: int) -> Any:
        """Return a table as text or pixels, or show it in the window and return `None`."""
        if self.render_mode == "ansi":
            return self.game.render(table, viewer)
        frame = self.frame(table, viewer)
        if self.render_mode == "rgb_array":
            return frame
        self.show(frame)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None
