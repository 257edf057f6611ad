"""What one player may see, as numbers, and the table that names every feature (HW-15).

The viewer comes first, the others follow clockwise, counted from the seat at which the viewer
acts now or acts next. Every feature is 0 or 1. A count is a *thermometer*: its first n features
are 1. Large numbers are written in binary, lowest digit first.
"""

from __future__ import annotations

import numpy as np

from hey_waiter_env.actions import (
    CALL_BUSBOY,
    DISCARD,
    DRAFT_PICK,
    MOVE_COVER,
    MOVE_DISHES,
    NO_ACTION,
    ONTO,
    SERVE_ALL,
    SERVE_FROM,
    TAKE,
    TURN,
)
from hey_waiter_env.cards import CARDS_PER_COLOUR, HAND_SIZE, MAX_STACKS, NUM_COLOURS
from hey_waiter_env.config import Config
from hey_waiter_env.rules import left_of, right_of
from hey_waiter_env.state import DRAFT, NONE, SERVE
from waiter_envs.core.blocks import Block
from waiter_envs.core.features import (
    ONE_OF,
    bit_length,
    put_binary,
    put_one,
    put_thermometer,
    put_thermometers,
    put_word,
)
from waiter_envs.core.jit import njit

NUM_KINDS = DISCARD
"""Kinds of action, NO_ACTION aside."""

HAND = NUM_COLOURS * HAND_SIZE
"""Features of a hand, or of what is discarded from one: a thermometer for each colour."""

STACKS = MAX_STACKS * NUM_COLOURS
"""Features of a colour for each stack of a player."""


def observation_fields(config: Config) -> list[Block]:
    """Return the fields of an observation, in order: name, start, length, meaning."""
    players, seats, dishes = config.num_players, config.num_seats, config.max_dishes
    fields = [
        ("draft", 1, "the stacks are being picked"),
        ("hand", HAND, "own hand: for each colour a thermometer of 7"),
        ("card", STACKS, "card under each own stack: one-hot colour"),
    ]
    for distance in range(players):
        who = "own" if distance == 0 else f"player at distance {distance}:"
        fields += [
            (f"dish_{distance}", dishes * NUM_COLOURS, f"{who} dishes, as a move counts them"),
            (f"stack_of_{distance}", dishes * MAX_STACKS, f"{who} stack of each of these dishes"),
            (f"top_{distance}", STACKS, f"{who} top dish of each stack"),
            (f"cover_{distance}", STACKS, f"{who} cover on each stack"),
            (f"busboy_{distance}", NUM_COLOURS, f"{who} busboys, 1 on the serve side"),
            (f"hand_size_{distance}", HAND_SIZE, f"{who} number of cards in hand, thermometer"),
        ]
    fields += [
        ("side", side_features(config), "for each player by distance, its side if known: one-hot,"
         " sides numbered by their first known player from the viewer on"),
        ("table_covers", NUM_COLOURS * config.covers,
         "covers on the table: for each colour a thermometer"),
        ("discard", NUM_COLOURS * CARDS_PER_COLOUR * config.sets,
         "discard pile: for each colour a thermometer"),
        ("draw_size", draw_bits(config), "cards in the draw pile, binary"),
        ("stack_to_pick", seats * max(config.stack_dishes) * NUM_COLOURS,
         "stacks still to be picked, by stack number: the colour of each dish, bottom to top;"
         " with unequal dishes by seat, clockwise from the viewer's"),
        ("acting_seat", seats, "seat to act, clockwise from the viewer's"),
        ("starting_seat", seats, "starting seat, clockwise from the viewer's"),
        ("sitting", seats * players if seats > players else 0,
         "for each seat clockwise from the viewer's, who sits there, by distance"),
        ("turns_left", turn_bits(config), "turns until the game is cut, binary"),
    ]  # fmt: skip
    for distance in range(1, players):
        who = f"last action of the player at distance {distance}:"
        fields += [
            (f"last_kind_{distance}", NUM_KINDS,
             f"{who} draft, serve, cover, busboy, move, take, discard"),
            (f"last_colour_{distance}", NUM_COLOURS, f"{who} colour of the right-hand card"),
            (f"last_target_{distance}", players, f"{who} whose stack, by distance (cover, take)"),
            (f"last_stack_{distance}", MAX_STACKS,
             f"{who} stack of the cover, lifted from, or moved or taken from"),
            (f"last_height_{distance}", dishes, f"{who} height of the lowest dish moved or taken"),
            (f"last_onto_{distance}", MAX_STACKS, f"{who} stack moved onto, or served by a busboy"),
            (f"last_new_{distance}", 1, f"{who} dishes went onto a new card"),
            (f"last_turn_{distance}", 1, f"{who} a busboy turned to its serve side"),
            (f"last_pick_{distance}", seats, f"{who} number of the stack picked; with unequal"
             " dishes always 0"),
            (f"last_discard_{distance}", NUM_COLOURS * HAND_SIZE,
             f"{who} cards discarded: for each colour a thermometer of 7"),
        ]  # fmt: skip
    return Block.in_order(fields)


