"""A view of Garçon as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from waiter_envs.core.views import UNKNOWN, View, from_the_viewer, marked_name, result


def text(view: View) -> str:
    """Return a view as text. A back is written as its number of dishes of each symbol."""
    lines = [_headline(view), *_market(view)]
    for player in from_the_viewer(view):
        lines += _place(player)
    return "\n".join(lines)


def _dishes(dishes: Sequence[str]) -> str:
    return ", ".join(dishes)


def _headline(view: View) -> str:
    """Say how far the game has come and who is to do what."""
    turn, naming = view["turn"], view["naming"]
    text = f"Garçon  turn {turn['number']}"
    if turn["clock"]:
        text += f", clock {turn['clock']['moved']} of {turn['clock']['places']}"
    else:
        text += f", target {turn['target']}"
    if turn["final_round"]:
        text += ", last round"
    if view["over"]:
        return f"{text}  {result(view)}"
    text += f"  P{view['to_act']} to act"
    if naming:
        said = _dishes(naming["said"]) or "nothing yet"
        text += f", naming its order {naming['order']}: {said}"
    return text


def _market(view: View) -> list[str]:
    """Show what lies in the middle."""
    lines = []
    for slot in view["market"]:
        order = slot["order"]
        face = f"{order['points']}: {_dishes(order['dishes'])}" if order else "-"
        lines.append(f"order {slot['slot']}  {face}")
    lines.append(f"events   {', '.join(slot['event'] or '-' for slot in view['events'])}")
    events = view["event_discards"]["events"].items()
    lines.append(
        f"piles    {view['order_pile']['count']} orders, {view['event_pile']['count']} events; "
        f"discarded: {view['order_discards']['count']} orders, "
        + ", ".join(f"{count} {event}" for event, count in events)
    )
    for order in view["order_discards"]["orders"]:
        lines.append(f"discard  {_dishes(order['dishes'])}")
    return lines


def _place(player: dict[str, Any]) -> list[str]:
    """Show what is known of a player."""
    first = ", first player" if player["is_first"] else ""
    last = _last(player["last"])
    lines = ["", f"{marked_name(player)}{first}  {player['points']} points  last: {last}"]
    for order in player["open"]:
        face = _dishes(order["order"]["dishes"]) if order["order"] else UNKNOWN
        back = "-".join(map(str, order["back"]))
        marks = "".join(f" +{mark}" for mark in ("repeat", "notebook") if order[mark])
        lines.append(f"    {order['place']} [{back}]{marks}  age {order['age']}  {face}")
    for order in player["completed"]:
        repeat = " +repeat" if order["repeat"] else ""
        lines.append(f"    completed{repeat}  {_dishes(order['dishes'])}")
    return lines


def _last(last: dict[str, Any] | None) -> str:
    """Return what a player did in its last turn."""
    if last is None:
        return "-"
    if last["slot"] is None:
        return str(last["did"])
    face = "" if last["dishes"] is None else f" ({_dishes(last['dishes'])})"
    return f"{last['did']} {last['slot']}{face}"
