"""Positions of Greasy Spoon as plain JSON types: written, read and checked.

A pile is a list of cards like `"K5"`, written sorted by rank, then suit, and read in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from greasy_spoon_env.actions import WITH, dish_text, item_text, kind_of, parse_dish, parse_item
from greasy_spoon_env.cards import (
    CARDS,
    COMBO_1,
    COPIES,
    COUNTS,
    DECK_SIZE,
    DRINK,
    FIRST_ABOVE,
    FIRST_MAIN,
    HAND_SIZE,
    MAIN,
    MOST_SET_ASIDE,
    NUM_CARDS,
    SIDE,
    VALUE,
)
from greasy_spoon_env.config import Config
from greasy_spoon_env.state import COMPLETING, NONE, OVER, SERVING, STASHING, blank_table
from waiter_envs.core.plain_types import (
    check_keys,
    read_bool,
    read_choice,
    read_int,
    read_ints,
    read_list,
)

PHASES = ("serve", "complete", "stash", "over")
"""Names of the phases SERVING, COMPLETING, STASHING and OVER."""

PILES = ("hand", "draw", "backburner", "served")

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


def position_to_dict(table: np.void) -> dict[str, Any]:
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
            {name: _cards(table[name][player].tolist()) for name in PILES} for player in range(2)
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


def _cards(counts: list[int]) -> list[str]:
    return [card for card, count in zip(CARDS, counts, strict=True) for _ in range(count)]


# -- Reading -----------------------------------------------------------------------------------


def read_position(config: Config, position: Mapping[str, Any]) -> npt.NDArray[np.void]:
    """Return the table that a position describes: the inverse of `position_to_dict`.

    What compiled code relies on is checked, and the cards of both decks. Whether plays lead to a
    position is not asked.

    Args:
        config: the variant.
        position: plain JSON types; see the section "Position" of `docs/greasy_spoon.md`.

    Returns:
        An array of one table, without a random stream.

    Raises:
        ValueError: if the position is impossible; the text says what is wrong and what is
            allowed.
    """
    check_keys("the position", position, _KEYS)
    array = blank_table(config)
    table = array[0]
    _read_progress(config, table, position)
    for player, entry in enumerate(read_list("players", position["players"], 2)):
        check_keys(f"players[{player}]", entry, PILES)
        for name in PILES:
            table[name][player] = _read_pile(f"players[{player}].{name}", entry[name])
    _read_dish(table, position["dish"])
    _read_pending(table, position["pending"])
    _read_stashed(table, position["stashed"], position["last_stashed"])
    for player in range(2):
        _check_deck(table, player)
        _check_piles(table, player)
    _check_dish(table)
    _check_pending(table)
    _check_stashing(table)
    _check_recalled(config, table)
    return array


def _read_progress(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read phase, player to act, and how the match stands."""
    phase = PHASES.index(read_choice("phase", position["phase"], PHASES))
    winner = position["winner"]
    if winner is not None:
        winner = read_int("winner", winner, 0, 1, "or null")
    if (phase == OVER) != (winner is not None):
        raise ValueError(
            f"phase={PHASES[phase]!r}, winner={winner}: a match that is over has a winner, and no "
            "other has"
        )
    score = read_ints("score", position["score"], 2, config.games_to_win + 1)
    played = read_int("games_played", position["games_played"], 0, config.best_of)
    to_act = read_int("to_act", position["to_act"], 0, 1)
    starter = read_int("starter", position["starter"], 0, 1)
    if sum(score) != played:
        raise ValueError(f"score={score}, games_played={played}: every game has one winner")
    winners = [player for player in (0, 1) if score[player] == config.games_to_win]
    if winners != ([] if winner is None else [winner]):
        raise ValueError(
            f"score={score}, winner={winner}: who wins {config.games_to_win} games wins the match"
        )
    if winner is not None and to_act != winner:
        raise ValueError(f"to_act={to_act}, winner={winner}: the winner acted last")
    if config.starter is not None:
        due = (config.starter + played - (phase == OVER)) % 2
        if starter != due:
            raise ValueError(
                f"starter={starter} with games_played={played}: must be {due}, since player "
                f"{config.starter} starts the first game and starters alternate"
            )
    table["phase"] = phase
    table["winner"] = table["just_won"] = NONE if winner is None else winner
    table["terminated"] = winner is not None
    table["score"] = score
    table["games_played"] = played
    table["current_player"] = to_act
    table["leader"] = read_int("leader", position["leader"], 0, 1)
    table["starter"] = starter
    table["set_aside"] = read_ints("set_aside", position["set_aside"], 2, MOST_SET_ASIDE + 1)
    recalled = read_list("recalled", position["recalled"], 2)
    table["recalled"] = [read_bool(f"recalled[{i}]", flag) for i, flag in enumerate(recalled)]


