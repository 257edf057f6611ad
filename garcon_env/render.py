"""A table of Garçon as text for people, as one player sees it (GA-11)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from garcon_env.actions import KIND_NAMES
from garcon_env.cards import EVENT_NAMES, dishes_of
from garcon_env.rules import sees
from garcon_env.state import DISCARDED, DRAW, NAMING, NONE, OVER, menu_of
from waiter_envs.core.interpreted import plain

_sees = plain(sees)


def render(table: np.void, player: int) -> str:
    """Return the table as `player` sees it: what a person in that seat could see, no more.

    A back is written as its number of dishes of each symbol.

    Args:
        table: one record of `state.table_dtype`.
        player: the viewer.
    """
    lines = [_headline(table), *_market(table)]
    players = len(table["points"])
    for distance in range(players):
        lines += _place(table, (player + distance) % players, player)
    return "\n".join(lines)


def _dishes(table: np.void, face: int) -> str:
    """Return the dishes of a face as text."""
    menu = menu_of(table)
    return ", ".join(menu[dish] for dish in dishes_of(face))


def _order(table: np.void, order: int) -> str:
    """Return the dishes of an order as text."""
    return _dishes(table, int(table["face"][order]))


def _sorted(table: np.void, which: npt.NDArray[np.bool_]) -> list[int]:
    """Return orders sorted by what is shown of them, whatever their numbers."""

    def shown(order: int) -> tuple[int, tuple[int, ...], int]:
        dishes = dishes_of(int(table["face"][order]))
        return len(dishes), dishes, int(table["with_repeat"][order])

    return sorted(np.flatnonzero(which).tolist(), key=shown)


def _headline(table: np.void) -> str:
    """Say how far the game has come and who is to do what."""
    text = f"Garçon  turn {table['turns_done']}"
    if table["has_clock"]:
        text += f", clock {table['clock']} of {table['num_clock_places']}"
    else:
        text += f", target {table['target']}"
    if table["final_round"]:
        text += ", last round"
    if table["phase"] == OVER:
        winner = int(table["winner"])
        ends = {DRAW: "a draw", NONE: "cut at the turn limit"}
        return f"{text}  {ends.get(winner, f'P{winner} has won')}"
    text += f"  P{table['current_player']} to act"
    if table["phase"] == NAMING:
        said = _dishes(table, int(table["said"]))
        text += f", naming its order {table['named']}: {said or 'nothing yet'}"
    return text


def _market(table: np.void) -> list[str]:
    """Show what lies in the middle."""
    lines = []
    for slot, order in enumerate(table["market"].tolist()):
        if order == NONE:
            lines.append(f"order {slot}  -")
            continue
        points = int(table["order_points"][order])
        lines.append(f"order {slot}  {points}: {_order(table, order)}")
    events = [
        "-" if event == NONE else EVENT_NAMES[event] for event in table["market_event"].tolist()
    ]
    lines.append(f"events   {', '.join(events)}")
    discards = ", ".join(
        f"{count} {name}"
        for name, count in zip(EVENT_NAMES, table["event_discards"].tolist(), strict=True)
    )
    lines.append(
        f"piles    {table['order_pile']} orders, {int(table['event_pile'].sum())} events; "
        f"discarded: {table['order_discards']} orders, {discards}"
    )
    for order in _sorted(table, table["place"] == DISCARDED):
        lines.append(f"discard  {_order(table, order)}")
    return lines


def _place(table: np.void, player: int, viewer: int) -> list[str]:
    """Show what is known of a player."""
    acting = table["phase"] != OVER and player == table["current_player"]
    name = f"{'>' if acting else ' '} P{player}{' (you)' if player == viewer else ''}"
    first = ", first player" if player == table["first_player"] else ""
    last = _last(table, player, player == viewer)
    lines = ["", f"{name}{first}  {table['points'][player]} points  last: {last}"]
    for place in range(int(table["num_open"][player])):
        order = int(table["order"][player, place])
        seen = player == viewer and _sees(np.asarray(table).reshape(1), player, place)
        face = _order(table, order) if seen else "?"
        back = "-".join(map(str, table["back_counts"][table["back"][order]].tolist()))
        marks = "".join(f" +{mark}" for mark in EVENT_NAMES[:2] if table[mark][player, place])
        age = table["age"][player, place]
        lines.append(f"    {place} [{back}]{marks}  age {age}  {face}")
    for order in _sorted(table, table["owner"] == player):
        repeat = " +repeat" if table["with_repeat"][order] else ""
        lines.append(f"    completed{repeat}  {_order(table, order)}")
    return lines


def _last(table: np.void, player: int, is_viewer: bool) -> str:
    """Return what a player did in its last turn; the face that it took is its own to remember."""
    did = KIND_NAMES[int(table["last"][player])] or "-"
    slot = int(table["last_slot"][player])
    if slot == NONE:
        return did
    face = _dishes(table, int(table["last_face"][player]))
    return f"{did} {slot}" + ("" if is_viewer else f" ({face})")
