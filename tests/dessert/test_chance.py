"""Every draw is even: starting player, deal, pile, reshuffle, guests, dropped dishes, callers.

Each test lets many tables with streams of their own draw once, and asks by chi-square whether all
outcomes come up as they should. A fair game fails a test once in a million seeds.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from dessert_env import GAME, Config, rules
from dessert_env.cards import DESSERTS, GUESTS, HAND_SIZE
from dessert_env.state import COMING, DIRTY, NONE, PILE, TURNED_UP
from tests.chance import assert_as_likely, chi_square
from waiter_envs.core.rng import streams

from .playing import cards, seated, study

Array = npt.NDArray[np.void]

happen: Any = None  # the rule function that a template is compiled with


def everywhere(state: Any) -> None:
    """Let something happen at every table."""
    for i in range(state.shape[0]):
        happen(state[i])


def to_player(state: Any, player: Any) -> None:
    """Let something happen to a player at every table."""
    for i in range(state.shape[0]):
        happen(state[i], player)


def drawn(start: Array, function: Any, *arguments: int, number: int = 12_000) -> Array:
    """Return what becomes of a position in so many worlds."""
    state = np.repeat(start, number)
    state["rng"] = streams(11, number)
    template = to_player if arguments else everywhere
    GAME.kernel(template, state.dtype, happen=function)(state, *arguments)
    return state


def evenly(outcomes: Sequence[Any]) -> dict[Any, float]:
    """Return the chances of outcomes that are equally likely."""
    return dict.fromkeys(outcomes, 1 / len(outcomes))


def names_at(state: Array, place: int) -> list[str]:
    """Return the one dessert that is at a place, at every table."""
    here = state["dessert"] == place
    assert (here.sum(axis=1) == 1).all()
    return [DESSERTS[card] for card in here.argmax(axis=1).tolist()]


def assert_even_hands(state: Array, player: int, size: int) -> None:
    """Check that every dessert is as often in a player's hand as all others."""
    held = state["dessert"] == player
    assert (held.sum(axis=1) == size).all()
    part = size / len(DESSERTS)
    for card in range(len(DESSERTS)):
        assert_as_likely(held[:, card].tolist(), {True: part, False: 1 - part})


def test_the_naive_shuffle_would_be_noticed() -> None:
    """Exchanging every place with any place, not only with those left, is not even."""
    rng = np.random.default_rng(0)
    orders = np.tile(np.arange(3), (12_000, 1))
    for place in range(3):
        rows, other = np.arange(len(orders)), rng.integers(0, 3, len(orders))
        orders[rows, place], orders[rows, other] = orders[rows, other], orders[rows, place].copy()
    chances = evenly(list(itertools.permutations(range(3))))
    assert chi_square(map(tuple, orders.tolist()), chances) > 2


@pytest.mark.parametrize("players", [4, 6])
def test_order_of_asking(players: int) -> None:
    """DE-3: all orders of the others come up equally often, whoever is active."""
    active = players - 2
    config = Config(players=players)
    start = seated(config, study(config, active=active, guest="Mojo", phase="claim")).state
    state = drawn(start, rules.set_call_order)
    others = [player for player in range(players) if player != active]
    orders = map(tuple, state["call_order"].tolist())
    assert_as_likely(orders, evenly(list(itertools.permutations(others))))


def test_order_of_asking_in_a_circle() -> None:
    """DE-3: the clockwise order is no draw."""
    config = Config(players=6, call_order="clockwise")
    start = seated(config, study(config, active=3, guest="Mojo", phase="claim")).state
    state = drawn(start, rules.set_call_order, number=50)
    assert (state["call_order"] == [4, 5, 0, 1, 2]).all()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_starting_player(players: int) -> None:
    """Everybody takes the first turn equally often, or who is named always does."""
    state = drawn(GAME.blank_table(Config(players=players)), rules.init_state, number=600)
    assert_as_likely(state["active"].tolist(), evenly(range(players)))
    named = GAME.blank_table(Config(players=players, first_player=1))
    assert (drawn(named, rules.init_state, number=50)["active"] == 1).all()


def test_deal() -> None:
    """DE-1: every dessert is dealt to each player equally often, five and one to begin with."""
    start = GAME.blank_table(Config(first_player=2))
    start["guest"] = 0  # none comes, so nobody draws because one waits
    state = drawn(start, rules.init_state, number=2000)
    for player in range(4):
        assert_even_hands(state, player, HAND_SIZE + (player == 2))


@pytest.mark.parametrize("player", [0, 3])
def test_draws_from_a_new_pile(player: int) -> None:
    """DE-11: every dessert is drawn first equally often, and then, with another, in two draws."""
    start = GAME.blank_table(Config())
    state = drawn(start, rules.draw, player)
    assert_as_likely(names_at(state, player), evenly(DESSERTS))
    GAME.kernel(to_player, state.dtype, happen=rules.draw)(state, player)
    assert_even_hands(state, player, 2)


def test_draws_from_what_is_left() -> None:
    """DE-11: every dessert of the pile equally often, no other, wherever it stands in the list."""
    pile = ["Black forest cake", "Boston cream pie", "Fudge", "Fruit salad", "Belgian waffle"]
    start = seated(Config(), study(Config(), ["Yellow cake"], pile=pile)).state
    state = drawn(start, rules.draw, 1, number=3000)
    assert_as_likely(names_at(state, 1), evenly(pile))
    assert ((state["dessert"] == PILE).sum(axis=1) == 4).all()


def test_draws_from_dirty_dishes() -> None:
    """DE-11: once the pile is empty, every dirty dish equally often, and the others are a pile."""
    dirty = ["Black forest cake", "Cheesecake", "Fudge", "Fruit salad", "Belgian waffle"]
    held = [name for name in DESSERTS if name not in dirty]
    start = seated(Config(), study(Config(), [held], dirty=dirty)).state
    assert not (start["dessert"] == PILE).any()
    state = drawn(start, rules.draw, 2, number=3000)
    assert_as_likely(names_at(state, 2), evenly(dirty))
    assert ((state["dessert"] == PILE).sum(axis=1) == 4).all()
    assert not (state["dessert"] == DIRTY).any()


@pytest.mark.parametrize(
    "coming", [GUESTS, ("Agent 17", "Candice", "Fuzzy", "Wally", "The Professor")]
)
def test_guests(coming: tuple[str, ...]) -> None:
    """DE-1: every guest who is still to come is turned up equally often, and no other."""
    start = GAME.blank_table(Config())
    start["guest"] = np.where(np.isin(GUESTS, coming), COMING, 1)
    state = drawn(start, rules.turn_up)
    up = state["guest"] == TURNED_UP
    assert (up.sum(axis=1) == 1).all()
    assert_as_likely([GUESTS[guest] for guest in up.argmax(axis=1).tolist()], evenly(coming))
    assert ((state["guest"] == COMING).sum(axis=1) == len(coming) - 1).all()


def test_dropped_dishes() -> None:
    """DE-6: a false call costs every dessert of the hand equally often."""
    config = Config(false_calls=True)
    hand = cards("Black forest cake, Candied ginger, Fudge, Fruit salad, Belgian waffle")
    start = seated(config, study(config, ["Yellow cake", hand])).state
    state = drawn(start, rules.drop_dish, 1, number=3000)
    assert ((state["dessert"] == 1).sum(axis=1) == 4).all()
    assert_as_likely(names_at(state, DIRTY), evenly(hand))
    assert (state["new_guest"] == NONE).all()
