"""What one player may see, as numbers, and the table that names every feature (GA-11).

The viewer comes first, the others follow clockwise. Every feature is 0 or 1. A face is one feature
for each dish of the menu. Numbers are written in binary, lowest digit first.

The faces of open orders are hidden, but for one's own under a Notebook (GA-6) and those that
`recall` keeps in mind (GA-8). Which orders are in the pile is hidden too: nothing here counts
orders that lie face down.
"""

from __future__ import annotations

import numpy as np

from garcon_env.actions import PASSED
from garcon_env.cards import EVENT_SLOTS, NUM_EVENT_KINDS, ORDER_SLOTS
from garcon_env.config import Config
from garcon_env.rules import sees
from garcon_env.state import (
    CHOOSING,
    NAMING,
    NONE,
    OVER,
    PILE,
    TURN,
    age_bits,
    clock_bits,
    event_bits,
    order_bits,
    point_bits,
    total_bits,
    turn_bits,
)
from waiter_envs.core.blocks import Block
from waiter_envs.core.features import put_binaries, put_binary, put_flag, put_one
from waiter_envs.core.jit import njit

NUM_KINDS = PASSED  # things done in a turn, NO_ACTION aside


def observation_fields(config: Config) -> list[Block]:
    """Return the fields of an observation, in order: name, start, length, meaning."""
    players, cap, deck = config.num_players, config.max_open_orders, config.deck
    menu, backs = len(deck.dishes), len(deck.backs)
    count = order_bits(config)
    fields = [
        ("naming", 1, "an order is being named"),
        ("choosing", 1, "the next order to complete is being chosen"),
        ("final_round", 1, "the game ends with this round"),
        ("showdown", 1, "the clock has run down, all name their orders"),
        ("acting", players, "who is to act, by distance"),
        ("first_player", players, "the first player, by distance"),
        ("turns_left", turn_bits(config), "turns until the game is cut, binary"),
        ("clock_left", clock_bits(config), "places that the clock has still to move, binary"),
        ("order_pile", count, "orders in the pile, binary"),
        ("event_pile", event_bits(config), "events in the pile, binary"),
        ("event_discards", NUM_EVENT_KINDS * event_bits(config),
         "discarded repeats, notebooks, client leaves, binary each"),
        ("discarded", backs * count, "discarded orders of each back, binary each"),
        ("discarded_dish", menu * count, "discarded orders with each dish, binary each"),
        ("completed_dish", menu * count, "completed orders with each dish, of all players"),
        ("named", cap, "the order being named, of the open ones of who names it"),
        ("said", menu, "dishes named so far"),
    ]  # fmt: skip
    for slot in range(ORDER_SLOTS):
        fields += [
            (f"market_{slot}", menu, f"face of the order in slot {slot}"),
            (f"market_points_{slot}", point_bits(config), f"points of the order in slot {slot}"),
        ]
    for slot in range(EVENT_SLOTS):
        fields.append(
            (f"event_{slot}", NUM_EVENT_KINDS, f"event in slot {slot}: repeat, notebook, leave")
        )
    fields.append(("faces", cap * menu, "faces of own open orders, where the viewer may see them"))
    for distance in range(players):
        who = "own" if distance == 0 else f"player at distance {distance}:"
        fields += [
            (f"points_{distance}", total_bits(config), f"{who} points, binary"),
            (f"completed_{distance}", backs * count, f"{who} completed orders of each back"),
            (f"doubled_{distance}", backs * count, f"{who} completed orders with a Repeat, of each"
             " back"),
            (f"open_{distance}", cap * backs, f"{who} open orders, oldest first: one-hot back"),
            (f"repeat_{distance}", cap, f"{who} open orders under a Repeat"),
            (f"notebook_{distance}", cap, f"{who} open orders under a Notebook"),
            (f"age_{distance}", cap * age_bits(config), f"{who} turns finished since each was"
             " taken, binary each"),
            (f"did_{distance}", NUM_KINDS, f"{who} last turn: take, complete, repeat, notebook,"
             " leave, pass"),
            (f"did_slot_{distance}", ORDER_SLOTS, f"{who} last turn: slot of the order it took"),
            (f"did_face_{distance}", menu if distance else 0, f"{who} last turn: face of the order"
             " it took"),
        ]  # fmt: skip
    return Block.in_order(fields)


def hidden_fields(config: Config) -> list[Block]:
    """Return the fields of what is hidden from a player, for the perfect-information view."""
    menu, cap = len(config.deck.dishes), config.max_open_orders
    fields = [
        (f"faces_{distance}", cap * menu, f"player at distance {distance}: faces of open orders")
        for distance in range(config.num_players)
    ]
    fields.append(("pile_dish", menu * order_bits(config), "orders in the pile with each dish"))
    fields.append(("named_face", menu, "face of the order being named"))
    return Block.in_order(fields)


@njit
def in_showdown(table):
    """Return whether the clock has run down, and all name their orders or have done so (GA-9)."""
    return table.has_clock and table.phase != TURN and not table.truncated


