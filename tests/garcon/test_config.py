"""The variants of Garçon: what is allowed, what is refused, and the sizes that follow."""

from __future__ import annotations

import dataclasses
import pickle
import re
from typing import Any

import numpy as np
import pytest

import garcon_env
from garcon_env import GAME, PRESETS, Config

from .playing import JUNK, SMALL_MENU, SMALL_ORDERS


def test_presets() -> None:
    """The game as written, longer, with the clock, as a memory benchmark, with perfect memory."""
    assert dict(PRESETS) == {
        "rulebook": Config(),
        "long": Config(target=20),
        "clock": Config(clock=True),
        "memory": Config(clock=True, orders="fresh", recall=0),
        "perfect": Config(recall=None),
    }
    assert PRESETS[GAME.default_preset] == Config()
    for preset in PRESETS:
        for players in range(3, 11):
            config = GAME.config(preset=preset, players=players)
            assert config.num_players == players
            assert (config.num_clock_places, config.turn_limit) == (4 * players, 50 * players)


def test_defaults() -> None:
    """Four players, target 8, nothing remembered for them, the printed numbers of cards."""
    config = Config()
    given = {f.name: getattr(config, f.name) for f in dataclasses.fields(config) if f.init}
    assert given == {
        "players": 4, "target": 8, "clock": False, "clock_places": None, "first_player": None,
        "complete": "all", "recall": 0, "orders": "shipped", "menu": "shipped", "events": None,
        "max_open_orders": 12, "reward": "end", "max_turns": None,
    }  # fmt: skip
    assert config.event_counts == (5, 5, 4)
    assert config.num_clock_places == 16
    assert config.turn_limit == 200
    assert not config.fresh
    assert config.playing_together == (0, 1, 2, 3)


@pytest.mark.parametrize("players", range(3, 11))
def test_action_space(players: int) -> None:
    """Blocks have the order and the sizes of the documentation page."""
    blocks = [(b.name, b.size) for b in GAME.action_blocks(Config(players=players))]
    assert blocks == [
        ("take", 5), ("complete", 12), ("done", 1), ("name", 15), ("repeat", 12),
        ("notebook", 12), ("leave", 12 * (players - 1)),
    ]  # fmt: skip
    assert GAME.num_actions(Config(players=players)) == 57 + 12 * (players - 1)


@pytest.mark.parametrize("cap", [2, 5, 100])
def test_cap_of_open_orders(cap: int) -> None:
    """The places for open orders give the size of every block that names one."""
    config = Config(max_open_orders=cap)
    assert GAME.num_actions(config) == 5 + 1 + 15 + 6 * cap
    fields = {field.name: field.size for field in GAME.observation_fields(config)}
    assert (fields["named"], fields["repeat_3"], fields["faces"]) == (cap, cap, 15 * cap)


def test_fields_of_the_observation() -> None:
    """Fields follow each other without gaps, and their lengths follow the numbers of cards."""
    config = Config()
    fields = GAME.observation_fields(config)
    starts = np.cumsum([0, *(field.size for field in fields)])
    assert [field.start for field in fields] == starts[:-1].tolist()
    assert starts[-1] == GAME.num_features(config)
    length = {field.name: field.size for field in fields}
    assert length["order_pile"] == 6  # 54 orders
    assert length["event_pile"] == 4  # 14 events
    assert length["discarded"] == 5 * 6  # backs of 1 to 5 dishes
    assert length["discarded_dish"] == length["completed_dish"] == 15 * 6
    assert length["market_0"] == length["said"] == length["did_face_1"] == 15
    assert length["market_points_4"] == 3  # up to 5
    assert length["points_0"] == 9  # up to 2 * 154
    assert length["turns_left"] == 8  # 200
    assert length["event_0"] == 3
    assert "clock_left" not in length
    with_clock = {field.name: field.size for field in GAME.observation_fields(Config(clock=True))}
    assert with_clock.pop("clock_left") == 5  # 16
    assert with_clock == length


