"""What one player may see, as numbers, and the table that names every feature (DE-14).

The viewer is number 0, the others follow clockwise: player k is the one k places to the left.
Every feature is 0 or 1. Numbers are written in binary, lowest digit first.
"""

from __future__ import annotations

import numpy as np

from dessert_env.cards import MOST_POINTS, NUM_DESSERTS, NUM_GUESTS
from dessert_env.config import Config
from dessert_env.rules import num_at, points_of, topmost
from dessert_env.state import (
    CALL,
    CHOSEN,
    CLAIM,
    COMING,
    DIRTY,
    DISCARDED,
    FRESHEN,
    NEW_GUEST,
    NONE,
    OVER,
    PILE,
    SERVINGS,
    closing_turns,
)
from waiter_envs.core.blocks import Block
from waiter_envs.core.features import bit_length, put_binary, put_equal, put_one
from waiter_envs.core.jit import njit

NUM_DECISIONS = OVER
NUM_SERVINGS = len(SERVINGS)

DESSERT_BITS = NUM_DESSERTS.bit_length()
GUEST_BITS = NUM_GUESTS.bit_length()
POINT_BITS = MOST_POINTS.bit_length()


def observation_fields(config: Config) -> list[Block]:
    """Return the fields of an observation, in order: name, start, length, meaning."""
    players = config.num_players
    fields = [
        ("acting", 1, "the viewer is to act"),
        ("decision", NUM_DECISIONS, "what the viewer is asked: claim, call, serve, steal, stop,"
         " bribe, freshen; of nobody else"),
        ("guest_phase", 1, "a guest is being served"),
        ("steal_phase", 1, "the active player's steal phase"),
        ("active", players, "whose turn it is, by distance"),
        ("serving", NUM_SERVINGS, "somebody serves: the new guest, a stolen one, one from the"
         " Waiting Room"),
        ("server", players, "who serves or steals, by distance"),
        ("new_guest", NUM_GUESTS, "the guest turned up"),
        ("target", NUM_GUESTS, "the guest to be served or stolen"),
        ("hand", NUM_DESSERTS, "own hand"),
        ("laid_down", NUM_DESSERTS, "desserts laid down in this serving so far"),
        ("discarded", NUM_DESSERTS, "desserts discarded to freshen up so far"),
        ("dirty", NUM_DESSERTS, "dirty dishes, with those"),
        ("coming", NUM_GUESTS, "guests still to come"),
        ("waiting_top", NUM_GUESTS, "the topmost guest of the Waiting Room"),
        ("waiting_depth", NUM_GUESTS * GUEST_BITS, "of each guest, its place in the Waiting Room"
         " from the top, which is 1, binary"),
        ("pile_size", DESSERT_BITS, "desserts in the pile, binary"),
        ("closing", 1, "closing time"),
        ("closing_left", max(closing_turns(config), 0).bit_length(),
         "turns of closing time to come, binary"),
        ("turns_left", config.max_turns.bit_length(),
         "turns until the game is cut, this one included, binary"),
    ]  # fmt: skip
    for number in range(players):
        who = "own" if number == 0 else f"player at distance {number}:"
        fields += [
            (f"guests_{number}", NUM_GUESTS, f"{who} guests"),
            (f"points_{number}", POINT_BITS, f"{who} points, binary"),
            (f"hand_size_{number}", DESSERT_BITS, f"{who} desserts in hand, binary"),
            (f"warned_{number}", int(config.false_calls), f"{who} has called falsely before"),
        ]
    return Block.in_order(fields)


def hidden_fields(config: Config) -> list[Block]:
    """Return the fields of what is hidden from a player, for the perfect-information view."""
    players = config.num_players
    fields = [
        ("to_act", players, "who is to act, by distance"),
        ("asked_for", NUM_DECISIONS, "what it is asked: claim, call, serve, steal, stop, bribe,"
         " freshen"),
    ]  # fmt: skip
    fields += [
        (f"caller_{place}", players, f"who is asked in place {place}, by distance")
        for place in range(players - 1)
    ]
    fields += [
        (f"hand_{number}", NUM_DESSERTS, f"player at distance {number}: hand")
        for number in range(1, players)
    ]
    return Block.in_order(fields)