@njit
def put_phase(observation, start, table, player):
    """Write what is under way, and who is to act and was first; return where it ends."""
    players = table.points.shape[0]
    acting = NONE if table.phase == OVER else (table.current_player - player) % players
    at = put_flag(observation, start, table.phase == NAMING)
    at = put_flag(observation, at, table.phase == CHOOSING)
    at = put_flag(observation, at, table.final_round)
    at = put_flag(observation, at, in_showdown(table))
    at = put_one(observation, at, players, acting)
    return put_one(observation, at, players, (table.first_player - player) % players)


@njit
def put_time(observation, start, table):
    """Write the turns and the clock's places that are left; return where they end."""
    left = max(0, table.turn_limit - table.turns_done)
    at = put_binary(observation, start, np.int64(table.turn_bits), left)
    left = table.num_clock_places - table.clock
    return put_binary(observation, at, np.int64(table.clock_bits), left)


@njit
def put_piles(observation, start, table):
    """Write how high the piles are and what is discarded or completed; return where they end."""
    orders, events = np.int64(table.order_bits), np.int64(table.event_bits)
    size = 0
    for kind in range(NUM_EVENT_KINDS):
        size += table.event_pile[kind]
    at = put_binary(observation, start, orders, table.order_pile)
    at = put_binary(observation, at, events, size)
    at = put_binaries(observation, at, events, table.event_discards)
    at = put_binaries(observation, at, orders, table.discarded)
    at = put_binaries(observation, at, orders, table.discarded_dish)
    return put_binaries(observation, at, orders, table.completed_dish)


@njit
def put_market(observation, start, table):
    """Write the orders and events on the table; return where they end."""
    menu, digits = table.completed_dish.shape[0], np.int64(table.point_bits)
    for slot in range(ORDER_SLOTS):
        order = np.int64(table.market[slot])
        if order != NONE:
            put_binary(observation, start, menu, table.face[order])
            put_binary(observation, start + menu, digits, table.order_points[order])
        start += menu + digits
    for slot in range(EVENT_SLOTS):
        start = put_one(observation, start, NUM_EVENT_KINDS, table.market_event[slot])
    return start


@njit
def put_faces(observation, start, table, player, everything):
    """Write the faces of a player's open orders, all or those that it sees; return the end."""
    menu = table.completed_dish.shape[0]
    for place in range(table.num_open[player]):
        if everything or sees(table, player, place):
            face = table.face[table.order[player, place]]
            put_binary(observation, start + place * menu, menu, face)
    return start + table.order.shape[1] * menu


@njit
def put_open(observation, start, length, table, player):
    """Write a player's open orders from outside, ages in `length` digits; return the end."""
    cap, backs = table.order.shape[1], table.completed.shape[1]
    repeat = start + cap * backs
    notebook = repeat + cap
    age = notebook + cap
    for place in range(table.num_open[player]):
        observation[start + place * backs + table.back[table.order[player, place]]] = 1
        observation[repeat + place] = table.repeat[player, place]
        observation[notebook + place] = table.notebook[player, place]
    for place in range(table.num_open[player]):
        turns = max(0, table.age[player, place])  # -1 in the very turn that took it
        put_binary(observation, age + place * length, length, turns)
    return age + cap * length


@njit
def put_last(observation, start, table, player, viewer):
    """Write what a player did in its last turn; return where it ends (GA-11)."""
    at = put_one(observation, start, NUM_KINDS, table.last[player] - 1)
    at = put_one(observation, at, ORDER_SLOTS, table.last_slot[player])
    if player == viewer:
        return at
    return put_binary(observation, at, table.completed_dish.shape[0], table.last_face[player])


@njit
def observe(table, player, observation):
    """Write what `player` may see; return the number of features.

    Args:
        table: any table.
        player: the viewer, whether it is to act or not.
        observation: `(features,)` int8, written whole; see `observation_fields`.
    """
    observation[:] = 0
    players = table.points.shape[0]
    at = put_phase(observation, 0, table, player)
    at = put_time(observation, at, table)
    at = put_piles(observation, at, table)
    at = put_one(observation, at, table.order.shape[1], table.named)
    at = put_binary(observation, at, table.completed_dish.shape[0], table.said)
    at = put_market(observation, at, table)
    at = put_faces(observation, at, table, player, False)
    orders, ages = np.int64(table.order_bits), np.int64(table.age_bits)
    for distance in range(players):
        other = (player + distance) % players
        at = put_binary(observation, at, np.int64(table.total_bits), table.points[other])
        at = put_binaries(observation, at, orders, table.completed[other])
        at = put_binaries(observation, at, orders, table.doubled[other])
        at = put_open(observation, at, ages, table, other)
        at = put_last(observation, at, table, other, player)
    return at


@njit
def observe_hidden(table, player, observation):
    """Write what is hidden from `player`; return the number of features. See `hidden_fields`."""
    observation[:] = 0
    players, menu = table.points.shape[0], table.completed_dish.shape[0]
    at = 0
    for distance in range(players):
        at = put_faces(observation, at, table, (player + distance) % players, True)
    for dish in range(menu):
        orders = 0
        for order in range(table.place.shape[0]):
            orders += (table.place[order] == PILE) & (np.int64(table.face[order]) >> dish & 1)
        at = put_binary(observation, at, np.int64(table.order_bits), orders)
    face = np.int64(0)
    if table.named != NONE:
        face = np.int64(table.face[table.order[table.current_player, table.named]])
    return put_binary(observation, at, menu, face)
