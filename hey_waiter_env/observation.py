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
from waiter_envs.core.features import bit_length, put_binary
from waiter_envs.core.jit import njit

NUM_KINDS = DISCARD  # kinds of action, NO_ACTION aside


def observation_fields(config: Config) -> list[Block]:
    """Return the fields of an observation, in order: name, start, length, meaning."""
    players, seats, dishes = config.num_players, config.num_seats, config.max_dishes
    fields = [
        ("draft", 1, "the stacks are being picked"),
        ("hand", NUM_COLOURS * HAND_SIZE, "own hand: for each colour a thermometer of 7"),
        ("card", MAX_STACKS * NUM_COLOURS, "card under each own stack: one-hot colour"),
    ]
    for distance in range(players):
        who = "own" if distance == 0 else f"player at distance {distance}:"
        fields += [
            (f"dish_{distance}", dishes * NUM_COLOURS, f"{who} dishes, as a move counts them"),
            (f"stack_of_{distance}", dishes * MAX_STACKS, f"{who} stack of each of these dishes"),
            (f"top_{distance}", MAX_STACKS * NUM_COLOURS, f"{who} top dish of each stack"),
            (f"cover_{distance}", MAX_STACKS * NUM_COLOURS, f"{who} cover on each stack"),
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
            (f"hand_{distance}", NUM_COLOURS * HAND_SIZE, f"{who} hand: thermometers of 7"),
            (f"card_{distance}", MAX_STACKS * NUM_COLOURS, f"{who} card under each stack"),
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
def put_hand_count(observation, start, count):
    """Write a number of cards in hand as a thermometer of 7; return where it ends."""
    for i in range(HAND_SIZE):
        observation[start + i] = i < count
    return start + HAND_SIZE


@njit
def put_hand(table, player, observation, start):
    """Write a hand as four thermometers; return where they end."""
    for colour in range(NUM_COLOURS):
        start = put_hand_count(observation, start, table.hand[player, colour])
    return start


@njit
def put_cards_under(table, player, observation, start):
    """Write the colours of the cards under a player's stacks; return where they end."""
    for stack in range(table.num_stacks[player]):
        observation[start + stack * NUM_COLOURS + table.card[player, stack]] = 1
    return start + MAX_STACKS * NUM_COLOURS


@njit
def put_player(table, player, observation, start):
    """Write what lies openly before a player; return where it ends."""
    dishes = table.dishes.shape[1]
    stack_of = start + dishes * NUM_COLOURS
    top = stack_of + dishes * MAX_STACKS
    cover = top + MAX_STACKS * NUM_COLOURS
    busboy = cover + MAX_STACKS * NUM_COLOURS
    stack = 0
    height = 0
    for dish in range(dishes):
        colour = table.dishes[player, dish]
        if colour == NONE:
            break
        observation[start + dish * NUM_COLOURS + colour] = 1
        observation[stack_of + dish * MAX_STACKS + stack] = 1
        height += 1
        if height == table.height[player, stack]:
            observation[top + stack * NUM_COLOURS + colour] = 1
            if table.cover[player, stack] != NONE:
                observation[cover + stack * NUM_COLOURS + table.cover[player, stack]] = 1
            stack += 1
            height = 0
    cards = 0
    for colour in range(NUM_COLOURS):
        observation[busboy + colour] = table.busboy[player, colour] == SERVE
        cards += table.hand[player, colour]
    return put_hand_count(observation, busboy + NUM_COLOURS, cards)


@njit
def put_sides(table, seat, everything, observation, start):
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
                observation[start + other * sides + number] = 1
        number += 1
    return start + players * sides


@njit
def put_pile(pile, size, observation, start):
    """Write a pile as a thermometer for each colour; return where they end."""
    for colour in range(NUM_COLOURS):
        thermometer = observation[start : start + size]
        for i in range(size):
            thermometer[i] = i < pile[colour]
        start += size
    return start


@njit
def put_table_covers(table, observation, start):
    """Write the covers on the table as thermometers; return where they end."""
    for colour in range(NUM_COLOURS):
        for i in range(table.table_covers[colour]):
            observation[start + i] = 1
        start += table.num_covers
    return start


@njit
def pile_size(pile):
    """Return how many cards a pile holds."""
    size = 0
    for colour in range(NUM_COLOURS):
        size += pile[colour]
    return size


@njit
def put_draft(table, seat, observation, start):
    """Write the stacks still to be picked; return where they end."""
    seats, size = table.draft.shape
    if table.phase == DRAFT:
        for stack in range(seats):
            if table.taken[stack]:
                continue
            place = stack if table.equal_dishes else (stack - seat) % seats
            for height in range(table.stack_dishes[stack]):
                feature = (place * size + height) * NUM_COLOURS + table.draft[stack, height]
                observation[start + feature] = 1
    return start + seats * size * NUM_COLOURS


@njit
def put_seats(table, seat, observation, start):
    """Write the seat to act, the starting seat and who sits where; return the end."""
    seats, players = table.by_distance.shape
    observation[start + (table.to_act - seat) % seats] = 1
    observation[start + seats + (table.start_seat - seat) % seats] = 1
    start += 2 * seats
    if seats == players:
        return start
    for place in range(seats):
        sitting = table.player_at[(seat + place) % seats]
        observation[start + place * players + table.distance[seat, sitting]] = 1
    return start + seats * players


@njit
def put_last_action(table, seat, player, observation, start):
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
        put_hand_count(observation, discarded, a)
        put_hand_count(observation, discarded + HAND_SIZE, b)
        put_hand_count(observation, discarded + 2 * HAND_SIZE, c)
        put_hand_count(observation, discarded + 3 * HAND_SIZE, d)
    return discarded + NUM_COLOURS * HAND_SIZE


@njit
def observe(table, player, observation):
    """Write what `player` may see.

    Args:
        table: any table.
        player: the viewer, whether it is to act or not.
        observation: `(features,)` int8, written whole; see `observation_fields`.
    """
    observation[:] = 0
    players = table.hand.shape[0]
    seat = viewing_seat(table, player)
    observation[0] = table.phase == DRAFT
    at = put_hand(table, player, observation, 1)
    at = put_cards_under(table, player, observation, at)
    for distance in range(players):
        at = put_player(table, table.by_distance[seat, distance], observation, at)
    at = put_sides(table, seat, False, observation, at)
    at = put_table_covers(table, observation, at)
    at = put_pile(table.discard, table.cards_per_colour, observation, at)
    bits = bit_length(NUM_COLOURS * table.cards_per_colour)
    put_binary(observation, at, bits, pile_size(table.draw))
    at = put_draft(table, seat, observation, at + bits)
    at = put_seats(table, seat, observation, at)
    bits = bit_length(table.turn_limit)
    put_binary(observation, at, bits, table.turn_limit - table.turn)
    at += bits
    for distance in range(1, players):
        at = put_last_action(table, seat, table.by_distance[seat, distance], observation, at)


@njit
def observe_hidden(table, player, observation):
    """Write what is hidden from `player`; see `hidden_fields`."""
    observation[:] = 0
    seat = viewing_seat(table, player)
    at = 0
    for distance in range(1, table.hand.shape[0]):
        other = table.by_distance[seat, distance]
        at = put_hand(table, other, observation, at)
        at = put_cards_under(table, other, observation, at)
    at = put_pile(table.draw, table.cards_per_colour, observation, at)
    put_sides(table, seat, True, observation, at)
