"""The variants of Dessert: what is allowed, what is refused, sizes, and the cards."""

from __future__ import annotations

import dataclasses
import os
import pickle
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dessert_env
from dessert_env import GAME, PRESETS, Config, cards

from . import reference


def test_presets() -> None:
    """The game as it is, without an end, without closing time, clockwise, with false calls."""
    assert dict(PRESETS) == {
        "standard": Config(),
        "until_trio": Config(closing_rounds=None),
        "no_closing": Config(closing_rounds=0),
        "clockwise": Config(call_order="clockwise"),
        "false_calls": Config(false_calls=True),
    }
    assert PRESETS[GAME.default_preset] == Config()
    for preset in PRESETS:
        for players in range(2, 7):
            config = GAME.config(preset=preset, players=players)
            assert config.num_players == players
            assert config == dataclasses.replace(PRESETS[preset], players=players)


def test_defaults() -> None:
    """Four players, a race for each guest, ten rounds of closing time."""
    config = Config()
    given = {f.name: getattr(config, f.name) for f in dataclasses.fields(config) if f.init}
    assert given == {
        "players": 4, "first_player": None, "call_order": "random", "false_calls": False,
        "closing_rounds": 10, "max_turns": 1000,
    }  # fmt: skip
    assert config.playing_together == (0, 1, 2, 3)


@pytest.mark.parametrize("players", range(2, 7))
def test_action_space(players: int) -> None:
    """Blocks have the order and the sizes of the documentation page, 104 actions in all."""
    config = Config(players=players)
    blocks = [(b.name, b.size) for b in GAME.action_blocks(config)]
    assert blocks == [
        ("yes", 1), ("no", 1), ("dessert", 76), ("steal", 24), ("waiting_room", 1), ("freshen", 1),
    ]  # fmt: skip
    starts = np.cumsum([0, *(size for _, size in blocks)])
    assert [b.start for b in GAME.action_blocks(config)] == starts[:-1].tolist()
    assert GAME.num_actions(config) == starts[-1] == 104


def test_fields_of_the_observation() -> None:
    """Fields follow each other without gaps, and their lengths follow the variant."""
    config = Config()
    fields = GAME.observation_fields(config)
    starts = np.cumsum([0, *(field.size for field in fields)])
    assert [field.start for field in fields] == starts[:-1].tolist()
    assert starts[-1] == GAME.num_features(config)
    length = {field.name: field.size for field in fields}
    assert length["hand"] == length["laid_down"] == length["dirty"] == 76
    assert length["coming"] == length["waiting_top"] == length["guests_3"] == 24
    assert length["active"] == length["server"] == 4
    assert length["waiting_depth"] == 24 * 5
    assert length["pile_size"] == length["hand_size_0"] == 7  # up to 76
    assert length["points_0"] == 7  # all guests: 72
    assert length["closing_left"] == 6  # 40
    assert length["turns_left"] == 10  # 1000
    assert not any(name.startswith("warned") and size for name, size in length.items())


def test_fields_that_a_variant_adds_or_lacks() -> None:
    """Warnings, turns of closing time and players have features only where they can differ."""

    def lengths(**fields: Any) -> dict[str, int]:
        return {f.name: f.size for f in GAME.observation_fields(Config(**fields)) if f.size}

    usual = lengths()
    warned = {f"warned_{number}": 1 for number in range(4)}
    assert lengths(false_calls=True) == usual | warned
    for rounds in (None, 0):
        assert lengths(closing_rounds=rounds).items() == usual.items() - {("closing_left", 6)}
    assert lengths(max_turns=7)["turns_left"] == 3
    assert lengths(call_order="clockwise") == usual
    assert lengths(players=2)["active"] == 2
    assert "guests_5" in lengths(players=6)
    assert "guests_2" not in lengths(players=2)


def test_hidden_fields() -> None:
    """Other hands and the call order are what is hidden."""
    length = {field.name: field.size for field in GAME.hidden_fields(Config())}
    assert length["hand_1"] == length["hand_3"] == 76
    assert length["caller_0"] == length["caller_2"] == length["to_act"] == 4
    assert not {"hand_0", "hand_4", "caller_3"} & set(length)


