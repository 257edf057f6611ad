"""What must always hold: no card is lost, somebody has a choice, games end.

And the observation, field by field, is what the position says.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dessert_env import GAME, Config, tables
from dessert_env.cards import DESSERTS, GUESTS
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    CLAIM,
    COMING,
    DIRTY,
    DISCARDED,
    DRAW,
    FRESHEN,
    FROM_WAITING,
    NEW_GUEST,
    NONE,
    OVER,
    PILE,
    SERVE,
    STEAL,
    STOP,
    THEFT,
    TURNED_UP,
    WAITING,
)
from waiter_envs.core.blocks import Block, total_size
from waiter_envs.core.tables import Tables

from . import reference
from .playing import STYLES, VARIANTS, styled_actions
from .states import (
    PLAYED,
    Array,
    hidden,
    observed,
    positions,
)

# -- The state ---------------------------------------------------------------------------------


def assert_cards(config: Config, state: Array) -> None:
    """Check that all cards are where the phase allows, and that the Waiting Room is in order."""
    dessert, guest, phase = state["dessert"], state["guest"], state["phase"]
    assert ((dessert >= DISCARDED) & (dessert < config.players)).all()
    assert ((guest >= TURNED_UP) & (guest < config.players)).all()
    laid = (dessert == CHOSEN).sum(axis=1)
    assert not laid[(phase != SERVE) & (phase != BRIBE)].any()
    assert (laid[phase == SERVE] <= 2).all()
    assert ((laid[phase == BRIBE] >= 1) & (laid[phase == BRIBE] <= 3)).all()
    assert not (dessert == DISCARDED)[phase != FRESHEN].any()

    waiting = state["waiting_room"] != NONE
    assert np.array_equal(waiting.sum(axis=1), state["num_waiting"])
    assert np.array_equal(waiting, np.arange(24) < state["num_waiting"][:, None])
    for table in state:
        there = table["waiting_room"][: table["num_waiting"]]
        assert sorted(there) == np.flatnonzero(table["guest"] == WAITING).tolist()
    turned_up = guest == TURNED_UP
    assert np.array_equal(turned_up.any(axis=1), state["new_guest"] != NONE)
    row = np.flatnonzero(state["new_guest"] != NONE)
    assert turned_up[row, state["new_guest"][row]].all()
    assert (turned_up.sum(axis=1) <= 1).all()


def assert_progress(config: Config, state: Array) -> None:
    """Check phases, turns and who is to act."""
    players, phase, serving = config.players, state["phase"], state["serving"]
    row, active, acting = np.arange(len(state)), state["active"], state["current_player"]
    busy = np.isin(phase, (SERVE, STOP, BRIBE))
    assert np.array_equal(serving != NONE, busy)
    assert np.array_equal(state["target"] != NONE, busy)
    assert (serving[(phase == STOP) | (phase == BRIBE)] == THEFT).all()
    place = state["guest"][row, state["target"]]
    assert (place[serving == NEW_GUEST] == TURNED_UP).all()
    assert (place[serving == FROM_WAITING] == WAITING).all()
    assert (place[serving == THEFT] >= 0).all()
    assert (place != active)[serving == THEFT].all()
    guest_phase = np.isin(phase, (CLAIM, CALL)) | (serving == NEW_GUEST)
    assert np.array_equal(state["new_guest"] != NONE, guest_phase)

    own = np.isin(phase, (CLAIM, STEAL, BRIBE, FRESHEN)) | (
        (phase == SERVE) & (serving != NEW_GUEST)
    )
    assert np.array_equal(acting[own], active[own])
    assert np.array_equal(acting[phase == STOP], place[phase == STOP])
    calling = np.flatnonzero(phase == CALL)
    order = state["call_order"]
    assert (order[phase != CALL] == NONE).all()
    assert not state["num_asked"][phase != CALL].any()
    assert np.array_equal(order[calling, state["num_asked"][calling]], acting[calling])
    for table in state[calling]:
        others = [(table["active"] + 1 + i) % players for i in range(players - 1)]
        assert sorted(table["call_order"]) == sorted(others)
        assert config.call_order == "random" or table["call_order"].tolist() == others

    first = (active - state["turn"]) % players
    assert config.first_player is None or (first == config.first_player).all()
    assert (state["turn"] < config.max_turns).all()
    coming = (state["guest"] == COMING).any(axis=1)
    assert not state["closing_turn"][coming].any()
    closing = state["closing_turn"] > 0
    assert (state["turn"][closing] + 1 >= 24 + state["closing_turn"][closing]).all()
    assert np.array_equal(state["turn"] + 1 >= 24, ~coming)  # a guest in each turn
    assert np.array_equal(state["closing_turn"], np.maximum(state["turn"] - 23, 0))
    assert config.false_calls or not state["warned"].any()
    assert np.isin(state["warned"], (0, 1)).all()


def trios(config: Config, table: np.void) -> list[int]:
    """Return the players who have a trio."""
    found = []
    for player in range(config.players):
        icons = [reference.GUESTS[GUESTS[g]].trio for g in np.flatnonzero(table["guest"] == player)]
        if any(icons.count(icon) == 3 for icon in icons):
            found.append(player)
    return found


def points(table: np.void, player: int) -> int:
    """Return the points of a player."""
    return sum(reference.GUESTS[GUESTS[g]].points for g in np.flatnonzero(table["guest"] == player))


def assert_end(config: Config, state: Array) -> None:
    """Check who has won, and why the game is over."""
    over = state["phase"] == OVER
    assert np.array_equal(over, state["terminated"] | state["truncated"])
    assert np.array_equal(state["winner"] != NONE, state["terminated"])
    assert not (state["terminated"] & state["truncated"]).any()
    for table in state:
        winners = trios(config, table)
        if winners:
            assert winners == [table["winner"]]
        elif table["terminated"]:
            assert config.closing_rounds is not None
            assert table["closing_turn"] == config.closing_rounds * config.players
            assert not (table["guest"] == COMING).any()
            totals = [points(table, player) for player in range(config.players)]
            best = [p for p, total in enumerate(totals) if total == max(totals)]
            assert table["winner"] == (best[0] if len(best) == 1 else DRAW)
        elif table["truncated"]:
            assert table["turn"] == config.max_turns - 1


def assert_sound(config: Config, state: Array) -> None:
    """Check everything that holds of any table on its own."""
    assert_cards(config, state)
    assert_progress(config, state)
    assert_end(config, state)


def assert_live(dealt: Tables) -> None:
    """Check what tables hand out where somebody is to act."""
    mask, row = dealt.action_mask, np.arange(dealt.num_tables)
    assert (mask.sum(axis=1) >= 2).all()
    assert ((mask == 0) | (mask == 1)).all()
    assert ((dealt.observation == 0) | (dealt.observation == 1)).all()
    assert np.array_equal(dealt.current_player, dealt.state["current_player"])
    held = dealt.state["dessert"] == dealt.current_player[row, None]
    assert not mask[:, 2:78][~held].any()  # only what the player to act holds


def assert_paid(config: Config, dealt: Tables, after: Array) -> None:
    """Check the rewards against the winner."""
    assert np.array_equal(dealt.terminated, after["terminated"])
    assert np.array_equal(dealt.truncated, after["truncated"])
    won = np.flatnonzero(after["winner"] >= 0)
    expected = np.zeros(dealt.rewards.shape)
    expected[won] = -1 / (config.players - 1)
    expected[won, after["winner"][won]] = 1
    assert np.allclose(dealt.rewards, expected, atol=1e-6)
    assert np.allclose(dealt.rewards.sum(axis=1), 0, atol=1e-6)


def assert_went_on(config: Config, before: Array, after: Array) -> None:
    """Check what a game keeps from one decision to the next."""
    turns = after["turn"] - before["turn"]
    assert (turns >= 0).all()
    assert (after["warned"] >= before["warned"]).all()
    assert (after["closing_turn"] >= before["closing_turn"]).all()
    came = (before["guest"] == COMING) & (after["guest"] != COMING)
    assert (came.sum(axis=1) <= turns).all()
    assert not ((before["guest"] != COMING) & (after["guest"] == COMING)).any()
    left = (before["guest"] >= 0) & (after["guest"] < 0)
    assert not left.any()  # who has a seat keeps one
    same = turns == 0
    sizes = [
        (state["dessert"][:, :, None] == np.arange(config.players)).sum(axis=1)
        for state in (before, after)
    ]
    lost = np.maximum(sizes[0] - sizes[1], 0)
    assert (lost[same] <= 3).all()
    fresh = (before["dessert"] == PILE) & (after["dessert"] == DIRTY)
    assert not fresh[same & (after["phase"] != OVER)].any()  # nothing goes by the hands


@pytest.mark.parametrize("variant", PLAYED)
def test_what_always_holds(variant: str) -> None:
    """No card is lost, somebody has a choice, a trio wins; rewards add up to nothing."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(1)
    ends = 0
    for style in STYLES:
        dealt = tables(6, 3, config=config)
        for step in range(80 + 40 * config.players):
            assert_live(dealt)
            before = dealt.state.copy()
            dealt.step(styled_actions(dealt, rng, style))
            ended = dealt.terminated | dealt.truncated
            after = np.where(ended, dealt.final_state, dealt.state)
            assert_sound(config, after if step % 4 == 0 else after[ended])
            assert_went_on(config, before, after)
            assert_paid(config, dealt, after)
            ends += int(ended.sum())
    assert ends > 3


