"""The named fields of an observation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Field(NamedTuple):
    """Features `start .. start + length - 1` of an observation, all 0 or 1."""

    name: str
    start: int
    length: int
    meaning: str

    @classmethod
    def in_order(cls, fields: Iterable[tuple[str, int, str]]) -> list[Field]:
        """Return fields laid end to end from `(name, length, meaning)`; empty ones are left out."""
        placed: list[Field] = []
        start = 0
        for name, length, meaning in fields:
            if length:
                placed.append(cls(name, start, length, meaning))
            start += length
        return placed


def total_length(fields: list[Field]) -> int:
    """Return the number of features of all `fields` together."""
    return fields[-1].start + fields[-1].length if fields else 0
