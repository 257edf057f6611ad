"""What must always hold: nothing gets lost, limits are kept, somebody may act, games end."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hey_waiter_env import PRESETS, Config, tables
from hey_waiter_env.state import DRAFT, NONE, OVER
from waiter_envs.core.tables import Tables

from .playing import styled_actions

Array = npt.NDArray[np.void]

CHANGES: dict[str, st.SearchStrategy[Any]] = {
    "covers": st.integers(0, 3),
    "start": st.none() | st.integers(0, 9),
    "secret": st.booleans(),
    "max_turns": st.none() | st.integers(1, 120),
}
"""What may differ from a preset without another compilation."""


def changed(preset: str, covers: int, start: int | None, secret: bool, max_turns: Any) -> Config:
    """Return a preset with changes, each as far as the preset allows."""
    config = PRESETS[preset]
    return dataclasses.replace(
        config,
        covers=min(covers, config.sets),
        starting_seat=None if start is None else start % config.num_seats,
        secret_teams=secret and config.num_sides < config.num_players,
        max_turns=max_turns,
    )


def colours_in(cards: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Return how many there are of each colour at each table, `(tables, 4)`."""
    flat = cards.reshape(len(cards), -1)
    return np.stack([(flat == colour).sum(axis=1) for colour in range(4)], axis=1)


def dishes_in(state: Array) -> npt.NDArray[np.int64]:
    """Return how many dishes of each colour are left, before players and in the draft."""
    waiting = np.where(state["taken"][:, :, np.newaxis] == 0, state["draft"], NONE)
    return colours_in(state["dishes"]) + colours_in(waiting)


def assert_sound(config: Config, state: Array) -> None:
    """Check everything that holds of any table on its own."""
    cards = state["hand"].sum(axis=1) + colours_in(state["card"]) + state["draw"]
    assert (cards + state["discard"] == 22 * config.sets).all()
    assert (state["table_covers"] + colours_in(state["cover"]) == config.covers).all()
    for name in ("hand", "draw", "discard", "table_covers"):
        assert (state[name] >= 0).all()
    assert (state["draw"].sum(axis=1) > 0).all()

    stack = np.arange(5) < state["num_stacks"][:, :, np.newaxis]
    assert (state["num_stacks"] <= 5).all()
    assert np.array_equal(stack, state["height"] > 0)
    assert np.array_equal(stack, state["card"] != NONE)
    assert not (~stack & (state["cover"] != NONE)).any()
    number = state["height"].sum(axis=2)
    dish = np.arange(config.max_dishes) < number[:, :, np.newaxis]
    assert np.array_equal(dish, state["dishes"] != NONE)

    ended_it = np.arange(config.num_players) == state["current_player"][:, np.newaxis]
    ended_it &= state["terminated"][:, np.newaxis]
    assert (state["hand"].sum(axis=2) + state["num_stacks"] == 7 - 2 * ended_it).all()

    over = state["terminated"] | state["truncated"]
    assert np.array_equal(over, state["phase"] == OVER)
    assert not (state["terminated"] & state["truncated"]).any()
    assert np.array_equal(state["terminated"], state["winner"] != NONE)
    assert (state["turn"] <= config.turn_limit - ~over).all()
    assert (state["turn"][state["truncated"]] == config.turn_limit).all()
    assert (state["turn"][state["phase"] == DRAFT] == 0).all()
    seats = np.array(config.seats)
    assert np.array_equal(state["current_player"], seats[state["to_act"]])


def assert_live(dealt: Tables) -> None:
    """Check what tables hand out where somebody is to act."""
    assert (dealt.action_mask.sum(axis=1) >= 2).all()
    assert ((dealt.action_mask == 0) | (dealt.action_mask == 1)).all()
    assert ((dealt.observation == 0) | (dealt.observation == 1)).all()


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=12, deadline=None)
@given(**CHANGES, seed=st.integers(0, 2**64 - 1), eager=st.booleans())
def test_what_always_holds(preset: str, seed: int, eager: bool, **changes: Any) -> None:
    """Cards, dishes and covers are conserved, limits kept, and somebody has a choice."""
    config = changed(preset, **changes)
    rng = np.random.default_rng(seed)
    dealt = tables(16, seed, config=config)
    assert (dishes_in(dealt.state).sum(axis=1) == sum(config.stack_dishes)).all()
    assert (dishes_in(dealt.state) <= 12 * config.sets).all()
    for _ in range(60):
        assert_sound(config, dealt.state)
        assert_live(dealt)
        before = dealt.state.copy()
        dealt.step(styled_actions(dealt, rng) if eager else dealt.sample_actions())
        over = dealt.terminated | dealt.truncated
        after = np.where(over, dealt.final_state, dealt.state)
        assert_sound(config, after)
        assert (dishes_in(after) <= dishes_in(before)).all()
        assert (after["turn"] - before["turn"] == (before["phase"] != DRAFT)).all()
        assert np.array_equal(after["terminated"], dealt.terminated)
        assert np.array_equal(after["truncated"], dealt.truncated)
        assert np.allclose(dealt.rewards.sum(axis=1), 0, atol=1e-6)
        assert np.array_equal((dealt.rewards != 0).any(axis=1), dealt.terminated)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=6, deadline=None)
@given(max_turns=st.integers(1, 150), seed=st.integers(0, 2**32))
def test_games_end(preset: str, max_turns: int, seed: int) -> None:
    """Every game is over when its turns are: won, or cut at the limit."""
    config = dataclasses.replace(PRESETS[preset], max_turns=max_turns)
    dealt = tables(16, seed, config=config, autoreset_mode="NextStep")
    ended = np.zeros(16, dtype=bool)
    for _ in range(config.num_seats + max_turns):
        assert not ended.all()
        dealt.step(np.where(dealt.action_mask.any(axis=1), dealt.sample_actions(), 0))
        ended |= dealt.terminated | dealt.truncated
    assert ended.all()
    assert (dealt.final_state["turn"] <= max_turns).all()
