"""The named blocks that an observation or an action space is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Block(NamedTuple):
    """Features or actions `start .. start + size - 1`, which are of one kind."""

    name: str
    start: int
    size: int
    meaning: str

    @classmethod
    def in_order(cls, blocks: Iterable[tuple[str, int, str]]) -> list[Block]:
        """Return blocks laid end to end from `(name, size, meaning)`; empty ones are left out."""
        placed: list[Block] = []
        start = 0
        for name, size, meaning in blocks:
            if size:
                placed.append(cls(name, start, size, meaning))
            start += size
        return placed


def total_size(blocks: list[Block]) -> int:
    """Return the size of all `blocks` together."""
    return blocks[-1].start + blocks[-1].size if blocks else 0
