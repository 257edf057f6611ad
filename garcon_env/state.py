"""One game of Garçon as one NumPy record."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from garcon_env.cards import EVENT_SLOTS, NUM_EVENT_KINDS, ORDER_SLOTS, Deck
from garcon_env.config import Config
from waiter_envs.core.records import COMMON_FIELDS, blank_record, name_variant

NONE = -1
"""No order, no event, no player, no slot."""

DRAW = -2
"""The winner of a game in which several players have the most points."""

TURN, NAMING, CHOOSING, OVER = range(4)
"""Phases: a turn begins; a dish is named; the next order to complete is chosen; the end."""

PHASES = ("turn", "naming", "choose", "over")
"""Their names."""

PILE, MARKET, OPEN, DISCARDED, COMPLETED = range(5)
"""Places of an order."""


def order_bits(config: Config) -> int:
    """Return the binary digits of a number of orders."""
    return len(config.deck.faces).bit_length()


def event_bits(config: Config) -> int:
    """Return the binary digits of a number of events."""
    return sum(config.event_counts).bit_length()


def point_bits(config: Config) -> int:
    """Return the binary digits of the points of one order."""
    return max(config.deck.points).bit_length()


def total_bits(config: Config) -> int:
    """Return the binary digits of the points of one player."""
    return (2 * sum(config.deck.points)).bit_length()


def age_bits(config: Config) -> int:
    """Return the binary digits of the age of an order."""
    return (config.turn_limit // config.num_players + 1).bit_length()


def turn_bits(config: Config) -> int:
    """Return the binary digits of the turns left."""
    return config.turn_limit.bit_length()


def clock_bits(config: Config) -> int:
    """Return the binary digits of the clock's places; none without a clock."""
    return config.num_clock_places.bit_length() if config.clock else 0


DIGITS: dict[str, Callable[[Config], int]] = {
    "order_bits": order_bits,
    "event_bits": event_bits,
    "point_bits": point_bits,
    "total_bits": total_bits,
    "age_bits": age_bits,
    "turn_bits": turn_bits,
    "clock_bits": clock_bits,
}
"""Digits of the binary numbers of an observation, which the record carries too."""


def table_dtype(config: Config) -> np.dtype[np.void]:
    """Return the structured dtype of one table.

    The first block of fields changes as the game goes; the second is the variant. An order is a
    number of the deck; its face is a set of dishes, bit d for dish d. Unused places hold -1
    (orders, events) or 0, so equal games are equal records.
    """
    players, cap = config.num_players, config.max_open_orders
    deck = config.deck
    orders, backs = len(deck.faces), len(deck.backs)
    face = "i4" if len(deck.dishes) <= 30 else "i8"
    return np.dtype(
        [
            *COMMON_FIELDS,
            # -- the game in progress ----------------------------------------------------------
            ("phase", "i1"),  # TURN, NAMING, CHOOSING or OVER
            ("first_player", "i1"),
            ("final_round", "?"),  # the game ends with this round
            ("winner", "i1"),  # a player, DRAW, or NONE
            ("turns_done", "i4"),
            ("clock", "i4"),  # places that the clock has moved
            ("named", "i1"),  # open order being named, or NONE
            ("gainer", "i1"),  # who scored with the last action, or NONE
            ("gained", "i4"),  # points scored with it
            ("said", face),  # dishes named so far
            ("points", "i4", (players,)),
            ("num_open", "i1", (players,)),
            ("repeat", "i1", (players, cap)),  # 1 if a Repeat lies on the open order
            ("notebook", "i1", (players, cap)),  # 1 if a Notebook does
            ("order", "i2", (players, cap)),  # open orders, oldest first, or NONE
            ("age", "i4", (players, cap)),  # own turns finished since it was taken (GA-8)
            ("market", "i2", (ORDER_SLOTS,)),  # orders on the table by slot, or NONE
            ("market_event", "i1", (EVENT_SLOTS,)),  # events on the table by slot, or NONE
            ("order_pile", "i2"),  # orders in the pile
            ("order_discards", "i2"),  # orders on the discard pile
            ("event_pile", "i2", (NUM_EVENT_KINDS,)),
            ("event_discards", "i2", (NUM_EVENT_KINDS,)),
            ("completed", "i2", (players, backs)),  # completed orders by their back
            ("doubled", "i2", (players, backs)),  # of these, those with a Repeat
            ("discarded", "i2", (backs,)),  # discarded orders by their back
            ("discarded_dish", "i2", (len(deck.dishes),)),  # discarded orders with each dish
            ("completed_dish", "i2", (len(deck.dishes),)),  # completed orders with each dish
            ("last", "i1", (players,)),  # what each player did in its last turn, or 0
            ("last_slot", "i1", (players,)),  # slot of the order that it took, or NONE
            ("last_face", face, (players,)),  # face of that order, or 0
            ("place", "i1", (orders,)),  # PILE, MARKET, OPEN, DISCARDED or COMPLETED
            ("owner", "i1", (orders,)),  # who completed the order, or NONE
            ("with_repeat", "i1", (orders,)),  # 1 if completed with a Repeat
            ("face", face, (orders,)),
            # -- the variant -------------------------------------------------------------------
            ("turn_limit", "i4"),  # turns after which the game is truncated
            ("target", "i4"),
            ("num_clock_places", "i4"),
            ("recall", "i4"),  # turns that a face stays visible, or NONE: always
            ("first_option", "i1"),  # first player, or NONE: drawn at random
            ("has_clock", "?"),
            ("complete_all", "?"),
            ("fresh", "?"),  # faces are drawn in every deal
            ("pay_points", "?"),
            ("order_points", "i2", (orders,)),
            ("back", "i2", (orders,)),  # number of the order's back
            ("back_counts", "i1", (backs, len(deck.symbols))),  # dishes of each symbol
            ("symbol_start", "i1", (len(deck.symbols) + 1,)),  # first dish of each symbol
            *((name, "i1") for name in DIGITS),
        ],
        align=True,
    )


