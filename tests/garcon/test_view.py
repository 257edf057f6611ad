"""Views of Garçon and what is told of actions: complete, plain, and no more than is seen."""

from __future__ import annotations

import pytest

from garcon_env import GAME
from tests import views

from .states import DISHES, VARIANTS, positions

every_variant = pytest.mark.parametrize("variant", VARIANTS)


@every_variant
def test_views(variant: str) -> None:
    """Every view has what all views have, in plain types, and ids of its own."""
    views.check_views(GAME, positions(VARIANTS[variant], seed=6, per_kind=3))


@every_variant
def test_told(variant: str) -> None:
    """Everybody is told of every action by ids that its view has."""
    config = VARIANTS[variant]
    views.check_told(GAME, config, positions(config, seed=7, per_kind=3))


@every_variant
def test_told_is_seen(variant: str) -> None:
    """Everybody sees all but the dishes that are named, which it hears, and is told the same.

    Who takes an order is told of its slot alone: the face is its own to remember (GA-11).
    """
    config = VARIANTS[variant]
    state = positions(config, seed=8)
    views.check_told_is_seen(GAME, config, state, spoken="name")
    taken = 0
    for table, actions in views.legal_actions(GAME, config, state, 6):
        for action in actions:
            told = {v: GAME.told(table, action, v) for v in views.everybody(state)}
            own = told.pop(int(table["current_player"]))
            assert own
            if own["text"].startswith("take"):
                taken += 1
                assert all(dish not in own["words"] for dish in DISHES)
                del own["words"]
                assert any(dish in told[None]["words"] for dish in DISHES)
                assert all(dish not in told[None]["later"] for dish in DISHES)
            assert all(own.items() <= other.items() for other in told.values() if other)
    assert taken > 20


@every_variant
def test_open_cards_show_everything(variant: str) -> None:
    """With all cards open, nothing of a position is left out."""
    config = VARIANTS[variant]
    views.check_shows_everything(GAME, config, positions(config, seed=9, per_kind=4))
