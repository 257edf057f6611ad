"""The mask against every combination of cards, for hands of every size and any dish to beat.

What may be served is worked out by `reference.py`, which looks at whole dishes one by one; the
core offers a combination by halves.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from greasy_spoon_env import GAME, Config
from waiter_envs.core.tables import Tables

from . import reference
from .playing import DECK, action_texts, holding, in_order, seated, server, study

CONFIG = Config()
HANDS = 24
"""Hands of each size and sort."""

KINDS = (None, *reference.KINDS)
"""Kinds of dish to beat."""

ON_OFFER = reference.all_dishes()


def even_hand(rng: random.Random, size: int) -> list[str]:
    """Return a hand dealt from the deck."""
    return rng.sample(DECK, size)


def skewed_hand(rng: random.Random, size: int) -> list[str]:
    """Return a hand of few different cards, of one suit or of neighbouring ranks."""
    one_suit = [card for card in DECK if card[0] == rng.choice("KMR")]
    start = rng.randrange(0, len(DECK) - 18)
    pool = rng.choice([one_suit, DECK[start : start + 18]])
    kinds = sorted(set(pool))
    few = rng.sample(kinds, min(len(kinds), max(size // 3 + 1, rng.randint(1, 6))))
    pool = [card for card in pool if card in few]
    if len(pool) < size:
        rest = list((Counter(DECK) - Counter(pool)).elements())
        return pool + rng.sample(rest, size - len(pool))
    return rng.sample(pool, size)


HAND_SORTS = {"even": even_hand, "skewed": skewed_hand}


def dish_to_beat(rng: random.Random, kind: str, own: list[str]) -> str:
    """Return a dish of a kind; often one that equals one that the hand makes."""
    return rng.choice(own if own and rng.random() < 0.6 else ON_OFFER[kind])


def position_with(rng: random.Random, hand: list[str], dish: str | None) -> dict[str, Any]:
    """Return a position where player 0 has a hand, and perhaps a draw pile and backburner."""
    piles = (rng.choice([0, 1, 20]), rng.choice([0, 2])) if len(hand) == 11 else (0, 0)
    if piles[0] == 0:
        piles = (0, 0)
    return study(CONFIG, holding(" ".join(hand), *piles), server(dish), dish=dish)


def expected_texts(position: dict[str, Any]) -> set[str]:
    """Return what player 0 may do at the start of its turn, by the second opinion."""
    own, dish = position["players"][0], position["dish"]
    texts = {"pass"} if dish else set()
    if own["backburner"]:
        texts.add("recall")
    for choice in reference.legal_dishes(own["hand"], dish):
        main, plus, second = choice.partition(" + ")
        texts.add(f"serve {main}{plus}{reference.category_of(second).lower() if plus else ''}")
    return texts


def expected_completions(position: dict[str, Any]) -> Iterator[tuple[dict[str, Any], set[str]]]:
    """Yield each position after a first half, and what completes it, by the second opinion."""
    own = position["players"][0]
    halves: dict[tuple[str, str], set[str]] = defaultdict(set)
    for choice in reference.legal_dishes(own["hand"], position["dish"]):
        main, plus, second = choice.partition(" + ")
        if plus:
            halves[main, reference.category_of(second).lower()].add(f"serve {second}")
    for (main, second_half), texts in halves.items():
        hand = in_order(Counter(own["hand"]) - Counter(main.split()))
        players = [{**own, "hand": hand}, position["players"][1]]
        pending = {"main": main, "with": second_half}
        yield {**position, "phase": "complete", "players": players, "pending": pending}, texts


def offered(dealt: Tables) -> list[set[str]]:
    """Return the texts of what each mask offers."""
    texts = action_texts()
    assert set(np.unique(dealt.action_mask)) <= {0, 1}
    return [{texts[action] for action in np.flatnonzero(row)} for row in dealt.action_mask]


def compare(positions: list[dict[str, Any]], expected: list[set[str]]) -> None:
    """Compare what the core offers at positions with what is expected."""
    for position, found, due in zip(
        positions, offered(seated(CONFIG, *positions)), expected, strict=True
    ):
        assert found == due, position


def studies(sort: str, size: int) -> list[dict[str, Any]]:
    """Return positions with hands of a sort and size, facing each kind of dish and none."""
    rng = random.Random(f"{sort} {size}")
    positions = []
    for _ in range(HANDS):
        hand = HAND_SORTS[sort](rng, size)
        assert len(hand) == size
        assert not Counter(hand) - Counter(DECK)
        by_kind = defaultdict(list)
        for own in sorted(reference.dishes(hand)):
            by_kind[reference.kind_of(own)].append(own)
        for kind in KINDS:
            dish = None if kind is None else dish_to_beat(rng, kind, by_kind[kind])
            positions.append(position_with(rng, hand, dish))
    return positions


@pytest.mark.parametrize("size", range(1, 12))
@pytest.mark.parametrize("sort", HAND_SORTS)
def test_serving(sort: str, size: int) -> None:
    """A turn offers just the dishes that the hand makes and that beat the one on the table."""
    positions = studies(sort, size)
    compare(positions, [expected_texts(position) for position in positions])


@pytest.mark.parametrize("size", range(4, 12))
@pytest.mark.parametrize("sort", HAND_SORTS)
def test_completing(sort: str, size: int) -> None:
    """Half a combination offers just the second halves of whole dishes that beat, at least one."""
    pairs = [pair for position in studies(sort, size) for pair in expected_completions(position)]
    chosen = random.Random(size).sample(pairs, min(len(pairs), 250))
    assert chosen
    compare([position for position, _ in chosen], [texts for _, texts in chosen])


@pytest.mark.parametrize(
    "hand",
    [
        "K1 K1 K1 M1 K2 R3 R3 M5 K6 K6 R6",
        "K1 M1 R1 K2 M2 R2 K3 M3 R3 K4 M4",
        "K6 K6 K6 M6 M6 M6 R6 R6 R6 R5 R5",
    ],
)
def test_each_set_aside_has_one_path(hand: str) -> None:
    """GS-6: every set of up to three cards can be set aside, in one way only."""
    position = study(CONFIG, holding(hand, 20), server("R6"), dish="R6")
    paths: Counter[tuple[str, ...]] = Counter()
    open_paths: list[tuple[str, ...]] = [()]
    while open_paths:
        path = open_paths.pop()
        dealt = seated(CONFIG, position)
        for text in ["pass", *(f"stash {card}" for card in path)]:
            assert GAME.position_to_dict(dealt.state[0])["to_act"] == 0
            dealt.step([action_texts().index(text)])
        if GAME.position_to_dict(dealt.state[0])["to_act"] == 1:  # it ended by itself
            paths[path] += 1
            continue
        choices = offered(dealt)[0]
        assert "done" in choices
        paths[path] += 1
        open_paths += [(*path, text.removeprefix("stash ")) for text in choices - {"done"}]
    sets = {
        tuple(in_order(cards))
        for number in range(4)
        for cards in itertools.combinations(hand.split(), number)
    }
    assert paths == Counter(sets)
