"""Positions of The Bill as plain JSON types: written and read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bill_env.config import Config
from bill_env.state import blank_table
from waiter_envs.core.plain_types import check_keys, read_choice, read_int, read_list

PHASES = ("order", "over")


def write_position(table: np.void) -> dict[str, Any]:
    """Return a position in plain JSON types: the whole state but the random stream."""
    return {
        "phase": PHASES[int(table["terminated"])],
        "to_act": int(table["current_player"]),
        "purses": table["purse"].tolist(),
        "bill": int(table["bill"]),
    }


def read_position(config: Config, position: Mapping[str, Any]) -> npt.NDArray[np.void]:
    """Return an array of the table that a position describes: the inverse of `write_position`.

    Raises:
        ValueError: if it is impossible; the text names the entry and says what is allowed.
    """
    check_keys("the position", position, ("phase", "to_act", "purses", "bill"))
    table = blank_table(config)
    players, coins = config.num_players, config.coins
    over = read_choice("phase", position["phase"], PHASES) == "over"
    table["terminated"] = over
    table["current_player"] = read_int("to_act", position["to_act"], 0, players - 1)
    table["purse"] = [
        read_int(f"purses[{player}]", purse, 1, coins)
        for player, purse in enumerate(read_list("purses", position["purses"], players))
    ]
    hint = "since somebody has asked for it" if over else ""
    table["bill"] = read_int("bill", position["bill"], int(over), players * coins, hint)
    return table
