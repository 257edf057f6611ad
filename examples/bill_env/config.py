"""The variants of The Bill: one frozen, validated `Config`, and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from waiter_envs.core.checks import check_int


@dataclass(frozen=True)
class Config:
    """One way of playing The Bill, checked on construction.

    Args:
        num_players: how many play, 2 to 6.
        coins: the most that a purse can hold, 2 to 9.

    Raises:
        TypeError, ValueError: for an impossible variant; the text says what is allowed.
    """

    num_players: int = 2
    coins: int = 6

    def __post_init__(self) -> None:
        """Check every field."""
        for name, low, high in (("num_players", 2, 6), ("coins", 2, 9)):
            object.__setattr__(self, name, check_int(name, getattr(self, name), low, high))

    @property
    def playing_together(self) -> tuple[int, ...]:
        """The party of each player in a match between agents: its own."""
        return tuple(range(self.num_players))


PRESETS: Mapping[str, Config] = {"duel": Config(), "party": Config(num_players=4)}
"""Variants by name."""

DEFAULT_PRESET = "duel"
