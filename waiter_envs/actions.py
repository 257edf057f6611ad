"""The named blocks of an action space."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class ActionBlock(NamedTuple):
    """Actions `start .. start + size - 1`, which have one kind."""

    name: str
    start: int
    size: int
    meaning: str

    @classmethod
    def in_order(cls, blocks: Iterable[tuple[str, int, str]]) -> list[ActionBlock]:
        """Return blocks laid end to end from `(name, size, meaning)`."""
        placed: list[ActionBlock] = []
        start = 0
        for name, size, meaning in blocks:
            placed.append(cls(name, start, size, meaning))
            start += size
        return placed
