"""A view of The Bill as text for people."""

from __future__ import annotations

from waiter_envs.core.views import View, you


def text(view: View) -> str:
    """Return a view as text."""
    lines = [f"The Bill  {view['bill']['coins']} {'and paid' if view['over'] else 'so far'}"]
    for player in view["players"]:
        mark = ">" if player["player"] == view["turn"]["player"] else " "
        coins = "?" if player["coins"] is None else player["coins"]
        lines.append(f"{mark} {player['name']}{you(player)}  {coins} coins")
    return "\n".join(lines)
