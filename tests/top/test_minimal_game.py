"""The minimal game that docs/adding_a_game.md walks through, against its rules in plain Python."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pettingzoo.test
import pytest

import bill_env
from bill_env import GAME, PRESETS, Config
from tests.chance import assert_as_likely
from tests.core.test_features import ends
from waiter_envs import ImpossiblePositionError, Tables
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.arena.match import play_match

every_preset = pytest.mark.parametrize("preset", PRESETS)


def dealt(preset: str, num_tables: int = 40, steps: int = 7) -> Tables:
    """Return tables after some random steps, many of them in their second game or later."""
    tables = bill_env.tables(num_tables, 5, preset=preset)
    for _ in range(steps):
        tables.step(tables.sample_actions())
    return tables


# -- Rules -------------------------------------------------------------------------------------


@every_preset
def test_random_play(preset: str) -> None:
    """Masks, turns, rewards and ends are those of the rules; everything happens."""
    tables, coins = dealt(preset, 40, 0), PRESETS[preset].coins
    players, most = tables.num_players, tables.num_players * coins
    purses, first = set(), set()
    wins = {1: 0, -1: 0}
    forced = 0
    before = tables.state.copy()
    for _ in range(150):
        actions = tables.sample_actions()
        mask = tables.action_mask.copy()
        tables.step(actions)
        for i, action in enumerate(actions.tolist()):
            player, bill = int(before["current_player"][i]), int(before["bill"][i])
            assert mask[i].tolist() == [bill > 0, *(bill + price <= most for price in (1, 2, 3))]
            if action:
                bill, player = bill + action, (player + 1) % players
            rewards = [0] * players
            over = not action or bill == most  # then the next player can but ask
            forced += bool(action) and over
            if over:
                won = 1 if bill > before["purse"][i].sum() else -1
                wins[won] += 1
                rewards[player], rewards[player - 1] = won, -won
            assert tables.terminated[i] == over
            assert tables.rewards[i].tolist() == rewards
            seen = tables.final_state[i] if over else tables.state[i]
            assert (seen["bill"], seen["current_player"]) == (bill, player)
            assert seen["purse"].tolist() == before["purse"][i].tolist()
            if over:
                assert tables.state["bill"][i] == 0, "dealt anew"
                purses |= set(tables.state["purse"][i].tolist())
                first.add(int(tables.current_player[i]))
        before = tables.state.copy()
    assert not tables.truncated.any()
    assert min(wins.values()) > 30
    assert forced > 0
    assert purses == set(range(1, coins + 1))
    assert first == set(range(players))


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("num_players", 1, ValueError),
        ("num_players", 7, ValueError),
        ("coins", 1, ValueError),
        ("coins", 10, ValueError),
        ("coins", 2.0, TypeError),
        ("num_players", True, TypeError),
    ],
)
def test_impossible_variants_are_refused(field: str, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"^{field}={value}: must be an integer from 2 to"):
        Config(**{field: value})


# -- What is seen ------------------------------------------------------------------------------


def read(row: Any, blocks: list[Any]) -> dict[str, list[int]]:
    """Return the fields of an observation by name."""
    return {b.name: row[b.start : b.start + b.size].tolist() for b in blocks}


@every_preset
def test_observations_say_what_the_fields_say(preset: str) -> None:
    """Every feature by its name, for every viewer; what is hidden stands in the hidden ones."""
    tables, config = dealt(preset), PRESETS[preset]
    coins = np.eye(config.coins, dtype=int)
    most = config.num_players * config.coins
    find_ends = GAME.kernel(ends, tables.state.dtype)
    for viewer in range(config.num_players):
        rows = tables.full_observation(viewer)
        assert np.array_equal(rows[:, : tables.num_features], tables.observe(viewer))
        for row, table in zip(rows, tables.state, strict=True):
            purses = np.roll(table["purse"], -viewer).tolist()
            turn = (int(table["current_player"]) - viewer) % config.num_players
            seen = read(row[: tables.num_features], GAME.observation_fields(config))
            assert seen == {
                "to_act": [int(number == turn) for number in range(config.num_players)],
                "purse_0": coins[purses[0] - 1].tolist(),
                "bill": [int(coin < table["bill"]) for coin in range(most)],
            }
            hidden = read(row[tables.num_features :], GAME.hidden_fields(config))
            assert hidden == {
                f"purse_{i}": coins[purses[i] - 1].tolist() for i in range(1, config.num_players)
            }
        cells = np.full(tables.num_features, 7, np.int8), np.full(tables.num_hidden, 7, np.int8)
        sizes = tables.num_features, tables.num_hidden
        assert find_ends(tables.state, viewer, *cells) == sizes
        assert max(map(np.max, cells)) == 1, "whole rows are written"


@every_preset
def test_other_purses_are_seen_by_nobody(preset: str) -> None:
    """Other coins there: the same observation, mask, rendering and decision."""
    tables = dealt(preset)
    agent = RuleAgent(GAME, "heuristic")
    seen = tables.observation.copy(), tables.action_mask.copy(), agent.act(Decisions.at(tables))
    texts = [GAME.render(t, int(t["current_player"])) for t in tables.state]
    changed = tables.state.copy()
    others = np.arange(tables.num_players) != tables.current_player[:, np.newaxis]
    changed["purse"][others] = 1 + changed["purse"][others] % PRESETS[preset].coins
    tables.state = changed
    again = tables.observation, tables.action_mask, agent.act(Decisions.at(tables))
    assert all(map(np.array_equal, seen, again))
    assert texts == [GAME.render(t, int(t["current_player"])) for t in tables.state]


@every_preset
def test_other_purses_are_dealt_anew(preset: str) -> None:
    """Every amount is as likely, whatever was there, and the own purse stays."""
    tables, coins = dealt(preset, 4000, 2), PRESETS[preset].coins
    acting = tables.current_player.copy()
    mine = np.arange(tables.num_players) == acting[:, np.newaxis]
    before = tables.state.copy()
    tables.resample(acting, seed=4)
    assert np.array_equal(tables.state["purse"][mine], before["purse"][mine])
    assert_as_likely(
        tables.state["purse"][~mine].tolist(), dict.fromkeys(range(1, coins + 1), 1 / coins)
    )
    for name in set(before.dtype.names) - {"purse", "rng"}:
        assert np.array_equal(tables.state[name], before[name]), name
    tables.state["purse"][3] = 0
    with pytest.raises(ImpossiblePositionError, match="table 3: what player_0 knows"):
        tables.resample(0, seed=4)


def test_render() -> None:
    position = {"phase": "over", "to_act": 1, "purses": [4, 2], "bill": 7}
    table = GAME.position_from_dict(None, position)
    assert GAME.render(table, 0) == "The Bill  7 and paid\n  P0 (you)  4 coins\n> P1  ? coins"


# -- Texts and positions -----------------------------------------------------------------------


@every_preset
def test_texts_and_positions_round_trip(preset: str) -> None:
    """Every legal action through its text; every position, over or not, through JSON."""
    config, phases = PRESETS[preset], set()
    tables = bill_env.tables(20, 3, preset=preset, autoreset_mode="NextStep")
    for _ in range(8):
        for table, mask in zip(tables.state, tables.action_mask, strict=True):
            if not table["terminated"]:
                texts = [GAME.action_to_text(table, a) for a in np.flatnonzero(mask).tolist()]
                legal = [GAME.text_to_action(table, text) for text in texts]
                assert legal == np.flatnonzero(mask).tolist()
                assert set(texts) <= {"ask", "order 1", "order 2", "order 3"}
            position = json.loads(json.dumps(GAME.position_to_dict(table)))
            phases.add(position["phase"])
            again = GAME.position_from_dict(config, position)
            for name in set(table.dtype.names) - {"rng"}:
                assert np.array_equal(again[name], table[name]), name
        tables.step(tables.sample_actions())
    assert phases == {"order", "over"}


POSITION = {"phase": "order", "to_act": 0, "purses": [4, 2], "bill": 0}


@pytest.mark.parametrize("text", ["order 4", "order 0", "order ٣", "order 12", "", "ask ", "ask"])
def test_texts_of_no_legal_action_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no action of The Bill|not legal now"):
        GAME.text_to_action(GAME.position_from_dict(None, POSITION), text)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("phase", "pay"),
        ("to_act", 2),
        ("to_act", -1),
        ("purses", [4, 2, 2]),
        ("purses", [0, 2]),
        ("purses", [4, 7]),
        ("bill", -1),
        ("bill", 13),
        ("phase", "over"),
        ("tip", 1),
    ],
)
def test_impossible_positions_are_refused(entry: str, value: Any) -> None:
    assert GAME.position_to_dict(GAME.position_from_dict(None, POSITION)) == POSITION
    named = "bill" if value == "over" else entry  # nobody asks before the first dish
    with pytest.raises(ValueError, match=named):
        GAME.position_from_dict(None, {**POSITION, entry: value})


# -- The interfaces ----------------------------------------------------------------------------


@every_preset
@pytest.mark.filterwarnings("ignore:Observation")  # PettingZoo's suite prefers plain arrays
def test_pettingzoo_api(preset: str) -> None:
    """PettingZoo's own tests of the API and of seeds; tables play the same games."""
    pettingzoo.test.api_test(bill_env.env(preset=preset), num_cycles=50)
    pettingzoo.test.seed_test(lambda: bill_env.env(preset=preset), num_cycles=50)
    env, tables = bill_env.raw_env(preset=preset), bill_env.tables(1, 9, preset=preset)
    env.reset(seed=9)
    assert env.table == tables.state[0]
    assert pickle.loads(pickle.dumps(env)).game is GAME


def test_the_heuristic_beats_random_play() -> None:
    heuristic, random = play_match(GAME, None, ["heuristic", "random"], 400, seed=1).agents
    assert heuristic.record.wins > 1.5 * random.record.wins
