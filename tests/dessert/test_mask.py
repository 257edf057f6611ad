"""The mask against every set of up to three desserts, for hands of every size and all guests.

Which sets are servings is worked out here, from what is printed on the cards in `reference.py`, by
trying them all; the core composes servings of tastes.
"""

from __future__ import annotations

import functools
import itertools
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from dessert_env import GAME, Config
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    CLAIM,
    DIRTY,
    FROM_WAITING,
    NEW_GUEST,
    NONE,
    PILE,
    SERVE,
    STEAL,
    THEFT,
    TURNED_UP,
    WAITING,
)
from waiter_envs.core.tables import Tables

from .playing import seated, study
from .reference import DESSERTS, GUESTS, ICONS, is_serving, servings

CONFIG = Config()
SIZES = (*range(1, 31), 38, 50, 65, 76)
"""Sizes of hands."""

YES, NO, DESSERT, STEAL_BLOCK, WAITING_ROOM, FRESHEN = (
    slice(block.start, block.start + block.size) for block in GAME.action_blocks(CONFIG)
)
NAMES = list(GUESTS)

Hand = npt.NDArray[np.bool_]

# -- Servings by trying all sets (DE-2) --------------------------------------------------------


@functools.cache
def all_sets() -> dict[int, npt.NDArray[np.int64]]:
    """Return all sets of one, two and three desserts, each in order, by size."""
    return {
        size: np.array(list(itertools.combinations(range(len(DESSERTS)), size)))
        for size in (1, 2, 3)
    }


@functools.cache
def icon_bits() -> npt.NDArray[np.int64]:
    """Return what each dessert shows, one bit for each icon."""
    return np.array([bits_of(ICONS[dessert]) for dessert in DESSERTS])


def bits_of(icons: frozenset[str]) -> int:
    """Return a set of icons as bits."""
    known = sorted(frozenset.union(*ICONS.values()))
    return sum(1 << known.index(icon) for icon in icons)


def satisfied(sets: npt.NDArray[np.int64], guest: str) -> npt.NDArray[np.bool_]:
    """Return which of some sets, one in each row, satisfy a guest, with or without need."""
    shown = np.bitwise_or.reduce(icon_bits()[sets], axis=1)
    wanted, disliked = bits_of(GUESTS[guest].cravings), bits_of(GUESTS[guest].dislikes)
    return (shown & wanted == wanted) & (shown & disliked == 0)


@functools.cache
def all_servings(guest: str) -> dict[int, npt.NDArray[np.int64]]:
    """Return all servings for a guest, by size: sets of which no dessert could be left out."""
    found = {}
    for size, sets in all_sets().items():
        good = satisfied(sets, guest)
        for place in range(size if size > 1 else 0):
            good &= ~satisfied(np.delete(sets, place, axis=1), guest)
        found[size] = sets[good]
    return found


def servings_of(hand: Hand, guest: str, most: int = 3) -> list[tuple[int, ...]]:
    """Return the servings that a hand makes, of so many desserts at most."""
    found = []
    for size, sets in all_servings(guest).items():
        if size <= most:
            found += [tuple(row) for row in sets[hand[sets].all(axis=1)].tolist()]
    return found


def test_servings_are_those_of_the_reference() -> None:
    """Two ways of finding servings agree, and there are some for every guest."""
    rng = random.Random(0)
    for guest in NAMES:
        assert sum(map(len, all_servings(guest).values())) > 15
        for size in (3, 8, 15):
            cards = sorted(rng.sample(range(len(DESSERTS)), size))
            hand = np.isin(np.arange(len(DESSERTS)), cards)
            names = {tuple(DESSERTS[c] for c in one) for one in servings_of(hand, guest)}
            assert names == servings([DESSERTS[c] for c in cards], guest)
            assert all(is_serving(one, guest) for one in names)


# -- Hands and tables --------------------------------------------------------------------------


