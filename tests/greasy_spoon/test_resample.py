"""Resampling: what a player does not know is dealt anew, and nothing else changes (GS-13)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from greasy_spoon_env import GAME, Config, tables
from greasy_spoon_env.actions import START_COMBO_1, START_COMBO_2
from greasy_spoon_env.cards import (
    COMBO_1,
    COMBO_2,
    COPIES,
    FIRST_MAIN,
    ITEMS,
    NUM_CARDS,
    NUM_MAINS,
)
from greasy_spoon_env.state import COMPLETING, NONE, SERVING, STASHING
from tests import resampling
from tests.playing import bits
from waiter_envs import ImpossiblePositionError

from .states import CARDS, positions, seated, side_at_the_end, study
from .test_invariants import assert_sound
from .test_leaks import VARIANTS, both_deals, held

PRESETS = {**GAME.presets, "paid": VARIANTS["best_of_3"], "started": VARIANTS["no_recall"]}


def both(preset: str, seed: int = 3) -> tuple[Any, Any, Any]:
    """Return positions of all kinds, the same resampled, and who looks at each."""
    config = PRESETS[preset]
    before, viewers = resampling.for_each_viewer(config, positions(config, seed))
    return before, resampling.resampled(GAME, config, before, viewers, 21), viewers


@pytest.mark.parametrize("preset", PRESETS)
def test_the_player_sees_the_same_and_the_position_is_legal(preset: str) -> None:
    before, after, viewers = both(preset)
    resampling.assert_looks_the_same(GAME, PRESETS[preset], before, after, viewers)
    resampling.assert_legal(GAME, PRESETS[preset], after)
    assert_sound(PRESETS[preset], after)


@pytest.mark.parametrize("preset", PRESETS)
def test_all_that_is_hidden_changes_and_nothing_else(preset: str) -> None:
    before, after, viewers = both(preset)
    row = np.arange(len(before))
    assert np.array_equal(held(before), held(after))
    hidden = {"rng", "hand", "draw", "backburner", "phase", "pending", "pending_with"}
    for name in before.dtype.names:
        assert name in {*hidden, "last_stashed"} or np.array_equal(before[name], after[name]), name
    for name in ("hand", "draw", "backburner"):
        assert np.array_equal(before[name][row, viewers], after[name][row, viewers])
        changed = (before[name] != after[name]).any(axis=(1, 2))
        choices = before["draw"].any(axis=2)[row, 1 - viewers]
        choices &= before[name].any(axis=2)[row, 1 - viewers]
        assert changed[choices].mean() > 0.9
    other = viewers != before["current_player"]
    changes = set(zip(before["phase"][other].tolist(), after["phase"][other].tolist(), strict=True))
    assert {(SERVING, COMPLETING), (COMPLETING, SERVING), (COMPLETING, COMPLETING)} <= changes
    halves = other & (before["phase"] == COMPLETING) & (after["phase"] == COMPLETING)
    assert (before["pending"] != after["pending"])[halves].mean() > 0.8
    assert (before["pending_with"] != after["pending_with"])[halves].any()
    last = other & (before["last_stashed"] != NONE)
    assert (before["last_stashed"] != after["last_stashed"])[last].mean() > 0.6
    assert (before["rng"] != after["rng"]).any(axis=1).all()


@pytest.mark.parametrize("match", VARIANTS)
def test_nothing_peeks(match: str) -> None:
    """Positions that look the same give the same sample."""
    _, before, after, viewers = both_deals(match)
    resampling.assert_no_peeking(GAME, VARIANTS[match], before, after, viewers)


@pytest.mark.parametrize("preset", PRESETS)
def test_play_goes_on(preset: str) -> None:
    config = PRESETS[preset]
    _, after, _ = both(preset, 5)
    dealt = resampling.at(GAME, config, after)
    seen = resampling.play_on(dealt, 150, lambda state: assert_sound(config, state))
    assert seen > 20 * len(after)


def test_the_seed_and_the_table_tell_the_deal() -> None:
    """Table i depends on the seed, on i and on what its player knows; not on its old stream."""
    dealt, other = tables(6, 1), tables(3, 1)
    state = dealt.state.copy()
    state["rng"] = 77
    dealt.state = state
    dealt.resample(0, 9)
    other.resample(0, 9)
    assert bits(dealt.state[:3]) == bits(other.state)
    other.resample(0, 10)
    assert (dealt.state["hand"][:3, 1] != other.state["hand"][:, 1]).any()
    assert len({row.tobytes() for row in dealt.state["rng"]}) == 6
    assert len({row.tobytes() for row in dealt.state["hand"][:, 1]}) == 6


# -- As often as counted -----------------------------------------------------------------------

HAND = "K1 K1 M1 R2 K3 M3 K4 K4 K4 M5 R6"
"""Cards that make items of every kind."""


def facing(config: Config, opponent: Any, **changes: Any) -> np.void:
    """Return a table at which player 0 looks at an opponent near the end."""
    position = study(side_at_the_end("K1"), opponent, **changes)
    return seated(config, position).state[0].copy()


def copies(cards: str) -> list[int]:
    """Return the numbers of cards, each copy on its own."""
    return [CARDS.index(card) for card in cards.split()]


def cards_in(table: np.void, name: str) -> tuple[int, ...]:
    """Return the cards in a pile of the opponent."""
    return tuple(np.repeat(np.arange(NUM_CARDS), table[name][1]).tolist())


def splits(cards: list[int], *sizes: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every way to deal the copies of cards to piles of these sizes, sorted."""
    if not sizes:
        yield ()
        return
    for places in itertools.combinations(range(len(cards)), sizes[0]):
        rest = [card for place, card in enumerate(cards) if place not in places]
        for others in splits(rest, *sizes[1:]):
            yield tuple(sorted(cards[place] for place in places)), *others


