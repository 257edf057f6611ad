"""A view of Dessert as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from waiter_envs.core.views import View, from_the_viewer, result, you


def text(view: View) -> str:
    """Return a view as text."""
    lines = [_headline(view["turn"]), _doing(view)]
    if view["new_guest"]:
        lines.append(f"new guest     {_card(view['new_guest'])}")
    laid_down = view["serving"]["cards"] if view["serving"] else []
    lines += [
        f"waiting room  {_listed(guest['guest'] for guest in view['waiting_room'])}",
        f"laid down     {_desserts(laid_down)}",
        f"dirty dishes  {_desserts(view['dirty']['cards'])}",
        f"piles         {view['pile']['count']} desserts, {view['guest_pile']['count']} guests",
    ]
    for player in from_the_viewer(view):
        lines += _place(player)
    return "\n".join(lines)


def _headline(turn: dict[str, Any]) -> str:
    """Say how far the game has come."""
    line = f"Dessert  turn {turn['number']} of P{turn['active']}"
    if turn["closing_turn"]:
        last = f" of {turn['closing_turns']}" if turn["closing_turns"] else ""
        line += f", closing time {turn['closing_turn']}{last}"
    return line


def _doing(view: View) -> str:
    """Say what is going on, and what the viewer is asked."""
    if view["over"]:
        return result(view)
    line, serving = f"steal phase of P{view['turn']['active']}", view["serving"]
    if serving:
        verb = "steals" if serving["kind"] == "steal" else "serves"
        source = {"guest": "", "steal": f" from P{serving['owner']}"}
        line = f"P{serving['player']} {verb} {serving['name']}"
        line += source.get(serving["kind"], " from the Waiting Room")
    elif view["new_guest"]:
        line = "a guest is being served"
    return f"{line}; P{view['to_act']}: {view['question']}" if view["question"] else line


def _place(player: dict[str, Any]) -> list[str]:
    """Show a player's guests, and its hand where it is seen."""
    hand = player["hand"]
    warned = ", warned" if player["warned"] else ""
    head = f"{player['points']} points, {hand['count']} desserts in hand{warned}"
    lines = ["", f"{player['name']}{you(player)}  {head}"]
    lines += [f"    {_card(guest)}" for guest in player["guests"]]
    if hand["cards"] is not None:
        lines.append(f"    hand: {_desserts(hand['cards'])}")
    return lines


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "-"


def _desserts(cards: Sequence[dict[str, Any]]) -> str:
    return _listed(card["card"] for card in cards)


def _card(guest: dict[str, Any]) -> str:
    """Return a guest as text: name, trio, points, what it craves and dislikes."""
    dislikes = f", no {' '.join(guest['dislikes'])}" if guest["dislikes"] else ""
    wants = " ".join(guest["cravings"])
    return f"{guest['guest']} ({guest['trio']}, {guest['points']}): {wants}{dislikes}"