def even_hand(rng: random.Random, size: int, guest: str) -> Hand:
    """Return a hand dealt from all desserts."""
    del guest
    return np.isin(np.arange(len(DESSERTS)), rng.sample(range(len(DESSERTS)), size))


def useful_hand(rng: random.Random, size: int, guest: str) -> Hand:
    """Return a hand of which most belongs to servings for a guest, if it is small."""
    sets = [one for sets in all_servings(guest).values() for one in sets.tolist()]
    cards = set(rng.choice(sets)) if rng.random() < 0.5 else set()
    useful = sorted(set(itertools.chain.from_iterable(sets)) - cards)
    cards |= set(rng.sample(useful, min(len(useful), max(0, size * 2 // 3 - len(cards)))))
    rest = sorted(set(range(len(DESSERTS))) - cards)
    cards |= set(rng.sample(rest, max(0, size - len(cards))))
    kept = rng.sample(sorted(cards), size)
    return np.isin(np.arange(len(DESSERTS)), kept)


HAND_SORTS = {"even": even_hand, "useful": useful_hand}


def copies_of(position: dict[str, Any], number: int) -> npt.NDArray[np.void]:
    """Return so many tables at a position."""
    return np.repeat(seated(CONFIG, position).state.copy(), number)


def shown(states: npt.NDArray[np.void]) -> Tables:
    """Return tables at some states, a sample of which can be written and read as positions."""
    dealt = Tables.of(GAME, len(states), 0, config=CONFIG, autoreset_mode="Disabled")
    dealt.state = states
    for state in states[:: max(1, len(states) // 20)]:
        position = GAME.position_to_dict(state)
        assert GAME.position_to_dict(GAME.position_from_dict(CONFIG, position)) == position
    assert set(np.unique(dealt.action_mask)) <= {0, 1}
    return dealt


def studies(sort: str, size: int) -> list[tuple[str, Hand]]:
    """Return for every guest a hand of a sort and a size."""
    rng = random.Random(f"{sort} {size}")
    hands = [(guest, HAND_SORTS[sort](rng, size, guest)) for guest in NAMES]
    assert all(hand.sum() == size for _, hand in hands)
    return hands


def one_of_each_trio() -> list[list[str]]:
    """Return the guests of four players so that the first has none, and nobody has two alike."""
    guests: list[list[str]] = [[], [], [], []]
    for guest in NAMES:
        trio = GUESTS[guest].trio
        free = [p for p in (1, 2, 3) if all(GUESTS[g].trio != trio for g in guests[p])]
        guests[free[0]].append(guest)
    return guests


# -- Who is asked ------------------------------------------------------------------------------


@pytest.mark.parametrize("sort", HAND_SORTS)
def test_claiming_and_stealing(sort: str) -> None:
    """Just the guests that a hand can pay for may be claimed, taken or stolen (DE-2, DE-8)."""
    hands = [pair for size in SIZES for pair in studies(sort, size)]
    packs = np.array([hand for _, hand in hands])
    tables = {
        phase: copies_of(study(CONFIG, guest_pile="", **where), len(hands))
        for phase, where in {
            CLAIM: {"guest": "Wally", "phase": "claim"},
            CALL: {"guest": "Wally", "phase": "call", "active": 3},
            STEAL: {"guests": one_of_each_trio()},
            WAITING: {"waiting_room": "Wally"},
        }.items()
    }
    wanted = np.array([NAMES.index(guest) for guest, _ in hands])
    rows = np.arange(len(hands))
    others = np.array([[g for g in range(len(NAMES)) if g != guest] for guest in wanted])
    for phase, states in tables.items():
        states["dessert"] = np.where(packs, 0, PILE)
        if phase != STEAL:
            states["guest"][rows, :] = WAITING
            states["waiting_room"][:, :-1] = others
        if phase == WAITING:
            states["waiting_room"][:, -1] = wanted
        elif phase != STEAL:
            states["guest"][rows, wanted] = TURNED_UP
            states["new_guest"] = wanted
    can_serve = np.array([bool(servings_of(hand, guest)) for guest, hand in hands])
    assert can_serve.any()
    assert not can_serve.all()
    can_steal = np.array(
        [[bool(servings_of(hand, g, int(hand.sum()) - 1)) for g in NAMES] for _, hand in hands]
    )
    masks = {phase: shown(states).action_mask for phase, states in tables.items()}
    assert np.array_equal(masks[CLAIM][:, YES][:, 0], can_serve)
    assert np.array_equal(masks[CALL][:, YES][:, 0], can_serve)
    assert np.array_equal(masks[WAITING][:, WAITING_ROOM][:, 0], can_serve)
    assert np.array_equal(masks[STEAL][:, STEAL_BLOCK], can_steal)
    for phase in (STEAL, WAITING):
        assert masks[phase][:, FRESHEN].all()
        assert not masks[phase][:, DESSERT].any()
        assert not masks[phase][:, YES].any()
    assert all(mask[:, NO].all() for mask in masks.values())
    assert not masks[STEAL][:, WAITING_ROOM].any()
    assert not masks[WAITING][:, STEAL_BLOCK].any()
    for phase in (CLAIM, CALL):
        assert not masks[phase][:, 2:].any()


# -- What is served ----------------------------------------------------------------------------


def table_serving(guest: str, serving: int) -> npt.NDArray[np.void]:
    """Return a table where player 0 serves a guest and nothing is laid down, without a hand."""
    kind = {NEW_GUEST: "guest", THEFT: "steal", FROM_WAITING: "waiting room"}[serving]
    places: dict[int, dict[str, Any]] = {
        NEW_GUEST: {"guest": guest},
        THEFT: {"guests": ["", "", guest]},
        FROM_WAITING: {"waiting_room": [guest]},
    }
    first = all_servings(guest)
    hand = [DESSERTS[card] for card in next(one for n in (3, 2, 1) for one in first[n].tolist())]
    spare = next(dessert for dessert in DESSERTS if dessert not in hand)
    position = study(
        CONFIG,
        [[*hand, spare]],
        phase="serve",
        serving=kind,
        target=guest,
        to_act=0,
        **places[serving],
    )
    return copies_of(position, 1)


@pytest.mark.parametrize("serving", [NEW_GUEST, THEFT, FROM_WAITING])
@pytest.mark.parametrize("sort", HAND_SORTS)
def test_serving(sort: str, serving: int) -> None:
    """Just the next desserts of servings are offered, with 0, 1 or 2 laid down (DE-2, DE-8)."""
    rng = random.Random(f"{sort} {serving}")
    blank = {guest: table_serving(guest, serving)[0] for guest in NAMES}
    states, expected, laid_down = [], [], []
    for size in SIZES:
        for guest, hand in studies(sort, size):
            most = size - 1 if serving == THEFT else size
            paths = servings_of(hand, guest, most)
            starts = {path[:number] for path in paths for number in range(len(path))}
            for start in sorted(rng.sample(sorted(starts), min(len(starts), 8))) if starts else []:
                state = blank[guest].copy()
                place = np.where(hand, 0, PILE)
                place[list(start)] = CHOSEN
                state["dessert"] = place
                offers = np.zeros(len(DESSERTS), np.int8)
                nexts = {
                    path[len(start)]
                    for path in paths
                    if path[: len(start)] == start and len(path) > len(start)
                }
                offers[sorted(nexts)] = 1
                states.append(state)
                expected.append(offers)
                laid_down.append(len(start))
    assert all(laid_down.count(number) > 100 for number in (0, 1, 2))
    dealt = shown(np.array(states))
    for state, mask, offers in zip(states, dealt.action_mask, expected, strict=True):
        assert np.array_equal(mask[DESSERT], offers), GAME.position_to_dict(state)
    others = np.delete(dealt.action_mask, np.r_[DESSERT], axis=1)
    assert not others.any()


@pytest.mark.parametrize("guest", NAMES)
def test_each_serving_has_one_path(guest: str) -> None:
    """Every serving that a hand makes can be laid down, in one way only, and nothing else can."""
    hand = useful_hand(random.Random(guest), 14, guest)
    position = study(CONFIG, [[DESSERTS[c] for c in np.flatnonzero(hand)]], guest=guest,
                     phase="claim")  # fmt: skip
    states = copies_of(position, 1)
    dealt = shown(states)
    if not servings_of(hand, guest):
        assert not dealt.action_mask[0, YES].any()
        return
    dealt.step([YES.start])
    states, done = dealt.state.copy(), []
    while len(states):
        serving = states["phase"] == SERVE
        assert (states["target"][serving] == NAMES.index(guest)).all()
        done += [
            tuple(np.flatnonzero(row == DIRTY).tolist()) for row in states["dessert"][~serving]
        ]
        states = states[serving]
        if len(states):
            dealt = shown(states)
            rows, actions = np.nonzero(dealt.action_mask)
            dealt = shown(states[rows])
            dealt.step(actions.astype(np.int32))
            states = dealt.state.copy()
    assert sorted(done) == sorted(servings_of(hand, guest))


# -- Bribes, Aces, freshening ------------------------------------------------------------------


def test_bribes() -> None:
    """Any dessert that remains may be the bribe (DE-8)."""
    rng = random.Random(3)
    for guest in NAMES:
        laid = rng.choice([one for sets in all_servings(guest).values() for one in sets.tolist()])
        rest = sorted(rng.sample(sorted(set(range(len(DESSERTS))) - set(laid)), rng.randint(2, 30)))
        position = study(
            CONFIG, [[DESSERTS[c] for c in rest]], ["", guest], phase="bribe", target=guest,
            chosen=[DESSERTS[c] for c in sorted(laid)],
        )  # fmt: skip
        dealt = seated(CONFIG, position)
        assert dealt.state["phase"][0] == BRIBE
        assert dealt.state["serving"][0] == THEFT != NONE
        assert (np.flatnonzero(dealt.action_mask[0]) - DESSERT.start).tolist() == rest


def test_aces() -> None:
    """An owner may stop a theft with any Ace whose icon the guest craves, and no other (DE-8)."""
    rng = random.Random(4)
    seen = 0
    for guest in NAMES:
        for size in (2, 6, 15, 30, 40):
            hand = sorted(rng.sample(range(len(DESSERTS)), size))
            aces = [
                c
                for c in hand
                if len(ICONS[DESSERTS[c]]) == 1 and ICONS[DESSERTS[c]] <= GUESTS[guest].cravings
            ]
            if not aces:
                continue
            thief = [c for c in range(len(DESSERTS)) if c not in hand]  # can pay for anybody
            hands = [[DESSERTS[c] for c in cards] for cards in (thief, hand)]
            position = study(CONFIG, hands, ["", guest], phase="stop", target=guest)
            mask = seated(CONFIG, position).action_mask[0]
            assert mask[NO].all()
            assert (np.flatnonzero(mask[DESSERT])).tolist() == aces
            assert mask.sum() == 1 + len(aces)
            seen += 1
    assert seen > 60


def test_freshening() -> None:
    """After a discard the later cards are offered, and to be done (DE-10)."""
    rng = random.Random(5)
    for size in SIZES:
        hand = sorted(rng.sample(range(len(DESSERTS)), size))
        for number in {0, 1, size // 2, size - 1}:
            gone = sorted(rng.sample(hand, number))
            kept = [c for c in hand if c not in gone]
            position = study(
                CONFIG, [[DESSERTS[c] for c in kept]], phase="freshen",
                discarded=[DESSERTS[c] for c in gone],
            )  # fmt: skip
            mask = seated(CONFIG, position).action_mask[0]
            later = [c for c in kept if not gone or c > gone[-1]]
            assert (np.flatnonzero(mask[DESSERT])).tolist() == later
            assert mask[NO].all() == bool(gone)
            assert mask.sum() == len(later) + bool(gone)
