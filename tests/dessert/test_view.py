"""Views of Dessert and what is told of actions: complete, plain, and no more than is seen."""

from __future__ import annotations

import pytest

from dessert_env import GAME
from tests import views

from .playing import VARIANTS
from .states import PLAYED, positions

every_variant = pytest.mark.parametrize("variant", PLAYED)


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
    """What nobody else can see of an action, nobody else is told."""
    config = VARIANTS[variant]
    state = positions(config, seed=8, per_kind=6)
    assert views.check_told_is_seen(GAME, config, state, spoken="serve|discard") > 0


@every_variant
def test_open_cards_show_everything(variant: str) -> None:
    """With all cards open, nothing of a position is left out."""
    config = VARIANTS[variant]
    views.check_shows_everything(GAME, config, positions(config, seed=9, per_kind=4))
