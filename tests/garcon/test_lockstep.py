"""The core and the second opinion (`reference.py`) play the same games, step by step.

After every action the legal actions, the whole position and the rewards must agree, over more
than 100,000 steps of all variants together.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pytest

from garcon_env import GAME, Config, tables
from waiter_envs.core.tables import Tables

from .playing import STYLES, VARIANTS, legal_actions, styled_actions
from .reference import Reference

STEPS = 6_300
assert STEPS * len(VARIANTS) > 100_000


def reference_at(config: Config, position: dict[str, Any]) -> Reference:
    """Return the second opinion at a position."""
    fields = [field.name for field in dataclasses.fields(config) if field.init]
    variant = {name: getattr(config, name) for name in fields if name != "first_player"}
    if variant["events"] is None:
        variant["events"] = "shipped"
    return Reference(variant, position)


def follow(reference: Reference, text: str, after: dict[str, Any]) -> tuple[list[float], set[str]]:
    """Play an action on the reference, and all that follow it without an alternative.

    Returns:
        The rewards of all players, added up, and what is legal then.
    """
    options = {text}
    totals = [0.0] * len(after["players"])
    while len(options) == 1:
        reference.play(options.pop(), after)
        totals = [sum(pair) for pair in zip(totals, reference.rewards(), strict=True)]
        options = reference.legal_actions()
    return totals, options


def assert_agreement(
    dealt: Tables,
    reference: Reference,
    position: dict[str, Any],
    rewards: list[float],
    legal: set[str],
) -> None:
    """Compare everything that the two say of the present moment."""
    assert reference.position() == position
    assert reference.over == (dealt.terminated[0] or dealt.truncated[0])
    assert reference.truncated == dealt.truncated[0]
    assert reference.to_act == dealt.current_player[0]
    assert legal == set(legal_actions(dealt))
    assert np.abs(dealt.rewards[0] - rewards).max() < 1e-5


def events(text: str, before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Return what happened in a step, for a tally of what the games went through."""
    verb, _, what = text.partition(" ")
    actor = before["to_act"]
    happened = {verb}
    mine = before["players"][actor]["open"]
    if verb == "complete" and mine[int(what)]["notebook"]:
        happened = {"notebook read"}
    if verb == "name":
        face = mine[before["naming"]["order"]]["face"]
        said = [*before["naming"]["said"], what]
        if len(said) == len(face):
            happened = {"named right" if set(said) == set(face) else "named wrong"}
            happened |= {f"{len(face)} dishes {happened.pop()}", *happened}
    doubled = [
        sum(order["repeat"] for order in position["players"][actor]["completed"])
        for position in (before, after)
    ]
    conditions = {
        "repeat paid": doubled[1] > doubled[0],
        "orders reshuffled": len(after["order_pile"]) > len(before["order_pile"]),
        "events reshuffled": sum(after["event_pile"].values()) > sum(before["event_pile"].values()),
        "order slot empty": None in after["market_orders"] and after["phase"] == "turn",
        "event slot empty": None in after["market_events"] and after["phase"] == "turn",
        "last round": after["final_round"] > before["final_round"],
        "passed": any(p["last"] and p["last"]["did"] == "pass" for p in after["players"]),
        "clock run down": before["clock"] is not None
        and before["phase"] == "turn"
        and after["phase"] != "turn"
        and not after["truncated"],
        "gone on completing": before["phase"] == "choose" and verb == "complete",
        "won": isinstance(after["winner"], int),
        "drawn": after["winner"] == "draw",
        "truncated": after["truncated"],
    }
    return happened | {name for name, is_so in conditions.items() if is_so}


RARE = {
    "drawn": {"clock", "memory", "5_players_clock", "10_players_clock", "3_players", "10_players"},
    "truncated": {"cut_clock", "two_open", "no_events", "5_players_any", "fresh"},
    "passed": {"small_deck", "small_deck_clock"},
    "order slot empty": {"small_deck", "small_deck_clock", "10_players", "10_players_clock"},
    "orders reshuffled": {"rulebook", "long", "fresh", "cut_clock", "10_players_clock"},
}
"""What happens in some variants only, or in others only now and then."""


def expected_events(variant: str, config: Config) -> set[str]:
    """Return what must happen somewhere in the games of a variant."""
    expected = {"take", *(event for event, variants in RARE.items() if variant in variants)}
    if any(config.event_counts):
        expected |= {"repeat", "notebook", "leave", "events reshuffled"}
    if variant == "cut_clock":
        return expected
    expected |= {"complete", "name", "last round", "won"}
    if config.max_open_orders > 2:  # with two there is but one to go on with
        expected.add("gone on completing")
    sizes = sorted({face.bit_count() for face in config.deck.faces})
    for size in sizes:
        expected |= {f"{size} dishes named {how}" for how in ("right", "wrong")}
    if any(config.event_counts):
        expected |= {"notebook read", "repeat paid"}
    if config.clock:
        expected.add("clock run down")
    elif config.complete == "any":
        expected.add("done")
    return expected


def forbidden_events(config: Config) -> set[str]:
    """Return what must not happen in the games of a variant."""
    forbidden = set()
    if not any(config.event_counts):
        forbidden |= {"repeat", "notebook", "leave", "notebook read", "repeat paid"}
    if config.complete == "all" or config.clock:
        forbidden.add("done")
    if not config.clock:
        forbidden.add("clock run down")
    return forbidden


@pytest.mark.parametrize("variant", VARIANTS)
def test_lockstep(variant: str) -> None:
    """The core and the reference agree through whole games, and these have seen everything."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(sum(map(ord, variant)))
    dealt = tables(1, 0, config=config, autoreset_mode="Disabled")
    tally: Counter[str] = Counter()
    steps = games = 0
    while steps < STEPS:
        dealt.reset()
        style = list(STYLES)[games % len(STYLES)]
        position = GAME.position_to_dict(dealt.state[0])
        reference = reference_at(config, position)
        legal = reference.legal_actions()
        assert_agreement(dealt, reference, position, [0.0] * config.players, legal)
        while not reference.over:
            action = styled_actions(dealt, rng, style)
            text = GAME.action_to_text(dealt.state[0], int(action[0]))
            before = position
            dealt.step(action)
            position = GAME.position_to_dict(dealt.state[0])
            rewards, legal = follow(reference, text, position)
            assert_agreement(dealt, reference, position, rewards, legal)
            tally.update(events(text, before, position))
            steps += 1
        games += 1
    expected = expected_events(variant, config)
    missing = expected - set(tally)
    assert not missing, f"the games of {variant} went without {missing}: {tally}"
    forbidden = forbidden_events(config) & set(tally)
    assert not forbidden, f"the games of {variant} had {forbidden}: {tally}"
