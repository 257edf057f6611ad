"""Edges: tables of look-alike variants, finished tables, long numbers, a hundred seats."""

from __future__ import annotations

import numpy as np
import pytest

import hey_waiter_env
from hey_waiter_env import GAME, Config

SHORT = {"seats": (0, 1), "dishes": 1, "max_turns": 6}


def played_out(**options):
    """Two tables of a very short game, stepped until the first of them is over."""
    tables = hey_waiter_env.tables(2, seed=3, autoreset_mode="Disabled", **SHORT, **options)
    while not (tables.terminated | tables.truncated).any():
        tables.step(tables.sample_actions())
    return tables


def test_records_of_another_variant_are_refused_though_they_look_alike():
    tables = hey_waiter_env.tables(3, seed=1, **SHORT)
    other = hey_waiter_env.tables(3, seed=1, seats=(0, 1), dishes=1, sets=3)
    assert tables.state.dtype == other.state.dtype
    mixed = tables.state.copy()
    mixed[1] = other.state[1]
    with pytest.raises(TypeError, match="another variant"):
        tables.state = mixed
    assert tables.state[1] != other.state[1]


def test_resetting_some_tables_leaves_a_finished_one_as_it_is():
    for seed in range(50):  # look for a game that somebody wins
        tables = hey_waiter_env.tables(2, seed=seed, autoreset_mode="Disabled", **SHORT)
        while not (tables.terminated | tables.truncated).any():
            tables.step(tables.sample_actions())
        if tables.terminated.sum() == 1:
            break
    over = tables.terminated.copy()
    rewards, state = tables.rewards[over].copy(), tables.state[over].copy()
    assert rewards.any()
    tables.reset(mask=~over)
    assert (tables.terminated == over).all()
    assert (tables.rewards[over] == rewards).all()
    assert (tables.state[over] == state).all()
    assert not tables.rewards[~over].any()


def test_a_finished_position_can_only_be_dealt_anew():
    source = played_out()
    tables = hey_waiter_env.tables(2, seed=1, autoreset_mode="SameStep", **SHORT)
    tables.state = source.state
    over = tables.terminated | tables.truncated
    assert over.any()
    with pytest.raises(ValueError, match="deal it anew"):
        tables.step(tables.sample_actions())
    tables.reset(mask=over)
    tables.step(tables.sample_actions())


@pytest.mark.parametrize("text", ["pick {} on G", "R>B P{}.1", "B>G 0.{} onto 1", "discard {}"])
def test_endless_numbers_are_no_actions(text):
    table = hey_waiter_env.tables(1, seed=1, preset="2_players").state[0]
    for number in ("9" * 20, "99999", "-1"):
        with pytest.raises(ValueError, match=r"no action|not legal now"):
            GAME.text_to_action(table, text.format(number))


def hundred_seats():
    """The end of a game of a hundred: 28 and 72 have no dishes left after the turn of 99."""
    waiting = {
        "hand": "WWGGRB",
        "stacks": [{"card": "B", "dishes": "W", "cover": None}],
        "busboys": dict.fromkeys("WGRB", "face"),
    }
    players = [waiting] * 100
    players[28] = players[72] = {**waiting, "hand": "WWGGRBB", "stacks": []}
    players[99] = {**waiting, "hand": "WWRB"}  # two cards played and not replaced
    return {
        "phase": "over",
        "seats": list(range(100)),
        "teams": list(range(100)),
        "start_seat": 0,
        "to_act": 99,
        "turn": 100,
        "players": players,
        "covers": "WGRB",
        "draw": {"W": 350, "G": 350, "R": 450, "B": 350},
        "discard": "GG",
        "draft": [],
        "last": [None] * 100,
        "winner": 28,
        "truncated": False,
    }


def test_the_winner_is_found_clockwise_around_a_hundred_seats():
    config = Config(seats=range(100), sets=25, dishes=1)
    assert GAME.position_from_dict(config, hundred_seats())["winner"] == 28
    with pytest.raises(ValueError, match="must be 28"):
        GAME.position_from_dict(config, {**hundred_seats(), "winner": 72})


def test_who_took_from_a_partner_has_shown_its_side():
    config = hey_waiter_env.PRESETS["secret_2v2"]
    tables = hey_waiter_env.tables(1, seed=1, config=config)
    while tables.state["turn"][0] < 4:
        tables.step(np.array([tables.action_mask[0].argmax()]))
    position = GAME.position_to_dict(tables.state[0])
    partner = next(p for p in (1, 2, 3) if position["teams"][p] == position["teams"][0])
    position["last"][0] = f"B>W take P{partner} 0.0 new W"
    with pytest.raises(ValueError, match="took dishes from a partner"):
        GAME.position_from_dict(config, position)


def test_more_dishes_than_a_byte_counts() -> None:
    """Ninety-nine sets on the table: every dish is seen, and the stack that it lies in."""
    config = Config(seats=(0, 1), sets=99, dishes=300)
    dealt = hey_waiter_env.tables(4, seed=1, config=config)
    fields = {field.name: field for field in GAME.observation_fields(config)}
    for _ in range(12):
        dealt.step(dealt.sample_actions())
    heights, dishes = dealt.state["height"], dealt.state["dishes"]
    assert heights.sum(axis=2).max() > 255
    for viewer in range(2):
        seen = dealt.observe(viewer)
        for distance in range(2):
            player = (viewer + distance) % 2
            dish, stack = fields[f"dish_{distance}"], fields[f"stack_of_{distance}"]
            colours = seen[:, dish.start : dish.start + dish.size].reshape(4, 300, 4)
            stacks = seen[:, stack.start : stack.start + stack.size].reshape(4, 300, 5)
            for table in range(4):
                lies_in = np.repeat(np.arange(5), heights[table, player])
                count = len(lies_in)
                assert np.array_equal(
                    colours[table, :count].argmax(axis=1), dishes[table, player, :count]
                )
                assert np.array_equal(stacks[table, :count].argmax(axis=1), lies_in)
                assert (colours[table, :count].sum(axis=1) == 1).all()
                assert (stacks[table, :count].sum(axis=1) == 1).all()
                assert not colours[table, count:].any()
                assert not stacks[table, count:].any()


def test_more_sides_than_digits() -> None:
    """Forty players in twenty teams: sides are numbered by their first player from the viewer."""
    teams = [player % 20 for player in range(40)]
    config = Config(seats=tuple(range(40)), teams=teams, sets=10, dishes=4)
    dealt = hey_waiter_env.tables(1, seed=1, config=config)
    field = next(f for f in GAME.observation_fields(config) if f.name == "side")
    sides = dealt.state["side"][0]
    for viewer in (0, 7, 39):
        seen = dealt.observe(viewer)[0, field.start : field.start + field.size].reshape(40, 20)
        around = [int(sides[(viewer + distance) % 40]) for distance in range(40)]
        numbers = list(dict.fromkeys(around))
        expected = [numbers.index(side) for side in around]
        assert (seen.sum(axis=1) == 1).all()
        assert seen.argmax(axis=1).tolist() == expected
