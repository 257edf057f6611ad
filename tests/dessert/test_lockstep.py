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

from dessert_env import GAME, Config, tables
from waiter_envs.core.tables import Tables

from .playing import STYLES, VARIANTS, legal_actions, styled_actions
from .reference import GUESTS, Reference

STEPS = 6_700
assert STEPS * len(VARIANTS) > 100_000


def reference_at(config: Config, position: dict[str, Any]) -> Reference:
    """Return the second opinion at a position."""
    fields = [field.name for field in dataclasses.fields(config) if field.init]
    return Reference({name: getattr(config, name) for name in fields}, position)


def follow(
    reference: Reference, text: str, after: dict[str, Any], tally: Counter[str]
) -> tuple[list[float], set[str]]:
    """Play an action on the reference, and all that follow it without an alternative.

    Args:
        reference: the second opinion, where the action is played.
        text: the action.
        after: the position that the core is at then.
        tally: counts what happened.

    Returns:
        The rewards of all players, added up, and what is legal then.
    """
    options, chosen = {text}, True
    totals = [0.0] * len(after["hands"])
    while len(options) == 1:
        text = options.pop()
        before = reference.position()
        reference.play(text, after)
        tally.update(events(text, before, reference.position(), chosen))
        totals = [sum(pair) for pair in zip(totals, reference.rewards(), strict=True)]
        options, chosen = reference.legal_actions(), False
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
    if not reference.over:
        assert position["to_act"] == dealt.current_player[0]
    assert legal == set(legal_actions(dealt))
    assert np.abs(dealt.rewards[0] - rewards).max() < 1e-5


# -- What happens ------------------------------------------------------------------------------


def events(text: str, before: dict[str, Any], after: dict[str, Any], chosen: bool) -> set[str]:
    """Return what happened when one action was played, for a tally of what games went through.

    Args:
        text: the action.
        before: the position that it was played at.
        after: the position before the next action, be that one chosen or not.
        chosen: whether there was another action.
    """
    verb, _, what = text.partition(" ")
    phase, actor = before["phase"], before["to_act"]
    happened = {f"{verb} in {phase}" + ("" if chosen else ", forced")}
    if phase == "call" and verb == "claim" and after["phase"] != "serve":
        happened = {cost_of_false_call(before)}
    if before["serving"] and not after["serving"] and verb != "stop":
        laid_down = [*before["chosen"], *([what] if verb == "serve" else [])]
        happened |= what_was_served(before["serving"], before["target"], laid_down, after)
    if phase == "freshen" and verb == "done":
        happened.add("freshened up" if before["hands"][actor] else "freshened up a whole hand")
    conditions = {
        "left hungry": len(after["waiting_room"]) > len(before["waiting_room"]),
        "reshuffled": len(after["pile"]) > len(before["pile"]),
        "nothing left to draw": not after["pile"] and not after["dirty"],
        "closing time": after["closing_turn"] > before["closing_turn"] == 0,
        "theft in closing time": verb == "steal" and before["closing_turn"] > 0,
        "hand of 15": max(map(len, after["hands"])) >= 15,
    }
    return happened | {name for name, is_so in conditions.items() if is_so} | ends(before, after)


def cost_of_false_call(before: dict[str, Any]) -> str:
    """Return what a false call costs its caller (DE-6)."""
    if not before["warnings"][before["to_act"]]:
        return "warned"
    return "dropped a dish" if before["hands"][before["to_act"]] else "nothing to drop"


def what_was_served(
    serving: str, guest: str, laid_down: list[str], after: dict[str, Any]
) -> set[str]:
    """Return what happened when a serving was complete."""
    happened = {f"served: {serving}", f"{len(laid_down)} desserts"}
    if GUESTS[guest].favourites & set(laid_down):
        happened.add("no tip for a trio" if has_trio(after) else f"tip: {serving}")
    return happened


