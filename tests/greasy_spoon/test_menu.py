"""The menu: what there is on it, and what beats what, all of it (GS-1 to GS-3).

Whoever may choose freely here holds a whole deck, so that nothing but the rules keeps a dish
from being served. The core is asked through its masks; the second opinion is `reference.py`.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from greasy_spoon_env import GAME, Config, tables
from waiter_envs.core.tables import Tables

from . import reference
from .playing import DECK, action_texts, facing

CONFIG = Config()

ITEMS = {
    "Soda": 18,
    "Rings": 30,
    "Fries": 18,
    "Fancy Rings": 15,
    "Fancy Fries": 18,
    "Hot Dog": 96,
    "Cheeseburger": 42,
    "Fancy Dog": 12,
    "Fancy Burger": 18,
}
"""How many items of each type there are."""

BLOCKS = {block.name: block for block in GAME.action_blocks(CONFIG)}

BLOCK_OF = {"Combo 1": "combo_1", "Combo 2": "combo_2"}
"""The block of first halves of each kind of combination."""

Matrix = npt.NDArray[np.bool_]


class Class(NamedTuple):
    """All that counts of an item when it is compared with others (GS-2)."""

    type: str
    rank: int


def class_of(item: str) -> Class:
    """Return the class of an item, as the second opinion sees it."""
    kind = reference.item_type(item)
    assert kind is not None
    return Class(kind, max(int(card[1]) for card in item.split()))


def block_texts(name: str) -> list[str]:
    """Return the items that the actions of a block serve, in order."""
    block = BLOCKS[name]
    texts = action_texts()[block.start : block.start + block.size]
    return [text.removeprefix("serve ").partition(" + ")[0] for text in texts]


DRINKS, SIDES, MAINS = block_texts("drink"), block_texts("side"), block_texts("main")
ALL_ITEMS = [*DRINKS, *SIDES, *MAINS]
SECONDS = {"Combo 1": DRINKS, "Combo 2": SIDES}


def restored(state: npt.NDArray[np.void]) -> Tables:
    """Return tables of a state."""
    dealt = tables(len(state), 0, config=CONFIG)
    dealt.state = state
    return dealt


def offered(dealt: Tables, name: str) -> Matrix:
    """Return the part of the mask that is a block, `(tables, size)`."""
    block = BLOCKS[name]
    return dealt.action_mask[:, block.start : block.start + block.size].astype(bool)


# -- What there is -----------------------------------------------------------------------------


def test_items_of_each_type() -> None:
    """The blocks of items have as many of each type as the menu, and the same ones."""
    menu = reference.all_items()
    by_type = {kind: texts for types in menu.values() for kind, texts in types.items()}
    assert {kind: len(texts) for kind, texts in by_type.items()} == ITEMS
    for name, category in (("drink", "Drink"), ("side", "Side"), ("main", "Main")):
        on_menu = [item for kind in reference.MENU[category] for item in by_type[kind]]
        assert sorted(block_texts(name)) == sorted(on_menu)
    assert block_texts("combo_1") == block_texts("combo_2") == MAINS


def test_items_stand_from_cheap_to_dear() -> None:
    """No item beats one that stands later in its block."""
    for texts in (DRINKS, SIDES, MAINS):
        for early, late in itertools.pairwise(texts):
            assert not reference.beats(early, late)


def test_combinations() -> None:
    """3,006 of 3,024 Combos 1 and 13,428 of 13,608 Combos 2 can be held, and are offered."""
    assert len(MAINS) * len(DRINKS) == 3_024
    assert len(MAINS) * len(SIDES) == 13_608
    dishes = reference.all_dishes()
    for name, second, total in (("Combo 1", "drink", 3_006), ("Combo 2", "side", 13_428)):
        block = BLOCKS[BLOCK_OF[name]]
        dealt = facing(CONFIG, [None] * block.size)
        assert offered(dealt, "combo_1").all()
        assert offered(dealt, "combo_2").all()
        dealt.step(np.arange(block.start, block.start + block.size))
        assert dealt.action_mask.sum() == offered(dealt, second).sum() == total == len(dishes[name])
        found = {
            f"{main} + {SECONDS[name][column]}"
            for main, row in zip(MAINS, offered(dealt, second), strict=True)
            for column in np.flatnonzero(row)
        }
        assert found == set(dishes[name])


# -- What beats what ---------------------------------------------------------------------------


@functools.cache
def item_matrix() -> Matrix:
    """Return which item (column) the core offers facing which (row), `(267, 267)`."""
    dealt = facing(CONFIG, ALL_ITEMS)
    assert not offered(dealt, "combo_1").any(), "no combination answers an item"
    assert not offered(dealt, "combo_2").any(), "no combination answers an item"
    assert offered(dealt, "pass").all()
    return dealt.action_mask[:, : len(ALL_ITEMS)].astype(bool)


def test_items_against_items() -> None:
    """Each of the 267 items is answered by just those that beat it, by the second opinion."""
    expected = [[reference.beats(new, old) for new in ALL_ITEMS] for old in ALL_ITEMS]
    assert np.array_equal(item_matrix(), np.array(expected))


@functools.cache
def representatives(name: str) -> dict[tuple[Class, Class], str]:
    """Return a combination of each pair of classes, its suits at random."""
    on_offer = reference.all_dishes()[name]
    dishes: dict[tuple[Class, Class], str] = {}
    for place in np.random.default_rng(7).permutation(len(on_offer)):
        dishes.setdefault(classes_of(on_offer[place]), on_offer[place])
    return dishes


def classes_of(combination: str) -> tuple[Class, Class]:
    """Return the classes of the halves of a combination."""
    main, second = combination.split(" + ")
    return class_of(main), class_of(second)


@functools.cache
def reference_matrix(name: str) -> Matrix:
    """Return which representative (column) beats which (row), by the second opinion."""
    dishes = representatives(name).values()
    return np.array([[reference.beats(new, old) for new in dishes] for old in dishes])


@functools.cache
def combo_matrix(name: str) -> Matrix:
    """Return which representative (column) the core offers facing which (row)."""
    dishes = representatives(name)
    matrix = np.zeros((len(dishes), len(dishes)), bool)
    for column, dish in enumerate(dishes.values()):
        main, second = dish.split(" + ")
        rows = np.flatnonzero(first_halves(name)[:, MAINS.index(main)])
        matrix[rows, column] = completions(name, main)[1][:, SECONDS[name].index(second)]
    return matrix


@functools.cache
def facing_each(name: str) -> npt.NDArray[np.void]:
    """Return the tables where player 0 faces each representative and holds a whole deck."""
    return facing(CONFIG, list(representatives(name).values())).state.copy()


@functools.cache
def first_halves(name: str) -> Matrix:
    """Return which mains the core offers facing which representative, `(dishes, 168)`."""
    return offered(restored(facing_each(name)), BLOCK_OF[name])


@functools.cache
def completions(name: str, main: str) -> tuple[npt.NDArray[np.int64], Matrix]:
    """Begin a main facing every representative where the core offers it.

    Returns:
        The numbers of those representatives, and what completes the main there.
    """
    column = MAINS.index(main)
    rows = np.flatnonzero(first_halves(name)[:, column])
    dealt = restored(facing_each(name)[rows])
    dealt.step(np.full(len(rows), BLOCKS[BLOCK_OF[name]].start + column))
    seconds = offered(dealt, reference.SECOND_HALF[name].lower())
    assert dealt.action_mask.sum() == seconds.sum(), "nothing else is offered"
    return rows, seconds


@pytest.mark.parametrize("name", reference.SECOND_HALF)
def test_first_halves(name: str) -> None:
    """Facing any class of combination, a main is offered if it beats with some second half."""
    beats = reference_matrix(name)
    mains = np.array([str(main) for main, _ in representatives(name)])
    for column, main in enumerate(MAINS):
        expected = beats[:, mains == str(class_of(main))].any(axis=1)
        assert np.array_equal(first_halves(name)[:, column], expected), f"{name} with {main}"


@pytest.mark.parametrize("name", reference.SECOND_HALF)
def test_second_halves(name: str) -> None:
    """A main is completed by all that is held and beats the dish on the table."""
    beats = reference_matrix(name)
    places = {pair: place for place, pair in enumerate(representatives(name))}
    one_of_each = {class_of(main): main for main in MAINS}
    assert len(one_of_each) == 20
    for kind, main in one_of_each.items():
        rows, seconds = completions(name, main)
        left = Counter(DECK) - Counter(main.split())
        for choice, second in enumerate(SECONDS[name]):
            held = Counter(second.split()) <= left
            expected = beats[rows, places[kind, class_of(second)]] & held
            assert np.array_equal(seconds[:, choice], expected), f"{main} + {second}"


@pytest.mark.parametrize(("name", "classes"), [("Combo 1", 20 * 6), ("Combo 2", 20 * 22)])
def test_combinations_against_combinations(name: str, classes: int) -> None:
    """Every class of combination against every other one: mains first, then the rest."""
    assert len(representatives(name)) == classes
    matrix = combo_matrix(name)
    assert np.array_equal(matrix, reference_matrix(name))
    assert matrix.sum() == classes * (classes - 1) // 2  # of two that differ, one beats the other


def test_suits_never_count() -> None:
    """All items of a class are answered by the same ones, and answer the same ones."""
    matrix = item_matrix()
    classes = [class_of(item) for item in ALL_ITEMS]
    for one in set(classes):
        alike = [index for index, kind in enumerate(classes) if kind == one]
        assert (matrix[alike] == matrix[alike[0]]).all()
        assert (matrix.T[alike] == matrix.T[alike[0]]).all()


@pytest.mark.parametrize("name", reference.SECOND_HALF)
def test_suits_never_count_in_combinations(name: str) -> None:
    """A combination is answered by the same first halves, whatever its suits."""
    some = np.random.default_rng(3).choice(reference.all_dishes()[name], 1_500, False).tolist()
    places = {pair: place for place, pair in enumerate(representatives(name))}
    alike = [places[classes_of(dish)] for dish in some]
    assert np.array_equal(offered(facing(CONFIG, some), BLOCK_OF[name]), first_halves(name)[alike])


@pytest.mark.parametrize("name", reference.SECOND_HALF)
def test_nothing_crosses_to_combinations(name: str) -> None:
    """No item answers a combination, and no combination one of the other kind."""
    dealt = restored(facing_each(name))
    for block in {"drink", "side", "main", *BLOCK_OF.values()} - {BLOCK_OF[name]}:
        assert not offered(dealt, block).any(), f"no {block} answers a {name}"
    assert offered(dealt, "pass").all()


@pytest.mark.parametrize("name", ["items", "Combo 1", "Combo 2"])
def test_beating_is_an_order(name: str) -> None:
    """Nothing beats itself, no two beat each other, and what beats a better one beats both."""
    matrix = item_matrix() if name == "items" else combo_matrix(name)
    assert not matrix.diagonal().any()
    assert not (matrix & matrix.T).any()
    twice = matrix.astype(np.int64) @ matrix.astype(np.int64) > 0
    assert not (twice & ~matrix).any()


def test_nothing_crosses_categories() -> None:
    """Of two items of different categories neither beats the other."""
    matrix = item_matrix()
    category = np.array([len(item.split()) for item in ALL_ITEMS])
    assert not matrix[category[:, None] != category].any()


# -- The rulebook's words, type by type --------------------------------------------------------

EXAMPLES = {
    "Rings": ["K1 M2", "R3 K4", "M5 R6"],
    "Fries": ["K1 M1", "M3 R3", "K6 R6"],
    "Fancy Rings": ["K1 K2", "M3 M4", "R5 R6"],
    "Fancy Fries": ["M1 M1", "K3 K3", "R6 R6"],
    "Hot Dog": ["M1 R2 R3", "K3 M4 R5", "K4 K5 M6"],
    "Cheeseburger": ["K1 K1 M1", "K5 K5 R5", "K6 M6 R6"],
    "Fancy Dog": ["M1 M2 M3", "R3 R4 R5", "K4 K5 K6"],
    "Fancy Burger": ["R1 R1 R1", "M2 M2 M2", "K6 K6 K6"],
}
"""Of each type a low, a middle and a high item."""


@pytest.mark.parametrize(
    "types",
    [
        ["Rings", "Fries", "Fancy Rings", "Fancy Fries"],
        ["Hot Dog", "Cheeseburger", "Fancy Dog", "Fancy Burger"],
    ],
)
def test_each_type_against_each(types: list[str]) -> None:
    """A dearer type beats a cheaper one at any rank; of one type, only the higher rank beats."""
    matrix = item_matrix()
    for old_price, old_type in enumerate(types):
        for new_price, new_type in enumerate(types):
            for old_rank, old in enumerate(EXAMPLES[old_type]):
                for new_rank, new in enumerate(EXAMPLES[new_type]):
                    expected = (
                        new_rank > old_rank if new_type == old_type else new_price > old_price
                    )
                    found = matrix[ALL_ITEMS.index(old), ALL_ITEMS.index(new)]
                    assert found == expected, f"{new_type} {new} upon {old_type} {old}"
