"""A view of Hey Waiter! as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from waiter_envs.core.views import UNKNOWN, View, marked_name


def text(view: View) -> str:
    """Return a view as text.

    Stacks are written bottom to top, the newest last. `?` stands for a card that is face down
    or in another hand.
    """
    lines = [_headline(view), *_sides(view["sides"]), "", *_middle(view)]
    for player in view["players"]:
        lines += _place(player, view["phase"] == "draft")
    return "\n".join(lines)


def _headline(view: View) -> str:
    """Say how far the game is, who acts, or who has won."""
    turn = view["turn"]
    actor = f"P{turn['player']} at seat {turn['seat']}"
    winners = view["winners"]
    if winners:
        now = f"{_names(winners)} {'win' if len(winners) > 1 else 'wins'}, {actor} acted last"
    elif view["over"]:
        now = f"cut at the turn limit: a draw, {actor} acted last"
    elif view["phase"] == "draft":
        now = f"the draft: {actor} picks a stack"
    else:
        now = f"{actor} is to act"
    return (
        f"Hey Waiter!  turn {turn['number']}, {turn['left']} left  "
        f"starting seat {turn['starting_seat']}\n{now}"
    )


def _sides(sides: dict[str, Any] | None) -> list[str]:
    """Say who plays with whom."""
    if sides is None:
        return []
    parts = [_names(players) for players in sides["known"]]
    if sides["secret"]:
        sizes = ", ".join(map(str, sides["secret_sizes"]))
        players = " ".join(f"P{player}" for player in sides["secret"])
        parts.append(f"secret: {players}, in sides of {sizes}")
    return [f"sides  {' against '.join(parts)}"]


def _names(players: Sequence[int]) -> str:
    return "+".join(f"P{player}" for player in players)


def _middle(view: View) -> list[str]:
    """Show what lies in the middle: covers, piles, and the stacks of the draft."""
    covers = "".join(cover["colour"] * cover["count"] for cover in view["covers"])
    counts = view["discard"]["cards"].items()
    lines = [
        f"covers   {covers or '-'}",
        f"draw     {view['draw']['count']} cards",
        "discard  " + "  ".join(f"{colour} {count}" for colour, count in counts),
    ]
    for stack in view["draft"]:
        dishes = "taken" if stack["dishes"] is None else " ".join(stack["dishes"])
        if stack["seat"] is None:
            lines.append(f"pick {stack['number']}   {dishes}")
        else:
            lines.append(f"stack    {dishes}  for P{stack['player']} at seat {stack['seat']}")
    return lines


def _place(player: dict[str, Any], draft: bool) -> list[str]:
    """Show what lies before a player, and its hand where it is seen."""
    seats, hand, last = player["seats"], player["hand"], player["last"]
    if hand["cards"] is None:
        cards = UNKNOWN * hand["count"]
    else:
        cards = "".join(card["card"] for card in hand["cards"])
    where = f"seat{'s' if len(seats) > 1 else ''} {','.join(map(str, seats))}"
    busboys = " ".join(f"{busboy['colour']}:{busboy['side']:<5}" for busboy in player["busboys"])
    head = (
        f"{marked_name(player):<11}{where:<11} hand {hand['count']} {cards:<7}  "
        f"busboys {busboys}  last: {last['text'] if last else '-'}"
    )
    nothing = [] if player["stacks"] or draft else ["    no dishes left"]
    return ["", head, *nothing, *map(_stack, player["stacks"])]


def _stack(stack: dict[str, Any]) -> str:
    """Show a stack, bottom to top."""
    dishes = " ".join(dish["dish"] for dish in stack["dishes"])
    cover = f"  under the {stack['cover']['colour']} cover" if stack["cover"] else ""
    return f"    {stack['stack']} [{stack['card']['colour'] or UNKNOWN}] {dishes}{cover}"
