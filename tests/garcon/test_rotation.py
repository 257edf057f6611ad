"""Players are equal: rotate their numbers, and what they see rotates with them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from garcon_env import GAME, Config, tables
from waiter_envs.core.tables import Tables

from .states import VARIANTS, Array, Position, likely_actions, positions

BY_PLAYER = (
    "points", "num_open", "repeat", "notebook", "order", "age", "completed", "doubled", "last",
    "last_slot", "last_face",
)  # fmt: skip
PLAYERS = ("current_player", "first_player", "winner", "owner", "gainer")


def rotated_config(config: Config, shift: int) -> Config:
    """Return the variant in which player p is player p + `shift`."""
    if config.first_player is None:
        return config
    first = (config.first_player + shift) % config.players
    return dataclasses.replace(config, first_player=first)


def rotated(config: Config, position: Position, shift: int) -> Position:
    """Return a position after the same change."""
    players = config.players
    order = [(player - shift) % players for player in range(players)]  # old numbers
    winner = position["winner"]
    return {
        **position,
        "players": [position["players"][player] for player in order],
        "to_act": (position["to_act"] + shift) % players,
        "first_player": (position["first_player"] + shift) % players,
        "winner": (winner + shift) % players if isinstance(winner, int) else winner,
    }


def moved(config: Config, state: Array, like: Array, shift: int) -> Array:
    """Return records after the same change, with the variant of others."""
    state, players = state.copy(), config.players
    for name in BY_PLAYER:
        state[name] = np.roll(state[name], shift, axis=1)
    for name in PLAYERS:
        somebody = state[name] >= 0
        state[name][somebody] = (state[name][somebody] + shift) % players
    for name in ("variant", "first_option"):
        state[name] = like[name]
    return state


def look(dealt: Any) -> tuple[Any, ...]:
    """Return what there is to see: players to act, their masks and observations, all views."""
    views = [dealt.full_observation(player) for player in range(dealt.num_players)]
    return (
        dealt.current_player.copy(),
        dealt.action_mask.copy(),
        dealt.observation.copy(),
        dealt.rewards.copy(),
        views,
    )


def assert_alike(one: Any, other: Any, shift: int) -> None:
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
    seen = positions(config, seed=9, per_kind=3 if config.players == 10 else 5)
    turned = rotated_config(config, shift)
    one, other = (
        tables(len(seen), 0, config=c, autoreset_mode="NextStep") for c in (config, turned)
    )
    return one, other, seen


@pytest.mark.parametrize("shift", [1, -1])
@pytest.mark.parametrize("variant", VARIANTS)
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


@pytest.mark.parametrize("variant", VARIANTS)
def test_rotated_games_go_on_alike(variant: str) -> None:
    """The same actions lead from a rotated position to the rotated next ones, with equal pay."""
    shift = 2
    one, other, seen = turned_tables(variant, shift)
    one.state = seen
    other.state = moved(one.config, seen, other.state, shift)
    live = ~(one.terminated | one.truncated)
    rng = np.random.default_rng(1)
    paid = False
    for _ in range(12):
        actions = np.where(live, likely_actions(one, rng), 0)
        one.step(actions)
        other.step(actions)
        sides = one.rewards[live], other.rewards[live]
        assert np.array_equal(sides[1], np.roll(sides[0], shift, axis=1))
        live &= ~(one.terminated | one.truncated)
        paid |= bool(one.rewards[live].any())
        assert np.array_equal(one.observation[live], other.observation[live])
        assert np.array_equal(one.action_mask[live], other.action_mask[live])
    assert paid == (one.config.reward == "points")
    for here, there in zip(one.state[live][:20], other.state[live][:20], strict=True):
        position = rotated(one.config, GAME.position_to_dict(here), shift)
        assert GAME.position_to_dict(there) == position