def test_variants_share_kernels_and_none_is_taken_for_another() -> None:
    """Records of variants alike in size have one dtype, and each names its variant."""
    variants = [
        Config(target=target, clock=clock, recall=recall, complete=complete, reward=reward,
               first_player=first, orders=orders, events=events, max_turns=limit)
        for target in (8, 20)
        for clock in (False, True)
        for recall in (0, 3, None)
        for complete in ("all", "any")
        for reward in ("end", "points")
        for first in (None, 0, 3)
        for orders in ("shipped", "fresh")
        for events in (None, {"leave": 1})
        for limit in (None, 40)
    ]  # fmt: skip
    blanks = [GAME.blank_table(config) for config in variants[::7]]
    assert len({blank.dtype for blank in blanks}) == 1
    assert len({int(blank["variant"][0]) for blank in blanks}) == len(blanks)
    tables = garcon_env.tables(2, 0, recall=1)
    with pytest.raises(TypeError, match="another variant"):
        tables.state = garcon_env.tables(2, 0).state


def test_two_ways_of_writing_a_variant() -> None:
    """What comes to the same is equal; numbers of NumPy are numbers."""
    written = Config(
        players=np.int64(4), target=np.int16(8), clock_places=16, recall=np.int8(0),
        events={"leave": 4, "notebook": 5, "repeat": 5}, max_turns=np.int64(200),
    )  # fmt: skip
    assert written == Config()
    assert hash(written) == hash(Config())
    assert (type(written.players), type(written.recall)) == (int, int)
    assert pickle.loads(pickle.dumps(written)) == written
    assert Config(orders="fresh") != Config()
    assert Config(events={"repeat": 5, "notebook": 5}) != Config()
    assert Config(clock_places=17) != Config()
    blank, other = GAME.blank_table(written), GAME.blank_table(Config())
    assert blank.tobytes() == other.tobytes()


def test_replacing_a_field_resolves_the_others_anew() -> None:
    """What follows from the fields is worked out again."""
    config = dataclasses.replace(Config(), players=6)
    assert (config.num_clock_places, config.turn_limit) == (24, 300)
    assert GAME.config(preset="clock", players=6) == Config(players=6, clock=True)
    back = dataclasses.replace(Config(orders=SMALL_ORDERS, menu=SMALL_MENU),
                               orders="shipped", menu="shipped")  # fmt: skip
    assert back == Config()