def test_variants_share_kernels_and_none_is_taken_for_another() -> None:
    """Records of as many players have one dtype, and each names its variant."""
    variants = [
        Config(players=3, first_player=first, call_order=order, false_calls=calls,
               closing_rounds=rounds, max_turns=limit)
        for first in (None, 0, 2)
        for order in ("random", "clockwise")
        for calls in (False, True)
        for rounds in (None, 0, 10)
        for limit in (1000, 40)
    ]  # fmt: skip
    blanks = [GAME.blank_table(config) for config in variants]
    assert len({blank.dtype for blank in blanks}) == 1
    assert len({int(blank["variant"][0]) for blank in blanks}) == len(blanks) == 72
    assert len({GAME.blank_table(Config(players=number)).dtype for number in range(2, 7)}) == 5
    tables = dessert_env.tables(2, 0, false_calls=True)
    with pytest.raises(TypeError, match="another variant"):
        tables.state = dessert_env.tables(2, 0).state


def test_two_ways_of_writing_a_variant() -> None:
    """What comes to the same is equal; numbers of NumPy are numbers."""
    written = Config(players=np.int64(4), closing_rounds=np.int8(10), max_turns=np.int64(1000))
    assert written == Config()
    assert hash(written) == hash(Config())
    assert (type(written.players), type(written.max_turns)) == (int, int)
    assert type(Config(first_player=np.int8(2)).first_player) is int
    assert pickle.loads(pickle.dumps(written)) == written
    assert GAME.blank_table(written).tobytes() == GAME.blank_table(Config()).tobytes()
    assert Config(closing_rounds=0) != Config(closing_rounds=None)
    assert Config(first_player=0) != Config()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 1}, "players=1: must be an integer from 2 to 6"),
        ({"players": 7}, "players=7: must be an integer from 2 to 6"),
        ({"first_player": 4}, "first_player=4: must be an integer from 0 to 3, or None"),
        ({"first_player": 2, "players": 2}, "first_player=2: must be an integer from 0 to 1, or N"),
        ({"first_player": -1}, "first_player=-1: must be an integer from 0 to 3, or None"),
        ({"call_order": "left"}, "call_order='left': must be one of 'random', 'clockwise'"),
        ({"closing_rounds": -1}, "closing_rounds=-1: must be an integer from 0 to .*, or None"),
        ({"closing_rounds": 10_001}, "closing_rounds=10001: must be an integer from 0 to 10000, "),
        ({"max_turns": 0}, "max_turns=0: must be an integer from 1 to 1000000"),
        ({"max_turns": 10**6 + 1}, "max_turns=1000001: must be an integer from 1 to 1000000"),
    ],
)
def test_impossible_variants_are_refused(fields: dict[str, Any], message: str) -> None:
    """An impossible variant is refused with a text that names field and choices."""
    with pytest.raises(ValueError, match=message):
        Config(**fields)


NESTED: list[Any] = []
for _ in range(5000):
    NESTED = [NESTED]

JUNK = [
    True, -1, 2**31, 10**8, 2**70, -(2**70), 1.5, 1.0, float("nan"), "1", "Random", b"random", [1],
    ["random"], {"a": 1}, NESTED, np.float32(1), np.True_, np.array([1, 1]), np.array("random"),
    Config(), object(), "x" * 200_000,
]  # fmt: skip


@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(Config) if f.init])
def test_junk_for_every_field(field: str) -> None:
    """Whatever is no value of a field is refused by its name, in a short text."""
    default = getattr(Config(), field)
    junk = [value for value in JUNK if not (field == "false_calls" and value is True)]
    for value in [*junk, *([] if field in ("first_player", "closing_rounds") else [None])]:
        with pytest.raises((TypeError, ValueError), match=f"^{field}=") as error:
            Config(**{field: value})
        assert len(str(error.value)) < 2000
        with pytest.raises((TypeError, ValueError), match=f"^{field}="):
            GAME.config(preset="standard", **{field: value})
    assert Config(**{field: default}) == Config()


