"""What must always hold: decks are whole, hands are full, somebody may act, games end.

And the observation, field by field, is what the position says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from greasy_spoon_env import GAME, Config, tables
from greasy_spoon_env.actions import ACTION_DONE, ACTION_PASS, ACTION_RECALL, START_STASH
from greasy_spoon_env.cards import COUNTS
from greasy_spoon_env.state import COMPLETING, NONE, OVER, SERVING, STASHING
from waiter_envs.core.blocks import total_size
from waiter_envs.core.tables import Tables

from .states import (
    Array,
    hidden,
    kinds,
    observed,
    positions,
    seated,
    side,
    side_at_the_end,
    study,
)

MOST_DECISIONS = 107 + 106 * (1 + 3 + 1)
"""In a game: 107 single cards, and after all but the last one a pass, three cards set aside, and
before that a recall."""

CONFIGS = st.builds(
    Config,
    best_of=st.sampled_from((1, 3, 5)),
    recall=st.booleans(),
    starter=st.sampled_from((None, 0, 1)),
    reward=st.sampled_from(("match", "game")),
)


# -- The state ---------------------------------------------------------------------------------


def assert_sound(config: Config, state: Array) -> None:
    """Check everything that holds of any table on its own."""
    row, acting = np.arange(len(state)), state["current_player"]
    main = np.where((state["pending"] != NONE)[:, None], COUNTS[state["pending"]], 0)
    decks = sum(state[name].astype(int) for name in ("hand", "draw", "backburner", "served"))
    decks[row, acting] += main
    assert (decks == 3).all()
    for name in ("hand", "draw", "backburner", "served"):
        assert (state[name] >= 0).all()

    hand, draw, backburner = (state[n].sum(axis=2) for n in ("hand", "draw", "backburner"))
    full = hand.copy()
    full[row, acting] += state["stashed"] + main.sum(axis=1)
    assert (full <= 11).all()
    assert not ((full < 11) & (draw + backburner > 0)).any()  # GS-5
    assert not ((draw == 0) & (backburner > 0)).any()  # GS-7
    assert (draw <= 43).all()
    assert (backburner <= 45).all()

    phase, over = state["phase"], state["phase"] == OVER
    assert not state["truncated"].any()
    assert np.array_equal(over, state["terminated"])
    assert np.array_equal(over, state["winner"] != NONE)
    out = np.zeros_like(full, dtype=bool)
    out[row[over], acting[over]] = True
    assert np.array_equal(full == 0, out)  # GS-9
    assert np.array_equal(phase == COMPLETING, state["pending"] != NONE)
    assert np.array_equal(state["pending"] != NONE, state["pending_with"] != NONE)
    assert (state["stashed"][phase != STASHING] == 0).all()
    assert np.array_equal(state["stashed"] > 0, state["last_stashed"] != NONE)
    assert draw[row, acting][phase == STASHING].all()  # GS-6
    assert (state["dish"][:, 0] == NONE)[phase == STASHING].all()
    assert ((state["set_aside"] >= 0) & (state["set_aside"] <= 3)).all()
    in_turn = (phase == SERVING) | (phase == COMPLETING)
    recalled = state["recalled"][row, acting].astype(bool)
    assert not backburner[row, acting][in_turn & recalled].any()  # GS-8
    assert config.recall or not state["recalled"].any()

    nobody = (state["dish"][:, 0] == NONE) & ~over
    leads = np.where(phase == STASHING, 1 - acting, acting)
    assert np.array_equal(state["leader"][nobody], leads[nobody])  # GS-4
    server = np.where(over, acting, 1 - acting)
    dish = sum(np.where((item != NONE)[:, None], COUNTS[item], 0) for item in state["dish"].T)
    assert (dish <= state["served"][row, server]).all()

    assert np.array_equal(state["score"].sum(axis=1), state["games_played"])
    assert np.array_equal((state["score"] == config.games_to_win).any(axis=1), over)
    assert (state["score"] <= config.games_to_win).all()
    if config.starter is not None:  # GS-10
        game = state["games_played"] - over
        assert np.array_equal(state["starter"], (config.starter + game) % 2)


def assert_live(dealt: Tables) -> None:
    """Check what tables hand out where somebody is to act."""
    assert (dealt.action_mask.sum(axis=1) >= 2).all()
    assert ((dealt.action_mask == 0) | (dealt.action_mask == 1)).all()
    assert ((dealt.observation == 0) | (dealt.observation == 1)).all()
    assert dealt.observation[:, 0].all()
    assert np.array_equal(dealt.current_player, dealt.state["current_player"])
    may_pass = dealt.action_mask[:, ACTION_PASS]
    facing = (dealt.state["phase"] == SERVING) & (dealt.state["dish"][:, 0] != NONE)
    assert np.array_equal(may_pass, facing)


@settings(max_examples=12, deadline=None)
@given(config=CONFIGS, seed=st.integers(0, 2**64 - 1))
@example(config=Config(), seed=0)
@example(config=Config(best_of=5, reward="game"), seed=1)
def test_what_always_holds(config: Config, seed: int) -> None:
    """Decks are whole, hands full, and somebody has a choice; rewards add up to nothing."""
    dealt = tables(16, seed, config=config)
    assert np.array_equal(dealt.state["leader"], dealt.state["starter"])
    for _ in range(120 * config.games_to_win):
        assert_sound(config, dealt.state)
        assert_live(dealt)
        before = dealt.state.copy()
        dealt.step(dealt.sample_actions())
        after = np.where(dealt.terminated, dealt.final_state, dealt.state)
        assert_sound(config, after)
        assert_went_on(config, before, after)
        assert_paid(config, dealt, before, after)


def assert_went_on(config: Config, before: Array, after: Array) -> None:
    """Check that cards stay served, and that games follow each other as they must (GS-10)."""
    ended = after["games_played"] - before["games_played"]
    assert ((ended == 0) | (ended == 1)).all()
    new = (ended == 1) & ~after["terminated"]
    assert (after["served"] >= before["served"])[~new].all()
    assert np.array_equal(after["starter"], before["starter"] ^ new)
    for name in ("served", "backburner", "set_aside", "recalled"):
        assert not after[name][new].any(), name
    assert (after["hand"][new].sum(axis=2) == 11).all()
    assert (after["phase"][new] == SERVING).all()
    assert np.array_equal(after["leader"][new], after["starter"][new])
    turn = (after["phase"] == SERVING) & (after["current_player"] != before["current_player"])
    assert not after["recalled"][turn, after["current_player"][turn]].any()  # GS-12
    assert (after["score"] >= before["score"]).all()
    assert (after["games_played"] < config.best_of)[~after["terminated"]].all()


def assert_paid(config: Config, dealt: Tables, before: Array, after: Array) -> None:
    """Check the rewards against the score."""
    assert np.array_equal(dealt.terminated, after["terminated"])
    assert not dealt.truncated.any()
    assert np.array_equal(dealt.rewards.sum(axis=1), np.zeros(len(after)))
    won = (after["score"] - before["score"]).astype(np.float32)
    if config.reward == "match":
        won[~after["terminated"]] = 0
    assert np.array_equal(dealt.rewards, won - won[:, ::-1])


def test_a_new_game_keeps_nothing_but_the_score() -> None:
    """What was public of the last game is gone when the next one is dealt (GS-10)."""
    hand = "K1 M1 R1 K2 M2 R2 K3 M3 R3 K4 M4"
    position = study(
        side_at_the_end("K1"),
        side(hand, "", "K6"),
        set_aside=[1, 3],
        recalled=[False, True],
        starter=1,
    )
    dealt = seated(Config(best_of=3, reward="game"), position)
    dealt.step([0])
    assert dealt.rewards.tolist() == [[1, -1]]
    after = GAME.position_to_dict(dealt.state[0])
    for player in after["players"]:
        assert [len(player[name]) for name in player] == [11, 43, 0, 0]
    fresh = study(*after["players"], to_act=0, leader=0, starter=0, score=[1, 0], games_played=1)
    assert after == fresh


# -- Games end ---------------------------------------------------------------------------------


def dawdle(dealt: Tables) -> npt.NDArray[np.int32]:
    """Return actions that make games long: single cards, and all that may be set aside.

    One player serves until it has few cards left, and then the other.
    """
    row, acting = np.arange(dealt.num_tables), dealt.current_player
    served = dealt.state["served"].sum(axis=2)
    overtaken = (served[row, 1 - acting] >= 41) & (served[row, acting] < 41)
    order = np.ones(dealt.num_actions)
    order[:18] = 3  # a drink
    order[ACTION_DONE] = 0.5
    order[START_STASH:ACTION_DONE] = 5
    order[ACTION_RECALL] = 6
    weights = np.tile(order, (dealt.num_tables, 1))
    weights[:, ACTION_PASS] = np.where(overtaken, 2, 4)
    return (dealt.action_mask * weights).argmax(axis=1).astype(np.int32)


@pytest.mark.parametrize("recall", [True, False])
def test_no_game_is_longer_than_it_can_be(recall: bool) -> None:
    """However long players dawdle, a game has at most 637 decisions."""
    assert MOST_DECISIONS == 637
    dealt = tables(32, 3, recall=recall, autoreset_mode="NextStep")
    lengths = np.zeros(32, int)
    playing = np.ones(32, bool)
    for _ in range(MOST_DECISIONS):
        lengths += playing
        dealt.step(dawdle(dealt))
        playing &= ~dealt.terminated
    assert not playing.any()
    assert lengths.max() > 450 - 100 * (not recall)


def test_random_games_end() -> None:
    """Random games take about 86 decisions, and all kinds of positions occur."""
    dealt = tables(512, 8, autoreset_mode="NextStep")
    lengths = np.zeros(512, int)
    playing = np.ones(512, bool)
    seen = dict.fromkeys(kinds(dealt.state), 0)
    while playing.any():
        for name, kind in kinds(dealt.state).items():
            seen[name] += int(kind.sum())
        lengths += playing
        dealt.step(dealt.sample_actions())
        playing &= ~dealt.terminated
    assert 83 < lengths.mean() < 90
    assert lengths.max() < 200
    assert min(seen.values()) > 100


# -- The observation ---------------------------------------------------------------------------


def assert_fields(fields: Any, features: npt.NDArray[np.int8], expected: Any, note: str) -> None:
    """Check a row of features against the values of all its fields."""
    assert {field.name for field in fields} == set(expected)
    assert total_size(fields) == len(features) == sum(map(len, expected.values()))
    for name, start, length, _ in fields:
        assert features[start : start + length].tolist() == expected[name], f"{name} {note}"


@pytest.mark.parametrize("match", ["best_of_1", "best_of_5", "no_recall"])
def test_observation_is_what_the_position_says(match: str) -> None:
    """Every field, also of what is hidden, for both viewers, in all phases."""
    config = {
        "best_of_1": Config(),
        "best_of_5": Config(best_of=5, starter=1),
        "no_recall": Config(best_of=3, recall=False),
    }[match]
    seen = positions(config, seed=9)
    assert set(seen["phase"]) == {SERVING, COMPLETING, STASHING, OVER}
    dealt = tables(len(seen), 0, config=config)
    dealt.state = seen
    fields, hidden_fields = GAME.observation_fields(config), GAME.hidden_fields(config)
    ever = np.zeros(dealt.num_features + dealt.num_hidden, bool)
    for viewer in range(2):
        features = dealt.observe(viewer)
        full = dealt.full_observation(viewer)
        assert np.array_equal(full[:, : dealt.num_features], features)
        ever |= full.any(axis=0)
        for i, table in enumerate(seen):
            position = GAME.position_to_dict(table)
            note = f"of player {viewer} at {position}"
            assert_fields(fields, features[i], observed(config, position, viewer), note)
            rest = full[i, dealt.num_features :]
            assert_fields(hidden_fields, rest, hidden(position, viewer), note)
    for field in fields:
        known = config.recall or not field.name.startswith("recalled")
        assert ever[field.start : field.start + field.size].any() == known, field.name