def _read_pile(name: str, cards: Any) -> list[int]:
    if len(read_list(name, cards)) > DECK_SIZE:
        raise ValueError(f"{name}: {len(cards)} cards; a deck has {DECK_SIZE}")
    numbers = [CARDS.index(read_choice(name, card, CARDS)) for card in cards]
    return [numbers.count(card) for card in range(NUM_CARDS)]


def _read_dish(table: np.void, dish: Any) -> None:
    if dish is None:
        return
    if not isinstance(dish, str):
        raise ValueError(f"dish={dish!r}: must be a dish like 'R1 R2 R3 + M5', or null")
    try:
        table["dish"] = parse_dish(dish)
    except ValueError as error:
        raise ValueError(f"dish={dish!r}: {error}") from None


def _read_pending(table: np.void, pending: Any) -> None:
    if (table["phase"] == COMPLETING) != (pending is not None):
        raise ValueError(
            f"phase={PHASES[table['phase']]!r}, pending={pending!r}: in the phase 'complete' there "
            "is half a combination, and in no other"
        )
    if pending is None:
        return
    check_keys("pending", pending, ("main", "with"))
    second = read_choice("pending.with", pending["with"], tuple(WITH.values()))
    if not isinstance(pending["main"], str):
        raise ValueError(f"pending.main={pending['main']!r}: must be three cards like 'R1 R2 R3'")
    try:
        table["pending"] = parse_item(pending["main"])
    except ValueError as error:
        raise ValueError(f"pending.main={pending['main']!r}: {error}") from None
    if table["pending"] < FIRST_MAIN:
        raise ValueError(f"pending.main={pending['main']!r}: must be a main, three cards")
    table["pending_with"] = {text: kind for kind, text in WITH.items()}[second]


def _read_stashed(table: np.void, stashed: Any, last_stashed: Any) -> None:
    most = MOST_SET_ASIDE - 1 if table["phase"] == STASHING else 0
    table["stashed"] = read_int(
        "stashed", stashed, 0, most, f"with phase={PHASES[table['phase']]!r}"
    )
    if (last_stashed is None) != (table["stashed"] == 0):
        raise ValueError(
            f"stashed={stashed}, last_stashed={last_stashed!r}: the last card set aside in this "
            "pass, or null if none was"
        )
    if last_stashed is not None:
        table["last_stashed"] = CARDS.index(read_choice("last_stashed", last_stashed, CARDS))


# -- Checking ----------------------------------------------------------------------------------


def _check_deck(table: np.void, player: int) -> None:
    """Check that every card of a player's deck is there."""
    counts = sum(table[name][player].astype(int) for name in PILES)
    if table["pending"] != NONE and table["current_player"] == player:
        counts = counts + COUNTS[table["pending"]]
    wrong = np.flatnonzero(counts != COPIES).tolist()
    if wrong:
        raise ValueError(
            f"players[{player}]: {', '.join(f'{counts[c]} {CARDS[c]}' for c in wrong)} in hand, "
            f"draw, backburner and served together; a deck has {COPIES} of every card"
        )


