"""Cards go from the hand to the dish and the backburner; hands of others tell nothing else."""

from __future__ import annotations

from typing import Any

from greasy_spoon_env import GAME
from tests.moved import acts, check_ids
from waiter_envs.drawing.painter import marked


def cards(view: dict[str, Any], player: int, name: str) -> dict[str, str]:
    """Return the cards of a pile that is seen, by their ids."""
    return {card["id"]: card["card"] for card in view["players"][player][name]["cards"] or ()}


def test_cards_are_found_again() -> None:
    """Those set aside in the backburner, by whoever sees them; those served in the dish."""
    set_aside = served = hidden = emptied = cleared = 0
    for act in acts(GAME, 4):
        check_ids(act)
        player, moved = act.told["player"], act.told["moved"]
        hand, kept = cards(act.before, player, "hand"), cards(act.after, player, "backburner")
        for name, now in moved.items():
            if name == "dish":
                assert now is None
                assert not act.after["dish"]["parts"]
                cleared += 1
            elif name == f"p{player}-hand":
                assert not hand
                assert now == ("dish" if act.after["dish"]["parts"] else f"p{player}-served")
                hidden += 1
            elif now in ("dish", "pending", f"p{player}-served"):
                assert act.told["words"].split()[0] in ("serves", "begins")
                served += 1
            else:
                assert kept[str(now)] == hand[name]
                set_aside += 1
        if act.told["words"].startswith("shuffles"):
            assert marked(act.told) == {f"p{player}-backburner", f"p{player}-draw"}
            assert act.after["players"][player]["backburner"]["count"] == 0
            emptied += 1
    assert min(set_aside, served, hidden, emptied, cleared)
