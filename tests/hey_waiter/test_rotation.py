"""Players are equal: rotate seats and rename players, and what they see rotates with them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hey_waiter_env import GAME, Config, tables

from .playing import VARIANTS, positions

Names = list[int]


def rotated_config(config: Config, shift: int, players: Names, sides: Names) -> Config:
    """Return the variant with all seats `shift` places on, and new numbers.

    Args:
        config: the variant.
        shift: how many places clockwise.
        players: the new number of each player.
        sides: the new number of each side.
    """
    seats = tuple(players[player] for player in config.seats)
    teams = [0] * config.num_players
    for player, side in enumerate(config.sides):
        teams[players[player]] = sides[side]
    start = config.starting_seat
    return Config(
        turn(seats, shift),
        tuple(teams),
        dishes=tuple(turn(config.stack_dishes, shift)),
        sets=config.sets,
        covers=config.covers,
        secret_teams=config.secret_teams,
        allow_neighbours=config.allow_neighbours,
        starting_seat=None if start is None else (start + shift) % config.num_seats,
        max_turns=config.turn_limit,
    )


def turn(around: Any, shift: int) -> Any:
    """Return a sequence by seat, `shift` places on."""
    return around[-shift:] + around[:-shift] if shift else around


def rotated_position(
    config: Config, position: dict[str, Any], shift: int, players: Names, sides: Names
) -> dict[str, Any]:
    """Return a position after the same change; see `rotated_config`."""
    seats = config.num_seats
    old = np.argsort(players).tolist()  # the old number of each player

    def rename(text: str | None) -> str | None:
        return text and re.sub(r"P(\d+)", lambda name: f"P{players[int(name[1])]}", text)

    rotated = {
        **position,
        "seats": turn([players[player] for player in position["seats"]], shift),
        "teams": [sides[position["teams"][player]] for player in old],
        "start_seat": (position["start_seat"] + shift) % seats,
        "to_act": (position["to_act"] + shift) % seats,
        "players": [position["players"][player] for player in old],
        "last": [rename(position["last"][player]) for player in old],
        "winner": None if position["winner"] is None else sides[position["winner"]],
    }
    if not config.equal_dishes:  # else stacks of the draft have numbers, and no seats
        rotated["draft"] = turn(position["draft"], shift)
    if config.secret_teams:
        rotated["revealed"] = [sides[side] for side in position["revealed"]]
    return rotated


def look(config: Config, seen: npt.NDArray[np.void]) -> tuple[Any, Any, Any, list[Any]]:
    """Return what there is to see: players to act, their masks and observations, all views."""
    dealt = tables(len(seen), 0, config=config)
    dealt.state = seen
    views = [dealt.full_observation(player) for player in range(config.num_players)]
    return dealt.current_player.copy(), dealt.action_mask.copy(), dealt.observation.copy(), views


@pytest.mark.parametrize("variant", VARIANTS)
def test_rotation(variant: str) -> None:
    """Every player sees after a rotation what it saw before it, and may do the same."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(11)
    seen = positions(config, seed=4, per_kind=8)
    acting, masks, observations, views = look(config, seen)
    for shift in {1, config.num_seats - 1, int(rng.integers(config.num_seats))}:
        players = rng.permutation(config.num_players).tolist()
        sides = rng.permutation(config.num_sides).tolist()
        rotated = rotated_config(config, shift, players, sides)
        moved = np.array(
            [
                GAME.position_from_dict(
                    rotated,
                    rotated_position(config, GAME.position_to_dict(table), shift, players, sides),
                )
                for table in seen
            ]
        )
        moved_acting, moved_masks, moved_observations, moved_views = look(rotated, moved)
        assert moved_acting.tolist() == [players[player] for player in acting]
        assert np.array_equal(moved_masks, masks)
        assert np.array_equal(moved_observations, observations)
        for player, view in enumerate(views):
            assert np.array_equal(moved_views[players[player]], view)


@pytest.mark.parametrize("variant", ["2_players", "4_partnership", "double_duty", "5v5"])
def test_rotated_games_go_on_alike(variant: str) -> None:
    """The same action in a rotated position leads to the rotated next position."""
    config = VARIANTS[variant]
    players = turn(list(range(config.num_players)), 1)
    sides = list(range(config.num_sides))[::-1]
    rotated = rotated_config(config, 1, players, sides)
    before, after = tables(1, 0, config=config), tables(1, 0, config=rotated)
    for table in positions(config, seed=6, per_kind=6):
        if table["terminated"] or table["truncated"]:
            continue
        before.state = table.reshape(1)
        position = GAME.position_to_dict(table)
        moved = GAME.position_from_dict(
            rotated, rotated_position(config, position, 1, players, sides)
        )
        moved["rng"] = table["rng"]
        after.state = moved.reshape(1)
        action = before.sample_actions()
        before.step(action)
        after.step(action)
        ended = before.terminated[0]
        one = (before.final_state if ended else before.state)[0]
        other = (after.final_state if ended else after.state)[0]
        expected = rotated_position(config, GAME.position_to_dict(one), 1, players, sides)
        assert GAME.position_to_dict(other) == expected
        assert after.rewards[0, players].tolist() == before.rewards[0].tolist()
