"""One game of Dessert as one NumPy record."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dessert_env.cards import NUM_DESSERTS, NUM_GUESTS
from dessert_env.config import Config
from waiter_envs.core.records import COMMON_FIELDS, blank_record, name_variant

NONE = -1
"""No guest, no player, nothing served."""

DRAW = -2
"""The winner of a game in which several players have the most points."""

CLAIM, CALL, SERVE, STEAL, STOP, BRIBE, FRESHEN, OVER = range(8)
"""Phases, by what is asked: does the active player claim the guest; do the others, one after the
other; what is served; what the steal phase is used for; does the owner stop a theft; what is the
bribe; what is discarded to freshen up; nothing more."""

PILE, DIRTY, CHOSEN, DISCARDED = -1, -2, -3, -4
"""Places of a dessert that is in no player's hand: the pile; the dirty dishes; laid down in a
serving that is not complete; discarded by who is freshening up, among the dirty dishes."""

COMING, WAITING, TURNED_UP = -1, -2, -3
"""Places of a guest that is with no player: the pile; the Waiting Room; the new guest."""

NEW_GUEST, THEFT, FROM_WAITING = range(3)
"""Whom a serving is for."""

PHASES = ("claim", "call", "serve", "steal", "stop", "bribe", "freshen", "over")
"""Names of the phases CLAIM to OVER."""

SERVINGS = ("guest", "steal", "waiting room")
"""Names of NEW_GUEST, THEFT and FROM_WAITING."""


def closing_turns(config: Config) -> int:
    """Return the turns of closing time, or `NONE`: until a trio (DE-13)."""
    rounds = config.closing_rounds
    return NONE if rounds is None else rounds * config.num_players


def table_dtype(config: Config) -> np.dtype[np.void]:
    """Return the structured dtype of one table.

    The first block of fields changes as the game goes; the second is the variant. Unused places
    hold -1, so equal games are equal records.
    """
    players = config.num_players
    return np.dtype(
        [
            *COMMON_FIELDS,
            # -- the game in progress ----------------------------------------------------------
            ("phase", "i1"),  # CLAIM .. OVER
            ("turn", "i4"),  # number of the turn, from 0
            ("active", "i1"),  # the player whose turn it is
            ("dessert", "i1", (NUM_DESSERTS,)),  # who holds it, or PILE .. DISCARDED
            ("guest", "i1", (NUM_GUESTS,)),  # who has served it, or COMING .. TURNED_UP
            ("waiting_room", "i1", (NUM_GUESTS,)),  # guests, bottom first, then NONE
            ("num_waiting", "i1"),
            ("new_guest", "i1"),  # the one turned up, until it is served or waits, or NONE
            ("call_order", "i1", (players - 1,)),  # in CALL: the others as they are asked, or NONE
            ("num_asked", "i1"),  # in CALL: how many of them it is past (DE-3, DE-6)
            ("serving", "i1"),  # NEW_GUEST, THEFT or FROM_WAITING from its choice on, or NONE
            ("target", "i1"),  # the guest to be served, or NONE
            ("warned", "i1", (players,)),  # 1 if the player has called falsely before
            ("closing_turn", "i4"),  # turns of closing time begun so far
            ("winner", "i1"),  # a player, DRAW or NONE
            # -- the variant -------------------------------------------------------------------
            ("first_player_option", "i1"),  # who takes the first turn, or NONE: drawn at random
            ("clockwise", "?"),  # callers are asked from the active player's left on
            ("false_calls", "?"),  # everybody is asked
            ("closing_turns", "i4"),  # turns of closing time, or NONE: until a trio
            ("max_turns", "i4"),
        ],
        align=True,
    )


def blank_table(config: Config) -> npt.NDArray[np.void]:
    """Return an array of one table that holds the variant, before anything is dealt."""
    table = blank_record(table_dtype(config))
    record = table[0]
    for name in ("waiting_room", "new_guest", "call_order", "serving", "target", "winner"):
        record[name] = NONE
    record["dessert"] = PILE
    record["guest"] = COMING
    record["first_player_option"] = NONE if config.first_player is None else config.first_player
    record["clockwise"] = config.call_order == "clockwise"
    record["false_calls"] = config.false_calls
    record["closing_turns"] = closing_turns(config)
    record["max_turns"] = config.max_turns
    return name_variant(table, config.num_players)
