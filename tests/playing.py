"""What the tests of all games share: random play in a style, studies, lists of legal actions."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import waiter_envs
from waiter_envs.core.game import Game
from waiter_envs.core.interpreted import INTERPRETED
from waiter_envs.core.tables import Tables


@functools.cache
def weights(name: str, config: Any, style: tuple[float, ...]) -> npt.NDArray[np.float64]:
    """Return how often each action is played, `(actions,)`, if each block's is so in `style`.

    A block that the variant lacks has its place in `style` nevertheless.
    """
    game = waiter_envs.load(name)
    names = [block.name for block in game.action_blocks(game.config())]
    of_block = dict(zip(names, style, strict=True))
    return np.concatenate(
        [np.full(block.size, of_block[block.name]) for block in game.action_blocks(config)]
    )


def draw_actions(weight: npt.NDArray[np.float64], rng: np.random.Generator) -> Any:
    """Return an action for each table, at random by their weights `(tables, actions)`, int32."""
    totals = np.cumsum(weight, axis=1)
    draws = rng.random((len(weight), 1)) * totals[:, -1:]
    return (totals <= draws).sum(axis=1).astype(np.int32)


def bits(table: Any) -> tuple[bytes, ...]:
    """Return all that a table (or an array of tables) holds, but for the padding.

    Copies leave that to chance.
    """
    return tuple(table[name].tobytes() for name in table.dtype.names or ())


def seated(game: Game, config: Any, *positions: dict[str, Any]) -> Tables:
    """Return a table at each position; they stay as they are when the game ends."""
    dealt = Tables.of(game, len(positions), 0, config=config, autoreset_mode="Disabled")
    dealt.state = np.array([game.position_from_dict(config, each) for each in positions])
    return dealt


def play(dealt: Tables, actions: Sequence[str] | str) -> dict[str, Any]:
    """Play actions, given by their texts, at the only table; return the position after them."""
    for text in [actions] if isinstance(actions, str) else actions:
        dealt.step([dealt.game.text_to_action(dealt.state[0], text)])
    return dealt.game.position_to_dict(dealt.state[0])


decode: Any = None  # the game's own functions, once `describe_all` is compiled with them
encode: Any = None
legal_action_mask: Any = None


def count_legal(state: Any, mask: Any) -> int:
    """Write the mask of the only table; return what its function returns."""
    return legal_action_mask(state[0], mask)  # type: ignore[no-any-return]


def describe_all(state: Any, actions: Any, encoded: Any, descriptions: Any) -> None:
    """Write each action's description, and what that is encoded as, at the only table."""
    for i in range(actions.shape[0]):
        description = decode(state[0], actions[i])
        encoded[i] = encode(state[0], description)
        for j in range(descriptions.shape[1]):
            descriptions[i, j] = description[j]


_texts: dict[tuple[str, int, tuple[int, ...]], str] = {}


def text_of(game: Game, table: np.void, description: tuple[int, ...]) -> str:
    """Return the text of a description, which is the same at all tables of a variant."""
    key = game.name, int(table["variant"]), description
    if key not in _texts:
        _texts[key] = game.describe(description, table)
    return _texts[key]


def legal_actions(width: int, dealt: Tables) -> dict[str, int]:
    """Return the legal actions of the only table: text to index, in the order of the indices.

    Args:
        width: numbers of a description.
        dealt: one table.
    """
    game, table = dealt.game, dealt.state[0]
    actions = np.flatnonzero(dealt.action_mask[0])
    encoded = np.empty_like(actions)
    descriptions = np.empty((len(actions), width), np.int64)
    game.kernel(describe_all, dealt.state.dtype)(dealt.state, actions, encoded, descriptions)
    if INTERPRETED and len(actions):  # where it takes no compiling
        mask = np.empty_like(dealt.action_mask[0])
        counted = game.kernel(count_legal, dealt.state.dtype)(dealt.state, mask)
        assert counted == len(actions), "the mask's function returns how many are legal"
    assert np.array_equal(actions, encoded), "encode is the inverse of decode"
    texts = [text_of(game, table, tuple(row)) for row in descriptions.tolist()]
    assert len(set(texts)) == len(texts), "every action has a text of its own"
    return dict(zip(texts, actions.tolist(), strict=True))