# -- Games end ---------------------------------------------------------------------------------


def first_ends(dealt: Tables, passive: bool) -> tuple[Array, npt.NDArray[np.float32]]:
    """Play until every table has ended once; return the last positions and the rewards."""
    playing, decisions = np.ones(dealt.num_tables, bool), 0
    final, rewards = dealt.state.copy(), dealt.rewards.copy()
    while playing.any():
        dealt.step(np.ones(dealt.num_tables, np.int32) if passive else dealt.sample_actions())
        ended = playing & (dealt.terminated | dealt.truncated)
        final[ended], rewards[ended] = dealt.final_state[ended], dealt.rewards[ended]
        playing &= ~ended
        decisions += 1
        assert decisions < 2000
    return final, rewards


@pytest.mark.parametrize("variant", ["standard", "2_players", "3_players_clockwise", "6_players"])
def test_games_end(variant: str) -> None:
    """Random games end by a trio or by points, in time; everybody begins in some."""
    config = VARIANTS[variant]
    dealt = tables(128, 8, config=config)
    if config.first_player is None:
        assert set(dealt.state["active"].tolist()) == set(range(config.players))
    final, _ = first_ends(dealt, passive=False)
    assert_sound(config, final)
    assert final["terminated"].all()
    assert (final["turn"] < 24 + config.closing_rounds * config.players).all()
    with_trio = np.array([bool(trios(config, table)) for table in final])
    assert 0 < with_trio.sum() < len(final)


