"""Positions of Greasy Spoon as plain JSON types: written and read.

A pile is a list of cards like `"K5"`, written sorted by rank, then suit, and read in any order.
What is impossible though every entry can be read is refused by `position_checks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from greasy_spoon_env.actions import WITH, dish_text, item_text, parse_dish, parse_item
from greasy_spoon_env.cards import (
    CARDS,
    DECK_SIZE,
    FIRST_MAIN,
    MOST_SET_ASIDE,
    NUM_CARDS,
    card_texts,
)
from greasy_spoon_env.config import Config
from greasy_spoon_env.position_checks import check_position
from greasy_spoon_env.state import (
    COMPLETING,
    NONE,
    OVER,
    PHASES,
    PILES,
    PLAYERS,
    STASHING,
    blank_table,
)
from waiter_envs.core.checks import shown
from waiter_envs.core.plain_types import (
    check_keys,
    read_bool,
    read_choice,
    read_int,
    read_ints,
    read_list,
)

_KEYS = (
    "players",
    "dish",
    "pending",
    "phase",
    "stashed",
    "last_stashed",
    "to_act",
    "leader",
    "set_aside",
    "recalled",
    "score",
    "starter",
    "games_played",
    "winner",
)


# -- Writing -----------------------------------------------------------------------------------


def write_position(table: np.void) -> dict[str, Any]:
    """Return a position in plain JSON types: the whole state but the random stream.

    Args:
        table: one record of `state.table_dtype`.

    Returns:
        The keys and forms of the section "Position" of `docs/greasy_spoon.md`, hidden cards
        included.
    """
    pending, last_stashed = int(table["pending"]), int(table["last_stashed"])
    dish = (int(table["dish"][0]), int(table["dish"][1]))
    winner = int(table["winner"])
    return {
        "players": [
            {name: card_texts(table[name][player]) for name in PILES} for player in range(PLAYERS)
        ],
        "dish": None if dish[0] == NONE else dish_text(dish),
        "pending": None
        if pending == NONE
        else {"main": item_text(pending), "with": WITH[int(table["pending_with"])]},
        "phase": PHASES[table["phase"]],
        "stashed": int(table["stashed"]),
        "last_stashed": None if last_stashed == NONE else CARDS[last_stashed],
        "to_act": int(table["current_player"]),
        "leader": int(table["leader"]),
        "set_aside": table["set_aside"].tolist(),
        "recalled": table["recalled"].astype(bool).tolist(),
        "score": table["score"].tolist(),
        "starter": int(table["starter"]),
        "games_played": int(table["games_played"]),
        "winner": None if winner == NONE else winner,
    }


# -- Reading -----------------------------------------------------------------------------------


def read_position(config: Config, position: Mapping[str, Any]) -> npt.NDArray[np.void]:
    """Return the table that a position describes: the inverse of `write_position`.

    Refused is what shows in the position itself to be impossible: decks that are not whole,
    entries that contradict each other, and what the latest turn of a player cannot have left.
    Which plays would lead there is not asked, and a decision with a single answer is taken as it
    is.

    Args:
        config: the variant.
        position: plain JSON types; see the section "Position" of `docs/greasy_spoon.md`.

    Returns:
        An array of one table, without a random stream.

    Raises:
        ValueError: if the position is impossible; the text names the entry and says what is
            allowed.
    """
    check_keys("the position", position, _KEYS)
    array = blank_table(config)
    table = array[0]
    _read_match(config, table, position)
    _read_turn(table, position)
    for player, entry in enumerate(read_list("players", position["players"], PLAYERS)):
        check_keys(f"players[{player}]", entry, PILES)
        for name in PILES:
            table[name][player] = _read_pile(f"players[{player}].{name}", entry[name])
    _read_dish(table, position["dish"])
    _read_pending(table, position["pending"])
    _read_stashed(table, position["stashed"], position["last_stashed"])
    check_position(config, table)
    return array


def _read_match(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read how the match stands."""
    phase = PHASES.index(read_choice("phase", position["phase"], PHASES))
    winner = position["winner"]
    if winner is not None:
        winner = read_int("winner", winner, 0, PLAYERS - 1, "or null")
    if (phase == OVER) != (winner is not None):
        raise ValueError(
            f"phase={PHASES[phase]!r}, winner={winner}: a match that is over has a winner, and no "
            "other has"
        )
    table["phase"] = phase
    table["winner"] = table["just_won"] = NONE if winner is None else winner
    table["terminated"] = winner is not None
    table["score"] = read_ints("score", position["score"], PLAYERS, config.games_to_win + 1)
    table["games_played"] = read_int("games_played", position["games_played"], 0, config.best_of)
    table["starter"] = read_int("starter", position["starter"], 0, PLAYERS - 1)


