"""The numbering of actions: index <-> kind and argument <-> text.

A turn is a few small decisions of several players. What an index means, the phase says. An
action's *description* is a pair of numbers, kind and argument, that means the same at every table.

| block        | size | argument of the index |
|--------------|------|-----------------------|
| yes          | 1    |                       |
| no           | 1    |                       |
| dessert      | 76   | dessert               |
| steal        | 24   | guest                 |
| waiting_room | 1    |                       |
| freshen      | 1    |                       |
"""

from __future__ import annotations

import string
from typing import Any

from dessert_env.cards import DESSERTS, GUESTS, NUM_DESSERTS, NUM_GUESTS
from dessert_env.config import Config
from dessert_env.state import BRIBE, CALL, CLAIM, FRESHEN, OVER, SERVE, STEAL, STOP
from waiter_envs.core.blocks import Block
from waiter_envs.core.checks import shown
from waiter_envs.core.jit import njit

# Kinds of action, as the first number of a description; the second is a dessert, a guest, or 0.
(
    SAY_CLAIM,
    SAY_DECLINE,
    LAY_DOWN,
    NAME_GUEST,
    PAY_BRIBE,
    PLAY_ACE,
    SAY_ALLOW,
    TAKE_WAITING,
    BEGIN_FRESHENING,
    DISCARD,
    SAY_DONE,
) = range(11)

# First action of each block.
ACTION_YES = 0
ACTION_NO = 1
START_DESSERT = 2
START_STEAL = START_DESSERT + NUM_DESSERTS
ACTION_WAITING_ROOM = START_STEAL + NUM_GUESTS
ACTION_FRESHEN = ACTION_WAITING_ROOM + 1


def action_blocks(config: Config) -> list[Block]:
    """Return the blocks of the action space, in order: name, start, size, meaning."""
    del config
    return Block.in_order(
        [
            ("yes", 1, "claim the guest, call it"),
            ("no", 1, "decline, allow a theft, be done"),
            ("dessert", NUM_DESSERTS, "the dessert to serve, to bribe or stop with, to discard"),
            ("steal", NUM_GUESTS, "steal this guest"),
            ("waiting_room", 1, "serve the topmost guest of the Waiting Room"),
            ("freshen", 1, "discard desserts and draw as many"),
        ]
    )


@njit
def num_actions(table):
    """Return the size of the action space."""
    return ACTION_FRESHEN + 1


@njit
def decode(table, action):
    """Return the description of an action: kind and argument."""
    phase = table.phase
    if action == ACTION_YES:
        return SAY_CLAIM, 0
    if action == ACTION_NO:
        if phase == CLAIM or phase == CALL:
            return SAY_DECLINE, 0
        return (SAY_ALLOW, 0) if phase == STOP else (SAY_DONE, 0)
    if action < START_STEAL:
        what = action - START_DESSERT
        if phase == SERVE:
            return LAY_DOWN, what
        if phase == BRIBE:
            return PAY_BRIBE, what
        return (PLAY_ACE, what) if phase == STOP else (DISCARD, what)
    if action < ACTION_WAITING_ROOM:
        return NAME_GUEST, action - START_STEAL
    return (TAKE_WAITING, 0) if action == ACTION_WAITING_ROOM else (BEGIN_FRESHENING, 0)


@njit
def encode(table, description):
    """Return the index of a described action, or -1 in a phase that knows no action of its kind.

    Where there is one, it may not be legal.
    """
    kind, what = description
    phase = table.phase
    if phase == OVER:
        return -1
    if kind == SAY_CLAIM:
        return ACTION_YES if phase == CLAIM or phase == CALL else -1
    if kind == SAY_DECLINE:
        return ACTION_NO if phase == CLAIM or phase == CALL else -1
    if kind == SAY_ALLOW:
        return ACTION_NO if phase == STOP else -1
    if kind == SAY_DONE:
        return ACTION_NO if phase == STEAL or phase == FRESHEN else -1
    if kind == NAME_GUEST:
        return START_STEAL + what if phase == STEAL else -1
    if kind == TAKE_WAITING:
        return ACTION_WAITING_ROOM if phase == STEAL else -1
    if kind == BEGIN_FRESHENING:
        return ACTION_FRESHEN if phase == STEAL else -1
    if kind == LAY_DOWN:
        return START_DESSERT + what if phase == SERVE else -1
    if kind == PAY_BRIBE:
        return START_DESSERT + what if phase == BRIBE else -1
    if kind == PLAY_ACE:
        return START_DESSERT + what if phase == STOP else -1
    return START_DESSERT + what if phase == FRESHEN else -1


_PLAIN = {
    SAY_CLAIM: "claim",
    SAY_DECLINE: "decline",
    SAY_ALLOW: "allow",
    SAY_DONE: "done",
    TAKE_WAITING: "waiting room",
    BEGIN_FRESHENING: "freshen",
}
_WITH_DESSERT = {LAY_DOWN: "serve", PAY_BRIBE: "bribe", PLAY_ACE: "stop", DISCARD: "discard"}
_STEAL = "steal"


def describe(description: tuple[int, ...], table: Any = None) -> str:
    """Return the text of a described action."""
    kind, what = (int(number) for number in description)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _WITH_DESSERT:
        return f"{_WITH_DESSERT[kind]} {DESSERTS[what]}"
    return f"{_STEAL} {GUESTS[what]}"


_FORMS = (
    "'claim', 'decline', 'serve Fudge', 'steal Wally', 'bribe Fudge', 'stop Fudge', 'allow', "
    "'waiting room', 'freshen', 'discard Fudge', 'done'"
)


def parse(text: str, table: Any = None) -> tuple[int, ...]:
    """Return the description of the action that `text` names: the inverse of `describe`.

    Raises:
        ValueError: if the text has none of the known forms, or names no card.
    """
    text = text.strip(string.whitespace)
    for kind, plain in _PLAIN.items():
        if text == plain:
            return kind, 0
    verb, _, name = text.partition(" ")
    for kind, word in _WITH_DESSERT.items():
        if verb == word:
            if name not in DESSERTS:
                raise ValueError(
                    f"{shown(text)}: there is no dessert {shown(name)}; the card list names all"
                )
            return kind, DESSERTS.index(name)
    if verb == _STEAL:
        if name not in GUESTS:
            raise ValueError(
                f"{shown(text)}: there is no guest {shown(name)}; there are {', '.join(GUESTS)}"
            )
        return NAME_GUEST, GUESTS.index(name)
    raise ValueError(f"{shown(text)} is no action of Dessert; actions look like {_FORMS}")
