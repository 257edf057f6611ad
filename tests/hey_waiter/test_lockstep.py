"""The core and the second opinion (`reference.py`) play the same games, step by step.

After every action the legal actions and the whole position must agree, over more than 100,000
steps of all variants together.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hey_waiter_env import GAME, Config, tables
from waiter_envs.core.tables import Tables

from .playing import VARIANTS, legal_actions, play, seat_player, seated, study, styled_actions
from .reference import Reference

STEPS = 3_600
STYLES = {300: "random", 1_000: "splitting", STEPS: "eager"}
"""How actions are chosen up to each step; random play seldom comes to an end."""
assert STEPS * len(VARIANTS) > 100_000


def reference_at(config: Config, position: dict[str, Any]) -> Reference:
    """Return the second opinion at a position."""
    variant = {
        "seats": config.seats,
        "teams": config.sides,
        "dishes": config.stack_dishes,
        "max_turns": config.turn_limit,
        "secret_teams": config.secret_teams,
    }
    return Reference(variant, position)


def follow(reference: Reference, text: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Play an action on the reference, and all forced picks that follow it.

    Args:
        reference: the second opinion.
        text: the action.
        before: the position in which it is played.
        after: the position at which the core arrived, which tells the cards drawn.
    """
    if not text.startswith("pick"):
        player = before["seats"][before["to_act"]]
        reference.play(text, after["players"][player]["hand"])
        return
    options = {text}
    while len(options) == 1:
        (text,) = options
        before = reference.position()
        hand = before["players"][before["seats"][before["to_act"]]]["hand"]
        reference.play(text, hand.replace(text[-1], "", 1))  # nothing is drawn
        options = reference.legal_actions()


def events(text: str, before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Return what happened in a step, for a tally of what the games went through."""
    words = text.split()
    happened = {words[0].split(">")[0], *(word for word in words[1:] if word.islower())}
    actor = before["seats"][before["to_act"]]
    if {"lift", "serve"} <= happened:
        happened.add("lift and serve")
    if "onto" in happened or "new" in happened:
        numbers = [len(entry["players"][actor]["stacks"]) for entry in (before, after)]
        happened.add(f"{'onto' if 'onto' in happened else 'new'} by {numbers[1] - numbers[0]}")
    if sum(after["draw"].values()) > sum(before["draw"].values()):
        happened.add("reshuffle")
    if len(after.get("revealed", ())) > len(before.get("revealed", ())):
        happened.add("reveal")
    for player, (old, new) in enumerate(zip(before["players"], after["players"], strict=True)):
        if player != actor and len(new["stacks"]) < len(old["stacks"]) and "take" not in happened:
            happened.add("card back in another's turn")
        if max(len(entry["stacks"]) for entry in (old, new)) == 5:
            happened.add("five stacks")
    if after["winner"] is not None:
        own = after["winner"] == after["teams"][actor]
        happened.add("win" if own else "another side wins")
    if after["truncated"]:
        happened.add("truncation")
    return happened


def expected_events(config: Config, secret: bool) -> set[str]:
    """Return what must happen somewhere in the games of a variant.

    Args:
        config: the variant.
        secret: whether sides are unknown after the deal.
    """
    if config.max_dishes == 1:
        return {"pick", "G", "R", "W", "B", "discard", "lift", "turn", "serve", "take", "win"}
    expected = {"pick", "G", "R", "W", "B", "discard", "turn", "serve", "onto", "new"}
    expected |= {"onto by 0", "onto by -1", "new by 0", "new by 1", "five stacks", "reshuffle"}
    expected |= {"win", "another side wins", "card back in another's turn"}
    if config.covers:
        expected |= {"lift", "lift and serve"}
    else:
        expected -= {"R"}
    if config.max_partners:
        expected |= {"take"}
    if secret:
        expected |= {"reveal"}
    if config.max_turns:
        expected |= {"truncation"}
    return expected


def assert_agreement(dealt: Tables, reference: Reference, position: dict[str, Any]) -> None:
    """Compare everything that the two say of the present moment."""
    assert reference.position() == position
    over = bool(dealt.terminated[0] or dealt.truncated[0])
    assert reference.over == over
    assert reference.truncated == dealt.truncated[0]
    assert reference.legal_actions() == (set() if over else set(legal_actions(dealt)))
    rewards = reference.rewards() if over else [0.0] * dealt.num_players
    assert dealt.rewards[0].tolist() == pytest.approx(rewards)


def choose(dealt: Tables, rng: np.random.Generator, style: str) -> npt.NDArray[np.int32]:
    """Return a legal action in a style of `STYLES`."""
    return dealt.sample_actions() if style == "random" else styled_actions(dealt, rng, style)


@pytest.mark.parametrize("variant", VARIANTS)
def test_lockstep(variant: str) -> None:
    """The core and the reference agree through whole games, and these have seen everything."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(sum(map(ord, variant)))
    dealt = tables(1, 0, config=config, autoreset_mode="Disabled")
    tally: Counter[str] = Counter()
    steps = 0
    while steps < STEPS:
        dealt.reset()
        style = next(style for last, style in STYLES.items() if steps < last)
        position = GAME.position_to_dict(dealt.state[0])
        reference = reference_at(config, position)
        assert_agreement(dealt, reference, position)
        secret = len(position.get("revealed", config.sides)) < config.num_sides
        while not reference.over:
            action = choose(dealt, rng, style).copy()
            text = GAME.action_to_text(dealt.state[0], int(action[0]))
            before = position
            dealt.step(action)
            position = GAME.position_to_dict(dealt.state[0])
            follow(reference, text, before, position)
            assert_agreement(dealt, reference, position)
            tally.update(events(text, before, position))
            steps += 1
            if steps in STYLES:
                break
    missing = expected_events(config, secret) - set(tally)
    assert not missing, f"the games of {variant} went without {missing}: {tally}"


def test_forced_pick() -> None:
    """The last pick of a one-coloured hand is forced: the core makes it within the step."""
    config = Config((0, 1), dishes=(12, 8))
    position = study(
        config,
        seat_player("WWWWWWW"),
        seat_player("WGGRRBB"),
        phase="draft",
        to_act=1,
        draft=["WGRBWGRBWGRB", "WGRBWGRB"],
    )
    dealt = seated(config, position)
    reference = reference_at(config, position)
    after = play(dealt, "pick 0 on G")
    follow(reference, "pick 0 on G", position, after)
    assert after["phase"] == "play"
    assert after["last"] == ["pick 0 on W", "pick 0 on G"]
    assert_agreement(dealt, reference, after)