def has_trio(position: dict[str, Any]) -> bool:
    """Return whether somebody has a trio."""
    trios = [Counter(GUESTS[guest].trio for guest in some) for some in position["guests"]]
    return any(3 in counter.values() for counter in trios)


def ends(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Return how the game ended, if it did."""
    if after["phase"] != "over":
        return set()
    if after["draw"] or after["truncated"]:
        return {"draw" if after["draw"] else "truncated"}
    if not has_trio(after):
        return {"won by points"}
    return {"trio in own turn" if after["winner"] == after["active"] else "trio in another's turn"}


ALWAYS = {
    *("claim in claim", "decline in claim", "decline in claim, forced"),
    *("claim in call", "decline in call"),
    *("serve in serve", "serve in serve, forced", "1 desserts", "2 desserts", "3 desserts"),
    *("steal in steal", "waiting in steal", "freshen in steal", "done in steal"),
    *("stop in stop", "allow in stop", "allow in stop, forced", "bribe in bribe"),
    *("served: guest", "served: steal", "served: waiting room"),
    *("tip: guest", "tip: steal", "tip: waiting room"),
    *("discard in freshen", "done in freshen", "freshened up"),
    *("left hungry", "reshuffled", "nothing left to draw", "hand of 15", "trio in own turn"),
}
"""What happens in the games of every variant."""

RARE = {
    "trio in another's turn": {"2_players", "2_players_false_calls", "3_players_clockwise"},
    "no tip for a trio": {"2_players", "3_players_clockwise", "3_players_in_time"},
    "freshened up a whole hand": {"standard", "clockwise", "5_players_no_closing", "6_players"},
    "nothing to drop": {"false_calls", "6_players_cut"},
    "bribe in bribe, forced": {"false_calls", "5_players_false_calls", "6_players_cut"},
}
"""What happens only now and then, and is seen in the games of some variants at least."""

FALSE_CALLS = {"warned", "dropped a dish"}
CLOSING = {"closing time", "theft in closing time"}
POINTS = {"won by points", "draw"}


def short(config: Config) -> bool:
    """Return whether games are cut before the last guest comes."""
    return config.max_turns < 24


def expected_events(variant: str, config: Config) -> set[str]:
    """Return what must happen somewhere in the games of a variant."""
    expected = ALWAYS | {event for event, variants in RARE.items() if variant in variants}
    if config.false_calls:
        expected |= FALSE_CALLS
    else:  # those who cannot serve are passed over
        expected.add("decline in call, forced")
    if config.closing_rounds != 0 and not short(config):
        expected |= CLOSING
    if config.closing_rounds is not None and not short(config):
        expected |= POINTS
    if variant in ("3_players_cut", "6_players_cut"):
        expected.add("truncated")
    return expected


def forbidden_events(variant: str, config: Config) -> set[str]:
    """Return what must not happen in the games of a variant."""
    forbidden = {"claim in claim, forced", "claim in call, forced", "freshen in steal, forced"}
    if config.false_calls:
        forbidden.add("decline in call, forced")
    else:
        forbidden |= {*FALSE_CALLS, "nothing to drop"}
    if config.closing_rounds == 0 or short(config):
        forbidden |= CLOSING
    if config.closing_rounds is None or short(config):
        forbidden |= POINTS
    elif config.max_turns >= 24 + config.closing_rounds * config.players:
        forbidden.add("truncated")  # points decide in the last turn at the latest
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
            dealt.step(action)
            position = GAME.position_to_dict(dealt.state[0])
            rewards, legal = follow(reference, text, position, tally)
            assert_agreement(dealt, reference, position, rewards, legal)
            steps += 1
        games += 1
    missing = expected_events(variant, config) - set(tally)
    assert not missing, f"the games of {variant} went without {missing}: {tally}"
    forbidden = forbidden_events(variant, config) & set(tally)
    assert not forbidden, f"the games of {variant} had {forbidden}: {tally}"
