"""What tests of positions share: many of them from play, made-up ones, the features by hand."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from greasy_spoon_env import GAME, Config, tables
from greasy_spoon_env.state import COMPLETING, NONE, SERVING, STASHING
from tests import playing as shared

Array = npt.NDArray[np.void]
Position = dict[str, Any]

CARDS = [f"{suit}{rank}" for rank in range(1, 7) for suit in "KMR"]
PILES = ("hand", "draw", "backburner", "served")


# -- Positions from play -----------------------------------------------------------------------


@functools.cache
def positions(config: Config, seed: int, per_kind: int = 8, num_tables: int = 64) -> Array:
    """Return tables of every kind from random play, each with two legal actions or over."""
    rng = np.random.default_rng(seed)
    dealt = tables(num_tables, seed, config=config)
    seen, ended = [dealt.state.copy()], []
    for _ in range(240 * config.games_to_win):
        dealt.step(dealt.sample_actions())
        seen.append(dealt.state.copy())
        ended.append(dealt.final_state[dealt.terminated].copy())
    live, over = np.concatenate(seen), np.concatenate(ended)
    chosen = [rng.choice(over, min(per_kind, len(over)), False)]
    for kind in kinds(live).values():
        assert kind.any()
        chosen.append(rng.choice(live[kind], min(per_kind, kind.sum()), False))
    return np.concatenate(chosen)


def kinds(state: Array) -> dict[str, npt.NDArray[np.bool_]]:
    """Return which tables are of each kind; a table may be of several."""
    phase, nobody = state["phase"], state["dish"][:, 0] == NONE
    combination = state["dish"][:, 1] != NONE
    acting = np.arange(len(state)), state["current_player"]
    return {
        "leading": (phase == SERVING) & nobody,
        "answering": (phase == SERVING) & ~nobody & ~combination,
        "answering a combination": (phase == SERVING) & combination,
        "leading half": (phase == COMPLETING) & nobody,
        "answering half": (phase == COMPLETING) & ~nobody,
        "about to set aside": (phase == STASHING) & (state["stashed"] == 0),
        "setting aside": (phase == STASHING) & (state["stashed"] > 0),
        "backburners": state["backburner"].any(axis=2).all(axis=1),
        "small hand": state["hand"][acting].sum(axis=1) < 8,
        "near the end": ~state["draw"].any(axis=2).any(axis=1),
        "between games": state["games_played"] == state["games_played"].max(),
    }


seated = functools.partial(shared.seated, GAME)


# -- Made-up positions -------------------------------------------------------------------------


def in_order(cards: Counter[str]) -> list[str]:
    """Return cards sorted by rank, then suit."""
    return sorted(cards.elements(), key=CARDS.index)


def side(hand: str, backburner: str = "", served: str = "", out: str = "") -> Position:
    """Return a player's piles: what is nowhere else is in the draw pile.

    Args:
        hand: cards in hand.
        backburner: cards on the backburner.
        served: cards served.
        out: cards of a half-served main.
    """
    draw = Counter(CARDS * 3) - Counter(" ".join((hand, backburner, served, out)).split())
    piles = {"hand": hand.split(), "backburner": backburner.split(), "served": served.split()}
    return {name: in_order(Counter({"draw": draw, **piles}[name])) for name in PILES}


def side_at_the_end(hand: str, draw: str = "", backburner: str = "", out: str = "") -> Position:
    """Return a player's piles: what is nowhere else has been served."""
    rest = side(hand, backburner, draw, out)
    return {**rest, "draw": rest["served"], "served": rest["draw"]}


def study(*players: Position, **changes: Any) -> Position:
    """Return a position in the middle of a match of one game: player 0 leads a round.

    Args:
        *players: what `side` returns, for both players.
        **changes: entries of the position that differ.
    """
    return {
        "players": list(players),
        "dish": None,
        "pending": None,
        "phase": "serve",
        "stashed": 0,
        "last_stashed": None,
        "to_act": 0,
        "leader": 0,
        "set_aside": [0, 0],
        "recalled": [False, False],
        "score": [0, 0],
        "starter": 0,
        "games_played": 0,
        "winner": None,
        **changes,
    }


def junk(*more: Any) -> list[Any]:
    """Return what no field of a variant and no entry of a position can be."""
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    return [
        -1, 55, 2**31, 10**8, 2**70, -(2**70), 1.5, float("nan"), float("inf"), 1j, "", "1", "None",
        b"1", bytearray(b"K1"), [None], ["1"], [-1], [2**70], nested, (nested, nested),
        {"K1": nested}, {1, 2}, object(), type, np.float64(1), np.bool_(True), np.int64(77),
        np.array([1, 2]), np.array(["K1"]), np.zeros(1, [("phase", "i1")]),
        "K" * 200_000, "K\u0661", *more,
    ]  # fmt: skip


