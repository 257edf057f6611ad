"""What must always hold: no card is lost, slots are filled, somebody has a choice, games end.

And the observation, field by field, is what the position says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from garcon_env import GAME, PRESETS, Config, tables
from garcon_env.state import (
    CHOOSING,
    COMPLETED,
    DISCARDED,
    DRAW,
    MARKET,
    NAMING,
    NONE,
    OPEN,
    OVER,
    PILE,
    TURN,
)
from waiter_envs.core.blocks import total_size
from waiter_envs.core.tables import Tables

from .states import (
    VARIANTS,
    Array,
    hidden,
    in_showdown,
    kinds,
    likely_actions,
    never,
    observed,
    positions,
)

# -- The state ---------------------------------------------------------------------------------


def bits(faces: Array) -> npt.NDArray[np.int64]:
    """Return which of 15 dishes faces have, `(..., 15)`."""
    return faces.astype(np.int64)[..., None] >> np.arange(15) & 1


def assert_orders(config: Config, state: Array) -> None:
    """Check that every order is at one place, as all tallies say."""
    place = state["place"]
    assert ((place >= PILE) & (place <= COMPLETED)).all()
    for name, where in (("order_pile", PILE), ("order_discards", DISCARDED)):
        assert np.array_equal(state[name], (place == where).sum(axis=1)), name
    where = np.full_like(place, NONE)
    for number, table in enumerate(state):
        market = table["market"][table["market"] != NONE]
        opened = table["order"][table["order"] != NONE]
        assert len({*market.tolist(), *opened.tolist()}) == len(market) + len(opened)
        where[number, market], where[number, opened] = MARKET, OPEN
    assert np.array_equal(where == MARKET, place == MARKET)
    assert np.array_equal(where == OPEN, place == OPEN)

    spots = np.arange(config.max_open_orders) < state["num_open"][:, :, None]
    assert np.array_equal(state["order"] != NONE, spots)  # GA-12
    assert (state["num_open"] <= config.max_open_orders).all()
    for name in ("repeat", "notebook", "age"):
        assert not state[name][~spots].any(), name
        assert (state[name] >= 0).all()
    assert ((state["age"][:, :, 1:] < state["age"][:, :, :-1]) | ~spots[:, :, 1:]).all()
    assert (state["repeat"] <= 1).all()  # GA-5
    assert (state["notebook"] <= 1).all()

    owned = state["owner"][:, None] == np.arange(config.players)[:, None]
    assert np.array_equal(state["owner"] != NONE, place == COMPLETED)
    assert not state["with_repeat"][place != COMPLETED].any()
    worth = np.array(config.deck.points) * (1 + state["with_repeat"].astype(int))
    assert np.array_equal(state["points"], (owned * worth[:, None]).sum(axis=2))

    deck = np.array(config.deck.faces)
    sizes = np.array([config.deck.back(face) for face in config.deck.faces])
    symbols = np.array(config.deck.symbol_of) == np.arange(3)[:, None]
    assert np.array_equal(
        bits(state["face"]) @ symbols.T, np.broadcast_to(sizes, (len(state), *sizes.shape))
    )
    assert config.fresh or (state["face"] == deck).all()


def assert_tallies(config: Config, state: Array) -> None:
    """Check the counts that the record keeps beside the places."""
    same_back = np.array(
        [[config.deck.back(f) == back for back in config.deck.backs] for f in config.deck.faces]
    ).astype(int)
    done, out = state["place"] == COMPLETED, state["place"] == DISCARDED
    for player in range(config.players):
        mine = state["owner"] == player
        assert np.array_equal(state["completed"][:, player], mine @ same_back)
        assert np.array_equal(
            state["doubled"][:, player], (mine & (state["with_repeat"] == 1)) @ same_back
        )
    assert np.array_equal(state["discarded"], out @ same_back)
    dishes = bits(state["face"])
    assert np.array_equal(state["discarded_dish"], (dishes * out[:, :, None]).sum(axis=1))
    assert np.array_equal(state["completed_dish"], (dishes * done[:, :, None]).sum(axis=1))

    events = state["event_pile"].astype(int) + state["event_discards"]
    events += (state["market_event"][:, :, None] == np.arange(3)).sum(axis=1)
    events[:, 0] += state["repeat"].sum(axis=(1, 2)) + state["with_repeat"].sum(axis=1)
    events[:, 1] += state["notebook"].sum(axis=(1, 2))
    assert (events == config.event_counts).all()
    assert (state["event_pile"] >= 0).all()
    assert (state["event_discards"] >= 0).all()


def assert_progress(config: Config, state: Array) -> None:
    """Check phases, turns and the end."""
    players, phase, turns = config.players, state["phase"], state["turns_done"]
    row, acting = np.arange(len(state)), state["current_player"]
    over = phase == OVER
    assert np.array_equal(over, state["terminated"] | state["truncated"])
    assert np.array_equal(state["winner"] != NONE, state["terminated"])
    assert not (state["terminated"] & state["truncated"]).any()

    empty = (state["market"] == NONE).any(axis=1) & (phase == TURN)  # GA-1
    assert not (state["order_pile"] + state["order_discards"])[empty].any()
    empty = (state["market_event"] == NONE).any(axis=1) & (phase == TURN)
    assert not (state["event_pile"] + state["event_discards"])[empty].any()

    assert np.array_equal(phase == NAMING, state["named"] != NONE)
    assert not state["said"][phase != NAMING].any()
    naming = np.flatnonzero(phase == NAMING)
    named = state["named"][naming]
    assert (named < state["num_open"][naming, acting[naming]]).all()
    assert not state["notebook"][naming, acting[naming], named].any()  # GA-6
    assert state["num_open"][row, acting][phase == CHOOSING].all()

    due = (state["first_player"] + turns) % players
    showdown = in_showdown(state)
    in_turn = ~over & ~showdown
    assert np.array_equal(acting[in_turn], due[in_turn])
    finished = (
        turns[:, None]
        - (np.arange(players) - state["first_player"][:, None]) % players
        + players
        - 1
    ) // players
    assert (state["age"][:, :, 0] < np.maximum(finished, 1)).all()
    assert (state["num_open"] <= finished).all()
    assert np.array_equal(finished == 0, state["last"] == 0)

    points = state["points"]
    if config.clock:
        assert np.array_equal(state["final_round"], state["clock"] == config.num_clock_places)
        assert (state["clock"] <= config.num_clock_places).all()
        assert not points[~showdown].any()  # GA-9
    else:
        assert np.array_equal(state["final_round"], (points >= config.target).any(axis=1))
    assert (turns <= -(-config.turn_limit // players) * players).all()
    for table in state[over]:
        best = np.flatnonzero(table["points"] == table["points"].max())
        assert table["truncated"] or table["winner"] == (best[0] if len(best) == 1 else DRAW)
        passed = (table["last"] == 6).all()
        assert table["turns_done"] % players == 0 or passed  # GA-7
        assert table["truncated"] or table["final_round"] or passed
        assert not table["truncated"] or table["turns_done"] >= config.turn_limit
        assert not (config.clock and table["terminated"] and table["num_open"].any())


def assert_sound(config: Config, state: Array) -> None:
    """Check everything that holds of any table on its own."""
    assert_orders(config, state)
    assert_tallies(config, state)
    assert_progress(config, state)


def assert_live(dealt: Tables) -> None:
    """Check what tables hand out where somebody is to act."""
    assert (dealt.action_mask.sum(axis=1) >= 2).all()
    assert ((dealt.action_mask == 0) | (dealt.action_mask == 1)).all()
    assert ((dealt.observation == 0) | (dealt.observation == 1)).all()
    assert np.array_equal(dealt.current_player, dealt.state["current_player"])
    first = dealt.state["turns_done"] == 0
    assert not dealt.action_mask[first, 5:].any()  # GA-2


def assert_paid(config: Config, dealt: Tables, before: Array, after: Array) -> None:
    """Check the rewards against the points and the winner."""
    assert np.array_equal(dealt.terminated, after["terminated"])
    assert np.array_equal(dealt.truncated, after["truncated"])
    gains = np.zeros(after["points"].shape)
    if config.reward == "points":
        gains += 0.1 * (after["points"] - before["points"])
    won = after["winner"] >= 0
    gains[np.flatnonzero(won), after["winner"][won]] += 1
    expected = gains - (gains.sum(axis=1, keepdims=True) - gains) / (config.players - 1)
    assert np.allclose(dealt.rewards, expected, atol=1e-5)
    assert np.allclose(dealt.rewards.sum(axis=1), 0, atol=1e-5)


def assert_went_on(config: Config, before: Array, after: Array) -> None:
    """Check what a game keeps from one decision to the next."""
    assert np.array_equal(before["face"], after["face"])
    assert np.array_equal(before["first_player"], after["first_player"])
    turns = after["turns_done"] - before["turns_done"]
    assert (turns >= 0).all()
    for name in ("points", "clock", "final_round", "completed", "doubled"):
        assert (after[name] >= before[name]).all(), name
    assert (in_showdown(after) >= in_showdown(before)).all()
    done = before["place"] == COMPLETED
    assert (after["place"] == COMPLETED)[done].all()
    assert np.array_equal(after["with_repeat"][done], before["with_repeat"][done])  # GA-5
    middle = (turns == 0) & ~in_showdown(after)  # no filling between two namings (GA-1)
    assert np.array_equal(after["market"][middle], before["market"][middle])
    assert np.array_equal(after["market_event"][middle], before["market_event"][middle])
    drawn = (before["place"] == PILE) & (after["place"] != PILE)
    assert (drawn.sum(axis=1) <= np.maximum(1, turns) * 5).all()
    assert ((after["place"] == MARKET) | (after["place"] == PILE) | ~drawn).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_always_holds(variant: str) -> None:
    """No card is lost, slots are filled, somebody has a choice; rewards add up to nothing."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(1)
    dealt = tables(8, 3, config=config)
    if config.first_player is not None:
        assert (dealt.state["first_player"] == config.first_player).all()
    ends = 0
    for _ in range(330):
        assert_live(dealt)
        before = dealt.state.copy()
        dealt.step(likely_actions(dealt, rng))
        ended = dealt.terminated | dealt.truncated
        after = np.where(ended, dealt.final_state, dealt.state)
        assert_sound(config, after)
        assert_went_on(config, before, after)
        assert_paid(config, dealt, before, after)
        ends += int(ended.sum())
    assert ends > 3


