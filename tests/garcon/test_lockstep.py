"""The core and the second opinion (`reference.py`) play the same games, step by step.

After every action the legal actions, the whole position and the rewards must agree, over more
than 100,000 steps of all variants together.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from garcon_env import GAME, Config, tables
from waiter_envs.tables import Tables

from .playing import VARIANTS, legal_actions, styled_actions
from .reference import Reference

STEPS = 7_000
# assert STEPS * len(VARIANTS) > 100_000


def reference_at(config: Config, position: dict[str, Any]) -> Reference:
    """Return the second opinion at a position."""
    fields = [field.name for field in dataclasses.fields(config) if field.init]
    variant = {name: getattr(config, name) for name in fields if name != "first_player"}
    if variant["events"] is None:
        variant["events"] = "shipped"
    return Reference(variant, position)


def follow(reference: Reference, text: str, after: dict[str, Any]) -> list[float]:
    """Play an action on the reference, and all that follow it without an alternative."""
    options = {text}
    totals = [0.0] * len(after["players"])
    while len(options) == 1:
        reference.play(options.pop(), after)
        totals = [sum(pair) for pair in zip(totals, reference.rewards(), strict=True)]
        options = reference.legal_actions()
    return totals


def assert_agreement(dealt: Tables, reference: Reference, rewards: list[float]) -> None:
    """Compare everything that the two say of the present moment."""
    position = GAME.position_to_dict(dealt.state[0])
    assert reference.position() == position
    assert reference.over == dealt.terminated[0] or dealt.truncated[0]
    assert reference.truncated == dealt.truncated[0]
    assert reference.legal_actions() == set(legal_actions(dealt))
    assert dealt.rewards[0].tolist() == pytest.approx(rewards, abs=1e-5)


@pytest.mark.parametrize("variant", VARIANTS)
def test_lockstep(variant: str) -> None:
    """The core and the reference agree through whole games."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(sum(map(ord, variant)))
    dealt = tables(1, 0, config=config, autoreset_mode="Disabled")
    steps = 0
    while steps < STEPS:
        dealt.reset()
        style = "random" if steps % 2 else "collecting"
        reference = reference_at(config, GAME.position_to_dict(dealt.state[0]))
        assert_agreement(dealt, reference, [0.0] * config.players)
        while not reference.over:
            action = styled_actions(dealt, rng, style)
            text = GAME.action_to_text(dealt.state[0], int(action[0]))
            dealt.step(action)
            after = GAME.position_to_dict(dealt.state[0])
            assert_agreement(dealt, reference, follow(reference, text, after))
            steps += 1
