"""What one player may see, as numbers, and the table that names every feature (GS-12).

The viewer is number 0, the opponent number 1. Every feature is 0 or 1. A count is a
*thermometer*: its first n features are 1. Numbers of cards in a pile are written in binary,
lowest digit first. A pile of known cards is a thermometer of 3 for each of the 18 cards; that of
the own draw pile is not among them, since what is in no other own pile is there.
"""

from __future__ import annotations

import numpy as np

from greasy_spoon_env.cards import (
    CATEGORY,
    COMBO_1,
    COPIES,
    COUNTS,
    DECK_SIZE,
    DRINK,
    HAND_SIZE,
    MAIN,
    MOST_SET_ASIDE,
    NUM_CARDS,
    NUM_RANKS,
    NUM_TYPES,
    VALUE,
)
from greasy_spoon_env.config import Config
from greasy_spoon_env.state import COMPLETING, NONE, OVER, STASHING
from waiter_envs.core.blocks import Block
from waiter_envs.core.features import (
    put_binary,
    put_flag,
    put_one,
    put_thermometer,
    put_thermometers,
)
from waiter_envs.core.jit import njit
from waiter_envs.core.rows import put_row_of_levels, sum_of_row

PILE = NUM_CARDS * COPIES
SIZE_BITS = DECK_SIZE.bit_length()
NUM_KINDS = 5
NUM_COMBOS = 2


def observation_fields(config: Config) -> list[Block]:
    """Return the fields of an observation, in order: name, start, length, meaning."""
    cards = "for each card a thermometer of 3"
    fields = [
        ("acting", 1, "the viewer is to act"),
        ("leading", 1, "the viewer leads the round; while cards are set aside, the next one"),
        ("stashing", 1, "somebody is setting cards aside"),
        ("completing", 1, "the viewer has half a combination to complete; never seen of others"),
        ("hand", PILE, f"own hand: {cards}"),
        ("backburner", PILE, f"own backburner: {cards}"),
        ("served_0", PILE, f"own cards served in this game: {cards}"),
        ("served_1", PILE, f"cards served by the opponent in this game: {cards}"),
        ("dish", NUM_KINDS, "dish to beat: drink, side, main, Combo 1, Combo 2; none without one"),
        ("dish_type", NUM_TYPES, "type of its item, of a combination its main: one-hot"),
        ("dish_rank", NUM_RANKS, "rank of that item: one-hot"),
        ("second_type", NUM_TYPES, "of a combination, type of its drink or side: one-hot"),
        ("second_rank", NUM_RANKS, "of a combination, rank of its drink or side: one-hot"),
        ("pending_with", NUM_COMBOS, "own half-served combination: Combo 1, Combo 2"),
        ("pending_main", PILE, f"own half-served main: {cards}"),
        ("stashed", MOST_SET_ASIDE, "cards set aside in this pass so far: thermometer"),
        ("last_stashed", NUM_CARDS, "the last card that the viewer set aside in this pass"),
    ]
    for number in range(2):
        who = "own" if number == 0 else "the opponent's"
        fields += [
            (f"hand_size_{number}", HAND_SIZE, f"{who} number of cards in hand: thermometer"),
            (f"draw_size_{number}", SIZE_BITS, f"{who} number of cards in the draw pile, binary"),
            (f"backburner_size_{number}", SIZE_BITS, f"{who} number of cards on the backburner,"
             " binary"),
            (f"set_aside_{number}", MOST_SET_ASIDE, f"cards set aside in {who} last finished pass:"
             " thermometer"),
            (f"recalled_{number}", 1, f"recalled in {who} latest turn"),
            (f"score_{number}", config.games_to_win - 1, f"{who} games won: thermometer"),
        ]  # fmt: skip
    fields.append(("starter", 1, "the viewer started this game"))
    return Block.in_order(fields)


def hidden_fields(config: Config) -> list[Block]:
    """Return the fields of what is hidden from a player, for the perfect-information view."""
    del config
    cards = "for each card a thermometer of 3"
    return Block.in_order(
        [
            ("hand_1", PILE, f"the opponent's hand: {cards}"),
            ("backburner_1", PILE, f"the opponent's backburner: {cards}"),
            ("draw_1", PILE, f"the opponent's draw pile: {cards}"),
            (
                "completing_1",
                NUM_COMBOS,
                "the opponent's half-served combination: Combo 1, Combo 2",
            ),
            ("pending_main_1", PILE, f"its main: {cards}"),
            ("last_stashed_1", NUM_CARDS, "the last card that the opponent set aside"),
        ]
    )  # fmt: skip


