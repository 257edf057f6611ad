"""Sentences about players, said to the one they are about."""

from __future__ import annotations

import re

import numpy as np
import pytest

import waiter_envs
from waiter_envs.web.words import headline_to, to_you

from .playing import asked, do, everybody, sitting, some_choice

SAID = {
    "passes": "pass",
    "takes the order in slot 3": "take the order in slot 3",
    "discards 2 green and 1 blue cards": "discard 2 green and 1 blue cards",
    "has its blue busboy serve from stack 0": "have your blue busboy serve from stack 0",
    "lifts the red cover from its stack 1 and turns its red busboy to the serve side": (
        "lift the red cover from your stack 1 and turn your red busboy to the serve side"
    ),
    "puts the red cover onto its own stack 1": "put the red cover onto your own stack 1",
    "draws as many desserts as it has discarded": "draw as many desserts as you have discarded",
    "lays down Fortune cookies for Inga": "lay down Fortune cookies for Inga",
}

HEADLINES = {
    "P0 takes an order, completes its orders or uses an event": (
        "You take an order, complete your orders or use an event"
    ),
    "P0 has passed and sets cards aside": "You have passed and set cards aside",
    "P0: which dessert to serve?": "Which dessert to serve?",
    "P0 has won": "You have won",
    "P00 passes": "P00 passes",
    "P1 passes": "P1 passes",
    "A guest is being served": "A guest is being served",
}


@pytest.mark.parametrize("words", SAID)
def test_to_you(words: str) -> None:
    assert to_you(words) == SAID[words]


@pytest.mark.parametrize("headline", HEADLINES)
def test_headlines(headline: str) -> None:
    assert headline_to(0, headline) == HEADLINES[headline]


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_all_that_is_said_of_a_game(name: str) -> None:
    """No verb of the third person is left at the beginning or behind `and` and `or`."""
    rng = np.random.default_rng(9)
    table = sitting(name, *everybody(name))
    said = set()
    for _ in range(60):
        if table.over:
            break
        player = asked(table)
        said |= {to_you(choice.told["words"]) for choice in table.choices(player)}
        headline = headline_to(player, table.place(player).frames[-1].view["headline"])
        said.add(headline[:1].lower() + headline[1:].removeprefix("ou "))
        do(table, some_choice(table, rng))
    assert len(said) > 20
    verbs = {re.match(r"\w+", words)[0] for words in said}  # type: ignore[index]
    assert all(not verb.endswith("s") or verb.endswith("ss") for verb in verbs), verbs
    assert not any(re.search(r"\bits\b", words) for words in said)
