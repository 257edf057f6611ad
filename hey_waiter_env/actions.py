"""The numbering of actions: index <-> kind and arguments <-> text.

One action is one whole turn (or one pick of the draft). Its *description* is a row of six
numbers, kind first, that means the same to every player: `decode` turns an index into it,
`encode` turns it back. With P players, S seats and D the most dishes dealt to one player:

| block   | size                           | arguments of the index                                |
|---------|--------------------------------|-------------------------------------------------------|
| draft   | S * 4                          | stack, colour laid under it                           |
| serve   | 4                              | colour                                                |
| cover   | 4 * P * 5                      | colour, player by distance, stack                     |
| busboy  | 4 * 41                         | colour, stack to lift from, what the busboy does      |
| move    | D * 9                          | own dish, new stack on a colour or onto stack 0-4     |
| take    | partners * D * 4               | partner by distance, its dish, on which card          |
| discard | 329                            | how many of each colour, 1 to 7 in all                |
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from hey_waiter_env.cards import COLOURS, HAND_SIZE, MAX_STACKS, NUM_COLOURS
from hey_waiter_env.config import Config
from hey_waiter_env.state import LAST_LENGTH, NONE
from waiter_envs.core.blocks import Block
from waiter_envs.core.checks import shown
from waiter_envs.core.jit import njit

# Kinds of action, as the first number of a description; 0 is "none yet".
# Arguments that follow: draft (stack, card) · serve (colour) · cover (colour, player, stack) ·
# busboy (colour, lift or NONE, use) · move (colour, stack, height, target) ·
# take (colour, partner, stack, height, card) · discard (four counts).
NO_ACTION, DRAFT_PICK, SERVE_ALL, MOVE_COVER, CALL_BUSBOY, MOVE_DISHES, TAKE, DISCARD = range(8)

KIND_NAMES = ("draft", "serve", "cover", "busboy", "move", "take", "discard")

# Uses of a busboy (HW-7): none, turn to the serve side, serve stack 0-4.
NO_USE, TURN, SERVE_FROM = 0, 1, 2
NUM_USES = SERVE_FROM + MAX_STACKS

# Targets of a move (HW-8): a new stack on W, G, R, B, or onto stack 0-4.
ONTO = NUM_COLOURS
NUM_TARGETS = ONTO + MAX_STACKS

BUSBOY_CHOICES = (1 + MAX_STACKS) * NUM_USES - 1


def _discards() -> np.ndarray:
    """Return every choice of 1 to 7 cards: `(329, 4)` counts, in lexicographic order."""
    span = range(HAND_SIZE + 1)
    rows = [
        (w, g, r, b)
        for w in span
        for g in span
        for r in span
        for b in span
        if 1 <= w + g + r + b <= HAND_SIZE
    ]
    return np.array(rows, dtype=np.int8)


DISCARDS = _discards()
NUM_DISCARDS = len(DISCARDS)

DISCARD_INDEX = np.full((HAND_SIZE + 1,) * 4, -1, dtype=np.int16)
"""Index of a choice of cards in `DISCARDS`, by the four counts; -1 for none or too many."""
DISCARD_INDEX[tuple(DISCARDS.T)] = np.arange(NUM_DISCARDS)

DISCARD_MASKS = (DISCARDS[np.newaxis] <= DISCARDS[:, np.newaxis]).all(axis=2).astype(np.int8)
"""Which choices a hand of 1 to 7 cards allows: `(329, 329)`, a row for each hand."""

NUM_DISCARDS_OF = DISCARD_MASKS.sum(axis=1, dtype=np.int16)
"""How many choices a hand allows, `(329,)`."""


def action_blocks(config: Config) -> list[Block]:
    """Return the blocks of the action space, in order: name, start, size, meaning."""
    players, seats, dishes = config.num_players, config.num_seats, config.max_dishes
    blocks = [
        ("draft", seats * NUM_COLOURS, "stack, colour laid under it"),
        ("serve", NUM_COLOURS, "colour"),
        (
            "cover",
            NUM_COLOURS * players * MAX_STACKS,
            "colour, player by distance from the viewer, stack: puts or lifts that cover",
        ),
        (
            "busboy",
            NUM_COLOURS * BUSBOY_CHOICES,
            "colour; lift from none or stack 0-4; then nothing, turn, or serve stack 0-4",
        ),
        (
            "move",
            dishes * NUM_TARGETS,
            "own dish counted along the stacks, new stack on W, G, R, B or onto stack 0-4",
        ),
    ]
    if config.max_partners:
        blocks.append(
            (
                "take",
                config.max_partners * dishes * NUM_COLOURS,
                "partner by distance, its dish, colour laid under it",
            )
        )
    blocks.append(("discard", NUM_DISCARDS, "how many of each colour, 1 to 7 in all"))
    return Block.in_order(blocks)


@njit
def serve_start(table):
    """Return the first index of the block `serve`."""
    return table.player_at.shape[0] * NUM_COLOURS


@njit
def cover_start(table):
    """Return the first index of the block `cover`."""
    return serve_start(table) + NUM_COLOURS


@njit
def busboy_start(table):
    """Return the first index of the block `busboy`."""
    return cover_start(table) + NUM_COLOURS * table.hand.shape[0] * MAX_STACKS


@njit
def move_start(table):
    """Return the first index of the block `move`."""
    return busboy_start(table) + NUM_COLOURS * BUSBOY_CHOICES


@njit
def take_start(table):
    """Return the first index of the block `take`."""
    return move_start(table) + table.dishes.shape[1] * NUM_TARGETS


@njit
def discard_start(table):
    """Return the first index of the block `discard`."""
    return take_start(table) + table.max_partners * table.dishes.shape[1] * NUM_COLOURS


@njit
def num_actions(table):
    """Return the size of the action space."""
    return discard_start(table) + NUM_DISCARDS


@njit
def stack_and_height(table, player, dish):
    """Return where a player's dish lies, counted along its stacks, bottom to top."""
    stack = 0
    height = dish
    while height >= table.height[player, stack]:
        height -= table.height[player, stack]
        stack += 1
    return stack, height