@njit
def distance(table, viewer, player):
    """Return how many places a player sits to the left of the viewer."""
    return (player - viewer) % table.warned.shape[0]


@njit
def put_phase(observation, start, table, player):
    """Write who does what, as far as `player` knows; return where it ends (DE-14)."""
    players = table.warned.shape[0]
    serving = np.int64(table.serving)
    acting = table.current_player == player and table.phase != OVER
    guest_phase = table.phase == CLAIM or table.phase == CALL or serving == NEW_GUEST
    observation[start] = acting
    if acting:
        observation[start + 1 + table.phase] = 1
    at = start + 1 + NUM_DECISIONS
    observation[at] = guest_phase
    observation[at + 1] = not guest_phase and table.phase != OVER
    at = put_one(observation, at + 2, players, distance(table, player, table.active))
    at = put_one(observation, at, NUM_SERVINGS, serving)
    server = table.current_player if serving == NEW_GUEST else table.active
    if serving != NONE:
        observation[at + distance(table, player, server)] = 1
    return at + players


@njit
def put_waiting_room(observation, start, table):
    """Write the topmost guest of the Waiting Room, and how deep each is; return where they end."""
    depths = start + NUM_GUESTS
    if table.num_waiting > 0:
        observation[start + topmost(table)] = 1
    for depth in range(1, table.num_waiting + 1):
        place = depths + table.waiting_room[table.num_waiting - depth] * GUEST_BITS
        for digit in range(GUEST_BITS):  # in no order, so one by one
            observation[place + digit] = depth >> digit & 1
    return depths + NUM_GUESTS * GUEST_BITS


@njit
def put_dishes(observation, start, table, player):
    """Write own hand and the desserts that everybody sees; return where they end."""
    at = put_equal(observation, start, table.dessert, player)
    at = put_equal(observation, at, table.dessert, CHOSEN)
    dirty = put_equal(observation, at, table.dessert, DISCARDED)
    end = put_equal(observation, dirty, table.dessert, DIRTY)
    if table.phase == FRESHEN:
        for card in range(NUM_DESSERTS):
            observation[dirty + card] |= observation[at + card]
    return end


@njit
def observe(table, player, observation):
    """Write what `player` may see; return the number of features.

    Args:
        table: any table.
        player: the viewer, whether it is to act or not.
        observation: `(features,)` int8, written whole; see `observation_fields`.
    """
    observation[:] = 0
    players = table.warned.shape[0]
    at = put_phase(observation, 0, table, player)
    at = put_one(observation, at, NUM_GUESTS, np.int64(table.new_guest))
    at = put_one(observation, at, NUM_GUESTS, np.int64(table.target))
    at = put_dishes(observation, at, table, player)
    at = put_equal(observation, at, table.guest, COMING)
    at = put_waiting_room(observation, at, table)
    at = put_binary(observation, at, DESSERT_BITS, num_at(table, PILE))
    observation[at] = table.closing_turn > 0
    closing = np.int64(table.closing_turns)
    left = closing - table.closing_turn if closing != NONE else 0
    at = put_binary(observation, at + 1, bit_length(closing), left)
    max_turns = np.int64(table.max_turns)
    at = put_binary(observation, at, bit_length(max_turns), max_turns - table.turn)
    for number in range(players):
        other = (player + number) % players
        at = put_equal(observation, at, table.guest, other)
        at = put_binary(observation, at, POINT_BITS, points_of(table, other))
        at = put_binary(observation, at, DESSERT_BITS, num_at(table, other))
        if table.false_calls:
            observation[at] = table.warned[other]
            at += 1
    return at


@njit
def observe_hidden(table, player, observation):
    """Write what is hidden from `player`; return the number of features. See `hidden_fields`."""
    observation[:] = 0
    players = table.warned.shape[0]
    over = table.phase == OVER
    to_act = NONE if over else distance(table, player, table.current_player)
    at = put_one(observation, 0, players, to_act)
    at = put_one(observation, at, NUM_DECISIONS, NONE if over else np.int64(table.phase))
    for place in range(players - 1):
        caller = np.int64(table.call_order[place])
        ahead = NONE if caller == NONE else distance(table, player, caller)
        at = put_one(observation, at, players, ahead)
    for number in range(1, players):
        other = (player + number) % players
        at = put_equal(observation, at, table.dessert, other)
    return at
