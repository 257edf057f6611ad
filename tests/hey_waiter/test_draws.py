"""Everything that is drawn comes as often as its cards, dishes and seats say."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hey_waiter_env import GAME, tables
from tests.chance import assert_as_likely, chi_square
from waiter_envs.core.rng import streams

from .playing import VARIANTS, seat_player, study

DRAWS = 4_000
COLOURS = "WGRB"
TWO, PARTNERS = VARIANTS["2_players"], VARIANTS["4_partnership"]


@functools.cache
def deals(variant: str) -> npt.NDArray[np.void]:
    """Return many tables of a variant, just dealt."""
    return tables(DRAWS, seed=99, config=VARIANTS[variant]).state


def number_drawn(of_kind: int, others: int, drawn: int, low: int, high: int) -> dict[int, float]:
    """Return the chance of each number of one kind among `drawn`, without putting back.

    Numbers below `low` and above `high` count as these.
    """
    chances = dict.fromkeys(range(low, high + 1), 0.0)
    for number in range(max(0, drawn - others), min(of_kind, drawn) + 1):
        chance = (
            comb(of_kind, number) * comb(others, drawn - number) / comb(of_kind + others, drawn)
        )
        chances[min(max(number, low), high)] += chance
    return chances


def hands_drawn(pile: Mapping[str, int], drawn: int) -> dict[str, float]:
    """Return the chance of each hand of `drawn` cards from a pile, without putting back."""
    size = sum(pile.values())
    hands = {}
    for hand in itertools.combinations_with_replacement(COLOURS, drawn):
        ways = [comb(pile.get(colour, 0), hand.count(colour)) for colour in COLOURS]
        hands["".join(hand)] = int(np.prod(ways)) / comb(size, drawn)
    return {hand: chance for hand, chance in hands.items() if chance}


def drawn_by(position: dict[str, Any], action: str, kept: str) -> list[str]:
    """Return the cards that player 0 draws at many tables by an action, beside those it keeps."""
    table = GAME.position_from_dict(TWO, position)
    dealt = tables(DRAWS, 0, config=TWO)
    state = np.repeat(table.reshape(1), DRAWS)
    state["rng"] = streams(7, DRAWS)
    dealt.state = state
    dealt.step(np.full(DRAWS, GAME.text_to_action(table, action)))
    before = np.array([kept.count(colour) for colour in COLOURS])
    return [
        "".join(colour * number for colour, number in zip(COLOURS, row, strict=True))
        for row in (dealt.state["hand"][:, 0] - before).tolist()
    ]


def piles(hand: str, draw: Mapping[str, int]) -> dict[str, Any]:
    """Return a position in which player 0 has a hand of six, and little is left to draw."""
    position = study(TWO, seat_player(hand, "W WGRBR"), seat_player("WGRBWG", "W WGRBR"))
    rest = {colour: position["draw"][colour] - draw.get(colour, 0) for colour in COLOURS}
    return {**position, "draw": dict(draw), "discard": rest}


def test_the_statistic_sees_draws_among_colours_instead_of_cards() -> None:
    """What these tests must be able to notice: colours as likely as each other."""
    rng = np.random.default_rng(1)
    evenly = rng.binomial(28, 0.25, DRAWS)
    chances = number_drawn(22, 66, 28, 3, 11)
    assert chi_square(np.clip(evenly, 3, 11).tolist(), chances) > 1


@pytest.mark.parametrize("colour", range(4))
def test_hands_are_dealt_from_the_cards(colour: int) -> None:
    dealt = deals("4_partnership")["hand"][:, :, colour]
    assert_as_likely(np.clip(dealt.sum(axis=1), 3, 11).tolist(), number_drawn(22, 66, 28, 3, 11))
    for player in range(4):
        assert_as_likely(np.clip(dealt[:, player], 0, 5).tolist(), number_drawn(22, 66, 7, 0, 5))


@pytest.mark.parametrize("stack", range(4))
def test_stacks_are_drawn_from_the_bag(stack: int) -> None:
    dishes = deals("4_partnership")["draft"][:, stack]
    for colour in range(4):
        number = (dishes == colour).sum(axis=1)
        assert_as_likely(np.clip(number, 0, 6).tolist(), number_drawn(12, 36, 12, 0, 6))
    pairs = {(a, b): (12 / 48) * (11 if a == b else 12) / 47 for a in range(4) for b in range(4)}
    for low, high in ((0, 1), (5, 11), (10, 11)):
        assert_as_likely(map(tuple, dishes[:, [low, high]].tolist()), pairs)


@pytest.mark.parametrize("variant", ["2_players", "4_partnership", "handicap"])
def test_every_seat_starts_as_often(variant: str) -> None:
    seats = VARIANTS[variant].num_seats
    assert_as_likely(deals(variant)["start_seat"].tolist(), dict.fromkeys(range(seats), 1 / seats))


def evenly(sides: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], float]:
    """Return equal chances for all different rows."""
    different = set(sides)
    return dict.fromkeys(different, 1 / len(different))


def test_secret_sides_are_as_likely_as_each_other() -> None:
    """Sides are drawn among players with equally many seats (HW-14)."""
    dealt = [tuple(row) for row in deals("secret_2v2")["side"].tolist()]
    assert_as_likely(dealt, evenly(itertools.permutations((0, 0, 1, 1))))
    dealt = [tuple(row) for row in deals("secret_2v2v1")["side"].tolist()]
    singles = itertools.permutations((0, 0, 1, 1))
    assert_as_likely(dealt, evenly((*four[:2], 2, *four[2:]) for four in singles))


def test_two_cards_are_drawn_from_what_is_left() -> None:
    """After a play of two cards, from an uneven pile."""
    pile = {"W": 1, "G": 9, "R": 3, "B": 5}
    drawn = drawn_by(piles("GGRRWW", pile), "W>G turn", "GRRW")
    assert_as_likely(drawn, hands_drawn(pile, 2))


def test_as_many_cards_are_drawn_as_were_discarded() -> None:
    pile = {"W": 2, "G": 9, "R": 4}
    drawn = drawn_by(piles("GGRRWW", pile), "discard GGW", "RRW")
    assert_as_likely(drawn, hands_drawn(pile, 3))


@pytest.mark.parametrize(("action", "back"), [("W>W turn", 0), ("discard WW", 2)])
def test_the_discards_are_the_next_pile(action: str, back: int) -> None:
    """The last card of the old pile is certain; cards in play are not among the others (HW-4)."""
    whites = seat_player("WWWWWW", "G WGRBR")
    position = study(TWO, whites, whites, draw={"B": 1})
    discard = {**study(TWO, whites, whites)["draw"]}
    discard["B"] -= 1
    pile = {**discard, "W": discard["W"] + back}
    drawn = drawn_by({**position, "discard": discard}, action, "WWWW")
    chances = {
        "".join(sorted(["B", card], key=COLOURS.index)): number / sum(pile.values())
        for card, number in pile.items()
    }
    assert_as_likely(drawn, chances)
