"""The errors that callers may want to tell apart from others of their kind."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An action that the rules do not allow at this moment; the table has not moved."""
