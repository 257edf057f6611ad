"""The variants of Greasy Spoon: what is allowed, what is refused, and the sizes that follow."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

import greasy_spoon_env
from greasy_spoon_env import GAME, PRESETS, Config

from .states import junk


def test_presets_are_the_rulebooks_matches() -> None:
    """Best of 1, 3 and 5, each with and without recall; the rest as usual."""
    assert dict(PRESETS) == {
        f"best_of_{games}{suffix}": Config(best_of=games, recall=recall)
        for recall, suffix in ((True, ""), (False, "_no_recall"))
        for games in (1, 3, 5)
    }
    assert PRESETS[GAME.default_preset] == Config()


def test_defaults() -> None:
    """A match of one game, with recall, a random starter and pay at its end."""
    config = Config()
    assert (config.best_of, config.recall, config.starter, config.reward) == (
        1, True, None, "match",
    )  # fmt: skip
    assert config.num_players == 2
    assert config.playing_together == (0, 1)


@pytest.mark.parametrize(("best_of", "majority"), [(1, 1), (3, 2), (5, 3)])
def test_sizes(best_of: int, majority: int) -> None:
    """A match has one action space; the observation grows by the score alone."""
    for recall in (True, False):
        config = Config(best_of=best_of, recall=recall)
        assert config.games_to_win == majority
        assert GAME.num_actions(config) == 18 + 81 + 3 * 168 + 1 + 18 + 1 + 1 == 624
        assert GAME.num_features(config) == 4 + 4 * 54 + 25 + 56 + 21 + 2 * (26 + majority) + 1
        assert GAME.num_hidden(config) == 3 * 54 + 56 + 18
        assert len(greasy_spoon_env.tables(1, 0, config=config).observation[0]) == (
            GAME.num_features(config)
        )


def test_blocks_of_the_action_space() -> None:
    """Blocks have the order and the sizes of the documentation page."""
    blocks = [(block.name, block.start, block.size) for block in GAME.action_blocks(Config())]
    assert blocks == [
        ("drink", 0, 18), ("side", 18, 81), ("main", 99, 168), ("combo_1", 267, 168),
        ("combo_2", 435, 168), ("pass", 603, 1), ("stash", 604, 18), ("done", 622, 1),
        ("recall", 623, 1),
    ]  # fmt: skip


def test_all_variants_share_kernels_and_none_is_taken_for_another() -> None:
    """Records of all variants have one dtype, and each names its variant."""
    variants = [
        Config(best_of, recall, starter, reward)
        for best_of in (1, 3, 5)
        for recall in (True, False)
        for starter in (None, 0, 1)
        for reward in ("match", "game")
    ]
    blanks = [GAME.blank_table(config) for config in variants]
    assert len({blank.dtype for blank in blanks}) == 1
    assert len({int(blank["variant"][0]) for blank in blanks}) == len(variants) == 36
    tables = greasy_spoon_env.tables(2, 0, recall=False)
    with pytest.raises(TypeError, match="another variant"):
        tables.state = greasy_spoon_env.tables(2, 0).state


def test_numpy_numbers_will_do() -> None:
    """Numbers of NumPy are numbers, and equal variants are equal."""
    config = Config(best_of=np.int64(3), starter=np.int8(1))
    assert config == Config(best_of=3, starter=1)
    assert hash(config) == hash(Config(best_of=3, starter=1))
    assert (type(config.best_of), type(config.starter)) == (int, int)
    assert pickle.loads(pickle.dumps(config)) == config


def test_replacing_a_field_resolves_the_others_anew() -> None:
    """What follows from the fields is worked out again."""
    config = dataclasses.replace(Config(), best_of=5)
    assert config.games_to_win == 3
    assert GAME.config(preset="best_of_1", best_of=5) == config == PRESETS["best_of_5"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"best_of": 2}, "best_of=2: must be one of 1, 3, 5"),
        ({"best_of": 7}, "best_of=7: must be one of 1, 3, 5"),
        ({"best_of": -1}, "best_of=-1: must be one of 1, 3, 5"),
        ({"starter": 2}, "starter=2: must be an integer from 0 to 1, or None"),
        ({"starter": -1}, "starter=-1: must be an integer from 0 to 1, or None"),
        ({"reward": "round"}, "reward='round': must be one of 'match', 'game'"),
    ],
)
def test_impossible_variants_are_refused(fields: dict[str, Any], message: str) -> None:
    """An impossible variant is refused with a text that names field and choices."""
    with pytest.raises(ValueError, match=message):
        Config(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"best_of": "3"}, {"best_of": 3.0}, {"best_of": True}, {"best_of": None}, {"recall": 1},
        {"recall": "no"}, {"recall": None}, {"starter": True}, {"starter": 0.0}, {"starter": "0"},
        {"reward": 1}, {"reward": None}, {"reward": True},
    ],
)  # fmt: skip
def test_wrong_types_are_refused(fields: dict[str, Any]) -> None:
    """A field of the wrong type is refused with a text that names it."""
    with pytest.raises(TypeError, match=f"^{next(iter(fields))}="):
        Config(**fields)


@pytest.mark.parametrize("field", ["best_of", "recall", "starter", "reward"])
def test_junk_is_refused(field: str) -> None:
    """Whatever a field is given, it is taken as it is meant or refused by name."""
    for value in junk(Config(), PRESETS, "best_of_1"):
        with pytest.raises((TypeError, ValueError), match=f"^{field}=") as caught:
            Config(**{field: value})
        assert len(str(caught.value)) < 1000


def test_unknown_fields_and_presets_list_what_exists() -> None:
    """Wrong names are answered with the right ones."""
    with pytest.raises(TypeError, match="has best_of, recall, starter, reward"):
        greasy_spoon_env.tables(1, max_turns=3)
    with pytest.raises(ValueError, match="best_of_5_no_recall"):
        greasy_spoon_env.tables(1, preset="best_of_2")
    with pytest.raises(TypeError, match="not both"):
        greasy_spoon_env.tables(1, preset="best_of_3", config=Config())
    with pytest.raises(TypeError, match="Config"):
        greasy_spoon_env.tables(1, config={"best_of": 3})


def test_a_variant_is_frozen() -> None:
    """Nobody changes a variant that tables play."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Config().best_of = 3  # type: ignore[misc]