@njit
def first_dish(table, player, stack):
    """Return the index of the bottom dish of a stack, counted along the player's stacks."""
    total = 0
    for lower in range(stack):
        total += table.height[player, lower]
    return total


@njit
def partner_at(table, seat, place):
    """Return the partner at `place`, counted by distance from the player at `seat`, or NONE.

    With secret teams everybody has a place (HW-14), else only partners.
    """
    if table.secret:
        return np.int64(table.by_distance[seat, place + 1])
    me = table.player_at[seat]
    for distance in range(1, table.hand.shape[0]):
        other = table.by_distance[seat, distance]
        if table.side[other] == table.side[me]:
            if place == 0:
                return np.int64(other)
            place -= 1
    return np.int64(NONE)


@njit
def decode(table, action):
    """Return the description of a legal action of the seat to act: six integers."""
    seat = table.to_act
    player = np.int64(table.current_player)
    if action < serve_start(table):
        return DRAFT_PICK, action // NUM_COLOURS, action % NUM_COLOURS, 0, 0, 0
    if action < cover_start(table):
        return SERVE_ALL, action - serve_start(table), 0, 0, 0, 0
    if action < busboy_start(table):
        index = action - cover_start(table)
        places = table.hand.shape[0] * MAX_STACKS
        distance = index % places // MAX_STACKS
        other = np.int64(table.by_distance[seat, distance])
        return MOVE_COVER, index // places, other, index % MAX_STACKS, 0, 0
    if action < move_start(table):
        index = action - busboy_start(table)
        choice = index % BUSBOY_CHOICES + 1
        lift = choice // NUM_USES - 1
        return CALL_BUSBOY, index // BUSBOY_CHOICES, lift, choice % NUM_USES, 0, 0
    if action < take_start(table):
        index = action - move_start(table)
        dish = index // NUM_TARGETS
        stack, height = stack_and_height(table, player, dish)
        colour = np.int64(table.dishes[player, dish])
        return MOVE_DISHES, colour, stack, height, index % NUM_TARGETS, 0
    if action < discard_start(table):
        index = action - take_start(table)
        dish = index // NUM_COLOURS % table.dishes.shape[1]
        partner = partner_at(table, seat, index // NUM_COLOURS // table.dishes.shape[1])
        stack, height = stack_and_height(table, partner, dish)
        colour = np.int64(table.dishes[partner, dish])
        return TAKE, colour, partner, stack, height, index % NUM_COLOURS
    counts = DISCARDS[action - discard_start(table)]
    return (
        DISCARD,
        np.int64(counts[0]),
        np.int64(counts[1]),
        np.int64(counts[2]),
        np.int64(counts[3]),
        0,
    )


@njit
def encode(table, description):
    """Return the index of a described action of the seat to act, or -1 if there is none.

    Whatever `parse` can return is taken; the index may be that of an action that is not legal.
    """
    kind, a, b, c, d, e = description
    seat = table.to_act
    player = table.player_at[seat]
    players = table.hand.shape[0]
    if kind == DRAFT_PICK:
        return a * NUM_COLOURS + b if a < table.player_at.shape[0] else -1
    if kind == SERVE_ALL:
        return serve_start(table) + a
    if kind == MOVE_COVER:
        if b >= players:
            return -1
        place = table.distance[seat, b] * MAX_STACKS + c
        return cover_start(table) + a * players * MAX_STACKS + place
    if kind == CALL_BUSBOY:
        return busboy_start(table) + a * BUSBOY_CHOICES + (b + 1) * NUM_USES + c - 1
    if kind == MOVE_DISHES:
        if b >= table.num_stacks[player] or c >= table.height[player, b]:
            return -1
        dish = first_dish(table, player, b) + c
        return move_start(table) + dish * NUM_TARGETS + d
    if kind == TAKE:
        if b >= players or c >= table.num_stacks[b] or d >= table.height[b, c]:
            return -1
        for place in range(table.max_partners):
            if partner_at(table, seat, place) == b:
                dish = place * table.dishes.shape[1] + first_dish(table, b, c) + d
                return take_start(table) + dish * NUM_COLOURS + e
        return -1
    return discard_start(table) + DISCARD_INDEX[a, b, c, d]


def describe(description: tuple[int, ...], table: Any = None) -> str:
    """Return the text of a described action, hidden part included."""
    kind, a, b, c, d, e = (int(number) for number in description)
    if kind == DRAFT_PICK:
        return f"pick {a} on {COLOURS[b]}"
    if kind == SERVE_ALL:
        return f"G>{COLOURS[a]}"
    if kind == MOVE_COVER:
        return f"R>{COLOURS[a]} P{b}.{c}"
    if kind == CALL_BUSBOY:
        lift = "" if b == NONE else f" lift {b}"
        use = {NO_USE: "", TURN: " turn"}.get(c, f" serve {c - SERVE_FROM}")
        return f"W>{COLOURS[a]}{lift}{use}"
    if kind == MOVE_DISHES:
        target = f"new {COLOURS[d]}" if d < ONTO else f"onto {d - ONTO}"
        return f"B>{COLOURS[a]} {b}.{c} {target}"
    if kind == TAKE:
        return f"B>{COLOURS[a]} take P{b} {c}.{d} new {COLOURS[e]}"
    if kind == DISCARD:
        return "discard " + "".join(
            colour * count for colour, count in zip(COLOURS, (a, b, c, d), strict=True)
        )
    raise ValueError(f"no action is described by {description}")


_NUMBER = r"(0|[1-9][0-9]{0,4})"
_PLACE = r"([0-4])"
_COLOUR = r"([WGRB])"

_PATTERNS = (
    (DRAFT_PICK, rf"pick {_NUMBER} on {_COLOUR}"),
    (SERVE_ALL, rf"G>{_COLOUR}"),
    (MOVE_COVER, rf"R>{_COLOUR} P{_NUMBER}\.{_PLACE}"),
    (CALL_BUSBOY, rf"W>{_COLOUR}(?: lift {_PLACE})?(?: (?:(turn)|serve {_PLACE}))?"),
    (MOVE_DISHES, rf"B>{_COLOUR} {_PLACE}\.{_NUMBER} (?:new {_COLOUR}|onto {_PLACE})"),
    (TAKE, rf"B>{_COLOUR} take P{_NUMBER} {_PLACE}\.{_NUMBER} new {_COLOUR}"),
    (DISCARD, r"discard ([WGRB]{1,7})"),
)
"""The texts of each kind: ASCII, single spaces, numbers without leading zeros."""

_FORMS = (
    "'pick 2 on G', 'G>R', 'R>B P2.1', 'W>R lift 1', 'W>R turn', 'W>R serve 0', "
    "'W>R lift 1 turn', 'W>R lift 1 serve 0', 'B>G 0.3 new W', 'B>G 0.3 onto 1', "
    "'B>G take P2 0.3 new W', 'discard GGW'"
)


def parse(text: str, table: Any = None) -> tuple[int, ...]:
    """Return the description of the action that `text` names: the inverse of `describe`.

    Raises:
        ValueError: if the text has none of the known forms.
    """
    for kind, pattern in _PATTERNS:
        match = re.fullmatch(pattern, text)
        if match is None:
            continue
        groups = match.groups()
        arguments: list[int]
        if kind == DISCARD:
            arguments = [groups[0].count(colour) for colour in COLOURS]
        elif kind == CALL_BUSBOY:
            colour, lift, turn, serve = groups
            use = TURN if turn else NO_USE if serve is None else SERVE_FROM + int(serve)
            if lift is None and use == NO_USE:
                continue
            arguments = [COLOURS.index(colour), NONE if lift is None else int(lift), use]
        elif kind == MOVE_DISHES:
            colour, stack, height, new, onto = groups
            target = COLOURS.index(new) if new else ONTO + int(onto)
            arguments = [COLOURS.index(colour), int(stack), int(height), target]
        else:
            arguments = [COLOURS.index(g) if g in COLOURS else int(g) for g in groups]
        return (kind, *arguments, *[0] * (LAST_LENGTH - 1 - len(arguments)))
    raise ValueError(f"{shown(text)} is no action of Hey Waiter!; actions look like {_FORMS}")
