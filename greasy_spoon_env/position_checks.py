"""What shows in a position of Greasy Spoon to be impossible; `position` reads it entry by entry.

Every function looks at a table that was read, and raises `ValueError` with a text that names the
entries of the position (`docs/greasy_spoon.md`). Each player's latest turn is asked what it must
have left; which plays lead to a position is not, and a decision with a single answer is no fault.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from greasy_spoon_env.actions import WITH, dish_text, item_text, kind_of
from greasy_spoon_env.cards import (
    CARDS,
    CATEGORY,
    COMBO_1,
    COPIES,
    COUNTS,
    DRINK,
    FIRST_ABOVE,
    HAND_SIZE,
    MAIN,
    MOST_SET_ASIDE,
    SIDE,
    VALUE,
)
from greasy_spoon_env.config import Config
from greasy_spoon_env.state import COMPLETING, NONE, OVER, PILES, PLAYERS, SERVING, STASHING

MOST_SERVED = (MAIN + 1) + (SIDE + 1)
"""Cards of the largest dish, a Combo 2."""

LEAST_RECALLED = 2
"""Cards to draw after a recall: one of the backburner, and one without which it had been drawn."""

Counts = npt.NDArray[np.int64]


def check_position(config: Config, table: np.void) -> None:
    """Refuse a table that shows itself to be impossible.

    Args:
        config: the variant.
        table: one record of `state.table_dtype`, read from a position.

    Raises:
        ValueError: the text names the entry and says what is allowed.
    """
    _check_match(config, table)
    for player in range(PLAYERS):
        _check_deck(table, player)
        _check_drawn(table, player)
    _check_dish(table)
    _check_pending(table)
    _check_stashing(table)
    _check_leader(table)
    for player in range(PLAYERS):
        _check_passes(table, player)
        _check_set_aside(table, player)
        _check_recalled(config, table, player)


# -- The match ---------------------------------------------------------------------------------


def _check_match(config: Config, table: np.void) -> None:
    """Check that games are won one by one, and started by turns (GS-10)."""
    score, played = table["score"].tolist(), int(table["games_played"])
    if sum(score) != played:
        raise ValueError(f"score={score}, games_played={played}: every game has one winner")
    over = table["phase"] == OVER
    winner = int(table["winner"]) if over else None
    winners = [player for player in range(PLAYERS) if score[player] == config.games_to_win]
    if winners != ([winner] if over else []):
        raise ValueError(
            f"score={score}, winner={winner}: who wins {config.games_to_win} games wins the match"
        )
    if over and table["current_player"] != winner:
        raise ValueError(
            f"to_act={table['current_player']}, winner={winner}: the winner acted last"
        )
    if config.starter is None:
        return
    due = (config.starter + played - over) % PLAYERS
    if table["starter"] != due:
        raise ValueError(
            f"starter={table['starter']} with games_played={played}: must be {due}, since player "
            f"{config.starter} starts the first game and starters alternate"
        )


# -- The cards of a player ---------------------------------------------------------------------


def _size(table: np.void, name: str, player: int) -> int:
    """Return how many cards a pile of a player holds."""
    return int(table[name][player].sum())


def _stashed(table: np.void, player: int) -> int:
    """Return how many cards a player has set aside in a pass that goes on."""
    return int(table["stashed"]) if table["current_player"] == player else 0


def _pending(table: np.void, player: int) -> Counts:
    """Return the cards of a player's half-served combination, `(18,)`."""
    if table["current_player"] == player and table["pending"] != NONE:
        return COUNTS[table["pending"]].astype(np.int64)
    return np.zeros(len(CARDS), np.int64)


def _check_deck(table: np.void, player: int) -> None:
    """Check that every card of a player's deck is there."""
    counts = _pending(table, player)
    for name in PILES:
        counts += table[name][player]
    wrong = np.flatnonzero(counts != COPIES).tolist()
    if wrong:
        raise ValueError(
            f"players[{player}]: {', '.join(f'{counts[c]} {CARDS[c]}' for c in wrong)} in hand, "
            f"draw, backburner and served together; a deck has {COPIES} of every card"
        )


