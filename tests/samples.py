"""What the tests that all games share need to know of each: which variants to play.

A game that is added gets an entry in `SAMPLES`; whatever it lacks is asked for in a sentence.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import waiter_envs

Fields = dict[str, Any]
"""Fields of `Config`, or a `preset`, as constructors take them."""


@dataclass(frozen=True, kw_only=True)
class Samples:
    """The variants of one game that shared tests play; `{}` is the default one."""

    presets: tuple[str, ...]
    """Presets that differ in what an environment sees of them, the quickest first."""
    playthroughs: tuple[str, ...]
    """The main presets, of which games are kept as text."""
    field: Fields
    """One field that is not at its default."""
    bad_field: tuple[str, Any, str]
    """A field, a value that it cannot have, and the complaint."""
    small: Fields = dataclasses.field(default_factory=dict)
    """The quickest variant."""
    large: Fields = dataclasses.field(default_factory=dict)
    """The main variant."""
    short: Fields = dataclasses.field(default_factory=dict)
    """One whose games end soon."""
    quick: Fields = dataclasses.field(default_factory=dict)
    """A small one whose games end soon, by their rules or at the turn limit."""
    paid: Fields = dataclasses.field(default_factory=dict)
    """One that pays within short games."""
    ending: Fields = dataclasses.field(default_factory=dict)
    """What makes games of any preset end within `ending_steps`."""
    ending_steps: int = 900
    """Steps of random play in which more than one game ends at every table."""


SAMPLES = {
    "hey_waiter": Samples(
        presets=("2_players", "4_partnership", "double_duty", "secret_2v2"),
        playthroughs=(
            *("2_players", "3_players", "4_partnership", "4_free_for_all", "double_duty"),
            *("3v3", "2v2v2", "2v1v1", "triple_duty", "secret_2v2"),
        ),
        field={"max_turns": 7},
        bad_field=("max_turns", 0, "max_turns=0: must be an integer from 1"),
        small={"preset": "2_players"},
        large={"preset": "4_partnership"},
        short={"max_turns": 6},
        quick={"preset": "2_players", "dishes": 2, "max_turns": 40},
        paid={"preset": "2_players", "max_turns": 300},
        ending={"max_turns": 12},
        ending_steps=60,
    ),
    "greasy_spoon": Samples(
        presets=("best_of_1", "best_of_3_no_recall"),
        playthroughs=("best_of_1", "best_of_3", "best_of_1_no_recall"),
        field={"best_of": 3},
        bad_field=("best_of", 2, "best_of=2: must be one of 1, 3, 5"),
        paid={"best_of": 3, "reward": "game"},
    ),
    "garcon": Samples(
        presets=("rulebook", "memory"),
        playthroughs=("rulebook", "long", "clock", "memory", "perfect"),
        field={"target": 9},
        bad_field=("players", 2, "players=2: must be an integer from 3 to 10"),
        short={"max_turns": 8},
        quick={"players": 3, "max_turns": 30},
        paid={"reward": "points", "max_turns": 40},
        ending_steps=1000,
    ),
    "dessert": Samples(
        presets=("standard", "false_calls"),
        playthroughs=("standard", "until_trio", "no_closing", "clockwise", "false_calls"),
        field={"closing_rounds": 2},
        bad_field=("players", 7, "players=7: must be an integer from 2 to 6"),
        short={"max_turns": 8},
        quick={"players": 2, "max_turns": 30},
        paid={"players": 3, "closing_rounds": 0, "max_turns": 1000},
    ),
}


def samples(name: str) -> Samples:
    """Return the samples of a game."""
    needed = [
        field.name
        for field in dataclasses.fields(Samples)
        if field.default_factory is dataclasses.MISSING and field.default is dataclasses.MISSING
    ]
    assert name in SAMPLES, (
        f"tests/samples.py has no entry for the game {name!r}: give it Samples with "
        f"{', '.join(needed)}"
    )
    return SAMPLES[name]


TRUNCATED = [
    name
    for name in waiter_envs.GAMES
    if any(
        field.name == "max_turns"
        for field in dataclasses.fields(waiter_envs.load(name).config_class)
    )
]
"""Games that may be cut at a turn limit."""