def _read_turn(table: np.void, position: Mapping[str, Any]) -> None:
    """Read who is to act, and what is known of the latest turns."""
    table["current_player"] = read_int("to_act", position["to_act"], 0, PLAYERS - 1)
    table["leader"] = read_int("leader", position["leader"], 0, PLAYERS - 1)
    table["set_aside"] = read_ints("set_aside", position["set_aside"], PLAYERS, MOST_SET_ASIDE + 1)
    recalled = read_list("recalled", position["recalled"], PLAYERS)
    table["recalled"] = [read_bool(f"recalled[{i}]", flag) for i, flag in enumerate(recalled)]


def _read_pile(name: str, cards: Any) -> list[int]:
    """Return how many of each card a pile holds."""
    if len(read_list(name, cards)) > DECK_SIZE:
        raise ValueError(f"{name}: {len(cards)} cards; a deck has {DECK_SIZE}")
    numbers = [CARDS.index(read_choice(name, card, CARDS)) for card in cards]
    return [numbers.count(card) for card in range(NUM_CARDS)]


def _read_dish(table: np.void, dish: Any) -> None:
    """Read the dish on the table."""
    if dish is None:
        return
    if not isinstance(dish, str):
        raise ValueError(f"dish={shown(dish)}: must be a dish like 'R1 R2 R3 + M5', or null")
    try:
        table["dish"] = parse_dish(dish)
    except ValueError as error:
        raise ValueError(f"dish={shown(dish)}: {error}") from None


def _read_pending(table: np.void, pending: Any) -> None:
    """Read the first half of a combination."""
    if (table["phase"] == COMPLETING) != (pending is not None):
        raise ValueError(
            f"phase={PHASES[table['phase']]!r}, pending={shown(pending)}: in the phase 'complete' "
            "there is half a combination, and in no other"
        )
    if pending is None:
        return
    check_keys("pending", pending, ("main", "with"))
    main = pending["main"]
    second = read_choice("pending.with", pending["with"], tuple(WITH.values()))
    if not isinstance(main, str):
        raise ValueError(f"pending.main={shown(main)}: must be three cards like 'R1 R2 R3'")
    try:
        table["pending"] = parse_item(main)
    except ValueError as error:
        raise ValueError(f"pending.main={shown(main)}: {error}") from None
    if table["pending"] < FIRST_MAIN:
        raise ValueError(f"pending.main={shown(main)}: must be a main, three cards")
    table["pending_with"] = {text: kind for kind, text in WITH.items()}[second]


def _read_stashed(table: np.void, stashed: Any, last_stashed: Any) -> None:
    """Read what has been set aside in a pass that goes on."""
    most = MOST_SET_ASIDE - 1 if table["phase"] == STASHING else 0
    table["stashed"] = read_int(
        "stashed", stashed, 0, most, f"with phase={PHASES[table['phase']]!r}"
    )
    if (last_stashed is None) != (table["stashed"] == 0):
        raise ValueError(
            f"stashed={table['stashed']}, last_stashed={shown(last_stashed)}: the last card set "
            "aside in this pass, or null if none was"
        )
    if last_stashed is not None:
        table["last_stashed"] = CARDS.index(read_choice("last_stashed", last_stashed, CARDS))
