"""Open orders that close up are found again, and orders where they have gone."""

from __future__ import annotations

from collections import Counter
from typing import Any

from garcon_env import GAME
from tests.moved import acts, check_ids
from waiter_envs.drawing.painter import marked


def orders(view: dict[str, Any]) -> dict[str, Any]:
    """Return the dishes of all orders that lie somewhere, by the ids of their places."""
    found = {slot["id"]: slot["order"] for slot in view["market"] if slot["order"]}
    for player in view["players"]:
        found |= {order["id"]: order["order"] for order in player["open"]}
    return found


def test_orders_are_found_again() -> None:
    """With all cards open each has the dishes that it had; what is gone lies where it was put."""
    seen: Counter[str] = Counter()
    for act in acts(GAME, 6, players=3):
        check_ids(act)
        if act.before["viewer"] is not None:
            continue
        before, after = orders(act.before), orders(act.after)
        for name, order in before.items():
            now = act.now(name)
            if now in after:
                assert after[now] == order, (name, act.told)
            elif now == "order-discards":
                assert order in act.after["order_discards"]["orders"]
            elif now is not None:
                completed = act.after["players"][int(now[1:])]["completed"]
                assert order in [{k: o[k] for k in ("points", "dishes")} for o in completed]
            seen[f"{name.split('-')[-2]} to {str(now).split('-')[-2:][0]}"] += now != name
    assert {"slot to p0", "open to open", "open to order"} <= {
        kind if kind[0] == "o" else f"{kind[:7]} p0" for kind in seen if seen[kind]
    }


def test_marks_stand_where_orders_are() -> None:
    """An order that was taken is marked before its player, one that is gone nowhere."""
    taken = gone = 0
    for act in acts(GAME, 6, players=3):
        marks, player = marked(act.told), act.told["player"]
        words = act.told["words"]
        if words.startswith("takes the order"):
            count = len(act.before["players"][player]["open"])
            assert marks == {f"p{player}-open-{count}"}
            taken += 1
        elif words.startswith("names") and act.after["naming"] is None:
            assert not any(mark.startswith(f"p{player}-open") for mark in marks)
            gone += bool(act.after["players"][player]["open"])
    assert taken
    assert gone
