"""What all environments say about rendering."""

from __future__ import annotations

from gymnasium import logger

from waiter_envs.core.checks import check_choice

RENDER_MODES = ("ansi",)
"""What `render_mode` may be, besides `None`."""

RENDERING = {"render_modes": list(RENDER_MODES), "render_fps": 1}
"""The entries of an environment's `metadata`."""


def check_render_mode(render_mode: str | None) -> str | None:
    """Return `render_mode`, or refuse it.

    Raises:
        TypeError, ValueError: if it is neither `None` nor one of `RENDER_MODES`.
    """
    if render_mode is not None:
        check_choice("render_mode", render_mode, RENDER_MODES, "or None")
    return render_mode


def renders(render_mode: str | None) -> bool:
    """Return whether `render` has something to do; warn if it was called in vain."""
    if render_mode is None:
        logger.warn("render() was called, but render_mode is None")
    return render_mode is not None