# -- Games end ---------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["rulebook", "memory", "3_players", "10_players"])
def test_games_end(variant: str) -> None:
    """Random games end, and all players have had as many turns; everybody begins in some."""
    config = VARIANTS[variant]
    dealt = tables(128, 8, config=config, autoreset_mode="NextStep")
    first = set(dealt.state["first_player"].tolist())
    assert first == set(range(config.players) if config.first_player is None else [1])
    playing, decisions = np.ones(128, bool), 0
    final = dealt.state.copy()
    while playing.any():
        dealt.step(dealt.sample_actions())
        ended = playing & (dealt.terminated | dealt.truncated)
        final[ended] = dealt.final_state[ended]
        playing &= ~ended
        decisions += 1
        assert decisions < 10 * config.turn_limit
    assert_sound(config, final)
    passed = (final["last"] == 6).all(axis=1)
    assert not (final["turns_done"] % config.players)[~passed].any()
    if config.clock:
        assert final["terminated"].all()
        assert (final["clock"] == config.num_clock_places)[~passed].all()


def test_ten_players_empty_the_pile() -> None:
    """With a clock of 52 places the pile runs out on the way (GA-1, GA-9)."""
    config = VARIANTS["10_players"]
    seen = positions(config, seed=4)
    assert kinds(seen)["no pile"].any()
    assert (seen["market"] == NONE).any()


