"""What the tests of Garçon share: variants to test, styles of play."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from garcon_env import GAME, PRESETS, Config, tables
from waiter_envs.tables import Tables

SMALL_MENU = [("water", "glass"), ("wine", "glass"), ("rice", "bowl"), ("stew", "bowl")]
SMALL_ORDERS = [
    (3, "wine"),
    (3, "wine"),
    (1, "rice;stew"),
    (7, "water;stew"),
    (2, "rice"),
    (300, "water;wine;rice"),
]

VARIANTS: dict[str, Config] = {
    **PRESETS,
    "3_players": Config(players=3),
    "5_players_any": Config(players=5, complete="any", reward="points"),
    "7_players_clock": Config(players=7, clock=True, complete="any", recall=2),
    "10_players": Config(players=10, recall=1),
    "10_players_clock": Config(players=10, clock=True, clock_places=52),
    "fresh": Config(orders="fresh", recall=None, complete="any", first_player=2),
    "small_deck": Config(players=3, orders=SMALL_ORDERS, menu=SMALL_MENU, target=40),
    "small_deck_fresh_clock": Config(players=3, clock=True, clock_places=200, max_turns=90),
    "two_open": Config(players=4, max_open_orders=2, target=20, max_turns=60),
    "no_events": Config(events={}, max_turns=40, reward="points"),
}
"""All presets, and variants that add what no preset has."""

_BLOCKS = ("take", "complete", "done", "name", "repeat", "notebook", "leave")

STYLES = {
    "random": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "collecting": (3.0, 0.1, 1.0, 1.0, 1.0, 2.0, 0.2),
}
"""How often one action of each block is played: evenly; with many open orders."""


@functools.cache
def weights(config: Config, style: str) -> npt.NDArray[np.float64]:
    """Return how often each action is played in a style, `(actions,)`."""
    of_block = dict(zip(_BLOCKS, STYLES[style], strict=True))
    return np.concatenate(
        [np.full(block.size, of_block[block.name]) for block in GAME.action_blocks(config)]
    )


def styled_actions(
    dealt: Tables, rng: np.random.Generator, style: str = "random"
) -> npt.NDArray[np.int32]:
    """Return a legal action for each table, at random, but in a style.

    Half of the dishes are named right, so that orders are completed.
    """
    weight = dealt.action_mask * weights(dealt.config, style)
    for i, table in enumerate(dealt.state):
        if table["phase"] == 1 and rng.random() < 0.8:
            order = table["order"][table["current_player"], table["named"]]
            face = int(table["face"][order])
            start = dealt.config.max_open_orders + 6
            right = [face >> d & 1 for d in range(len(dealt.config.deck.dishes))]
            good = weight[i, start : start + len(right)] * right
            if good.any():
                weight[i] = 0
                weight[i, start : start + len(right)] = good
    totals = np.cumsum(weight, axis=1)
    draws = rng.random((dealt.num_tables, 1)) * totals[:, -1:]
    return (totals <= draws).sum(axis=1).astype(np.int32)


decode: Any = None  # the game's own functions, once `encode_again` is compiled with them
encode: Any = None


def encode_again(state: Any, actions: Any, encoded: Any) -> None:
    """Write what the description of each action is encoded as, at the only table."""
    for i in range(actions.shape[0]):
        encoded[i] = encode(state[0], decode(state[0], actions[i]))


def legal_actions(dealt: Tables) -> dict[str, int]:
    """Return the legal actions of the only table: text to index, in the order of the indices."""
    actions = np.flatnonzero(dealt.action_mask[0])
    encoded = np.empty_like(actions)
    GAME.kernel(encode_again, dealt.state.dtype)(dealt.state, actions, encoded)
    assert np.array_equal(actions, encoded), "encode is the inverse of decode"
    texts = [GAME.action_to_text(dealt.state[0], int(action)) for action in actions]
    assert len(set(texts)) == len(texts), "every action has a text of its own"
    return dict(zip(texts, actions.tolist(), strict=True))


def seated(config: Config, position: dict[str, Any]) -> Tables:
    """Return one table at a position, which stays as it is when the game ends."""
    dealt = tables(1, 0, config=config, autoreset_mode="Disabled")
    dealt.state = GAME.position_from_dict(config, position).reshape(1)
    return dealt
