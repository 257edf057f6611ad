"""The errors that callers may want to tell apart from others of their kind."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An action that the rules do not allow at this moment; the table has not moved."""


class GameOverError(IllegalActionError):
    """An action at a table whose game is over and which waits for `reset`."""


class RenderModeError(ValueError, TypeError):
    """A render mode that there is none of: also a TypeError, on which callers try without one."""


class ImpossiblePositionError(ValueError):
    """A position that shows in itself that no game can come to it."""