@pytest.mark.parametrize(
    "fields",
    [
        {"players": "4"}, {"players": 4.0}, {"players": True}, {"players": None},
        {"first_player": "0"}, {"first_player": False}, {"first_player": 1.0},
        {"call_order": None}, {"call_order": 1}, {"call_order": True},
        {"false_calls": 1}, {"false_calls": None}, {"false_calls": "yes"},
        {"closing_rounds": 10.0}, {"closing_rounds": "ten"}, {"closing_rounds": True},
        {"max_turns": None}, {"max_turns": "50"}, {"max_turns": 10.0}, {"max_turns": True},
    ],
)  # fmt: skip
def test_wrong_types_are_refused(fields: dict[str, Any]) -> None:
    """A field of the wrong type is refused with a text that names it."""
    with pytest.raises(TypeError, match=f"^{next(iter(fields))}="):
        Config(**fields)


def test_unknown_fields_and_presets_list_what_exists() -> None:
    """Wrong names are answered with the right ones."""
    with pytest.raises(TypeError, match="has players, first_player, call_order, false_calls, clos"):
        dessert_env.tables(1, seats=3)
    with pytest.raises(ValueError, match="standard, until_trio, no_closing, clockwise, false_call"):
        dessert_env.tables(1, preset="short")
    with pytest.raises(TypeError, match="not both"):
        dessert_env.tables(1, preset="until_trio", config=Config())
    with pytest.raises(TypeError, match="Config"):
        dessert_env.tables(1, config={"players": 3})


def test_a_variant_is_frozen() -> None:
    """Nobody changes a variant that tables play."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Config().players = 3  # type: ignore[misc]


# -- The cards ---------------------------------------------------------------------------------


def test_desserts() -> None:
    """All 76 desserts show what the second list has, in the same order."""
    assert list(cards.DESSERTS) == reference.DESSERTS
    assert dict(zip(cards.DESSERTS, cards.ICONS, strict=True)) == reference.ICONS
    assert Counter(map(len, cards.ICONS)) == {1: 17, 2: 43, 3: 14, 4: 2}
    assert len(frozenset.union(*cards.ICONS)) == 12


def test_guests() -> None:
    """All 24 guests are those of the second list, in the same order, three to each trio."""
    assert list(cards.GUESTS) == list(reference.GUESTS)
    for number, guest in enumerate(reference.GUESTS.values()):
        assert set(cards.CRAVINGS[number]) == guest.cravings
        assert cards.DISLIKES[number] == guest.dislikes
        assert set(cards.FAVORITES[number]) == guest.favourites
        assert cards.TRIO_NAMES[cards.TRIO[number]] == guest.trio
        assert cards.POINTS[number] == guest.points
    assert np.bincount(cards.TRIO).tolist() == [3] * 8


def test_cards_are_read_from_an_archive(tmp_path: Path) -> None:
    """The package works from a zip, which has no paths."""
    root = Path(dessert_env.__file__).parent.parent
    archive = tmp_path / "packages.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in (root / "dessert_env").rglob("*"):
            if path.suffix in (".py", ".csv"):
                packed.write(path, path.relative_to(root))
    code = (
        f"import sys; sys.path[:0] = [{str(archive)!r}, {str(root)!r}]\n"
        "import dessert_env.cards as cards\n"
        "print('packages.zip' in cards.__file__, len(cards.DESSERTS), len(cards.GUESTS))"
    )
    environment = {**os.environ, "PYTHONPATH": "", "NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert told.stdout.split() == ["True", "76", "24"], told.stderr


def test_favorites() -> None:
    """Every favorite satisfies its guest on its own, and only Nature Girl has none."""
    for guest, favorites in zip(cards.GUESTS, cards.FAVORITES, strict=True):
        assert all(reference.is_serving([dessert], guest) for dessert in favorites)
        assert bool(favorites) == (guest != "Nature Girl")