def test_events() -> None:
    """Events that are not mentioned are not in the game."""
    assert Config(events={}).event_counts == (0, 0, 0)
    assert Config(events={"leave": 7}).event_counts == (0, 0, 7)
    names = {f.name: f.size for f in GAME.observation_fields(Config(events={}))}
    assert "event_pile" not in names


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 2}, "players=2: must be an integer from 3 to 10"),
        ({"players": 11}, "players=11: must be an integer from 3 to 10"),
        ({"target": 0}, "target=0: must be an integer from 1"),
        ({"clock_places": 0}, "clock_places=0: must be an integer from 1 to .*, or None"),
        ({"first_player": 4}, "first_player=4: must be an integer from 0 to 3, or None"),
        ({"first_player": 3, "players": 3}, "first_player=3: must be an integer from 0 to 2"),
        ({"first_player": -1}, "first_player=-1: must be an integer from 0 to 3, or None"),
        ({"complete": "some"}, "complete='some': must be one of 'all', 'any'"),
        ({"recall": -1}, "recall=-1: must be an integer from 0 to .*, or None"),
        ({"orders": "printed"}, "orders='printed': there is no such file"),
        ({"menu": "fresh"}, "menu='fresh': there is no such file"),
        ({"events": {"tips": 3}}, "events: unknown tips; there are repeat, notebook, leave"),
        ({"events": {"leave": -1}}, r"events\['leave'\]=-1: must be an integer from 0 to 100"),
        ({"events": {"repeat": 101}}, r"events\['repeat'\]=101: must be an integer from 0 to 100"),
        ({"max_open_orders": 1}, "max_open_orders=1: must be an integer from 2 to 100"),
        ({"max_open_orders": 101}, "max_open_orders=101: must be an integer from 2 to 100"),
        ({"reward": "points_only"}, "reward='points_only': must be one of 'end', 'points'"),
        ({"max_turns": 0}, "max_turns=0: must be an integer from 1 to .*, or None"),
    ],
)
def test_impossible_variants_are_refused(fields: dict[str, Any], message: str) -> None:
    """An impossible variant is refused with a text that names field and choices."""
    with pytest.raises(ValueError, match=message):
        Config(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"players": "4"}, {"players": 4.0}, {"players": True}, {"players": None},
        {"target": 8.0}, {"target": None}, {"target": "8"},
        {"clock": 1}, {"clock": None}, {"clock": "yes"},
        {"clock_places": 1.5}, {"clock_places": True},
        {"first_player": "0"}, {"first_player": False},
        {"complete": None}, {"complete": True}, {"complete": 1},
        {"recall": 1.0}, {"recall": "always"}, {"recall": True},
        {"orders": None}, {"orders": 5}, {"menu": None}, {"menu": 1.5},
        {"events": ["leave"]}, {"events": "leave"}, {"events": 14},
        {"max_open_orders": None}, {"max_open_orders": "12"},
        {"reward": None}, {"reward": 1}, {"max_turns": "50"}, {"max_turns": 10.0},
    ],
)  # fmt: skip
def test_wrong_types_are_refused(fields: dict[str, Any]) -> None:
    """A field of the wrong type is refused with a text that names it."""
    with pytest.raises(TypeError, match=f"^{next(iter(fields))}="):
        Config(**fields)


@pytest.mark.parametrize("count", [True, 1.0, "2", None])
def test_wrong_numbers_of_events_are_refused(count: Any) -> None:
    """The text names the event."""
    with pytest.raises(TypeError, match=r"^events\['notebook'\]="):
        Config(events={"notebook": count})


def test_unknown_fields_and_presets_list_what_exists() -> None:
    """Wrong names are answered with the right ones."""
    with pytest.raises(TypeError, match="has players, target, clock, clock_places, first_player"):
        garcon_env.tables(1, seats=3)
    with pytest.raises(ValueError, match="rulebook, long, clock, memory, perfect"):
        garcon_env.tables(1, preset="short")
    with pytest.raises(TypeError, match="not both"):
        garcon_env.tables(1, preset="long", config=Config())
    with pytest.raises(TypeError, match="Config"):
        garcon_env.tables(1, config={"players": 3})


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Config) if field.init])
def test_junk_in_any_field_is_refused(name: str) -> None:
    """With a short text that begins with the field; or it is a way to write a variant."""
    taken, complaints = [], []
    for junk in JUNK:
        try:
            taken.append(Config(**{name: junk}))
        except (TypeError, ValueError) as refused:
            complaints.append(str(refused))
    assert len(complaints) > len(JUNK) - 7
    for complaint in complaints:
        assert re.match(rf"{name}(=|:|\[|, row)", complaint), complaint
        assert len(complaint) < 1000
    for config in taken:
        given = [getattr(config, field.name) for field in dataclasses.fields(config)]
        kinds = {bool, int, str, type(None), tuple, dict, type(config.deck)}
        assert {type(value) for value in given} <= kinds


def test_a_variant_is_frozen() -> None:
    """Nobody changes a variant that tables play."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Config().target = 3  # type: ignore[misc]


def test_numbers_given_to_a_variant_are_its_own() -> None:
    """What is changed later, outside, does not reach it."""
    events = {"leave": 3}
    orders = [list(row) for row in SMALL_ORDERS]
    config = Config(events=events, orders=orders, menu=SMALL_MENU)
    before = config.event_counts, config.deck
    events["leave"] = 9
    orders[0][0] = 99
    assert (config.event_counts, config.deck) == before
