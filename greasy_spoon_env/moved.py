"""What stands elsewhere after an action: cards go from the hand to the table, or aside."""

from __future__ import annotations

import numpy as np

from greasy_spoon_env.actions import BEGIN_COMBO_1, BEGIN_COMBO_2, SERVE, STASH
from greasy_spoon_env.cards import CARDS, ITEMS, card_texts
from greasy_spoon_env.state import COMPLETING, NONE
from waiter_envs.core.views import Moved, ids_of, is_open


def moved(
    description: tuple[int, ...], before: np.void, after: np.void, viewer: int | None
) -> Moved:
    """Return where cards of the hand have gone: to the dish, the half of one, or the backburner.

    Args:
        description: of the action.
        before: the table before it.
        after: the table then.
        viewer: a player; others than who acts see the hand alone, and no card that is set aside.
    """
    kind, what = (int(number) for number in description)
    player = int(before["current_player"])
    seen = is_open(player, viewer)
    hand, name = card_texts(before["hand"][player]), f"p{player}-hand"
    if kind == STASH and seen:
        kept = card_texts(after["backburner"][player])
        card = [CARDS[what]]
        if card[0] not in kept:
            return {}
        (there,) = ids_of(f"p{player}-backburner", kept, card, True)
        return {ids_of(name, hand, card, True)[0]: there}
    is_cleared = after["dish"][0] == NONE  # the round is over
    cleared: Moved = {"dish": None} if is_cleared and before["dish"][0] != NONE else {}
    if kind not in (SERVE, BEGIN_COMBO_1, BEGIN_COMBO_2):
        return cleared
    cards = [CARDS[card] for card in ITEMS[what].cards]
    is_half = after["phase"] == COMPLETING and kind != SERVE
    there = "pending" if is_half else f"p{player}-served" if is_cleared else "dish"
    return cleared | dict.fromkeys(ids_of(name, hand, cards, seen), there)
