"""The numbering of actions: index <-> kind and argument <-> text.

A turn is one decision or several of one player. An action's *description* is a pair of numbers,
kind and argument, that means the same to every player and at every table.

| block   | size | argument of the index                                         |
|---------|------|---------------------------------------------------------------|
| drink   | 18   | item: a whole dish, or the second half of a Combo 1           |
| side    | 81   | item: a whole dish, or the second half of a Combo 2           |
| main    | 168  | item: a whole dish                                            |
| combo_1 | 168  | item: first half; the drink comes next                        |
| combo_2 | 168  | item: first half; the side comes next                         |
| pass    | 1    |                                                               |
| stash   | 18   | card                                                          |
| done    | 1    |                                                               |
| recall  | 1    |                                                               |

Items are numbered as in `cards.ITEMS`, from cheap to dear.
"""

from __future__ import annotations

import re
from typing import Any

from greasy_spoon_env.cards import (
    CARDS,
    CATEGORY,
    COMBO_1,
    COMBO_2,
    FIRST_MAIN,
    FIRST_SIDE,
    ITEM_OF,
    NUM_CARDS,
    NUM_DRINKS,
    NUM_ITEMS,
    NUM_MAINS,
    NUM_SIDES,
    item_text,
)
from greasy_spoon_env.config import Config
from greasy_spoon_env.state import NONE
from waiter_envs.core.blocks import Block
from waiter_envs.core.checks import shown
from waiter_envs.core.jit import njit

# Kinds of action, as the first number of a description; the second is an item, a card, or 0.
SERVE, BEGIN_COMBO_1, BEGIN_COMBO_2, PASS, STASH, DONE, RECALL = range(7)

# First action of each block; an item that is served whole has its own number.
START_COMBO_1 = NUM_ITEMS
START_COMBO_2 = START_COMBO_1 + NUM_MAINS
ACTION_PASS = START_COMBO_2 + NUM_MAINS
START_STASH = ACTION_PASS + 1
ACTION_DONE = START_STASH + NUM_CARDS
ACTION_RECALL = ACTION_DONE + 1

WITH = {COMBO_1: "drink", COMBO_2: "side"}
"""What completes each kind of combination."""


def action_blocks(config: Config) -> list[Block]:
    """Return the blocks of the action space, in order: name, start, size, meaning."""
    del config
    return Block.in_order(
        [
            ("drink", NUM_DRINKS, "a drink: a whole dish, or what completes a Combo 1"),
            ("side", NUM_SIDES, "a side, from cheap to dear: a whole dish, or for a Combo 2"),
            ("main", NUM_MAINS, "a main, from cheap to dear: a whole dish"),
            ("combo_1", NUM_MAINS, "the main of a Combo 1; its drink is chosen next"),
            ("combo_2", NUM_MAINS, "the main of a Combo 2; its side is chosen next"),
            ("pass", 1, "end the round; then cards may be set aside"),
            ("stash", NUM_CARDS, "set one card aside, in ascending order of cards"),
            ("done", 1, "set no more aside"),
            ("recall", 1, "shuffle the backburner into the draw pile"),
        ]
    )


@njit
def num_actions(table):
    """Return the size of the action space."""
    return ACTION_RECALL + 1


@njit
def decode(table, action):
    """Return the description of an action: kind and argument."""
    if action < START_COMBO_1:
        return SERVE, action
    if action < START_COMBO_2:
        return BEGIN_COMBO_1, action - START_COMBO_1 + FIRST_MAIN
    if action < ACTION_PASS:
        return BEGIN_COMBO_2, action - START_COMBO_2 + FIRST_MAIN
    if action == ACTION_PASS:
        return PASS, 0
    if action < ACTION_DONE:
        return STASH, action - START_STASH
    return (DONE, 0) if action == ACTION_DONE else (RECALL, 0)


