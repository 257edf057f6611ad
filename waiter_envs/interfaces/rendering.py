"""What all environments say about rendering."""

from __future__ import annotations

from gymnasium import logger

from waiter_envs.core.checks import shown
from waiter_envs.core.errors import RenderModeError

RENDER_MODES = ("ansi",)
"""What `render_mode` may be, besides `None`."""

RENDERING = {"render_modes": list(RENDER_MODES), "render_fps": 1}
"""The entries of an environment's `metadata`."""


def check_render_mode(render_mode: str | None) -> str | None:
    """Return `render_mode`, or refuse it.

    Raises:
        RenderModeError: if it is neither `None` nor one of `RENDER_MODES`.
    """
    if render_mode is not None and not (
        isinstance(render_mode, str) and render_mode in RENDER_MODES
    ):
        allowed = ", ".join(map(repr, RENDER_MODES))
        raise RenderModeError(f"render_mode={shown(render_mode)}: must be None or one of {allowed}")
    return render_mode


def renders(render_mode: str | None) -> bool:
    """Return whether `render` has something to do; warn if it was called in vain."""
    if render_mode is None:
        logger.warn("render() was called, but render_mode is None")
    return render_mode is not None
