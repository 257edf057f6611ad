"""What stands elsewhere after an action: desserts that others lay down come from their hands.

Guests and desserts keep their ids wherever they are, so that whoever sees them finds them again.
"""

from __future__ import annotations

import numpy as np

from dessert_env.actions import DISCARD, LAY_DOWN, PLAY_ACE
from dessert_env.state import CHOSEN, DIRTY, DISCARDED
from waiter_envs.core.views import Moved, is_open


def moved(
    description: tuple[int, ...], before: np.void, after: np.void, viewer: int | None
) -> Moved:
    """Return which dessert came out of a hand that the viewer does not see.

    Args:
        description: of the action.
        before: the table before it.
        after: the table then.
        viewer: a player, or `None`.
    """
    kind, what = (int(number) for number in description)
    player = int(before["current_player"])
    if is_open(player, viewer) or kind not in (LAY_DOWN, PLAY_ACE, DISCARD):
        return {}
    if after["dessert"][what] not in (CHOSEN, DIRTY, DISCARDED):
        return {}
    return {f"p{player}-hand": f"dessert-{what}"}
