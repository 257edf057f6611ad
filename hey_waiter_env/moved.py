"""What stands elsewhere after an action: stacks close up, dishes and covers move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hey_waiter_env.actions import (
    CALL_BUSBOY,
    DRAFT_PICK,
    MOVE_COVER,
    MOVE_DISHES,
    ONTO,
    SERVE_ALL,
    SERVE_FROM,
    TAKE,
    TURN,
)
from hey_waiter_env.cards import COLOUR_NAMES
from hey_waiter_env.state import NONE
from waiter_envs.core.views import Moved


@dataclass
class _Stack:
    """A stack by the ids that it and what lies on it have in the view before the action."""

    name: str | None
    dishes: list[str]
    cover: str | None = None
    card: str | None = None


_Table = list[list[_Stack]]


def moved(
    description: tuple[int, ...], before: np.void, after: np.void, viewer: int | None
) -> Moved:
    """Return by its id what has another one in the view after an action, or is gone: `None`.

    Args:
        description: of the action.
        before: the table before it.
        after: the table then; if further turns have been played since, no stack is found again.
        viewer: who looks; where things stand, everybody sees.
    """
    del viewer
    kind, a, b, c, d, _ = (int(number) for number in description)
    player = int(before["current_player"])
    if kind == DRAFT_PICK:
        stack = a if before["equal_dishes"] else int(before["to_act"])
        return {f"draft-{stack}": f"p{player}-stack-{int(before['num_stacks'][player])}"}
    table = _stacks(before)
    names = _names(table)
    if after["turn"] > before["turn"] + 1:
        return dict.fromkeys(names)
    found: Moved = {}
    if kind == SERVE_ALL:
        _serve(table, before, a)
    elif kind == MOVE_COVER:
        found = _move_cover(table[b][c], COLOUR_NAMES[a], f"p{b}-stack-{c}")
    elif kind == CALL_BUSBOY:
        if b != NONE:
            found = _move_cover(table[player][b], COLOUR_NAMES[a], "")
        if c > TURN:
            table[player][c - SERVE_FROM].dishes.pop()
    elif kind == MOVE_DISHES:
        _move(table[player], b, c, table[player], d - ONTO if d >= ONTO else None)
    elif kind == TAKE:
        _move(table[b], c, d, table[player], None)
    now = _names(table, renamed=True)
    found = {name: now.get(name) for name in names} | found
    return {name: there for name, there in found.items() if there != name}


def _stacks(table: np.void) -> _Table:
    """Return all players' stacks."""
    stacks: _Table = []
    for player, count in enumerate(table["num_stacks"].tolist()):
        stacks.append([])
        for number in range(count):
            name = f"p{player}-stack-{number}"
            dishes = [f"{name}-dish-{i}" for i in range(int(table["height"][player, number]))]
            cover = None if table["cover"][player, number] == NONE else f"{name}-cover"
            stacks[-1].append(_Stack(name, dishes, cover, f"{name}-card"))
    return stacks


def _names(table: _Table, renamed: bool = False) -> dict[str, str]:
    """Return each id with what it is called where it stands; `renamed`: as stacks close up."""
    names: dict[str, str] = {}
    for player, own in enumerate(table):
        left = [stack for stack in own if stack.dishes or not renamed]
        for number, stack in enumerate(left):
            there = f"p{player}-stack-{number}"
            ids: dict[str | None, str] = {
                stack.name: there,
                stack.cover: f"{there}-cover",
                stack.card: f"{there}-card",
                **{dish: f"{there}-dish-{i}" for i, dish in enumerate(stack.dishes)},
            }
            names |= {name: called for name, called in ids.items() if name is not None}
    return names


def _serve(table: _Table, before: np.void, colour: int) -> None:
    """Let everybody serve the top dishes of a colour (HW-5)."""
    for player, own in enumerate(table):
        ends = np.cumsum(before["height"][player])
        for number, stack in enumerate(own):
            if stack.cover is None and before["dishes"][player, ends[number] - 1] == colour:
                stack.dishes.pop()


def _move_cover(stack: _Stack, colour: str, name: str) -> Moved:
    """Put a cover onto a stack, which has a name, or lift the one that it has (HW-6)."""
    if stack.cover is None:
        return {f"cover-{colour}": f"{name}-cover"}
    lifted, stack.cover = stack.cover, None
    return {lifted: f"cover-{colour}"}


def _move(own: list[_Stack], number: int, height: int, to: list[_Stack], onto: int | None) -> None:
    """Move a dish, all above it and the cover onto another stack or a new one (HW-8, HW-11)."""
    stack = own[number]
    if onto is None and height == 0 and own is to:
        return  # the stack keeps its place, on another card
    if onto is None:
        to.append(_Stack(stack.name if height == 0 else None, []))
        onto = len(to) - 1
    to[onto].dishes += stack.dishes[height:]
    to[onto].cover, stack.cover = stack.cover, None
    del stack.dishes[height:]
