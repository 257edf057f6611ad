"""What the tests of Dessert share: positions of every kind, and what a viewer sees of one."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from dessert_env import Config, tables
from dessert_env.cards import DESSERTS, GUESTS
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    CLAIM,
    DISCARDED,
    FRESHEN,
    FROM_WAITING,
    NEW_GUEST,
    PILE,
    SERVE,
    STEAL,
    STOP,
    THEFT,
)

from . import reference
from .playing import STYLES, styled_actions

Array = npt.NDArray[np.void]
Position = dict[str, Any]

PLAYED = (
    "standard", "until_trio", "false_calls", "2_players", "2_players_false_calls",
    "3_players_clockwise", "3_players_cut", "3_players_in_time", "6_players", "6_players_cut",
)  # fmt: skip
"""All forms of every field, with as few kinds of records as that takes."""


# -- Positions from play -----------------------------------------------------------------------


@functools.cache
def positions(config: Config, seed: int, per_kind: int = 8) -> Array:
    """Return tables of every kind from play, each with two legal actions or over."""
    rng = np.random.default_rng(seed)
    seen, ended = [], []
    for style in STYLES:
        dealt = tables(24, seed, config=config)
        for _ in range(130):
            dealt.step(styled_actions(dealt, rng, style))
            seen.append(dealt.state.copy())
            ended.append(dealt.final_state[dealt.terminated | dealt.truncated].copy())
    live, over = np.concatenate(seen), np.concatenate(ended)
    chosen = [rng.choice(over, min(per_kind, len(over)), False)]
    for name, kind in kinds(live).items():
        assert kind.any() or name in never(config), name
        chosen.append(rng.choice(live[kind], min(per_kind, kind.sum()), False))
    return np.concatenate(chosen)


def kinds(state: Array) -> dict[str, npt.NDArray[np.bool_]]:
    """Return which tables are of each kind; a table may be of several."""
    phase, serving = state["phase"], state["serving"]
    laid = (state["dessert"] == CHOSEN).any(axis=1)
    gone = (state["dessert"] == DISCARDED).any(axis=1)
    return {
        "the first turn": state["turn"] == 0,
        "claim": phase == CLAIM,
        "call": phase == CALL,
        "call again": (phase == CALL) & (state["num_asked"] > 0),
        "warned": state["warned"].any(axis=1),
        "serve a new guest": (phase == SERVE) & (serving == NEW_GUEST),
        "serve a stolen guest": (phase == SERVE) & (serving == THEFT) & ~laid,
        "serve one from the Waiting Room": (phase == SERVE) & (serving == FROM_WAITING),
        "serve on": (phase == SERVE) & laid,
        "steal": phase == STEAL,
        "stop": phase == STOP,
        "bribe": phase == BRIBE,
        "begin to freshen up": (phase == FRESHEN) & ~gone,
        "go on freshening up": (phase == FRESHEN) & gone,
        "many wait": state["num_waiting"] > 4,
        "closing time": state["closing_turn"] > 0,
        "no pile": ~(state["dessert"] == PILE).any(axis=1),
    }


def never(config: Config) -> tuple[str, ...]:
    """Return the kinds that a variant hardly knows."""
    rare = ["no pile", "many wait", "call again"]
    if not config.false_calls:
        rare.append("warned")
    if config.max_turns < 24 or config.closing_rounds == 0:
        rare.append("closing time")
    return tuple(rare)


# -- The observation ---------------------------------------------------------------------------

DECISIONS = ("claim", "call", "serve", "steal", "stop", "bribe", "freshen")
SERVINGS = ("guest", "steal", "waiting room")


def binary(digits: int, number: int) -> list[int]:
    """Return a number in binary, lowest digit first."""
    text = f"{number:0{digits}b}" if digits else ""
    assert len(text) == digits, f"{number} has more than {digits} digits"
    return [int(digit) for digit in reversed(text)]


def one_of(length: int, which: int | None) -> list[int]:
    """Return a one-hot code, or zeros for None."""
    return [int(i == which) for i in range(length)]


def of(cards: Any, names: Any) -> list[int]:
    """Return 1 for each card that is there."""
    return [int(name in cards) for name in names]


def observed(config: Config, position: Position, viewer: int) -> dict[str, list[int]]:
    """Return what every field of the observation must hold, from the position alone (DE-14)."""
    players, phase, serving = config.players, position["phase"], position["serving"]
    over = phase == "over"
    acting = not over and position["to_act"] == viewer
    guest_phase = position["guest"] is not None
    waiting = position["waiting_room"][::-1]
    server = position["to_act"] if serving == "guest" else position["active"]
    rounds = config.closing_rounds or 0
    left = rounds * players - position["closing_turn"] if rounds else 0
    depths = [waiting.index(name) + 1 if name in waiting else 0 for name in GUESTS]
    features = {
        "acting": [acting],
        "decision": one_of(7, DECISIONS.index(phase) if acting else None),
        "guest_phase": [guest_phase],
        "steal_phase": [not guest_phase and not over],
        "active": one_of(players, (position["active"] - viewer) % players),
        "serving": one_of(3, None if serving is None else SERVINGS.index(serving)),
        "server": one_of(players, None if serving is None else (server - viewer) % players),
        "new_guest": of([position["guest"]], GUESTS),
        "target": of([position["target"]], GUESTS),
        "hand": of(position["hands"][viewer], DESSERTS),
        "laid_down": of(position["chosen"], DESSERTS),
        "discarded": of(position["discarded"], DESSERTS),
        "dirty": of(position["dirty"], DESSERTS),
        "coming": of(position["guest_pile"], GUESTS),
        "waiting_top": of(waiting[:1], GUESTS),
        "waiting_depth": [digit for depth in depths for digit in binary(5, depth)],
        "pile_size": binary(7, len(position["pile"])),
        "closing": [position["closing_turn"] > 0],
        "closing_left": binary((rounds * players).bit_length(), left),
        "turns_left": binary(config.max_turns.bit_length(), config.max_turns - position["turn"]),
    }
    total = sum(guest.points for guest in reference.GUESTS.values())
    for ahead in range(players):
        player = (viewer + ahead) % players
        mine = position["guests"][player]
        worth = sum(reference.GUESTS[name].points for name in mine)
        warned = [position["warnings"][player]] if config.false_calls else []
        features |= {
            f"guests_{ahead}": of(mine, GUESTS),
            f"points_{ahead}": binary(total.bit_length(), worth),
            f"hand_size_{ahead}": binary(7, len(position["hands"][player])),
            f"warned_{ahead}": warned,
        }
    return {name: [int(cell) for cell in cells] for name, cells in features.items()}


def hidden(config: Config, position: Position, viewer: int) -> dict[str, list[int]]:
    """Return what every field of the hidden part must hold."""
    players, phase = config.players, position["phase"]
    over = phase == "over"
    order = [(player - viewer) % players for player in position["call_order"]]
    order += [None] * (players - 1 - len(order))
    features = {
        "to_act": one_of(players, None if over else (position["to_act"] - viewer) % players),
        "asked_for": one_of(7, None if over else DECISIONS.index(phase)),
    }
    for place, caller in enumerate(order):
        features[f"caller_{place}"] = one_of(players, caller)
    for ahead in range(1, players):
        features[f"hand_{ahead}"] = of(position["hands"][(viewer + ahead) % players], DESSERTS)
    return features
