"""The rule-based opponent of The Bill, compiled like the rules. It sees what its player sees."""

from __future__ import annotations

from collections.abc import Mapping

from bill_env.actions import ASK
from waiter_envs.core.game import Heuristic
from waiter_envs.core.jit import njit


@njit
def choose(table, mask):
    """Order the cheapest dish, or ask once the bill is more than all purses hold on average."""
    twice_others = (table.num_players - 1) * (table.coins + 1)
    if 2 * (table.bill - table.purse[table.current_player]) > twice_others:
        return ASK
    return ASK + 1


HEURISTICS: Mapping[str, Heuristic] = {"heuristic": Heuristic(choose)}
"""Rule-based agents by name."""
