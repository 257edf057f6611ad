"""Every card of a draw pile is as likely to be drawn as every other: cards, not kinds of cards.

The second opinion of `reference.py` takes from the core which cards were drawn; here the chances
are worked out from the cards one by one, and counted over thousands of tables.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from greasy_spoon_env import GAME, Config, tables
from tests.chance import assert_as_likely, chi_square

from .playing import DECK, action_texts, holding, in_order, study

HANDS = 2000
TABLES = 1000

Outcome = tuple[str, ...]


# -- Dealing -----------------------------------------------------------------------------------


def copies_in_a_hand() -> dict[int, float]:
    """Return how likely a hand of 11 from a deck of 54 has 0 to 3 copies of a card."""
    ways = math.comb(54, 11)
    return {copies: math.comb(3, copies) * math.comb(51, 11 - copies) / ways for copies in range(4)}


def assert_dealt_evenly(state: npt.NDArray[np.void]) -> None:
    """Check the numbers of copies of every card in the hands of both players."""
    assert (state["hand"].sum(axis=2) == 11).all()
    for player, card in itertools.product(range(2), range(18)):
        assert_as_likely(state["hand"][:, player, card].tolist(), copies_in_a_hand())


def test_the_deal() -> None:
    """Hands are dealt from the cards of the deck."""
    assert_dealt_evenly(tables(HANDS, 31).state)


def test_the_deal_of_the_next_game() -> None:
    """Within a match the decks are shuffled anew (GS-10)."""
    config = Config(best_of=3)
    position = study(config, holding("K1"), holding("M2 M4"))
    after = played(config, position, ["serve K1"])
    assert (after["games_played"] == 1).all()
    assert_dealt_evenly(after)


def test_hands_and_starter_have_nothing_to_do_with_each_other() -> None:
    """Who starts is drawn evenly, and both hands are dealt whatever the others are (GS-10)."""
    state = tables(HANDS, 32).state
    none = copies_in_a_hand()[0]
    has = {True: 1 - none, False: none}
    chances = {
        (starter, first, second): has[first] * has[second] / 2
        for starter in range(2)
        for first, second in itertools.product(has, repeat=2)
    }
    for card in range(18):
        held = (state["hand"][:, :, card] > 0).tolist()
        starters = state["starter"].tolist()
        assert_as_likely(
            [(starter, *both) for starter, both in zip(starters, held, strict=True)], chances
        )


# -- Drawing -----------------------------------------------------------------------------------


def played(config: Config, position: dict[str, Any], texts: Sequence[str]) -> Any:
    """Return tables that all were at a position, after the same actions and random draws."""
    dealt = tables(TABLES, 33, config=config, autoreset_mode="Disabled")
    state = np.repeat(np.array([GAME.position_from_dict(config, position)]), TABLES)
    state["rng"] = dealt.state["rng"]
    dealt.state = state
    for text in texts:
        dealt.step(np.full(TABLES, action_texts().index(text)))
    return dealt.state


def drawn(state: npt.NDArray[np.void], kept: str) -> list[Outcome]:
    """Return what player 0 has drawn at each table, beside the cards that it kept."""
    before = Counter(kept.split())
    cards = np.array(sorted(set(DECK), key=DECK.index))
    hands = [Counter(np.repeat(cards, row).tolist()) for row in state["hand"][:, 0]]
    assert all(hand >= before and hand.total() == 11 for hand in hands)
    return [tuple(in_order(hand - before)) for hand in hands]


def chances_of(draw: str, backburner: str, number: int) -> dict[Outcome, float]:
    """Return how likely each draw is, if every card is as likely as any other (GS-5, GS-7)."""
    first, second = draw.split(), backburner.split()
    from_first = min(number, len(first))
    ways = Counter(
        tuple(in_order([*one, *other]))
        for one in itertools.combinations(first, from_first)
        for other in itertools.combinations(second, number - from_first)
    )
    return {outcome: count / ways.total() for outcome, count in ways.items()}


HAND = "K4 K5 R6 M1 R1 M3 R3 M4 R4 M5 R5"
DRAW = "K1 K1 K1 K2 M2 M2 K6 K6 K6"
OPPONENT = holding("K1 K2 K3 M1 M2 M3 R1 R2 R3 K6 K6", 20)


@pytest.mark.parametrize(
    ("texts", "served", "draw", "backburner", "sources"),
    [
        (["serve K4"], "K4", DRAW, "", (DRAW, "")),
        (["serve K4"], "K4", DRAW, "M6 M6 M6 R2", (DRAW, "")),
        (["serve K4 K5"], "K4 K5", DRAW, "", (DRAW, "")),
        (["serve K4 K5 R6 + side", "serve M1 R1"], "K4 K5 R6 M1 R1", DRAW, "", (DRAW, "")),
        (["serve K4 K5 R6"], "K4 K5 R6", "K1 K2", "M6 M6 M6 R2", ("K1 K2", "M6 M6 M6 R2")),
        (["serve K4 K5 R6 + side", "serve M1 R1"], "K4 K5 R6 M1 R1", "K1 K2", "M2 M2 R2 K6",
         ("K1 K2", "M2 M2 R2 K6")),
        (["recall", "serve K4"], "K4", "K1 K2", "M6 M6 M6 R2", ("K1 K2 M6 M6 M6 R2", "")),
        (["recall", "serve K4 K5"], "K4 K5", "K1", "M6 M6 M6 R2", ("K1 M6 M6 M6 R2", "")),
    ],
)  # fmt: skip
def test_after_serving(
    texts: list[str], served: str, draw: str, backburner: str, sources: tuple[str, str]
) -> None:
    """A refill takes cards from the draw pile, then from the backburner's new draw pile."""
    config = Config()
    position = study(config, holding(HAND, draw, backburner), OPPONENT)
    kept = Counter(HAND.split()) - Counter(served.split())
    outcomes = drawn(played(config, position, texts), " ".join(kept.elements()))
    assert_as_likely(outcomes, chances_of(*sources, len(served.split())))


@pytest.mark.parametrize("draw", [DRAW, "K1"])
@pytest.mark.parametrize("aside", ["M1 R3", "M1 M4 R5"])
def test_after_setting_aside(aside: str, draw: str) -> None:
    """What has just been set aside is not drawn before the draw pile is empty (GS-6, GS-7)."""
    config = Config()
    position = study(config, holding(HAND, draw), OPPONENT, dish="R1")
    cards = aside.split()
    texts = ["pass", *(f"stash {card}" for card in cards), "done"]
    if len(cards) == 3:  # then it ends by itself
        texts.pop()
    kept = Counter(HAND.split()) - Counter(cards)
    outcomes = drawn(played(config, position, texts), " ".join(kept.elements()))
    assert_as_likely(outcomes, chances_of(draw, aside, len(cards)))


def test_kinds_instead_of_cards_would_be_noticed() -> None:
    """The test can tell a draw among the kinds of cards from one among the cards."""
    rng = np.random.default_rng(5)
    cards, kinds = DRAW.split(), sorted(set(DRAW.split()))
    chances = chances_of(DRAW, "", 1)
    assert chi_square([(card,) for card in rng.choice(cards, TABLES)], chances) < 1
    assert chi_square([(card,) for card in rng.choice(kinds, TABLES)], chances) > 3
