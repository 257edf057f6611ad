"""The numbering of actions: index <-> kind and arguments <-> text.

An action's *description* is three numbers, kind first, that mean the same to every player. With P
players, C places for open orders and a menu of M dishes:

| block    | size        | arguments of the index                       |
|----------|-------------|----------------------------------------------|
| take     | 5           | slot                                         |
| complete | C           | own open order                               |
| done     | 1           |                                              |
| name     | M           | dish                                         |
| repeat   | C           | own open order                               |
| notebook | C           | own open order                               |
| leave    | (P - 1) * C | player by distance, its open order           |
"""

from __future__ import annotations

import re
import string

import numpy as np

from garcon_env.cards import ORDER_SLOTS
from garcon_env.config import Config
from garcon_env.state import menu_of
from waiter_envs.core.blocks import Block
from waiter_envs.core.checks import shown
from waiter_envs.core.jit import njit

# Kinds of action, as the first number of a description, and of what a player did last; 0 is
# "nothing yet". Arguments that follow: take (slot) · complete, repeat, notebook (own open order) ·
# name (dish) · leave (player, its open order).
NO_ACTION, TAKE_ORDER, COMPLETE_ORDER, REPEAT_ORDER, NOTEBOOK_ORDER, LEAVE_ORDER, PASSED = range(7)
DONE, NAME_DISH = 7, 8

KIND_NAMES = (None, "take", "complete", "repeat", "notebook", "leave", "pass")
"""What a player did in its last turn, by kind."""


def action_blocks(config: Config) -> list[Block]:
    """Return the blocks of the action space, in order: name, start, size, meaning."""
    cap = config.max_open_orders
    return Block.in_order(
        [
            ("take", ORDER_SLOTS, "slot"),
            ("complete", cap, "own open order, oldest first; its dishes are named next"),
            ("done", 1, "complete no more orders"),
            ("name", len(config.deck.dishes), "dish of the menu"),
            ("repeat", cap, "own open order"),
            ("notebook", cap, "own open order"),
            ("leave", (config.num_players - 1) * cap, "player by distance, its open order"),
        ]
    )


@njit
def complete_start(table):
    """Return the first index of the block `complete`."""
    return ORDER_SLOTS


@njit
def done_action(table):
    """Return the action `done`."""
    return complete_start(table) + table.order.shape[1]


@njit
def name_start(table):
    """Return the first index of the block `name`."""
    return done_action(table) + 1


@njit
def repeat_start(table):
    """Return the first index of the block `repeat`."""
    return name_start(table) + np.int64(table.symbol_start[table.symbol_start.shape[0] - 1])


@njit
def notebook_start(table):
    """Return the first index of the block `notebook`."""
    return repeat_start(table) + table.order.shape[1]


@njit
def leave_start(table):
    """Return the first index of the block `leave`."""
    return notebook_start(table) + table.order.shape[1]


@njit
def num_actions(table):
    """Return the size of the action space."""
    players, cap = table.order.shape
    return leave_start(table) + (players - 1) * cap


@njit
def decode(table, action):
    """Return the description of an action of the player to act: kind and two arguments."""
    players, cap = table.order.shape
    if action < complete_start(table):
        return TAKE_ORDER, action, 0
    if action < done_action(table):
        return COMPLETE_ORDER, action - complete_start(table), 0
    if action < name_start(table):
        return DONE, 0, 0
    if action < repeat_start(table):
        return NAME_DISH, action - name_start(table), 0
    if action < notebook_start(table):
        return REPEAT_ORDER, action - repeat_start(table), 0
    if action < leave_start(table):
        return NOTEBOOK_ORDER, action - notebook_start(table), 0
    index = action - leave_start(table)
    other = (table.current_player + 1 + index // cap) % players
    return LEAVE_ORDER, other, index % cap


@njit
def encode(table, description):
    """Return the index of a described action of the player to act, or -1 if there is none.

    Where there is one, it may not be legal.
    """
    kind, a, b = description
    players, cap = table.order.shape
    player = np.int64(table.current_player)
    if kind == DONE:
        return done_action(table)
    if kind == TAKE_ORDER:
        return a if a < ORDER_SLOTS else -1
    if kind == NAME_DISH:
        return name_start(table) + a
    if kind == LEAVE_ORDER:
        if a >= players or a == player or b >= cap:
            return -1
        return leave_start(table) + ((a - player) % players - 1) * cap + b
    if a >= cap:
        return -1
    if kind == COMPLETE_ORDER:
        return complete_start(table) + a
    return a + (repeat_start(table) if kind == REPEAT_ORDER else notebook_start(table))


def describe(description: tuple[int, ...], table: np.void) -> str:
    """Return the text of a described action at a table, whose menu names the dishes."""
    kind, a, b = (int(number) for number in description)
    if kind == NAME_DISH:
        return f"name {menu_of(table)[a]}"
    if kind == DONE:
        return "done"
    if kind == LEAVE_ORDER:
        return f"leave P{a}.{b}"
    return f"{KIND_NAMES[kind]} {a}"


_NUMBER = "0|[1-9][0-9]{0,3}"
_FORMS = "'take 3', 'complete 0', 'name coffee', 'done', 'repeat 1', 'notebook 1', 'leave P2.0'"


def parse(text: str, table: np.void) -> tuple[int, ...]:
    """Return the description of the action that `text` names: the inverse of `describe`.

    Raises:
        ValueError: if the text has none of the known forms, or names a dish not on the menu.
    """
    verb, _, what = text.strip(string.whitespace).partition(" ")
    if verb == "done" and not what:
        return DONE, 0, 0
    if verb == "name" and what:
        menu = menu_of(table)
        if what not in menu:
            raise ValueError(
                f"{shown(text)}: {shown(what)} is not on the menu, which has {', '.join(menu)}"
            )
        return NAME_DISH, menu.index(what), 0
    if verb in KIND_NAMES[1:5] and re.fullmatch(_NUMBER, what):
        return KIND_NAMES.index(verb), int(what), 0
    left = re.fullmatch(rf"P({_NUMBER})\.({_NUMBER})", what)
    if verb == "leave" and left:
        return LEAVE_ORDER, int(left[1]), int(left[2])
    raise ValueError(f"{shown(text)} is no action of Garçon; actions look like {_FORMS}")