@njit
def encode(table, description):
    """Return the index of a described action, legal or not."""
    kind, what = description
    if kind == SERVE:
        return what
    if kind == BEGIN_COMBO_1:
        return START_COMBO_1 + what - FIRST_MAIN
    if kind == BEGIN_COMBO_2:
        return START_COMBO_2 + what - FIRST_MAIN
    if kind == STASH:
        return START_STASH + what
    if kind == PASS:
        return ACTION_PASS
    return ACTION_DONE if kind == DONE else ACTION_RECALL


def describe(description: tuple[int, ...], table: Any = None) -> str:
    """Return the text of a described action."""
    kind, what = (int(number) for number in description)
    if kind == SERVE:
        return f"serve {item_text(what)}"
    if kind == BEGIN_COMBO_1:
        return f"serve {item_text(what)} + {WITH[COMBO_1]}"
    if kind == BEGIN_COMBO_2:
        return f"serve {item_text(what)} + {WITH[COMBO_2]}"
    if kind == STASH:
        return f"stash {CARDS[what]}"
    return {PASS: "pass", DONE: "done", RECALL: "recall"}[kind]


_FORMS = (
    "'serve K2', 'serve M3 R4', 'serve M4 K5 R6', 'serve M4 K5 R6 + drink', "
    "'serve K5 K5 R5 + side', 'pass', 'stash K1', 'done', 'recall'"
)


def parse(text: str, table: Any = None) -> tuple[int, ...]:
    """Return the description of the action that `text` names: the inverse of `describe`.

    The cards of an item may stand in any order; a single blank stands between them.

    Raises:
        ValueError: if the text has none of the known forms, or names no item of the menu.
    """
    plain = {"pass": PASS, "done": DONE, "recall": RECALL}
    if text in plain:
        return plain[text], 0
    stashed = re.fullmatch(r"stash ([KMR][1-6])", text)
    if stashed:
        return STASH, CARDS.index(stashed[1])
    served = re.fullmatch(r"serve ([KMR][1-6](?: [KMR][1-6]){0,2})(?: \+ (drink|side))?", text)
    if served is None:
        raise ValueError(f"{shown(text)} is no action of Greasy Spoon; actions look like {_FORMS}")
    item = parse_item(served[1])
    if served[2] is None:
        return SERVE, item
    if item < FIRST_MAIN:
        raise ValueError(f"{text!r}: a combination begins with a main, three cards")
    return (BEGIN_COMBO_1 if served[2] == WITH[COMBO_1] else BEGIN_COMBO_2), item


def parse_item(text: str) -> int:
    """Return the number of the item that cards in any order make: `R4 M3`.

    Raises:
        ValueError: if they are no cards, or make no item.
    """
    cards = text.split(" ")
    for card in cards:
        if card not in CARDS:
            raise ValueError(f"{shown(card)} is no card; cards are {', '.join(CARDS)}")
    item = ITEM_OF.get(tuple(sorted(CARDS.index(card) for card in cards)))
    if item is None:
        raise ValueError(
            f"{shown(text)} is no item of the menu: one card, or two or three of equal or of "
            "consecutive ranks"
        )
    return item


def parse_dish(text: str) -> tuple[int, int]:
    """Return the items of a dish, of a combination both: `R1 R2 R3 + M5`.

    Raises:
        ValueError: if they make none.
    """
    first, plus, second = text.partition(" + ")
    if not plus:
        return parse_item(first), NONE
    dish = parse_item(first), parse_item(second)
    if dish[0] < FIRST_MAIN or dish[1] >= FIRST_MAIN:
        raise ValueError(f"{shown(text)} is no combination: a main, then a drink or a side")
    return dish


def dish_text(dish: tuple[int, int]) -> str:
    """Return a dish as text: the inverse of `parse_dish`."""
    first, second = dish
    return item_text(first) + ("" if second == NONE else f" + {item_text(second)}")


def kind_of(dish: tuple[int, int]) -> int:
    """Return the kind of a dish: DRINK, SIDE, MAIN, COMBO_1 or COMBO_2."""
    first, second = dish
    if second == NONE:
        return int(CATEGORY[first])
    return COMBO_1 if second < FIRST_SIDE else COMBO_2
