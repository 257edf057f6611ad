"""What the tests of Greasy Spoon share: variants to test, styles of play, studies.

Cards are written as in actions: `K5`. A pile is its cards with spaces between.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from greasy_spoon_env import GAME, PRESETS, Config, tables
from tests import playing as shared
from tests.playing import draw_actions, weights
from waiter_envs.core.tables import Tables

VARIANTS: dict[str, Config] = {
    **PRESETS,
    "paid_by_game": Config(best_of=3, reward="game"),
    "player_0_starts": Config(starter=0),
    "player_1_starts": Config(best_of=3, starter=1, recall=False),
    "player_0_starts_five": Config(best_of=5, starter=0, reward="game"),
}
"""All presets, and variants that add what no preset has; all share one record."""

DECK = [f"{suit}{rank}" for rank in range(1, 7) for suit in "KMR" for _ in range(3)]
"""The 54 cards of a player, in order."""


# -- Play --------------------------------------------------------------------------------------

_STYLES = {
    "random": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "serving": (0.2, 1.0, 2.0, 4.0, 4.0, 0.02, 0.2, 5.0, 0.05),
    "stashing": (3.0, 1.0, 0.3, 0.05, 0.05, 20.0, 5.0, 1.0, 3.0),
}
"""How often one action of each block is played: evenly; so that games end soon; so that they
last, with many cards set aside."""


def styled_actions(
    dealt: Tables, rng: np.random.Generator, style: str = "serving"
) -> npt.NDArray[np.int32]:
    """Return a legal action for each table, at random, but in a style."""
    return draw_actions(dealt.action_mask * weights(GAME.name, dealt.config, _STYLES[style]), rng)


# -- Lists of legal actions --------------------------------------------------------------------


@functools.cache
def action_texts() -> list[str]:
    """Return the text of every action, which is the same at every table."""
    dealt = tables(1, 0)
    actions = np.arange(dealt.num_actions)
    encoded, descriptions = np.empty_like(actions), np.empty((len(actions), 2), np.int64)
    describe_all = GAME.kernel(shared.describe_all, dealt.state.dtype)
    describe_all(dealt.state, actions, encoded, descriptions)
    texts = [GAME.describe(tuple(row), dealt.state[0]) for row in descriptions.tolist()]
    assert len(set(texts)) == len(texts), "every action has a text of its own"
    return texts


legal_actions = functools.partial(shared.legal_actions, 2)


# -- Studies -----------------------------------------------------------------------------------

seated = functools.partial(shared.seated, GAME)
play = shared.play


def holding(hand: str, draw: str | int = "", backburner: str | int = "") -> dict[str, Any]:
    """Return a player's cards; it has served what is left of the deck.

    Args:
        hand: cards.
        draw: cards, or how many of those not named, the dearest ones.
        backburner: likewise.
    """
    piles: dict[str, Any] = {"hand": hand, "draw": draw, "backburner": backburner}
    piles = {name: pile.split() if isinstance(pile, str) else pile for name, pile in piles.items()}
    rest = Counter(DECK)
    for pile in piles.values():
        rest -= Counter(pile if isinstance(pile, list) else [])
    for name, pile in piles.items():
        if isinstance(pile, int):
            piles[name] = in_order(rest)[rest.total() - pile :]
            rest -= Counter(piles[name])
    return {**piles, "served": in_order(rest)}


def server(dish: str | None) -> dict[str, Any]:
    """Return a player with one card left who has served all others, a dish among them."""
    return holding(next(card for card in DECK if card not in (dish or "")))


def in_order(cards: Iterable[str]) -> list[str]:
    """Return cards by rank, then suit."""
    return sorted(Counter(cards).elements(), key=DECK.index)


def study(config: Config, *players: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a position where player 0 is to lead or, with a `dish`, to answer.

    Args:
        config: the variant.
        *players: what `holding` returns, for each player.
        **changes: entries of the position that differ.
    """
    to_act = changes.get("to_act", 0)
    follows = changes.get("dish") is not None or changes.get("phase") == "stash"
    starter = config.starter or 0
    position = {
        "players": list(players),
        "dish": None,
        "pending": None,
        "phase": "serve",
        "stashed": 0,
        "last_stashed": None,
        "to_act": to_act,
        "leader": 1 - to_act if follows else to_act,
        "set_aside": [0, 0],
        "recalled": [False, False],
        "score": [0, 0],
        "starter": (starter + changes.get("games_played", 0)) % 2,
        "games_played": 0,
        "winner": None,
    }
    return {**position, **changes}


def facing(config: Config, dishes: Sequence[str | None]) -> Tables:
    """Return a table for each dish, where player 0 faces it, or leads, and holds a whole deck.

    No deal leads there; but so nothing but the rules keeps a dish from being served.
    """
    positions = [study(config, holding("K1"), server(dish), dish=dish) for dish in dishes]
    dealt = seated(config, *positions)
    state = dealt.state.copy()
    state["hand"][:, 0] = 3
    dealt.state = state
    return dealt


def sizes_of(position: dict[str, Any], player: int) -> tuple[int, int, int]:
    """Return how many cards a player has in hand, to draw and on its backburner."""
    entry = position["players"][player]
    return len(entry["hand"]), len(entry["draw"]), len(entry["backburner"])
