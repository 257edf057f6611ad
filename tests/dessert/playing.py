"""What the tests of Dessert share: variants to test, styles of play, studies.

Where cards are given by hand, a list may be written as one text, with commas between the names.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dessert_env import GAME, PRESETS, Config
from dessert_env.cards import DESSERTS, GUESTS
from tests import playing as shared
from tests.dessert.reference import servings
from tests.playing import draw_actions, weights
from waiter_envs.core.tables import Tables

Position = dict[str, Any]
Cards = Sequence[str] | str
"""Names of cards, or one text with commas between them."""

VARIANTS: dict[str, Config] = {
    **PRESETS,
    "2_players": Config(players=2),
    "2_players_until_trio": Config(players=2, closing_rounds=None, first_player=1),
    "2_players_false_calls": Config(players=2, false_calls=True, closing_rounds=2),
    "3_players_clockwise": Config(players=3, call_order="clockwise", closing_rounds=3),
    "3_players_cut": Config(players=3, max_turns=17, first_player=2),
    "3_players_in_time": Config(players=3, closing_rounds=1, max_turns=27),
    "5_players_false_calls": Config(players=5, false_calls=True, call_order="clockwise"),
    "5_players_no_closing": Config(players=5, closing_rounds=0),
    "6_players": Config(players=6, first_player=0),
    "6_players_cut": Config(players=6, closing_rounds=None, max_turns=60, false_calls=True),
}
"""All presets, and variants that add what no preset has; as many sorts of record as players."""


# -- Play --------------------------------------------------------------------------------------

STYLES = {
    "random": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "serving": (9.0, 1.0, 1.0, 0.1, 5.0, 0.1),
    "waiting": (0.0, 1.0, 1.0, 0.1, 0.02, 0.05),
    "freshening": (1.0, 1.0, 1.0, 0.2, 0.5, 20.0),
}
"""How often one action of each block (yes, no, dessert, steal, waiting room, freshen) is played:
evenly; serving often and stealing rarely; never claiming, so that the Waiting Room fills;
freshening up whenever it can be done."""


def styled_actions(
    dealt: Tables, rng: np.random.Generator, style: str = "random"
) -> npt.NDArray[np.int32]:
    """Return a legal action for each table, at random, but in a style."""
    return draw_actions(dealt.action_mask * weights(GAME.name, dealt.config, STYLES[style]), rng)


# -- Lists of legal actions --------------------------------------------------------------------

legal_actions = functools.partial(shared.legal_actions, 2)


# -- Studies -----------------------------------------------------------------------------------

seated = functools.partial(shared.seated, GAME)
play = shared.play


def cards(names: Cards) -> list[str]:
    """Return names as a list."""
    return (
        [name.strip() for name in names.split(",") if name.strip()]
        if isinstance(names, str)
        else list(names)
    )


def in_order(names: Cards) -> list[str]:
    """Return desserts or guests in the order of the card list."""
    return sorted(cards(names), key=[*DESSERTS, *GUESTS].index)


def study(
    config: Config,
    hands: Sequence[Cards] = (),
    guests: Sequence[Cards] = (),
    **changes: Any,
) -> Position:
    """Return a position in the steal phase of player 0, or as the changes have it.

    Desserts and guests that are not mentioned are in their piles; if `pile` is given they are
    dirty dishes, and if `guest_pile` is given they lie at the bottom of the Waiting Room. There
    lies also one guest whom no hand serves, if else none had come in an earlier turn.
    Keys that follow from others are filled in: `turn`, `closing_turn`, `to_act`, `call_order`,
    `thief`, and `serving` and `target` in the phase `serve` (the new guest), `serving` in `stop`
    and `bribe`.

    Args:
        config: the variant.
        hands: desserts of each player; players left out have none.
        guests: guests of each player, likewise.
        **changes: entries of the position that differ.
    """
    players = config.num_players
    position: Position = {
        "active": 0,
        "phase": "steal",
        "hands": [in_order(hand) for hand in _padded(hands, players)],
        "guests": [in_order(some) for some in _padded(guests, players)],
        "dirty": [],
        "waiting_room": [],
        "guest": None,
        "call_order": [],
        "asked": [],
        "serving": None,
        "target": None,
        "thief": None,
        "chosen": [],
        "discarded": [],
        "warnings": [0] * players,
        "winner": None,
        "draw": False,
        "truncated": False,
        **changes,
    }
    for name in ("dirty", "waiting_room", "chosen", "discarded", "pile", "guest_pile"):
        if name in position:
            position[name] = cards(position[name])
    for name in ("pile", "guest_pile"):
        if name in position:
            position[name] = in_order(position[name])
    position["dirty"] = in_order(list({*position["dirty"], *position["discarded"]}))
    _fill_in_piles(position)
    _fill_in_turn(config, position, changes)
    _fill_in_who(config, position, changes)
    return {key: position[key] for key in _KEYS}


_KEYS = (
    "turn", "active", "to_act", "phase", "hands", "guests", "pile", "dirty", "guest_pile",
    "waiting_room", "guest", "call_order", "asked", "serving", "target", "thief", "chosen",
    "discarded", "warnings", "closing_turn", "winner", "draw", "truncated",
)  # fmt: skip


def _padded(given: Sequence[Cards], players: int) -> list[Cards]:
    return [*given, *[[]] * (players - len(given))]


def _fill_in_turn(config: Config, position: Position, changes: dict[str, Any]) -> None:
    """Add the turn, which the guests and closing time tell, unless it is given."""
    came = len(GUESTS) - len(position["guest_pile"])
    position.setdefault("turn", came - 1 + changes.get("closing_turn", 0))
    position.setdefault("closing_turn", max(position["turn"] + 1 - len(GUESTS), 0))
    if config.first_player is not None and "active" not in changes:
        position["active"] = (config.first_player + position["turn"]) % config.num_players


def _fill_in_who(config: Config, position: Position, changes: dict[str, Any]) -> None:
    """Add players and target, unless they are given."""
    players, active, phase = config.num_players, position["active"], position["phase"]
    if phase == "call" and "call_order" not in changes:
        position["call_order"] = [(active + 1 + i) % players for i in range(players - 1)]
    if phase == "serve" and "serving" not in changes:
        position["serving"] = "guest"
    if phase in ("stop", "bribe") and "serving" not in changes:
        position["serving"] = "steal"
    if position["serving"] == "guest" and "target" not in changes:
        position["target"] = position["guest"]
    if position["serving"] == "waiting room" and "target" not in changes:
        position["target"] = position["waiting_room"][-1]
    if position["serving"] == "steal" and "thief" not in changes:
        position["thief"] = active
    if "to_act" not in changes:
        position["to_act"] = active
        if phase == "call":
            position["to_act"] = position["call_order"][len(position["asked"])]
        if phase == "stop":
            owners = range(players)
            position["to_act"] = next(
                p for p in owners if position["target"] in position["guests"][p]
            )


def _all(places: list[list[str]]) -> list[str]:
    return list(itertools.chain.from_iterable(places))


def _fill_in_piles(position: Position) -> None:
    """Put what is nowhere into a pile, or if that is given beside it."""
    held = [*_all(position["hands"]), *position["dirty"], *position["chosen"]]
    rest = [name for name in DESSERTS if name not in {*held, *position.get("pile", [])}]
    if "pile" in position:
        position["dirty"] = in_order([*position["dirty"], *rest])
    else:
        position["pile"] = rest
    seated_guests = [*_all(position["guests"]), *position["waiting_room"], position["guest"]]
    others = [
        name for name in GUESTS if name not in {*seated_guests, *position.get("guest_pile", [])}
    ]
    if "guest_pile" in position:
        position["waiting_room"] = [*others, *position["waiting_room"]]
    else:
        position["guest_pile"] = others
    if not position["waiting_room"] and not _all(position["guests"]):
        hungry = (guest for guest in others if not _anybody_serves(position["hands"], guest))
        position["waiting_room"] = [next(hungry, others[-1])]
        others.remove(position["waiting_room"][0])


def _anybody_serves(hands: list[list[str]], guest: str) -> bool:
    """Return whether a hand makes a serving; one of many desserts counts as if it did."""
    return any(len(hand) > 30 or servings(hand, guest) for hand in hands)


def feature(dealt: Tables, viewer: int, name: str) -> list[int]:
    """Return what a player sees at the only table, of one field of the observation."""
    field = next(f for f in GAME.observation_fields(dealt.config) if f.name == name)
    return dealt.observe(viewer)[0, field.start : field.start + field.size].tolist()
