"""One game of Hey Waiter! as one NumPy record."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hey_waiter_env.cards import CARDS_PER_COLOUR, DISHES_PER_COLOUR, MAX_STACKS, NUM_COLOURS
from hey_waiter_env.config import Config
from waiter_envs.core.records import COMMON_FIELDS, blank_record, name_variant

NONE = -1
"""No colour, no stack, no player, no side."""

DRAFT, PLAY, OVER = 0, 1, 2
"""Phases: stacks are picked; turns are taken; somebody has won or the game was cut."""

PHASES = ("draft", "play", "over")
"""Their names."""

FACE, SERVE = 0, 1
"""Sides of a busboy."""

BUSBOY_SIDES = ("face", "serve")
"""Their names."""

LAST_LENGTH = 6
"""Numbers that describe an action: its kind and up to five arguments (`actions.decode`)."""


def table_dtype(config: Config) -> np.dtype[np.void]:
    """Return the structured dtype of one table.

    The first block of fields changes as the game goes; the second is the variant, the same in
    every table of a configuration (but `side`, which is drawn each game with secret teams).
    Unused places hold -1 (dishes, cards, covers) or 0, so equal games are equal records.
    """
    players, seats, sides = config.num_players, config.num_seats, config.num_sides
    dishes, stack = config.max_dishes, max(config.stack_dishes)
    colours, stacks = NUM_COLOURS, MAX_STACKS
    return np.dtype(
        [
            *COMMON_FIELDS,
            # -- the game in progress ----------------------------------------------------------
            ("turn", "i4"),  # turns completed; picks do not count
            ("phase", "i1"),  # DRAFT, PLAY or OVER
            ("start_seat", "i1"),  # takes the first turn, picks last
            ("to_act", "i1"),  # the seat to act; at the end the seat that acted last
            ("winner", "i1"),  # winning side, or NONE
            ("hand", "i1", (players, colours)),  # cards of each colour
            ("num_stacks", "i1", (players,)),  # 0 to 5; a player without has no dishes
            ("dishes", "i1", (players, dishes)),  # colours, stack after stack, bottom to top
            ("height", "i2", (players, stacks)),  # dishes of each stack, oldest first
            ("card", "i1", (players, stacks)),  # colour of the card under each stack, or NONE
            ("cover", "i1", (players, stacks)),  # colour of the cover on each stack, or NONE
            ("busboy", "i1", (players, colours)),  # FACE or SERVE
            ("table_covers", "i1", (colours,)),  # covers on the table
            ("draw", "i2", (colours,)),  # draw pile: cards of each colour
            ("discard", "i2", (colours,)),  # discard pile: cards of each colour
            ("draft", "i1", (seats, stack)),  # stacks of the draft: colours, bottom to top
            ("taken", "i1", (seats,)),  # 1 if that stack of the draft is taken
            ("last", "i2", (players, LAST_LENGTH)),  # last action of each player, decoded
            ("side", "i1", (players,)),  # side of each player
            ("known", "i1", (sides,)),  # 1 if everybody knows who is on each side
            # -- the variant -------------------------------------------------------------------
            ("turn_limit", "i4"),  # turns after which the game is truncated
            ("start_option", "i1"),  # starting seat, or NONE: drawn at random
            ("secret", "?"),  # secret teams (HW-14)
            ("equal_dishes", "?"),  # players choose among the stacks of the draft (HW-2)
            ("dishes_per_colour", "i2"),  # in the bag, before the draft
            ("cards_per_colour", "i2"),  # waiter cards of each colour in all
            ("num_covers", "i1"),  # covers of each colour in all
            ("max_partners", "i1"),  # places for a partner in the action block `take`
            ("player_at", "i1", (seats,)),  # player at each seat
            ("seats_of", "i1", (players,)),  # number of seats of each player
            ("stack_dishes", "i2", (seats,)),  # dishes to the stack of each seat
            ("by_distance", "i1", (seats, players)),  # players clockwise from each seat
            ("distance", "i1", (seats, players)),  # inverse of `by_distance`
        ],
        align=True,
    )


def blank_table(config: Config) -> npt.NDArray[np.void]:
    """Return an array of one table that holds the variant, before anything is dealt."""
    table = blank_record(table_dtype(config))
    record = table[0]
    for name in ("dishes", "card", "cover", "draft", "winner"):
        record[name] = NONE
    record["table_covers"] = config.covers
    record["draw"] = CARDS_PER_COLOUR * config.sets
    record["side"] = config.sides
    record["known"] = not config.secret_teams
    record["turn_limit"] = config.turn_limit
    record["start_option"] = NONE if config.starting_seat is None else config.starting_seat
    record["secret"] = config.secret_teams
    record["equal_dishes"] = config.equal_dishes
    record["dishes_per_colour"] = DISHES_PER_COLOUR * config.sets
    record["cards_per_colour"] = CARDS_PER_COLOUR * config.sets
    record["num_covers"] = config.covers
    record["max_partners"] = config.max_partners
    record["player_at"] = config.seats
    record["seats_of"] = [config.seats.count(player) for player in range(config.num_players)]
    record["stack_dishes"] = config.stack_dishes
    for seat in range(config.num_seats):
        clockwise = list(dict.fromkeys(config.seats[seat:] + config.seats[:seat]))  # type: ignore[operator]
        record["by_distance"][seat] = clockwise
        record["distance"][seat] = np.argsort(clockwise)
    return name_variant(table, config.num_players)
