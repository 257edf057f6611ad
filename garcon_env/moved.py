"""What stands elsewhere after an action: open orders close up, and go where orders go."""

from __future__ import annotations

import numpy as np

from garcon_env.actions import NOTEBOOK_ORDER, REPEAT_ORDER
from garcon_env.state import COMPLETED, DISCARDED, NAMING, NONE
from garcon_env.view import EVENTS_OF
from waiter_envs.core.views import Moved


def moved(
    description: tuple[int, ...], before: np.void, after: np.void, viewer: int | None
) -> Moved:
    """Return by its id what has another one in the view after an action, or is gone: `None`.

    An order that has been completed lies on its player's mat.

    Args:
        description: of the action.
        before: the table before it.
        after: the table then.
        viewer: who looks; where orders go, everybody sees.
    """
    del viewer
    kind, a, _ = (int(number) for number in description)
    there = _places(after)
    found: Moved = {
        name: there.get(order, _left_for(after, order)) for order, name in _places(before).items()
    }
    if before["phase"] == NAMING != after["phase"]:
        found["naming"] = None
    if kind in EVENTS_OF:
        slot = f"event-{before['market_event'].tolist().index(EVENTS_OF[kind])}"
        player = int(before["current_player"])
        used = {REPEAT_ORDER: f"p{player}-open-{a}", NOTEBOOK_ORDER: f"p{player}-open-{a}"}
        found[slot] = used.get(kind, "event-discards")
    return {name: now for name, now in found.items() if now != name}


def _places(table: np.void) -> dict[int, str]:
    """Return where orders lie that everybody can point at, by their numbers."""
    places = {
        order: f"slot-{slot}"
        for slot, order in enumerate(table["market"].tolist())
        if order != NONE
    }
    for player, count in enumerate(table["num_open"].tolist()):
        for place, order in enumerate(table["order"][player, :count].tolist()):
            places[order] = f"p{player}-open-{place}"
    return places


def _left_for(table: np.void, order: int) -> str | None:
    """Return where an order has gone that lies at no place of its own."""
    if table["place"][order] == COMPLETED:
        return f"p{int(table['owner'][order])}"
    return "order-discards" if table["place"][order] == DISCARDED else None
