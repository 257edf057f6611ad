"""Guests and desserts keep their ids; what comes out of a hidden hand is found on the table."""

from __future__ import annotations

from dessert_env import GAME
from tests.moved import acts, check_ids
from tests.views import ids_in
from waiter_envs.drawing.painter import marked


def test_desserts_are_found_again() -> None:
    """Out of a hand that is not seen comes one that then lies open, and is marked there."""
    shown = 0
    for act in acts(GAME, 3, players=3):
        check_ids(act)
        for name, now in act.told["moved"].items():
            player = act.told["player"]
            assert name == f"p{player}-hand"
            assert act.before["players"][player]["hand"]["cards"] is None
            assert now not in ids_in(act.before)
            assert now in marked(act.told)
            shown += 1
    assert shown
