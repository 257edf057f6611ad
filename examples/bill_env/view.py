"""A table of The Bill as one player may see it, in plain JSON types."""

from __future__ import annotations

import numpy as np

from bill_env.actions import ASK, describe
from bill_env.position import PHASES
from waiter_envs.core.views import WON, Told, View, common, is_open, seat, tell


def view(table: np.void, viewer: int | None) -> View:
    """Return all that is to be shown of a table: what `viewer` may see, no more.

    Beside the keys of every view (`waiter_envs.core.views`) it has `turn`, with the `player` who
    orders, or has asked; `bill`, its `id` and `coins`; and of each player `coins`, or `None`.

    Args:
        table: one record of `state.table_dtype`.
        viewer: a player; `None`: all purses open.
    """
    over, player = bool(table["terminated"]), int(table["current_player"])
    to_act = None if over else player
    return {
        **common(
            "bill",
            viewer,
            to_act=to_act,
            phase=PHASES[over],
            ending=WON if over else None,
            winners=_winners(table) if over else [],
            headline=f"P{player} orders a dish or asks for the bill",
        ),
        "turn": {"player": player},
        "bill": {"id": "bill", "coins": int(table["bill"])},
        "players": [
            {**seat(number, viewer, to_act), "coins": purse if is_open(number, viewer) else None}
            for number, purse in enumerate(table["purse"].tolist())
        ],
    }


def _winners(table: np.void) -> list[int]:
    """Return who has won a game that is over."""
    asked = int(table["current_player"])
    too_much = table["bill"] > table["purse"].sum()
    return [asked if too_much else (asked - 1) % len(table["purse"])]


def told(description: tuple[int, ...], table: np.void, viewer: int | None) -> Told:
    """Return an action as `viewer` is told of it: nothing of it is hidden."""
    price = int(description[0])
    coins = f"{price} coin{'s' if price > 1 else ''}"
    words = "asks for the bill" if price == ASK else f"orders a dish for {coins}"
    return tell(int(table["current_player"]), describe(description), words, ["bill"])