def hidden_fields(config: Config) -> list[Block]:
    """Return the fields of what is hidden from a player, for the perfect-information view."""
    fields = []
    for distance in range(1, config.num_players):
        who = f"player at distance {distance}:"
        fields += [
            (f"hand_{distance}", HAND, f"{who} hand: thermometers of 7"),
            (f"card_{distance}", STACKS, f"{who} card under each stack"),
        ]
    fields += [
        ("draw", NUM_COLOURS * CARDS_PER_COLOUR * config.sets,
         "draw pile: for each colour a thermometer"),
        ("true_side", side_features(config),
         "for each player by distance, its side: one-hot, numbered from the viewer's on"),
    ]  # fmt: skip
    return Block.in_order(fields)


def side_features(config: Config) -> int:
    """Return how many features tell the sides; none where everybody plays alone."""
    alone = config.num_sides == config.num_players
    return 0 if alone else config.num_players * config.num_sides


def draw_bits(config: Config) -> int:
    """Return the binary digits of the draw pile's size."""
    return (NUM_COLOURS * CARDS_PER_COLOUR * config.sets).bit_length()


def turn_bits(config: Config) -> int:
    """Return the binary digits of the turns left."""
    return config.turn_limit.bit_length()


@njit
def viewing_seat(table, player):
    """Return the seat at which `player` acts now, or acts next (in the draft: picks next)."""
    seat = np.int64(table.to_act)
    if table.phase == DRAFT:
        while table.player_at[seat] != player:
            if seat == table.start_seat:
                break
            seat = right_of(table, seat)
    while table.player_at[seat] != player:
        seat = left_of(table, seat)
    return seat


@njit
def put_colours(observation, start, colours):
    """Write each colour of a row one-hot, and nothing for NONE; return where they end."""
    for i in range(colours.shape[0]):
        put_word(observation, start, ONE_OF[colours[i] + 1])
        start += NUM_COLOURS
    return start


@njit
def put_hand(observation, start, table, player):
    """Write a hand as four thermometers; return where they end."""
    return put_thermometers(observation, start, HAND_SIZE, table.hand[player])


@njit
def put_player(observation, start, table, player):
    """Write what lies openly before a player; return where it ends."""
    at = put_colours(observation, start, table.dishes[player])
    at = put_stacks(observation, at, table, player)
    at = put_tops(observation, at, table, player)
    at = put_colours(observation, at, table.cover[player])
    cards = 0
    for colour in range(NUM_COLOURS):
        observation[at + colour] = table.busboy[player, colour] == SERVE
        cards += table.hand[player, colour]
    return put_thermometer(observation, at + NUM_COLOURS, HAND_SIZE, cards)


@njit
def put_stacks(observation, start, table, player):
    """Write the stack that each dish of a player lies in; return where they end."""
    height = table.height[player]
    second = np.int64(height[0])
    third = second + height[1]
    fourth = third + height[2]
    fifth = fourth + height[3]
    end = fifth + height[4]
    for dish in range(table.dishes.shape[1]):
        stack = (dish >= second) + (dish >= third) + (dish >= fourth) + (dish >= fifth)
        put_word(observation, start, ONE_OF[stack + 1 if dish < end else 0])
        start += MAX_STACKS
    return start


@njit
def put_tops(observation, start, table, player):
    """Write the colour of the top dish of each stack of a player; return where they end."""
    end = 0
    for stack in range(MAX_STACKS):
        height = table.height[player, stack]
        end += height
        top = table.dishes[player, end - 1] if height > 0 else NONE
        put_word(observation, start, ONE_OF[top + 1])
        start += NUM_COLOURS
    return start


@njit
def put_sides(observation, start, table, seat, everything):
    """Write the sides, numbered by their first player from the viewer on; return the end."""
    players, sides = table.hand.shape[0], table.known.shape[0]
    if players == sides:
        return start
    number = 0
    for distance in range(players):
        side = table.side[table.by_distance[seat, distance]]
        if not (everything or table.known[side]):
            continue
        first = True
        for nearer in range(distance):
            first &= table.side[table.by_distance[seat, nearer]] != side
        if not first:
            continue
        for other in range(distance, players):
            if table.side[table.by_distance[seat, other]] == side:
                put_one(observation, start + other * sides, sides, number)
        number += 1
    return start + players * sides


