"""Resampling: what a player does not know is dealt anew, and nothing else changes (HW-16)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hey_waiter_env import GAME, Config, tables
from hey_waiter_env.actions import DRAFT_PICK, MOVE_DISHES, ONTO, TAKE
from hey_waiter_env.state import DRAFT, NONE
from tests import resampling
from waiter_envs import ImpossiblePositionError

from .playing import COLOURS, VARIANTS, positions, seat_player, seated, study
from .test_invariants import assert_sound
from .test_leaks import both_deals

HIDDEN = {"rng", "hand", "card", "draw", "last", "side"}


def both(variant: str, seed: int = 3, per_kind: int = 6) -> tuple[Any, Any, Any]:
    """Return positions of all kinds, the same resampled, and who looks at each."""
    config = VARIANTS[variant]
    before, viewers = resampling.for_each_viewer(config, positions(config, seed, per_kind))
    return before, resampling.resampled(GAME, config, before, viewers, 21), viewers


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_player_sees_the_same_and_the_position_is_legal(variant: str) -> None:
    before, after, viewers = both(variant)
    resampling.assert_looks_the_same(GAME, VARIANTS[variant], before, after, viewers)
    resampling.assert_legal(GAME, VARIANTS[variant], after)
    assert_sound(VARIANTS[variant], after)


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_that_is_hidden_changes_and_nothing_else(variant: str) -> None:
    config = VARIANTS[variant]
    before, after, viewers = both(variant)
    row = np.arange(len(before))
    for name in before.dtype.names:
        assert name in HIDDEN or np.array_equal(before[name], after[name]), name
    for name in ("hand", "card", "last"):
        assert np.array_equal(before[name][row, viewers], after[name][row, viewers])
    others = np.arange(config.num_players) != viewers[:, np.newaxis]
    assert (before["hand"] != after["hand"]).any(axis=2)[others].mean() > 0.7
    under = (before["card"] != NONE) & others[:, :, np.newaxis]
    assert (before["card"] != after["card"])[under].mean() > 0.5
    assert (before["draw"] != after["draw"]).any(axis=1).mean() > 0.7
    assert np.array_equal(before["draw"].sum(axis=1), after["draw"].sum(axis=1))
    secret = (before["known"] == 0).any(axis=1)
    assert np.array_equal((before["side"] != after["side"]).any(), secret.any())
    assert np.array_equal(before["side"][~secret], after["side"][~secret])
    assert (before["rng"] != after["rng"]).any(axis=1).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_others_laid_down_lies_there(variant: str) -> None:
    """The card of a last action is under the newest stack, or the one moved, or in hand (HW-15)."""
    before, after, viewers = both(variant)
    changed = 0
    for old, new, viewer in zip(before, after, viewers.tolist(), strict=True):
        for player, last in enumerate(new["last"].tolist()):
            place = {DRAFT_PICK: 2, TAKE: 5}.get(last[0], 4)
            if last[0] not in (DRAFT_PICK, TAKE) and not (
                last[0] == MOVE_DISHES and last[4] < ONTO
            ):
                place = None
            if player == viewer or place is None:
                assert np.array_equal(new["last"][player], old["last"][player])
                continue
            stacks = int(new["num_stacks"][player])
            whole = last[0] == MOVE_DISHES and last[3] == 0
            stack = min(last[2], stacks - 1) if whole else stacks - 1
            if stacks:
                assert last[place] == new["card"][player, stack]
            else:
                assert new["hand"][player, last[place]] > 0
            changed += last[place] != old["last"][player, place]
    assert changed > 0


@pytest.mark.parametrize("variant", [name for name in VARIANTS if VARIANTS[name].secret_teams])
def test_sides_that_are_known_stay(variant: str) -> None:
    """Also those known by elimination; the others are exchanged among equals (HW-14)."""
    before, after, _ = both(variant, 4, 40)
    some = False
    for old, new in zip(before, after, strict=True):
        known = old["known"][old["side"]] == 1
        assert np.array_equal(known, new["known"][new["side"]] == 1)
        assert np.array_equal(old["side"][known], new["side"][known])
        for seats in set(old["seats_of"].tolist()):
            group = old["seats_of"] == seats
            assert sorted(old["side"][group]) == sorted(new["side"][group])
        some |= bool(known.any())
    assert some


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_peeks(variant: str) -> None:
    """Positions that look the same give the same sample."""
    _, before, after, viewers = both_deals(variant)
    resampling.assert_no_peeking(GAME, VARIANTS[variant], before, after, viewers)


@pytest.mark.parametrize("variant", VARIANTS)
def test_play_goes_on(variant: str) -> None:
    config = VARIANTS[variant]
    _, after, _ = both(variant, 5)
    dealt = resampling.at(GAME, config, after)
    live = (~resampling.over(after)).sum()
    seen = resampling.play_on(dealt, 40, lambda state: assert_sound(config, state))
    assert seen > 10 * live


# -- As often as counted -----------------------------------------------------------------------

DUEL = Config((0, 1))


def deals(pool: str, *sizes: int) -> Iterator[tuple[str, ...]]:
    """Yield every way to deal the cards of a pool to places of these sizes, each sorted."""
    if not sizes:
        yield ()
        return
    for places in itertools.combinations(range(len(pool)), sizes[0]):
        rest = "".join(card for i, card in enumerate(pool) if i not in places)
        for others in deals(rest, *sizes[1:]):
            yield "".join(sorted(pool[i] for i in places)), *others


def letters(counts: Any) -> str:
    """Return a pile as letters, sorted."""
    return "".join(sorted(c * n for c, n in zip(COLOURS, counts.tolist(), strict=True)))


def places_of(table: np.void, players: tuple[int, ...]) -> tuple[str, ...]:
    """Return the hands of players and the cards under their stacks."""
    cards: list[str] = []
    for player in players:
        cards.append(letters(table["hand"][player]))
        cards += [COLOURS[card] for card in table["card"][player] if card != NONE]
    return tuple(cards)


def late(config: Config, *players: Any, pool: str) -> np.void:
    """Return a position where all but a few cards are discarded, the draw pile among those few.

    Args:
        config: the variant.
        *players: what `seat_player` returns.
        pool: what the first player does not know; those that nobody holds are to draw.
    """
    held = Counter("".join(player["hand"] for player in players))
    for player in players:
        held.update(stack["card"] for stack in player["stacks"])
    mine = Counter(players[0]["hand"])
    mine.update(stack["card"] for stack in players[0]["stacks"])
    draw = Counter(pool) - (held - mine)
    total = {colour: 22 * config.sets for colour in COLOURS}
    position = study(
        config,
        *players,
        draw={colour: draw[colour] for colour in COLOURS},
        discard={colour: total[colour] - draw[colour] - held[colour] for colour in COLOURS},
    )
    return seated(config, position).state[0].copy()


def test_every_deal_is_as_likely() -> None:
    """Hand, two cards under stacks and the draw pile of a duel, of nine cards."""
    pool = "WWGGRRBBB"
    mine = seat_player("WGRBWG", "R WG")
    table = late(DUEL, mine, seat_player("WWGGR", "R WG", "B RB"), pool=pool)
    outcomes = deals(pool, 5, 1, 1)
    resampling.assert_as_counted(
        GAME, DUEL, table, 0, outcomes, lambda t: places_of(t, (1,)), draws=40_000
    )


def test_every_deal_to_two_opponents_is_as_likely() -> None:
    """Hands and stacks of two, of few colours: 15 cards, one of them to draw."""
    config = Config((0, 1, 2))
    mine = seat_player("WGRBWG", "R WG")
    pool = "WWWWWWWWWWWGGGR"
    theirs = seat_player("WWWWWW", "W WG"), seat_player("WWWWGG", "G RB")
    table = late(config, mine, *theirs, pool=pool)
    weights: Counter[Any] = Counter()
    for green in itertools.combinations(range(15), 3):  # places: 6, 1, 6, 1, 1
        for red in set(range(15)) - set(green):
            cards = ["G" if i in green else "R" if i == red else "W" for i in range(15)]
            split = cards[:6], cards[6:7], cards[7:13], cards[13:14]
            weights[tuple("".join(sorted(part)) for part in split)] += 1
    resampling.assert_as_counted(
        GAME, config, table, 0, weights, lambda t: places_of(t, (1, 2)), draws=40_000
    )


def test_sides_are_as_likely_as_counted() -> None:
    """Every partnership of four is as likely; of 3 and 3 seats twice, only equals change."""
    for variant in ("secret_2v2", "secret_2v1v1", "secret_2v2v1", "secret_triple_duty"):
        config = VARIANTS[variant]
        groups: dict[int, list[int]] = {}
        for player in range(config.num_players):
            groups.setdefault(list(config.seats).count(player), []).append(player)
        arrangements = []
        for orders in itertools.product(*map(itertools.permutations, groups.values())):
            sides = [0] * config.num_players
            for group, order in zip(groups.values(), orders, strict=True):
                for player, other in zip(group, order, strict=True):
                    sides[player] = config.sides[other]
            arrangements.append(tuple(sides))
        if len(set(arrangements)) == 1:
            continue
        (table,) = positions_in_draft(config)
        resampling.assert_as_counted(
            GAME, config, table, 0, arrangements, lambda t: tuple(t["side"].tolist())
        )


def positions_in_draft(config: Config) -> Any:
    """Return a table where nothing has been revealed."""
    state = positions(config, 6)
    return state[(state["phase"] == DRAFT)][:1]


# -- What contradicts itself -------------------------------------------------------------------

CONTRADICTIONS: dict[str, dict[str, Any]] = {
    "too many cards in the own hand": {"hand": 30},
    "negative": {"hand": -1},
    "too many discards": {"discard": 50},
    "no cards to draw": {"draw": 0},
    "negative draw pile": {"draw": -5},
    "no such colour": {"card": 9},
    "stacks without cards": {"num_stacks": 4},
    "too many stacks": {"num_stacks": 100},
    "no such side": {"side": 7},
}


@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_what_contradicts_itself_is_refused(what: str) -> None:
    config = VARIANTS["4_partnership"]
    state = positions(config, 3, 2)[:3]
    for name, value in CONTRADICTIONS[what].items():
        state[name][1] = value
    dealt = tables(len(state), 1, config=config)
    dealt.state[:] = state
    for viewer in range(4):
        with pytest.raises(ImpossiblePositionError, match=f"table 1: .*player_{viewer} knows"):
            dealt.resample(viewer, 5)
        assert np.array_equal(dealt.state, state)
