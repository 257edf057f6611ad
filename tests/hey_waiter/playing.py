"""What the tests of Hey Waiter! share: variants to test, play to many positions, studies."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hey_waiter_env import GAME, PRESETS, Config, tables
from hey_waiter_env.state import LAST_LENGTH, PLAY
from waiter_envs.tables import Tables

COLOURS = "WGRB"

VARIANTS: dict[str, Config] = {
    **PRESETS,
    "handicap": Config((0, 1), dishes=(12, 8)),
    "handicap_in_partnership": Config(dishes=(12, 9, 10, 3)),
    "fixed_start": Config((0, 1, 2), starting_seat=1),
    "short": Config((0, 1, 2), max_turns=40),
    "no_covers": Config(covers=0),
    "many_covers": Config((0, 1, 2, 3), (0, 1, 2, 3), sets=3, covers=3),
    "neighbours": Config((0, 1, 2, 3), (0, 0, 1, 1), allow_neighbours=True),
    "secret_2v1v1": Config((0, 1, 2, 3, 1, 2), (0, 1, 2, 0), dishes=8, secret_teams=True),
    "secret_2v2v1": Config((0, 1, 2, 3, 4, 2), (0, 1, 2, 0, 1), sets=2, secret_teams=True),
    "secret_triple_duty": Config((0, 1, 2, 1, 3, 1), (0, 1, 0, 0), dishes=8, secret_teams=True),
    "one_dish": Config(dishes=1),
    "many_dishes": Config((0, 1), dishes=24),
}
"""All presets, and variants that add what no preset has; most share a preset's record."""


# -- Play --------------------------------------------------------------------------------------

_STYLES = {
    "eager": (1.0, 30.0, 0.6, 4.0, 0.4, 5.0, 0.02),
    "splitting": (1.0, 1.0, 0.2, 0.5, 6.0, 5.0, 0.01),
}
"""How often one action of each block is played: for play that comes to an end, that splits."""

_BLOCKS = ("draft", "serve", "cover", "busboy", "move", "take", "discard")


@functools.cache
def weights(config: Config, style: str) -> npt.NDArray[np.float64]:
    """Return how often each action is played in a style, `(actions,)`."""
    of_block = dict(zip(_BLOCKS, _STYLES[style], strict=True))
    return np.concatenate(
        [np.full(block.size, of_block[block.name]) for block in GAME.action_blocks(config)]
    )


def styled_actions(
    dealt: Tables, rng: np.random.Generator, style: str = "eager"
) -> npt.NDArray[np.int32]:
    """Return a legal action for each table, at random, but in a style."""
    totals = np.cumsum(dealt.action_mask * weights(dealt.config, style), axis=1)
    draws = rng.random((dealt.num_tables, 1)) * totals[:, -1:]
    return (totals <= draws).sum(axis=1).astype(np.int32)


def positions(config: Config, seed: int, per_kind: int = 12) -> npt.NDArray[np.void]:
    """Return tables from the draft, from play, from play with a player out, and at the end."""
    rng = np.random.default_rng(seed)
    dealt = tables(16, seed, config=config)
    seen, ended = [dealt.state.copy()], []
    for _ in range(300):
        dealt.step(styled_actions(dealt, rng))
        seen.append(dealt.state.copy())
        ended.append(dealt.final_state[dealt.terminated | dealt.truncated].copy())
    live = np.concatenate(seen)
    in_play = live["phase"] == PLAY
    somebody_out = in_play & (live["num_stacks"] == 0).any(axis=1)
    kinds = [live[~in_play], live[in_play], live[somebody_out], np.concatenate(ended)]
    return np.concatenate([rng.choice(kind, min(per_kind, len(kind)), False) for kind in kinds])


# -- Lists of legal actions --------------------------------------------------------------------

decode: Any = None  # the game's own functions, once `legal_actions` below is compiled with them
encode: Any = None


def legal_descriptions(state: Any, mask: Any, actions: Any, descriptions: Any) -> int:
    """Write every legal action, as it is encoded, and its description; return their number."""
    row = 0
    for action in range(mask.shape[0]):
        if mask[action]:
            description = decode(state[0], action)
            for i in range(descriptions.shape[1]):
                descriptions[row, i] = description[i]
            actions[row] = encode(state[0], description)
            row += 1
    return row


describe = functools.cache(GAME.describe)


def legal_actions(dealt: Tables) -> dict[str, int]:
    """Return the legal actions of the only table: text to index, in the order of the indices."""
    mask = dealt.action_mask[0]
    actions = np.empty(mask.sum(), np.int64)
    descriptions = np.empty((len(actions), LAST_LENGTH), np.int64)
    GAME.kernel(legal_descriptions, dealt.state.dtype)(dealt.state, mask, actions, descriptions)
    assert np.array_equal(actions, np.flatnonzero(mask)), "encode is the inverse of decode"
    texts = [describe(tuple(row)) for row in descriptions.tolist()]
    assert len(set(texts)) == len(texts), "every action has a text of its own"
    return dict(zip(texts, actions.tolist(), strict=True))


# -- Studies -----------------------------------------------------------------------------------


def stack(text: str) -> dict[str, Any]:
    """Return a stack from its card, its dishes bottom to top and perhaps its cover: `G WGRB +R`."""
    card, dishes, *cover = text.split()
    return {"card": card, "dishes": dishes, "cover": cover[0][1] if cover else None}


def seat_player(hand: str, *stacks: str, serve: str = "") -> dict[str, Any]:
    """Return a player with a hand, stacks and the busboys of `serve` on their serve side."""
    return {
        "hand": hand,
        "stacks": [stack(text) for text in stacks],
        "busboys": {colour: "serve" if colour in serve else "face" for colour in COLOURS},
    }


def study(config: Config, *players: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a position in play: the other cards are in the draw pile, the covers on the table.

    Args:
        config: the variant.
        *players: what `seat_player` returns, for each player.
        **changes: entries of the position that differ.
    """
    cards: Counter[str] = Counter()
    covers: Counter[str] = Counter()
    for player in players:
        cards.update(player["hand"])
        cards.update(entry["card"] for entry in player["stacks"])
        covers.update(entry["cover"] for entry in player["stacks"] if entry["cover"])
    position = {
        "phase": "play",
        "seats": list(config.seats),
        "teams": list(config.sides),
        "start_seat": 0,
        "to_act": 0,
        "turn": 0,
        "players": list(players),
        "covers": {colour: config.covers - covers[colour] for colour in COLOURS},
        "draw": {colour: 22 * config.sets - cards[colour] for colour in COLOURS},
        "discard": "",
        "draft": [],
        "last": [None] * config.num_players,
        "winner": None,
        "truncated": False,
    }
    if config.secret_teams:
        position["revealed"] = []
    return {**position, **changes}


def seated(config: Config, position: dict[str, Any]) -> Tables:
    """Return one table at a position, which stays as it is when the game ends."""
    dealt = tables(1, 0, config=config, autoreset_mode="Disabled")
    dealt.state = GAME.position_from_dict(config, position).reshape(1)
    return dealt


def play(dealt: Tables, actions: Sequence[str] | str) -> dict[str, Any]:
    """Play actions, given by their texts, at the only table; return the position after them."""
    for text in [actions] if isinstance(actions, str) else actions:
        dealt.step([GAME.text_to_action(dealt.state[0], text)])
    return GAME.position_to_dict(dealt.state[0])