def _check_drawn(table: np.void, player: int) -> None:
    """Check that a player has drawn what it had to draw (GS-5 to GS-7, GS-9)."""
    hand, draw, backburner = (_size(table, name, player) for name in ("hand", "draw", "backburner"))
    name = f"players[{player}]"
    out_of_hand = _stashed(table, player) + int(_pending(table, player).sum())
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


# -- The round ---------------------------------------------------------------------------------


def _dish_of(table: np.void) -> tuple[int, int]:
    """Return the items of the dish on the table, or `NONE`."""
    return int(table["dish"][0]), int(table["dish"][1])


def _server_of(table: np.void) -> int:
    """Return who has served the latest dish, if anybody has in this round (GS-4)."""
    acting = int(table["current_player"])
    return acting if table["phase"] == OVER else 1 - acting


def _cards_of(dish: tuple[int, int]) -> Counts:
    """Return the cards of a dish, `(18,)`; none without one."""
    items = [item for item in dish if item != NONE]
    return COUNTS[items].sum(axis=0, dtype=np.int64)


def _check_dish(table: np.void) -> None:
    """Check who has served the dish on the table, and who leads without one (GS-4)."""
    dish = _dish_of(table)
    phase = table["phase"]
    server = _server_of(table)
    if dish[0] == NONE:
        if phase == OVER:
            raise ValueError("dish=None: the dish that ended the match stays on the table")
        due = server if phase == STASHING else 1 - server
        if table["leader"] != due:
            raise ValueError(f"leader={table['leader']}: must be {due} without a dish on the table")
        return
    if phase == STASHING:
        raise ValueError(f"dish={dish_text(dish)!r}: must be null after a pass")
    if (_cards_of(dish) > table["served"][server]).any():
        raise ValueError(
            f"dish={dish_text(dish)!r}: players[{server}] served it, so its cards must be in "
            f"players[{server}].served"
        )


def _check_pending(table: np.void) -> None:
    """Check that half a combination may be served and can be completed (GS-3)."""
    main, (first, second) = int(table["pending"]), _dish_of(table)
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


def _check_leader(table: np.void) -> None:
    """Check that the starter has led first, and who leads has served (GS-4)."""
    starter, leader = int(table["starter"]), int(table["leader"])
    server, dish = _server_of(table), _dish_of(table)
    has_served = table["served"].any(axis=1)
    if not has_served[starter]:
        if has_served[1 - starter]:
            raise ValueError(
                f"starter={starter}: serves first, but players[{starter}].served is empty and "
                f"players[{1 - starter}].served is not"
            )
        if leader != starter or table["current_player"] != starter:
            raise ValueError(
                f"to_act={table['current_player']}, leader={leader}: both must be {starter}, the "
                "starter, until a dish has been served"
            )
    if leader != starter and not has_served[leader]:
        raise ValueError(
            f"leader={leader}: has served nothing yet, so it has won no round and the starter, "
            f"{starter}, leads"
        )
    if dish[0] != NONE and leader != server and not _holds_cheaper(table["served"][leader], dish):
        raise ValueError(
            f"leader={leader}: nothing in players[{leader}].served is beaten by "
            f"{dish_text(dish)}, which answers a dish of the leader"
        )


def _holds_cheaper(cards: npt.NDArray[np.int8], dish: tuple[int, int]) -> bool:
    """Return whether a pile holds some dish that another one beats (GS-2, GS-3)."""
    first, second = dish
    items = _held(cards, CATEGORY[first])
    if second == NONE:
        return any(VALUE[item] < VALUE[first] for item in items)
    return any(
        (VALUE[item], VALUE[other]) < (VALUE[first], VALUE[second])
        for item in items
        for other in _held(cards - COUNTS[item], CATEGORY[second])
    )