def blank_table(config: Config) -> npt.NDArray[np.void]:
    """Return an array of one table that holds the variant, before anything is dealt."""
    table = blank_record(table_dtype(config))
    record = table[0]
    deck = config.deck
    for name in (
        "winner",
        "named",
        "gainer",
        "order",
        "market",
        "market_event",
        "owner",
        "last_slot",
    ):
        record[name] = NONE
    record["order_pile"] = len(deck.faces)
    record["event_pile"] = config.event_counts
    record["face"] = deck.faces
    record["turn_limit"] = config.turn_limit
    record["target"] = config.target
    record["num_clock_places"] = config.num_clock_places
    record["recall"] = NONE if config.recall is None else config.recall
    record["first_option"] = NONE if config.first_player is None else config.first_player
    record["has_clock"] = config.clock
    record["complete_all"] = config.complete == "all"
    record["fresh"] = config.fresh
    record["pay_points"] = config.reward == "points"
    record["order_points"] = deck.points
    record["back"] = [deck.backs.index(deck.back(face)) for face in deck.faces]
    record["back_counts"] = deck.backs
    symbols = range(len(deck.symbols) + 1)
    record["symbol_start"] = [sum(s < symbol for s in deck.symbol_of) for symbol in symbols]
    for name, digits in DIGITS.items():
        record[name] = digits(config)
    name_variant(table, config.num_players)
    DECKS[int(record["variant"])] = deck
    return table


DECKS: dict[int, Deck] = {}
"""Decks by variant, of all variants that this process has seen: the names behind the numbers."""


def menu_of(table: np.void) -> tuple[str, ...]:
    """Return the names of the dishes at a table; `dish 3` and so on if nobody has told them."""
    deck = DECKS.get(int(table["variant"]))
    if deck is None:
        return tuple(f"dish {dish}" for dish in range(int(table["symbol_start"][-1])))
    return deck.dishes


def symbols_of(table: np.void) -> tuple[str, ...]:
    """Return the names of the symbols at a table, as `menu_of` does of the dishes."""
    deck = DECKS.get(int(table["variant"]))
    if deck is None:
        return tuple(f"symbol {symbol}" for symbol in range(len(table["symbol_start"]) - 1))
    return deck.symbols