def test_hand_backburner_and_pile_are_dealt_uniformly() -> None:
    """Every way to deal the copies is as likely, whatever the cards are."""
    table = facing(Config(), side_at_the_end(HAND, "R2", "K1"))
    deals = splits(copies(f"{HAND} R2 K1"), 11, 1)
    resampling.assert_as_counted(
        *(GAME, Config(), table, 0, deals),
        lambda t: (cards_in(t, "hand"), cards_in(t, "backburner")),
    )


@pytest.mark.parametrize("stashed", [1, 2])
def test_cards_set_aside_are_dealt_uniformly(stashed: int) -> None:
    """Of all ways to have set cards aside in ascending order, with one in hand that may follow."""
    cards = sorted(copies(f"{HAND} R2"))
    names = [CARDS[card] for card in cards]
    aside, hand = names[:stashed], names[stashed:11]
    older = ["K6"] if stashed == 1 else []
    cards += copies(" ".join(older))
    opponent = side_at_the_end(" ".join(hand), names[11], " ".join(aside + older))
    table = facing(
        *(Config(), opponent),
        phase="stash",
        to_act=1,
        leader=0,
        stashed=stashed,
        last_stashed=aside[-1],
    )
    deals = (
        (hand, tuple(sorted(set_aside + rest)), set_aside[-1])
        for set_aside, hand, rest in splits(cards, stashed, 11 - stashed, 2 - stashed)
        if hand[-1] >= set_aside[-1]
    )
    resampling.assert_as_counted(
        *(GAME, Config(), table, 0, deals),
        lambda t: (cards_in(t, "hand"), cards_in(t, "backburner"), int(t["last_stashed"])),
        draws=30_000,
    )


@pytest.mark.parametrize("dish", [None, "K2", "K1 M1 R1 + K2", "R4 R4 R4 + K4", "K2 K3 K4 + K1 R1"])
def test_half_a_combination_is_as_likely_as_nothing_begun(dish: str | None) -> None:
    """For every deal of the cards, every way to begin the turn, and not to have, is as likely."""
    leader = 1 if dish is None else 0
    table = facing(Config(), side_at_the_end(HAND, "R2"), to_act=1, leader=leader, dish=dish)
    weights: Counter[Any] = Counter()
    for (hand,) in splits(copies(f"{HAND} R2"), 11):
        turn = table.copy()
        turn["hand"][1] = np.bincount(hand, minlength=NUM_CARDS)
        (mask,) = resampling.at(GAME, Config(), np.array([turn])).action_mask
        begun = [*begun_by(mask, START_COMBO_1, COMBO_1), *begun_by(mask, START_COMBO_2, COMBO_2)]
        for state in ((NONE, NONE), *begun):
            weights[hand, state] += 1 / (1 + len(begun))  # type: ignore[assignment]
    resampling.assert_as_counted(GAME, Config(), table, 0, weights, begun_with, draws=60_000)


def begun_by(mask: Any, start: int, kind: int) -> list[tuple[int, int]]:
    """Return the mains that a mask offers as halves of one kind, with the kind."""
    return [(FIRST_MAIN + int(i), kind) for i in np.flatnonzero(mask[start : start + NUM_MAINS])]


def begun_with(table: np.void) -> tuple[tuple[int, ...], tuple[int, int]]:
    """Return the opponent's hand, a half-served main included, and what it has begun."""
    half = int(table["pending"]), int(table["pending_with"])
    hand = cards_in(table, "hand") + (ITEMS[half[0]].cards if half[0] != NONE else ())
    return tuple(sorted(hand)), half


# -- What contradicts itself -------------------------------------------------------------------


def spoilt(**changes: Any) -> np.void:
    """Return a table of which a field was overwritten by hand."""
    table = tables(1, 4).state[0].copy()
    for name, value in changes.items():
        table[name] = value
    return table


CONTRADICTIONS = {
    "a card too many in the own hand": {"hand": 1, "draw": 3},
    "negative": {"hand": -1},
    "all served twice": {"served": 3},
    "half a combination without a main": {"phase": COMPLETING},
    "a main without its phase": {"pending": 120},
    "set aside in a turn": {"stashed": 1},
    "set aside nothing": {"phase": STASHING, "stashed": 2},
    "no such phase": {"phase": 9},
    "no such player": {"current_player": 5},
    "no such dish": {"dish": 300},
}


@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_what_contradicts_itself_is_refused(what: str) -> None:
    dealt = tables(3, 1)
    state = dealt.state.copy()
    state[1] = spoilt(**CONTRADICTIONS[what])
    dealt.state[:] = state
    for viewer in range(2):
        with pytest.raises(ImpossiblePositionError, match=f"table 1: .*player_{viewer} knows"):
            dealt.resample(viewer, 5)
        assert np.array_equal(dealt.state, state)


def test_cards_set_aside_that_none_can_follow_are_refused() -> None:
    """Whoever goes on setting aside holds a card that may follow (GS-6)."""
    table = facing(Config(), side_at_the_end(HAND, "R2"))
    table["phase"], table["current_player"] = STASHING, 1
    table["stashed"], table["last_stashed"] = 1, copies("K1")[0]
    table["served"][1] += table["hand"][1]
    table["hand"][1] = 0
    table["served"][1, table["last_stashed"]] -= 1
    table["backburner"][1, table["last_stashed"]] += 1
    dealt = resampling.at(GAME, Config(), np.array([table]))
    with pytest.raises(ImpossiblePositionError, match="player_0 knows contradicts itself"):
        dealt.resample(0, 1)


def test_the_set_of_cards_has_a_digit_for_each_copy() -> None:
    """`resample` counts on three copies of a card."""
    assert COPIES == 3
