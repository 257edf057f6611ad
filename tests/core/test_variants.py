"""Variants in plain JSON types, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import waiter_envs

GARCON = waiter_envs.load("garcon")


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_all_presets_come_back(name: str) -> None:
    """Equal, by way of JSON, and with their fields as they were given."""
    game = waiter_envs.load(name)
    for config in game.presets.values():
        fields = json.loads(json.dumps(game.config_to_dict(config)))
        assert game.config_from_dict(fields) == config
        assert game.config_to_dict(game.config_from_dict(fields)) == fields


def test_numbers_of_numpy_become_plain() -> None:
    config = waiter_envs.load("hey_waiter").config(seats=np.array([0, 1, 2]), dishes=np.int8(4))
    fields = waiter_envs.load("hey_waiter").config_to_dict(config)
    assert (fields["seats"], fields["dishes"]) == ([0, 1, 2], 4)
    assert type(fields["dishes"]) is int


@pytest.mark.parametrize("own", ["menu", "orders", "both"])
def test_what_a_file_says_is_written_out(own: str, tmp_path: Path) -> None:
    """Rows of a deck make the same deck, sorted or not."""
    menu, orders = tmp_path / "menu.csv", tmp_path / "orders.csv"
    if own == "orders":
        dishes = ["coffee", "soup", "salad"]
    else:
        dishes = ["wine", "rice", "water"]
    shipped = [[d, "plate"] for d in GARCON.config().deck.dishes] if own == "menu" else []
    rows = [["wine", "drink"], ["rice", "plate"], ["water", "drink"], *shipped]
    menu.write_text("dish,symbol\n" + "".join(f"{dish},{symbol}\n" for dish, symbol in rows))
    orders.write_text("points,dishes\n" + "".join(f"{1},{d}\n" for d in [*dishes, *dishes]))
    given: dict[str, Any] = {"menu": menu, "orders": orders}
    config = GARCON.config(**{k: v for k, v in given.items() if own in (k, "both")})
    fields = json.loads(json.dumps(GARCON.config_to_dict(config)))
    assert str(tmp_path) not in json.dumps(fields)
    assert fields["orders" if own == "menu" else "menu"] == "shipped" or own == "both"
    assert GARCON.config_from_dict(fields).deck == config.deck
    for name in fields:
        if name in given and fields[name] != "shipped":
            with pytest.raises(ValueError, match=f"{name}=.*: must be 'shipped'.*not the name"):
                GARCON.config_from_dict({**fields, name: str(given[name])})


def test_junk_is_no_variant() -> None:
    for junk in (None, 1, "players", [("players", 3)], {1: 2}):
        with pytest.raises(TypeError, match="fields"):
            GARCON.config_from_dict(junk)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unknown variant field colour"):
        GARCON.config_from_dict({"colour": 1})
    with pytest.raises(ValueError, match="players=2"):
        GARCON.config_from_dict({"players": 2})
