"""The variants of Dessert: one frozen, validated `Config`, and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from waiter_envs.core.checks import check_bool, check_choice, check_int

CALL_ORDERS = ("random", "clockwise")
"""Who is asked first whether it serves a guest that the active player declined (DE-3)."""


@dataclass(frozen=True)
class Config:
    """One way of playing Dessert, checked on construction.

    Args:
        players: 2 to 6.
        first_player: who takes the first turn; `None`: drawn at random each game.
        call_order: `"random"`: who may call first is drawn afresh for each guest, as in a race;
            `"clockwise"`: from the active player's left (DE-3).
        false_calls: players may call without holding the cards, and pay for it (DE-6).
        closing_rounds: rounds of closing time after which points decide; `None`: play on until
            somebody has a trio (DE-13).
        max_turns: turns after which a game is truncated.

    Raises:
        ValueError: for an impossible variant; the text names the field and what is allowed.
        TypeError: for a field of the wrong type.
    """

    players: int = 4
    first_player: int | None = None
    call_order: str = "random"
    false_calls: bool = False
    closing_rounds: int | None = 10
    max_turns: int = 1000

    num_players: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check every field."""
        players = check_int("players", self.players, 2, 6)
        first, rounds = self.first_player, self.closing_rounds
        if first is not None:
            first = check_int("first_player", first, 0, players - 1, "or None")
        if rounds is not None:
            rounds = check_int("closing_rounds", rounds, 0, 10_000, "or None")
        check_choice("call_order", self.call_order, CALL_ORDERS)
        check_bool("false_calls", self.false_calls)
        resolved = {
            "players": players,
            "first_player": first,
            "closing_rounds": rounds,
            "max_turns": check_int("max_turns", self.max_turns, 1, 10**6),
            "num_players": players,
        }
        for name, value in resolved.items():
            object.__setattr__(self, name, value)

    @property
    def playing_together(self) -> tuple[int, ...]:
        """The party of each player in a match between agents: everyone alone."""
        return tuple(range(self.num_players))


PRESETS: Mapping[str, Config] = MappingProxyType(
    {
        "standard": Config(),
        "until_trio": Config(closing_rounds=None),
        "no_closing": Config(closing_rounds=0),
        "clockwise": Config(call_order="clockwise"),
        "false_calls": Config(false_calls=True),
    }
)
"""Variants by name, each with any number of players."""

DEFAULT_PRESET = "standard"
