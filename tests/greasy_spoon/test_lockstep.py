"""The core and the second opinion (`reference.py`) play the same games, step by step.

After every action the legal actions, the whole position and the rewards must agree, over more
than 100,000 steps of all variants together.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from greasy_spoon_env import GAME, Config, tables
from waiter_envs.core.tables import Tables

from .playing import (
    VARIANTS,
    action_texts,
    holding,
    legal_actions,
    play,
    seated,
    sizes_of,
    study,
    styled_actions,
)
from .reference import Reference, kind_of

STEPS = 10_100
STYLES = {4_000: "random", 6_000: "stashing", STEPS: "serving"}
"""How actions are chosen up to each step."""
assert STEPS * len(VARIANTS) > 100_000


def reference_at(config: Config, position: dict[str, Any]) -> Reference:
    """Return the second opinion at a position."""
    variant = {"best_of": config.best_of, "recall": config.recall, "reward": config.reward}
    return Reference(variant, position)


def follow(reference: Reference, text: str, after: dict[str, Any]) -> list[float]:
    """Play an action on the reference, and all that follow it without an alternative.

    Args:
        reference: the second opinion.
        text: the action.
        after: the position at which the core arrived, which tells the cards drawn.

    Returns:
        The rewards of both players, added up.
    """
    options = {text}
    totals = [0.0, 0.0]
    while len(options) == 1:
        reference.play(options.pop(), after)
        totals = [sum(pair) for pair in zip(totals, reference.rewards(), strict=True)]
        options = reference.legal_actions()
    return totals


def assert_agreement(
    dealt: Tables, reference: Reference, position: dict[str, Any], rewards: list[float]
) -> None:
    """Compare everything that the two say of the present moment."""
    assert reference.position() == position
    assert reference.over == dealt.terminated[0]
    assert not dealt.truncated[0]
    assert reference.winner == position["winner"]
    assert reference.legal_actions() == set(legal_actions(dealt))
    assert dealt.rewards[0].tolist() == rewards


def events(text: str, before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Return what happened in a step, for a tally of what the games went through."""
    verb, _, what = text.partition(" ")
    actor = before["to_act"]
    happened = {verb}
    if verb == "serve":
        if before["pending"]:
            what = f"{before['pending']['main']} + {what}"
        if what[-1].isdigit():
            answers = "answer" if before["dish"] else "lead"
            happened = {f"{answers} {kind_of(what)}"}
        elif after["phase"] != "complete":
            happened.add("forced completion")
    if before["phase"] == "stash" and after["phase"] != "stash":
        happened.add(f"set aside {after['set_aside'][actor]}")
    if after["games_played"] > before["games_played"]:
        happened.add("game won")
        if before["dish"]:
            happened.add("game won in the middle of a round")
    elif verb in {"serve", "pass", "done", "stash"}:
        hand, draw, _ = sizes_of(before, actor)
        left = sizes_of(after, actor)
        if left[1] > draw:
            happened.add("backburner shuffled in")
        if hand == 11 and left[0] < 11 and after["phase"] == "serve":
            happened.add("piles run out")
    if verb == "pass" and after["phase"] == "serve":
        happened.add("pass without setting aside")
    if after["winner"] is not None:
        happened.add("match won")
    return happened


def expected_events(config: Config) -> set[str]:
    """Return what must happen somewhere in the games of a variant."""
    kinds = ["Drink", "Side", "Main", "Combo 1", "Combo 2"]
    expected = {f"{verb} {kind}" for verb in ("lead", "answer") for kind in kinds}
    expected |= {"serve", "pass", "stash", "done", *(f"set aside {n}" for n in range(4))}
    expected |= {"forced completion", "backburner shuffled in", "pass without setting aside"}
    expected |= {"piles run out", "game won", "game won in the middle of a round", "match won"}
    return expected | ({"recall"} if config.recall else set())


@pytest.mark.parametrize("variant", VARIANTS)
def test_lockstep(variant: str) -> None:
    """The core and the reference agree through whole matches, and these have seen everything."""
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
        assert_agreement(dealt, reference, position, [0.0, 0.0])
        while not reference.over:
            action = styled_actions(dealt, rng, style)
            text = action_texts()[action[0]]
            before = position
            dealt.step(action)
            position = GAME.position_to_dict(dealt.state[0])
            assert_agreement(dealt, reference, position, follow(reference, text, position))
            tally.update(events(text, before, position))
            steps += 1
            if steps in STYLES:
                break
    if not config.recall:
        assert "recall" not in tally
    missing = expected_events(config) - set(tally)
    assert not missing, f"the games of {variant} went without {missing}: {tally}"


def test_forced_moves() -> None:
    """Nothing beats the dish, nothing is set aside, one card is left to lead: all in one step."""
    config = VARIANTS["paid_by_game"]
    position = study(config, holding("K6 M1 R3", 0), holding("K2 K4"), dish="R1", starter=1)
    dealt = seated(config, position)
    reference = reference_at(config, position)
    after = play(dealt, "serve K6")  # player 1 passes; player 0 may lead either card
    assert_agreement(dealt, reference, after, follow(reference, "serve K6", after))
    assert (after["to_act"], after["players"][0]["hand"]) == (0, ["M1", "R3"])
    after = play(dealt, "serve R3")  # player 1 may answer with K4
    assert_agreement(dealt, reference, after, follow(reference, "serve R3", after))
    after = play(dealt, "pass")  # player 0 goes out, and the next game is dealt
    assert_agreement(dealt, reference, after, follow(reference, "pass", after))
    assert (after["games_played"], after["score"], after["starter"]) == (1, [1, 0], 0)
    assert dealt.rewards[0].tolist() == [1.0, -1.0]