def test_a_cap_ends_the_taking() -> None:
    """Who has as many open orders as allowed takes no more (GA-12)."""
    dealt = tables(32, 5, preset="perfect", max_turns=10_000, target=10_000)
    rng = np.random.default_rng(0)
    full = 0
    for _ in range(400):
        row = np.arange(32)
        at_cap = dealt.state["num_open"][row, dealt.current_player] == 12
        at_cap &= dealt.state["phase"] == TURN
        assert not dealt.action_mask[at_cap, :5].any()
        full += int(at_cap.sum())
        takes = dealt.action_mask[:, :5].any(axis=1)
        actions = np.where(
            takes, dealt.action_mask[:, :5].argmax(axis=1), likely_actions(dealt, rng)
        )
        dealt.step(actions)
    assert full > 20


# -- The observation ---------------------------------------------------------------------------


def assert_fields(fields: Any, features: npt.NDArray[np.int8], expected: Any, note: str) -> None:
    """Check a row of features against the values of all its fields."""
    assert {field.name for field in fields} == set(expected)
    assert total_size(fields) == len(features) == sum(map(len, expected.values()))
    for name, start, length, _ in fields:
        assert features[start : start + length].tolist() == expected[name], f"{name} {note}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_observation_is_what_the_position_says(variant: str) -> None:
    """Every field, also of what is hidden, for all viewers, in all phases."""
    config = VARIANTS[variant]
    seen = positions(config, seed=9, per_kind=3 if config.players == 10 else 5)
    assert set(seen["phase"]) == {TURN, NAMING, CHOOSING, OVER}
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
        rare = field.name in ("showdown", "final_round") or field.name.startswith("doubled")
        assert used or rare or (never(config) and field.name.startswith("discarded")), field.name


@pytest.mark.parametrize("preset", ["rulebook", "memory"])
def test_deals_differ(preset: str) -> None:
    """The table, who begins and, with fresh orders, the faces differ from deal to deal."""
    dealt = tables(64, 1, preset=preset)
    assert len({tuple(market) for market in dealt.state["market"].tolist()}) == 64
    assert set(dealt.state["first_player"].tolist()) == {0, 1, 2, 3}
    faces = len({face.tobytes() for face in dealt.state["face"]})
    assert faces == (64 if PRESETS[preset].fresh else 1)