@njit
def put_item(observation, start, item):
    """Write type and rank of an item, or nothing for `NONE`; return where they end."""
    kind, rank = NONE, NONE
    if item != NONE:
        kind, rank = VALUE[item] // NUM_RANKS, VALUE[item] % NUM_RANKS
    at = put_one(observation, start, NUM_TYPES, kind)
    return put_one(observation, at, NUM_RANKS, rank)


@njit
def put_dish(observation, start, table):
    """Write the dish to beat by the type and rank of its halves; return where it ends (GS-12)."""
    first, second = np.int64(table.dish[0]), np.int64(table.dish[1])
    kind = NONE
    if second != NONE:
        kind = COMBO_1 + np.int64(CATEGORY[second]) - DRINK
    elif first != NONE:
        kind = np.int64(CATEGORY[first])
    at = put_one(observation, start, NUM_KINDS, kind)
    at = put_item(observation, at, first)
    return put_item(observation, at, second)


@njit
def put_pending(observation, start, table, player):
    """Write the half-served combination of a player, if it has one; return where it ends."""
    half_served = table.phase == COMPLETING and table.current_player == player
    combo = table.pending_with - COMBO_1 if half_served else NONE
    at = put_one(observation, start, NUM_COMBOS, combo)
    if half_served:
        put_thermometers(observation, at, COPIES, COUNTS[table.pending])
    return at + PILE


@njit
def put_last_stashed(observation, start, table, player):
    """Write the last card that a player set aside in this pass; return where it ends."""
    card = np.int64(table.last_stashed if table.current_player == player else NONE)
    return put_one(observation, start, NUM_CARDS, card)


@njit
def put_public(observation, start, table, player):
    """Write what everybody knows of a player; return where it ends (GS-12).

    A half-served main still counts in the hand (GS-11).
    """
    cards = sum_of_row(table.hand, player)
    if table.phase == COMPLETING and table.current_player == player:
        cards += MAIN + 1
    at = put_thermometer(observation, start, HAND_SIZE, cards)
    at = put_binary(observation, at, SIZE_BITS, sum_of_row(table.draw, player))
    at = put_binary(observation, at, SIZE_BITS, sum_of_row(table.backburner, player))
    at = put_thermometer(observation, at, MOST_SET_ASIDE, table.set_aside[player])
    at = put_flag(observation, at, table.recalled[player] == 1)
    return put_thermometer(observation, at, table.games_to_win - 1, table.score[player])


@njit
def observe(table, player, observation):
    """Write what `player` may see; return the number of features.

    Args:
        table: any table.
        player: the viewer, whether it is to act or not.
        observation: `(features,)` int8, written whole; see `observation_fields`.
    """
    observation[:] = 0
    other = 1 - player
    acting = table.current_player == player
    at = put_flag(observation, 0, acting and table.phase != OVER)
    at = put_flag(observation, at, table.leader == player)
    at = put_flag(observation, at, table.phase == STASHING)
    at = put_flag(observation, at, acting and table.phase == COMPLETING)
    at = put_row_of_levels(observation, at, COPIES, table.hand, player)
    at = put_row_of_levels(observation, at, COPIES, table.backburner, player)
    at = put_row_of_levels(observation, at, COPIES, table.served, player)
    at = put_row_of_levels(observation, at, COPIES, table.served, other)
    at = put_dish(observation, at, table)
    at = put_pending(observation, at, table, player)
    at = put_thermometer(observation, at, MOST_SET_ASIDE, table.stashed)
    at = put_last_stashed(observation, at, table, player)
    at = put_public(observation, at, table, player)
    at = put_public(observation, at, table, other)
    return put_flag(observation, at, table.starter == player)


@njit
def observe_hidden(table, player, observation):
    """Write what is hidden from `player`; return the number of features. See `hidden_fields`."""
    observation[:] = 0
    other = 1 - player
    at = put_row_of_levels(observation, 0, COPIES, table.hand, other)
    at = put_row_of_levels(observation, at, COPIES, table.backburner, other)
    at = put_row_of_levels(observation, at, COPIES, table.draw, other)
    at = put_pending(observation, at, table, other)
    return put_last_stashed(observation, at, table, other)
