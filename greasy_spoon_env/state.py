"""One match of Greasy Spoon as one NumPy record."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from greasy_spoon_env.cards import NUM_CARDS
from greasy_spoon_env.config import Config
from waiter_envs.core.records import COMMON_FIELDS, blank_record, name_variant

NONE = -1
"""No item, no card, no player."""

SERVING, COMPLETING, STASHING, OVER = range(4)
"""Phases: a turn begins (serve, pass or recall); the second half of a combination is chosen;
cards are set aside after a pass; somebody has won the match."""

PHASES = ("serve", "complete", "stash", "over")
"""Their names."""

PILES = ("hand", "draw", "backburner", "served")
"""Where a player's cards are: the names of fields of the record, and of entries of a position."""

PLAYERS = 2


def table_dtype(config: Config) -> np.dtype[np.void]:
    """Return the structured dtype of one table, the same for every variant.

    The first block of fields changes as the match goes; the second is the variant. Piles are
    counts of each card. Unused places hold -1, so equal games are equal records.
    """
    del config
    pile = (PLAYERS, NUM_CARDS)
    return np.dtype(
        [
            *COMMON_FIELDS,
            # -- the match in progress ---------------------------------------------------------
            ("phase", "i1"),  # SERVING, COMPLETING, STASHING or OVER
            ("leader", "i1"),  # leads the round; while STASHING: leads the next one
            ("starter", "i1"),  # starts this game
            ("games_played", "i1"),  # finished games of the match
            ("score", "i1", (PLAYERS,)),  # games won
            ("winner", "i1"),  # of the match, or NONE
            ("just_won", "i1"),  # who won a game with the last action, or NONE
            ("hand", "i1", pile),
            ("draw", "i1", pile),  # draw pile
            ("backburner", "i1", pile),
            ("served", "i1", pile),  # in this game
            ("dish", "i2", (2,)),  # to be beaten: item, and second item of a combination, or NONE
            ("pending", "i2"),  # main of a combination half served, or NONE
            ("pending_with", "i1"),  # COMBO_1 or COMBO_2, or NONE
            ("stashed", "i1"),  # cards set aside in this pass
            ("last_stashed", "i1"),  # the last of them, or NONE
            ("set_aside", "i1", (PLAYERS,)),  # cards set aside in each player's last finished pass
            ("recalled", "i1", (PLAYERS,)),  # 1 if the player recalled in its latest turn
            # -- the variant -------------------------------------------------------------------
            ("games_to_win", "i1"),
            ("may_recall", "?"),
            ("starter_option", "i1"),  # starter of the first game, or NONE: drawn at random
            ("pay_games", "?"),  # rewards for each game, not for the match
        ],
        align=True,
    )


def blank_table(config: Config) -> npt.NDArray[np.void]:
    """Return an array of one table that holds the variant, before anything is dealt."""
    table = blank_record(table_dtype(config))
    record = table[0]
    for name in ("winner", "just_won", "dish", "pending", "pending_with", "last_stashed"):
        record[name] = NONE
    record["games_to_win"] = config.games_to_win
    record["may_recall"] = config.recall
    record["starter_option"] = NONE if config.starter is None else config.starter
    record["pay_games"] = config.reward == "game"
    return name_variant(table, 2)
