"""The variants of Hey Waiter!: what is allowed, what is refused, and the sizes that follow."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

import hey_waiter_env
from hey_waiter_env import GAME, PRESETS, Config

from .playing import JUNK, complaint

# The preset table of the game's page, written down a second time.
EXPECTED = {
    "2_players": ([0, 1], [0, 1], 12, 1, 1),
    "3_players": ([0, 1, 2], [0, 1, 2], 12, 1, 1),
    "4_partnership": ([0, 1, 2, 3], [0, 1, 0, 1], 12, 1, 1),
    "4_free_for_all": ([0, 1, 2, 3], [0, 1, 2, 3], 12, 1, 1),
    "double_duty": ([0, 1, 2, 1], [0, 1, 0], 12, 1, 1),
    "3v3": ([0, 1, 2, 3, 4, 5], [0, 1, 0, 1, 0, 1], 12, 2, 1),
    "2v2v2": ([0, 1, 2, 3, 4, 5], [0, 1, 2, 0, 1, 2], 12, 2, 1),
    "4v4": (list(range(8)), [0, 1] * 4, 12, 2, 1),
    "3v2": ([0, 1, 2, 3, 4, 1], [0, 1, 0, 1, 0], 12, 2, 1),
    "2v2v1": ([0, 1, 2, 3, 4, 2], [0, 1, 2, 0, 1], 12, 2, 1),
    "4v3": ([0, 1, 2, 3, 4, 5, 6, 3], [0, 1, 0, 1, 0, 1, 0], 12, 2, 1),
    "3v3v2": ([0, 1, 2, 3, 4, 5, 6, 7, 2], [0, 1, 2, 0, 1, 2, 0, 1], 12, 3, 1),
    "2v1v1": ([0, 1, 2, 3, 1, 2], [0, 1, 2, 0], 8, 1, 1),
    "triple_duty": ([0, 1, 2, 1, 3, 1], [0, 1, 0, 0], 8, 1, 1),
    "5v5": (list(range(10)), [0, 1] * 5, 14, 3, 3),
    "secret_2v2": ([0, 1, 2, 3], [0, 1, 0, 1], 12, 1, 1),
}


def test_presets_are_the_rulebooks_variants():
    assert set(PRESETS) == set(EXPECTED)
    for name, (seats, teams, dishes, sets, covers) in EXPECTED.items():
        config = PRESETS[name]
        assert list(config.seats) == seats, name
        assert list(config.sides) == (sorted(teams) if config.secret_teams else teams), name
        assert config.stack_dishes == (dishes,) * len(seats), name
        assert (config.sets, config.covers) == (sets, covers), name
        assert config.secret_teams == (name == "secret_2v2"), name


def test_sizes_of_the_action_space():
    assert GAME.num_actions(PRESETS["2_players"]) == 653
    assert GAME.num_actions(PRESETS["4_partnership"]) == 749
    for config in PRESETS.values():
        seats, players, dishes = config.num_seats, config.num_players, config.max_dishes
        partners = players - 1 if config.secret_teams else max(
            sum(side == other for other in config.sides) - 1 for side in config.sides
        )  # fmt: skip
        size = 4 * seats + 4 + 20 * players + 164 + 9 * dishes + 4 * partners * dishes + 329
        assert GAME.num_actions(config) == size


def test_defaults():
    config = Config()
    assert config == PRESETS[GAME.default_preset]
    assert config.turn_limit == 25 * 48
    assert Config(seats=(0, 1), dishes=1).turn_limit == 300
    assert Config(seats=(0, 1, 2)).sides == (0, 1, 2)
    assert Config(seats=(1, 0, 2, 3)).sides == (0, 1, 1, 0)
    assert Config(seats=(0, 1, 2, 1)).sides == (0, 1, 2)


def test_two_ways_of_writing_a_variant_are_equal():
    assert Config(dishes=(12, 12, 12, 12), teams=[0, 1, 0, 1], max_turns=1200) == Config()
    assert hash(Config(dishes=(12,) * 4)) == hash(Config())
    assert Config(dishes=11) != Config()
    secret = [
        Config(teams=t, secret_teams=True) for t in ((0, 1, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1))
    ]
    assert secret[0] == secret[1] == secret[2]


def test_numpy_numbers_will_do():
    config = Config(
        seats=np.arange(6),
        dishes=np.full(6, 12),
        sets=np.int8(2),
        covers=np.int8(2),
        starting_seat=np.int64(1),
        max_turns=np.int64(100),
    )
    assert config == Config(range(6), sets=2, covers=2, starting_seat=1, max_turns=100)
    assert GAME.num_features(config) == GAME.num_features(dataclasses.replace(config))


def test_replacing_a_field_resolves_the_others_anew():
    config = dataclasses.replace(PRESETS["2_players"], dishes=2)
    assert config.turn_limit == 300
    assert config.stack_dishes == (2, 2)
    assert hey_waiter_env.GAME.config(preset="2_players", dishes=2) == config


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"dishes": 13}, "sets=1 holds 48"),
        ({"dishes": (12, 12, 12, 13)}, "sets=1 holds 48"),
        ({"dishes": 0}, "integer from 1"),
        ({"dishes": (3, 3, 0, 3)}, "at least 1 dish"),
        ({"dishes": (3, 3)}, "each of the 4 seats"),
        ({"teams": (0, 0, 1, 1)}, "allow_neighbours"),
        ({"seats": (0, 1, 1, 2), "teams": (0, 1, 2)}, "the same player"),
        ({"seats": (0, 1, 1, 2), "teams": (0, 1, 0), "secret_teams": True}, "the same player"),
        ({"teams": (0, 0, 0, 0)}, "at least 2 sides"),
        ({"teams": (0, 2, 0, 2)}, "without gaps"),
        ({"teams": (0, 1, 0)}, "one side for each player"),
        ({"seats": (0, 2, 0, 2)}, "without gaps"),
        ({"seats": (0,)}, "at least 2 players"),
        ({"seats": ()}, "at least 2 players"),
        ({"seats": (0, 1, 2**40)}, "without gaps"),
        ({"teams": (0, 1, 2**40, 1)}, "without gaps"),
        ({"seats": (0, 1, 2, 3, 4)}, "busboys for 4"),
        ({"seats": (0, 1) * 6, "dishes": 4}, "at most 5"),
        ({"seats": tuple(range(101)), "sets": 99, "dishes": 1}, "at most 100"),
        ({"covers": 2}, "from 0 to 1"),
        ({"covers": -1}, "from 0 to 1"),
        ({"starting_seat": 4}, "from 0 to 3"),
        ({"starting_seat": -1}, "from 0 to 3"),
        ({"max_turns": 0}, "from 1"),
        ({"sets": 0}, "from 1"),
        ({"secret_teams": True, "teams": (0, 1, 2, 3)}, "nobody has a partner"),
    ],
)
def test_impossible_variants_are_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        Config(**fields)


@pytest.mark.parametrize(
    "fields",
    [{"dishes": 2.5}, {"seats": 4}, {"seats": "0123"}, {"covers": True}, {"secret_teams": 1}],
)
def test_wrong_types_are_refused(fields):
    with pytest.raises(TypeError, match=next(iter(fields))):
        Config(**fields)


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Config) if field.init])
def test_junk_in_any_field_is_refused(name: str) -> None:
    """With a short text that names the field; or it is a number or a bool that the field takes."""
    taken = []
    for junk in JUNK:
        refusal = complaint(lambda junk=junk: Config(**{name: junk}))
        if refusal is None:
            taken.append(junk)
        else:
            assert re.match(rf"{name}(=|:)", refusal), refusal
            assert len(refusal) < 1000
    assert len(taken) <= 4
    assert all(junk is None or isinstance(junk, (bool, int)) for junk in taken)


def test_unknown_fields_and_presets_list_what_exists():
    with pytest.raises(TypeError, match="starting_seat"):
        hey_waiter_env.tables(1, colour="red")
    with pytest.raises(ValueError, match="double_duty"):
        hey_waiter_env.tables(1, preset="solo")
    with pytest.raises(TypeError, match="not both"):
        hey_waiter_env.tables(1, preset="2_players", config=Config())
    with pytest.raises(TypeError, match="Config"):
        hey_waiter_env.tables(1, config={"dishes": 3})


@pytest.mark.parametrize("covers", [0, 1])
def test_neighbours_may_be_allowed(covers):
    config = Config(teams=(0, 0, 1, 1), allow_neighbours=True, covers=covers)
    assert config.max_partners == 1