@njit
def pile_size(pile):
    """Return how many cards a pile, or a hand, holds."""
    size = 0
    for colour in range(NUM_COLOURS):
        size += pile[colour]
    return size


@njit
def put_draft(observation, start, table, seat):
    """Write the stacks still to be picked; return where they end."""
    if table.phase != DRAFT:
        return start + table.draft.size * NUM_COLOURS
    seats = table.draft.shape[0]
    for place in range(seats):
        stack = place if table.equal_dishes else (seat + place) % seats
        start = put_colours(observation, start, table.draft[stack])
    return start


@njit
def put_seats(observation, start, table, seat):
    """Write the seat to act, the starting seat and who sits where; return the end."""
    seats, players = table.by_distance.shape
    start = put_one(observation, start, seats, (table.to_act - seat) % seats)
    start = put_one(observation, start, seats, (table.start_seat - seat) % seats)
    if seats > players:
        for place in range(seats):
            sitting = table.player_at[(seat + place) % seats]
            start = put_one(observation, start, players, table.distance[seat, sitting])
    return start


@njit
def put_last_action(observation, start, table, seat, player):
    """Write a player's last action, without the colour of a card laid down; return the end."""
    players, dishes = table.dishes.shape
    colours = start + NUM_KINDS
    target = colours + NUM_COLOURS
    stack = target + players
    height = stack + MAX_STACKS
    onto = height + dishes
    new = onto + MAX_STACKS
    turned = new + 1
    picked = turned + 1
    discarded = picked + table.player_at.shape[0]
    last = table.last[player]
    kind, a, b, c, d = last[0], last[1], last[2], last[3], last[4]
    if kind != NO_ACTION:
        observation[start + kind - 1] = 1
    if SERVE_ALL <= kind <= TAKE:  # all kinds that play two cards
        observation[colours + a] = 1
    if kind == MOVE_COVER or kind == TAKE:
        observation[target + table.distance[seat, b]] = 1
    if kind == DRAFT_PICK:
        observation[picked + a] = 1
    elif kind == MOVE_COVER:
        observation[stack + c] = 1
    elif kind == CALL_BUSBOY:
        if b != NONE:
            observation[stack + b] = 1
        if c == TURN:
            observation[turned] = 1
        elif c >= SERVE_FROM:
            observation[onto + c - SERVE_FROM] = 1
    elif kind == MOVE_DISHES:
        observation[stack + b] = 1
        observation[height + c] = 1
        if d < ONTO:
            observation[new] = 1
        else:
            observation[onto + d - ONTO] = 1
    elif kind == TAKE:
        observation[stack + c] = 1
        observation[height + d] = 1
        observation[new] = 1
    elif kind == DISCARD:
        put_thermometers(observation, discarded, HAND_SIZE, last[1 : 1 + NUM_COLOURS])
    return discarded + HAND


@njit
def observe(table, player, observation):
    """Write what `player` may see; return where it ends.

    Args:
        table: any table.
        player: the viewer, whether it is to act or not.
        observation: `(features,)` int8, written whole; see `observation_fields`.
    """
    observation[:] = 0
    players = table.hand.shape[0]
    seat = viewing_seat(table, player)
    observation[0] = table.phase == DRAFT
    at = put_hand(observation, 1, table, player)
    at = put_colours(observation, at, table.card[player])
    for distance in range(players):
        at = put_player(observation, at, table, table.by_distance[seat, distance])
    at = put_sides(observation, at, table, seat, False)
    at = put_thermometers(observation, at, table.num_covers, table.table_covers)
    at = put_thermometers(observation, at, table.cards_per_colour, table.discard)
    bits = bit_length(NUM_COLOURS * table.cards_per_colour)
    at = put_binary(observation, at, bits, pile_size(table.draw))
    at = put_draft(observation, at, table, seat)
    at = put_seats(observation, at, table, seat)
    bits = bit_length(table.turn_limit)
    at = put_binary(observation, at, bits, table.turn_limit - table.turn)
    for distance in range(1, players):
        at = put_last_action(observation, at, table, seat, table.by_distance[seat, distance])
    return at


@njit
def observe_hidden(table, player, observation):
    """Write what is hidden from `player`; see `hidden_fields`. Return where it ends."""
    observation[:] = 0
    seat = viewing_seat(table, player)
    at = 0
    for distance in range(1, table.hand.shape[0]):
        other = table.by_distance[seat, distance]
        at = put_hand(observation, at, table, other)
        at = put_colours(observation, at, table.card[other])
    at = put_thermometers(observation, at, table.cards_per_colour, table.draw)
    return put_sides(observation, at, table, seat, True)