def _check_piles(table: np.void, player: int) -> None:
    """Check that a player has drawn what it had to draw (GS-5 to GS-7, GS-9)."""
    hand, draw, backburner = (
        int(table[name][player].sum()) for name in ("hand", "draw", "backburner")
    )
    name = f"players[{player}]"
    out_of_hand = 0
    if table["current_player"] == player:
        out_of_hand = int(table["stashed"]) + (MAIN + 1) * int(table["pending"] != NONE)
    if table["winner"] == player:
        if hand or draw or backburner:
            raise ValueError(f"{name}: has won, but holds cards in hand, draw or backburner")
        return
    if hand + out_of_hand > HAND_SIZE:
        raise ValueError(
            f"{name}.hand: {hand} cards; at most {HAND_SIZE - out_of_hand} are allowed here"
        )
    if hand + out_of_hand < HAND_SIZE and (draw or backburner):
        raise ValueError(
            f"{name}: {hand} cards in hand, {draw} to draw, {backburner} on the backburner; a hand "
            f"is refilled to {HAND_SIZE} at once"
        )
    if not draw and backburner:
        raise ValueError(
            f"{name}: {backburner} cards on the backburner and none to draw; they become the draw "
            "pile as soon as it is empty"
        )
    if not hand + out_of_hand:
        raise ValueError(f"{name}: has no card left and so has won; then phase is 'over'")


def _check_dish(table: np.void) -> None:
    """Check who has served the dish on the table (GS-4)."""
    dish = (int(table["dish"][0]), int(table["dish"][1]))
    acting = int(table["current_player"])
    phase = table["phase"]
    if dish[0] == NONE:
        due = 1 - acting if phase == STASHING else acting
        if phase == OVER:
            raise ValueError("dish=None: the dish that ended the match stays on the table")
        if table["leader"] != due:
            raise ValueError(f"leader={table['leader']}: must be {due} without a dish on the table")
        return
    if phase == STASHING:
        raise ValueError(f"dish={dish_text(dish)!r}: must be null after a pass")
    server = acting if phase == OVER else 1 - acting
    counts = COUNTS[dish[0]] + (0 if dish[1] == NONE else COUNTS[dish[1]])
    if (counts > table["served"][server]).any():
        raise ValueError(
            f"dish={dish_text(dish)!r}: players[{server}] served it, so its cards must be in "
            f"players[{server}].served"
        )


def _check_pending(table: np.void) -> None:
    """Check that half a combination may be served and can be completed (GS-3)."""
    main, first, second = int(table["pending"]), int(table["dish"][0]), int(table["dish"][1])
    if main == NONE:
        return
    kind = int(table["pending_with"])
    category = DRINK if kind == COMBO_1 else SIDE
    least = 0
    if first != NONE:
        if kind_of((first, second)) != kind or VALUE[main] < VALUE[first]:
            other = dish_text((first, second))
            raise ValueError(f"pending: {item_text(main)} + {WITH[kind]} does not beat {other}")
        if VALUE[main] == VALUE[first]:
            least = int(VALUE[second]) + 1
    hand = table["hand"][table["current_player"]]
    choices = range(FIRST_ABOVE[category, least], FIRST_ABOVE[category, -1])
    if not any((COUNTS[item] <= hand).all() for item in choices):
        raise ValueError(
            f"pending: no {WITH[kind]} in hand completes {item_text(main)}; then it is not begun"
        )


def _check_stashing(table: np.void) -> None:
    """Check that setting aside has begun, and goes on (GS-6)."""
    if table["phase"] != STASHING:
        return
    player = int(table["current_player"])
    last, stashed = int(table["last_stashed"]), int(table["stashed"])
    if not table["draw"][player].any():
        raise ValueError("phase='stash': without a draw pile nothing is set aside")
    if last == NONE:
        return
    lower = int(table["backburner"][player, : last + 1].sum())
    if not table["backburner"][player, last] or lower < stashed:
        raise ValueError(
            f"stashed={stashed}, last_stashed={CARDS[last]!r}: players[{player}].backburner must "
            "hold these cards, in ascending order"
        )
    if not table["hand"][player, last:].any():
        raise ValueError(
            f"last_stashed={CARDS[last]!r}: no card in hand may follow, so setting aside is over"
        )


def _check_recalled(config: Config, table: np.void) -> None:
    """Check that a recall was allowed and left no backburner (GS-8)."""
    if table["recalled"].any() and not config.recall:
        raise ValueError("recalled: must be [false, false] in a variant without recall")
    player = int(table["current_player"])
    in_turn = table["phase"] in (SERVING, COMPLETING)
    if in_turn and table["recalled"][player] and table["backburner"][player].any():
        raise ValueError(
            f"recalled[{player}]=True: then players[{player}].backburner is empty in this turn"
        )