def test_passive_games_are_draws() -> None:
    """If everybody says no, and is done, nobody has points."""
    final, rewards = first_ends(tables(32, 2), passive=True)
    assert (final["winner"] == DRAW).all()
    assert not rewards.any()
    assert (final["num_waiting"] == 24).all()
    assert (final["turn"] == 24 + 40 - 1).all()


def test_a_game_without_an_end_is_cut() -> None:
    """If all are passive for ever, at the turn limit."""
    final, _ = first_ends(tables(4, 2, preset="until_trio", max_turns=200), passive=True)
    assert final["truncated"].all()
    assert (final["turn"] == 199).all()


# -- Serving -----------------------------------------------------------------------------------


@functools.cache
def one_table(players: int) -> Tables:
    """Return a table to put positions on."""
    return tables(1, 0, players=players)


@given(
    hand=st.sets(st.sampled_from(range(len(DESSERTS))), min_size=1, max_size=12),
    guest=st.sampled_from(range(len(GUESTS))),
    serving=st.sampled_from((NEW_GUEST, THEFT)),
)
@settings(max_examples=300)
def test_offered_desserts_are_those_of_the_servings(
    hand: set[int], guest: int, serving: int
) -> None:
    """Laid down one at a time, all servings come out and nothing else (DE-2, DE-8)."""
    dealt = one_table(2)
    names = [DESSERTS[card] for card in hand]
    expected = {
        one
        for one in reference.servings(names, GUESTS[guest])
        if serving == NEW_GUEST or len(one) < len(hand)
    }
    state = dealt.state.copy()
    state["dessert"] = PILE
    state["dessert"][0, sorted(hand)] = 0
    state["guest"], state["waiting_room"], state["num_waiting"] = COMING, NONE, 0
    state["guest"][0, guest] = TURNED_UP if serving == NEW_GUEST else 1
    state["new_guest"] = guest if serving == NEW_GUEST else NONE
    state["phase"], state["serving"], state["target"] = SERVE, serving, guest
    state["active"] = state["current_player"] = 0
    found, left = set(), [(state, ())]
    while left:
        state, laid = left.pop()
        dealt.state = state
        for card in np.flatnonzero(dealt.action_mask[0, 2:78]).tolist():
            so_far = (*laid, DESSERTS[card])
            if reference.satisfies(so_far, GUESTS[guest]):
                found.add(so_far)
                continue
            after = state.copy()
            after["dessert"][0, card] = CHOSEN
            left.append((after, so_far))
    assert found == expected
    state = dealt.state.copy()
    state["dessert"] = PILE
    state["dessert"][0, sorted(hand)] = 0
    state["serving"] = state["target"] = NONE
    state["phase"] = CLAIM if serving == NEW_GUEST else STEAL
    dealt.state = state
    action = 0 if serving == NEW_GUEST else 78 + guest
    assert dealt.action_mask[0, action] == bool(expected)


