"""Players are equal: rotate their numbers, and what they see rotates with them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from dessert_env import GAME, Config, tables
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.core.tables import Tables

from .playing import VARIANTS, Position, styled_actions
from .states import PLAYED, Array, positions

PLAYERS = ("current_player", "active", "dessert", "guest", "call_order", "winner")
"""Entries of a record that name players, where they are not negative."""


def rotated_config(config: Config, shift: int) -> Config:
    """Return the variant in which player p is player p + `shift`."""
    if config.first_player is None:
        return config
    first = (config.first_player + shift) % config.players
    return dataclasses.replace(config, first_player=first)


def rotated(config: Config, position: Position, shift: int) -> Position:
    """Return a position after the same change."""
    players = config.players

    def moved(player: int | None) -> int | None:
        return None if player is None else (player + shift) % players

    by_player = {
        name: [position[name][(player - shift) % players] for player in range(players)]
        for name in ("hands", "guests", "warnings")
    }
    one = {name: moved(position[name]) for name in ("active", "to_act", "thief", "winner")}
    several = {name: [moved(p) for p in position[name]] for name in ("call_order", "asked")}
    return {**position, **by_player, **one, **several}


def moved(config: Config, state: Array, like: Array, shift: int) -> Array:
    """Return records after the same change, with the variant of others."""
    state = state.copy()
    for name in PLAYERS:
        somebody = state[name] >= 0
        state[name][somebody] = (state[name][somebody] + shift) % config.players
    state["warned"] = np.roll(state["warned"], shift, axis=1)
    for name in ("variant", "first_player_option"):
        state[name] = like[name]
    return state


def look(dealt: Tables) -> tuple[Any, ...]:
    """Return what there is to see: players to act, their masks and observations, all views."""
    views = [dealt.full_observation(player) for player in range(dealt.num_players)]
    return (
        dealt.current_player.copy(),
        dealt.action_mask.copy(),
        dealt.observation.copy(),
        dealt.rewards.copy(),
        views,
    )


def assert_alike(one: Tables, other: Tables, shift: int) -> None:
    """Check that tables look the same from every chair."""
    acting, masks, observations, rewards, views = look(one)
    moved_acting, moved_masks, moved_observations, moved_rewards, moved_views = look(other)
    assert np.array_equal(moved_acting, (acting + shift) % one.num_players)
    assert np.array_equal(moved_masks, masks)
    assert np.array_equal(moved_observations, observations)
    assert np.array_equal(moved_rewards, np.roll(rewards, shift, axis=1))
    for player, view in enumerate(views):
        assert np.array_equal(moved_views[(player + shift) % one.num_players], view)


def turned_tables(variant: str, shift: int) -> tuple[Tables, Tables, Array]:
    """Return tables of a variant and of the rotated one, and positions for the first."""
    config = VARIANTS[variant]
    seen = positions(config, seed=9, per_kind=4)
    turned = rotated_config(config, shift)
    one, other = (
        tables(len(seen), 0, config=c, autoreset_mode="NextStep") for c in (config, turned)
    )
    return one, other, seen


@pytest.mark.parametrize("shift", [1, -1])
@pytest.mark.parametrize("variant", PLAYED)
def test_rotation(variant: str, shift: int) -> None:
    """After a rotation every player sees what it saw before, and may do the same."""
    one, other, seen = turned_tables(variant, shift)
    written = [GAME.position_to_dict(table) for table in seen]
    one.state = np.array([GAME.position_from_dict(one.config, position) for position in written])
    other.state = np.array(
        [
            GAME.position_from_dict(other.config, rotated(one.config, position, shift))
            for position in written
        ]
    )
    assert_alike(one, other, shift)
    assert one.rewards.any() == (seen["winner"] >= 0).any()


@pytest.mark.parametrize("variant", PLAYED)
def test_rotated_games_go_on_alike(variant: str) -> None:
    """The same actions lead from a rotated position to the rotated next ones, with equal pay.

    And the heuristic does the same in every seat.
    """
    shift = 1
    one, other, seen = turned_tables(variant, shift)
    one.state = seen
    other.state = moved(one.config, seen, other.state, shift)
    live = ~(one.terminated | one.truncated)
    rng = np.random.default_rng(1)
    agent = RuleAgent(GAME, "heuristic")
    for step in range(16):
        row = np.flatnonzero(live)
        chosen = [agent.act(Decisions.at(dealt, row)) for dealt in (one, other)]
        assert np.array_equal(*chosen)
        actions = chosen[0] if step % 2 else styled_actions(one, rng)[row]
        for dealt in (one, other):
            any_legal = dealt.action_mask.argmax(axis=1).astype(np.int32)
            any_legal[row] = actions
            dealt.step(any_legal)
        sides = one.rewards[live], other.rewards[live]
        assert np.array_equal(sides[1], np.roll(sides[0], shift, axis=1))
        live &= ~(one.terminated | one.truncated)
        assert np.array_equal(one.observation[live], other.observation[live])
        assert np.array_equal(one.action_mask[live], other.action_mask[live])
    assert live.sum() > 20
    for here, there in zip(one.state[live], other.state[live], strict=True):
        position = rotated(one.config, GAME.position_to_dict(here), shift)
        assert GAME.position_to_dict(there) == position