# -- The features by hand ----------------------------------------------------------------------


def observed(config: Config, position: Position, viewer: int) -> dict[str, list[int]]:
    """Return what every field of the observation must hold, from the position alone (GS-12)."""
    other = 1 - viewer
    most = config.best_of // 2  # games won that do not win the match
    me = position["players"][viewer]
    acting = position["to_act"] == viewer and position["phase"] != "over"
    pending = position["pending"] if acting else None
    main, _, second = (position["dish"] or "").partition(" + ")
    features = {
        "acting": [acting],
        "leading": [position["leader"] == viewer],
        "stashing": [position["phase"] == "stash"],
        "completing": [acting and position["phase"] == "complete"],
        "hand": known(me["hand"]),
        "backburner": known(me["backburner"]),
        "served_0": known(me["served"]),
        "served_1": known(position["players"][other]["served"]),
        "dish": one_of(5, kind_of(position["dish"])),
        "dish_type": one_of(4, type_of(main)),
        "dish_rank": one_of(6, rank_of(main)),
        "second_type": one_of(4, type_of(second)),
        "second_rank": one_of(6, rank_of(second)),
        "pending_with": one_of(2, pending and ["drink", "side"].index(pending["with"])),
        "pending_main": known(pending["main"].split() if pending else []),
        "stashed": up_to(3, position["stashed"]),
        "last_stashed": card(position["last_stashed"] if acting else None),
        "starter": [position["starter"] == viewer],
    }
    for number, player in enumerate((viewer, other)):
        piles = position["players"][player]
        half = 3 if position["pending"] and position["to_act"] == player else 0
        features |= {
            f"hand_size_{number}": up_to(11, len(piles["hand"]) + half),
            f"draw_size_{number}": binary(len(piles["draw"])),
            f"backburner_size_{number}": binary(len(piles["backburner"])),
            f"set_aside_{number}": up_to(3, position["set_aside"][player]),
            f"recalled_{number}": [position["recalled"][player]],
            f"score_{number}": up_to(most, min(most, position["score"][player])),
        }
    return {name: [int(cell) for cell in cells] for name, cells in features.items() if cells}


def hidden(position: Position, viewer: int) -> dict[str, list[int]]:
    """Return what every field of the hidden part must hold."""
    other = 1 - viewer
    piles = position["players"][other]
    acting = position["to_act"] == other
    pending = position["pending"] if acting else None
    return {
        "hand_1": known(piles["hand"]),
        "backburner_1": known(piles["backburner"]),
        "draw_1": known(piles["draw"]),
        "completing_1": one_of(2, pending and ["drink", "side"].index(pending["with"])),
        "pending_main_1": known(pending["main"].split() if pending else []),
        "last_stashed_1": card(position["last_stashed"] if acting else None),
    }


def known(cards: list[str]) -> list[int]:
    """Return a pile as three features for each card."""
    return [int(copy < cards.count(name)) for name in CARDS for copy in range(3)]


def up_to(length: int, count: int) -> list[int]:
    """Return a count as a thermometer."""
    return [1] * count + [0] * (length - count)


def binary(number: int) -> list[int]:
    """Return a number of cards in six binary digits, lowest first."""
    return [int(digit) for digit in reversed(f"{number:06b}")]


def one_of(length: int, which: int | None) -> list[int]:
    """Return a one-hot code, or zeros for None."""
    return [int(i == which) for i in range(length)]


def card(name: str | None) -> list[int]:
    """Return a card as a one-hot code, or zeros for None."""
    return [int(name == other) for other in CARDS]


def kind_of(dish: str | None) -> int | None:
    """Return 0 for a drink, 1 for a side, 2 for a main, 3 and 4 for combinations."""
    if not dish:
        return None
    main, plus, second = dish.partition(" + ")
    return 2 + len(second.split()) if plus else len(main.split()) - 1


def type_of(item: str) -> int | None:
    """Return how dear the type of an item is within its category, from 0 (GS-1)."""
    cards = item.split()
    if len(cards) < 2:
        return 0 if cards else None
    equal, fancy = len({c[1] for c in cards}) == 1, len({c[0] for c in cards}) == 1
    return int(equal) + 2 * int(fancy)


def rank_of(item: str) -> int | None:
    """Return the rank of an item's highest card, from 0 (GS-2)."""
    return max(int(c[1]) for c in item.split()) - 1 if item else None