# -- The observation ---------------------------------------------------------------------------


def assert_fields(
    fields: list[Block], features: npt.NDArray[np.int8], expected: Any, note: str
) -> None:
    """Check a row of features against the values of all its fields."""
    assert {field.name for field in fields if field.size} <= set(expected)
    assert total_size(fields) == len(features) == sum(map(len, expected.values()))
    for name, start, length, _ in fields:
        assert features[start : start + length].tolist() == expected[name], f"{name} {note}"


@pytest.mark.parametrize("variant", PLAYED)
def test_observation_is_what_the_position_says(variant: str) -> None:
    """Every field, also of what is hidden, for all viewers, in all phases."""
    config = VARIANTS[variant]
    seen = positions(config, seed=9, per_kind=4)
    assert set(seen["phase"]) == set(range(OVER + 1))
    dealt = tables(len(seen), 0, config=config)
    dealt.state = seen
    fields, hidden_fields = GAME.observation_fields(config), GAME.hidden_fields(config)
    ever = np.zeros(dealt.num_features, bool)
    written = [GAME.position_to_dict(table) for table in seen]
    for viewer in range(config.players):
        features = dealt.observe(viewer)
        full = dealt.full_observation(viewer)
        assert np.array_equal(full[:, : dealt.num_features], features)
        ever |= features.any(axis=0)
        for i, position in enumerate(written):
            note = f"of player {viewer} at {position}"
            assert_fields(fields, features[i], observed(config, position, viewer), note)
            rest = full[i, dealt.num_features :]
            assert_fields(hidden_fields, rest, hidden(config, position, viewer), note)
    for field in fields:
        used = ever[field.start : field.start + field.size].any()
        assert used or not field.size or field.name == "closing", field.name


def test_deals_differ() -> None:
    """Hands, the first guest and who begins differ from deal to deal."""
    dealt = tables(64, 1)
    assert len({cards.tobytes() for cards in dealt.state["dessert"]}) == 64
    assert len({guests.tobytes() for guests in dealt.state["guest"]}) > 20
    assert set(dealt.state["active"].tolist()) == {0, 1, 2, 3}