def _held(cards: npt.NDArray[np.int8], category: int) -> list[int]:
    """Return the items of a category that a pile holds."""
    fits = (cards >= COUNTS).all(axis=1) & (category == CATEGORY)
    return [int(item) for item in np.flatnonzero(fits)]


# -- The latest turns --------------------------------------------------------------------------


def _check_passes(table: np.void, player: int) -> None:
    """Check that there were dishes that a player can have passed (GS-6)."""
    other = 1 - player
    cards = _size(table, "served", other)
    if _server_of(table) == other:
        cards -= int(_cards_of(_dish_of(table)).sum())
    backburner, set_aside = _size(table, "backburner", player), int(table["set_aside"][player])
    recalled = bool(table["recalled"][player])
    passing = table["phase"] == STASHING and table["current_player"] == player
    if backburner > MOST_SET_ASIDE * cards or (not cards and (set_aside or recalled or passing)):
        raise ValueError(
            f"players[{player}].backburner: {backburner} cards, set_aside[{player}]={set_aside}, "
            f"recalled[{player}]={recalled}: players[{player}] can have passed at most {cards} "
            f"dishes of players[{other}], and sets aside at most {MOST_SET_ASIDE} cards each time"
        )


def _check_set_aside(table: np.void, player: int) -> None:
    """Check that a player's last finished pass has left what it set aside (GS-6, GS-7)."""
    set_aside = int(table["set_aside"][player])
    left = _size(table, "backburner", player) - _stashed(table, player)
    if 0 < left < set_aside:
        raise ValueError(
            f"set_aside[{player}]={set_aside}: these cards leave players[{player}].backburner all "
            f"at once, but {left} are left"
        )
    if set_aside and _has_passed(table, player) and not table["draw"][player].any():
        raise ValueError(
            f"set_aside[{player}]={set_aside}: players[{player}] has just passed, and who sets "
            "cards aside has some to draw afterwards"
        )


def _check_recalled(config: Config, table: np.void, player: int) -> None:
    """Check that a recall was allowed, and what it left (GS-8)."""
    if not table["recalled"][player]:
        return
    name = f"recalled[{player}]=True"
    if not config.recall:
        raise ValueError("recalled: must be [false, false] in a variant without recall")
    acting = table["current_player"] == player and table["phase"] != OVER
    draw, hand = (_size(table, pile, player) for pile in ("draw", "hand"))
    left = _size(table, "backburner", player) - _stashed(table, player)
    set_aside = int(table["set_aside"][player])
    if acting and table["phase"] in (SERVING, COMPLETING) and left:
        raise ValueError(f"{name}: then players[{player}].backburner is empty in this turn")
    if left and not (left == set_aside and _may_have_passed(table, player)):
        raise ValueError(
            f"{name}: then players[{player}].backburner holds at most what was set aside since, "
            f"not {left} cards"
        )
    if acting and draw < LEAST_RECALLED:
        raise ValueError(
            f"{name}: then at least {LEAST_RECALLED} cards are to draw in this turn, not {draw}"
        )
    least = HAND_SIZE - MOST_SERVED + LEAST_RECALLED
    if not acting and hand < least:
        raise ValueError(
            f"{name}: then at least {least} cards are in players[{player}].hand, not {hand}"
        )


def _has_passed(table: np.void, player: int) -> bool:
    """Return whether a player's latest turn was a pass that is over, unless it had none yet."""
    waiting = table["current_player"] != player
    return bool(waiting and table["phase"] in (SERVING, COMPLETING) and table["dish"][0] == NONE)


def _may_have_passed(table: np.void, player: int) -> bool:
    """Return whether a player's latest turn may have been a pass that is over."""
    lost = table["phase"] == OVER and player not in (table["winner"], table["leader"])
    return _has_passed(table, player) or bool(lost)
