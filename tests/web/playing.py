"""Sittings for the tests of the pages: small variants, played by rules of thumb and by chance."""

from __future__ import annotations

from typing import Any

import numpy as np

import waiter_envs
from tests.samples import samples
from waiter_envs.web.sitting import Choice, Sitting


def variant(name: str) -> Any:
    """Return a small variant of a game, whose games end soon."""
    return waiter_envs.load(name).config(**samples(name).quick)


def sitting(name: str, *seats: str, seed: int = 3, **options: Any) -> Sitting:
    """Return a sitting at a small variant."""
    return Sitting(waiter_envs.load(name), variant(name), seats or ("me",), seed, **options)


def everybody(name: str) -> tuple[str, ...]:
    """Return the seats of a small variant, all of them people."""
    return ("me",) * variant(name).num_players


def asked(table: Sitting) -> int:
    """Return the person who is asked."""
    return next(player for player in table.people if table.is_asked(player))


def some_choice(table: Sitting, rng: np.random.Generator) -> Choice:
    """Return something that the person asked may do, each kind of action alike."""
    choices = table.choices(asked(table))
    block = rng.choice(sorted({choice.block for choice in choices}))
    of_block = [choice for choice in choices if choice.block == block]
    return of_block[rng.integers(len(of_block))]


def do(table: Sitting, choice: Choice) -> None:
    """Let the person who is asked do something."""
    player = asked(table)
    table.act(player, table.place(player).asked, choice.action)


def play_on(table: Sitting, rng: np.random.Generator, decisions: int = 100_000) -> int:
    """Let people play by chance until the game is over; return how many decisions that took."""
    for number in range(decisions):
        if table.over:
            return number
        do(table, some_choice(table, rng))
    return decisions


def everything(table: Sitting) -> list[Any]:
    """Return all that something which is refused must leave as it was."""
    places = [table.place(player) for player in table.people]
    return [
        table.round,
        table.game.position_to_dict(table.tables.state[0]),
        table.tables.state["rng"].tolist(),
        [(place.version, place.shown, place.asked, len(place.frames)) for place in places],
    ]
