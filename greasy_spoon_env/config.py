"""The variants of Greasy Spoon: one frozen, validated `Config`, and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from waiter_envs.core.checks import check_bool, check_choice, check_int

MATCHES = (1, 3, 5)
"""Games of a match, of which the majority must be won (GS-10)."""

REWARDS = ("match", "game")
"""What is paid: the end of the match alone, or the end of each of its games."""


@dataclass(frozen=True)
class Config:
    """One way of playing Greasy Spoon, checked on construction.

    Args:
        best_of: games of a match: 1, 3 or 5; who wins the majority wins the match (GS-10).
        recall: the backburner may be shuffled into the draw pile at will (GS-8).
        starter: the player who starts the first game; `None`: drawn at random each match.
        reward: `"match"`: +1 and -1 at the end of the match; `"game"`: at the end of each game.

    Raises:
        ValueError: for an impossible variant; the text names the field and what is allowed.
        TypeError: for a field of the wrong type.
    """

    best_of: int = 1
    recall: bool = True
    starter: int | None = None
    reward: str = "match"

    num_players: int = field(default=2, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check every field."""
        best_of = check_choice("best_of", self.best_of, MATCHES)
        check_bool("recall", self.recall)
        check_choice("reward", self.reward, REWARDS)
        starter = self.starter
        if starter is not None:
            starter = check_int("starter", starter, 0, 1, "or None")
        object.__setattr__(self, "best_of", int(best_of))
        object.__setattr__(self, "starter", starter)

    @property
    def games_to_win(self) -> int:
        """The majority of the games of a match."""
        return self.best_of // 2 + 1

    @property
    def playing_together(self) -> tuple[int, ...]:
        """The party of each player in a match between agents."""
        return (0, 1)


PRESETS: Mapping[str, Config] = MappingProxyType(
    {
        "best_of_1": Config(),
        "best_of_3": Config(best_of=3),
        "best_of_5": Config(best_of=5),
        "best_of_1_no_recall": Config(recall=False),
        "best_of_3_no_recall": Config(best_of=3, recall=False),
        "best_of_5_no_recall": Config(best_of=5, recall=False),
    }
)
"""The rulebook's matches, each with and without recall, by name."""

DEFAULT_PRESET = "best_of_1"
