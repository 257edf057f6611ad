"""A view of Greasy Spoon as text for people."""

from __future__ import annotations

from typing import Any

from waiter_envs.core.views import UNKNOWN, View, from_the_viewer, marked_name, result

_COMBOS = {"combo 1": "Combo 1: ", "combo 2": "Combo 2: "}


def text(view: View) -> str:
    """Return a view as text."""
    lines = [_headline(view), f"dish     {_dish(view['dish'])}"]
    for player in from_the_viewer(view):
        lines += _place(player)
    return "\n".join(lines)


def _headline(view: View) -> str:
    """Say where the match stands and who is to do what."""
    score = "-".join(str(player["score"]) for player in view["players"])
    match = f"Greasy Spoon  best of {view['turn']['best_of']}, score {score}"
    if view["over"]:
        return f"{match}  {result(view)}"
    return f"{match}  P{view['to_act']} {_doing(view)}"


def _doing(view: View) -> str:
    """Say what is to be done."""
    stashing, pending = view["stashing"], view["pending"]
    if stashing:
        last = f", the last {stashing['last']}" if stashing["last"] else ""
        return f"has passed and set aside {stashing['count']}{last}"
    if pending:
        return f"to complete {' '.join(pending['main']['cards'])} + {pending['with']}"
    return "to serve or pass" if view["dish"]["parts"] else "to lead"


def _dish(dish: dict[str, Any]) -> str:
    """Return the dish to beat, its cards and what they are called."""
    if not dish["parts"]:
        return "-"
    names = " & ".join(part["type"] for part in dish["parts"])
    return f"{dish['text']}  ({_COMBOS.get(dish['kind'], '')}{names})"


def _place(player: dict[str, Any]) -> list[str]:
    """Show what is known of a player, and its cards where they are seen."""
    starter = ", starter" if player["is_starter"] else ""
    recalled = ", recalled" if player["recalled"] else ""
    last = f"set aside {player['set_aside']} in its last pass{recalled}"
    lines = ["", f"{marked_name(player)}{starter}  {last}"]
    for name in ("hand", "draw", "backburner", "served"):
        pile = player[name]
        cards = UNKNOWN * pile["count"] if name != "draw" else ""  # nobody knows its order
        if pile["cards"] is not None:
            cards = " ".join(card["card"] for card in pile["cards"])
        lines.append(f"    {name:<10} {pile['count']:2} {cards}".rstrip())
    return lines
