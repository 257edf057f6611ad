"""What the tests of Hey Waiter! share: variants to test, play to many positions, studies."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hey_waiter_env import GAME, PRESETS, Config, tables
from hey_waiter_env.state import LAST_LENGTH, PLAY
from tests import playing as shared
from tests.playing import draw_actions, weights
from waiter_envs.core.tables import Tables

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


def styled_actions(
    dealt: Tables, rng: np.random.Generator, style: str = "eager"
) -> npt.NDArray[np.int32]:
    """Return a legal action for each table, at random, but in a style."""
    return draw_actions(dealt.action_mask * weights(GAME.name, dealt.config, _STYLES[style]), rng)


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

legal_actions = functools.partial(shared.legal_actions, LAST_LENGTH)


# -- Studies -----------------------------------------------------------------------------------

seated = functools.partial(shared.seated, GAME)
play = shared.play


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
        "to_act": 0,
        "turn": 0 if changes.get("phase") == "draft" else 2 * config.num_seats,
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
    position.update(changes)
    turns_ago = position["turn"] - (position["phase"] == "over")
    start_seat = (position["to_act"] - turns_ago) % config.num_seats
    return {"start_seat": start_seat if position["phase"] != "draft" else 0, **position}


# -- Junk --------------------------------------------------------------------------------------


def nested(depth: int = 5000) -> list[Any]:
    """Return a list in a list in a list and so on."""
    outer: list[Any] = []
    for _ in range(depth):
        outer = [outer]
    return outer


JUNK = (
    None, True, False, -1, 7, 2**31, 10**8, 2**70, -(2**70), 1.5, float("nan"), "1", "",
    "take \u0663", "W" * 200_000, b"WG", bytearray(2), [], [None], [True, False], ["W"], nested(),
    {}, {"W": nested()}, {0: 1, 1: 0}, {0, 1}, np.float32(1.0), np.bool_(True),
    np.array([1.0, 2.0]), np.array([[0], [1]]), np.zeros(1, "i4,i4")[0], Config(), object(), int,
)  # fmt: skip
"""What no field of a variant and no entry of a position should be, for the most part."""


def complaint(call: Callable[[], Any]) -> str | None:
    """Return what a call is refused with, or `None` if it is not."""
    try:
        call()
    except (TypeError, ValueError) as error:
        return str(error)
    return None
