"""A table of Dessert as text for people, as one player sees it (DE-14)."""

from __future__ import annotations

import numpy as np

from dessert_env.cards import CRAVINGS, DISLIKES, GUESTS, POINTS, TRIO, TRIO_NAMES
from dessert_env.position import desserts_at
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    CLAIM,
    COMING,
    DIRTY,
    DISCARDED,
    DRAW,
    FRESHEN,
    FROM_WAITING,
    NEW_GUEST,
    NONE,
    OVER,
    PILE,
    SERVE,
    STEAL,
    STOP,
    THEFT,
)

_ASKED = {
    CLAIM: "claim the guest, or decline?",
    CALL: "serve the guest, or decline?",
    SERVE: "which dessert to serve?",
    STEAL: "steal, serve from the Waiting Room, freshen up, or be done?",
    STOP: "stop the theft, or allow it?",
    BRIBE: "which dessert as a bribe?",
    FRESHEN: "which dessert to discard?",
}


def render(table: np.void, player: int) -> str:
    """Return the table as `player` sees it: what a person in that seat could see, no more.

    Args:
        table: one record of `state.table_dtype`.
        player: the viewer.
    """
    players = len(table["warned"])
    lines = [_headline(table), _doing(table, player)]
    if table["new_guest"] != NONE:
        lines.append(f"new guest     {_card(table['new_guest'])}")
    waiting = table["waiting_room"][: table["num_waiting"]][::-1]
    lines += [
        f"waiting room  {', '.join(GUESTS[guest] for guest in waiting) or '-'}",
        f"laid down     {_names(table, CHOSEN)}",
        f"dirty dishes  {_names(table, DIRTY, DISCARDED)}",
        f"piles         {len(desserts_at(table, PILE))} desserts, "
        f"{int((table['guest'] == COMING).sum())} guests",
    ]
    for number in range(players):
        lines += _place(table, (player + number) % players, player)
    return "\n".join(lines)


def _headline(table: np.void) -> str:
    """Say how far the game has come."""
    line = f"Dessert  turn {table['turn']} of P{table['active']}"
    if table["closing_turn"]:
        last = int(table["closing_turns"])
        line += f", closing time {table['closing_turn']}" + (f" of {last}" if last > 0 else "")
    return line


def _doing(table: np.void, viewer: int) -> str:
    """Say what is going on, and what the viewer is asked (DE-14)."""
    if table["phase"] == OVER:
        if table["truncated"]:
            return "cut at the turn limit"
        return "a draw" if table["winner"] == DRAW else f"P{table['winner']} has won"
    active, serving = table["active"], int(table["serving"])
    line = f"steal phase of P{active}"
    if serving == NEW_GUEST:
        line = f"P{table['current_player']} serves {GUESTS[table['target']]}"
    elif serving == THEFT:
        target = int(table["target"])
        line = f"P{active} steals {GUESTS[target]} from P{table['guest'][target]}"
    elif serving == FROM_WAITING:
        line = f"P{active} serves {GUESTS[table['target']]} from the Waiting Room"
    elif table["new_guest"] != NONE:
        line = "a guest is being served"
    if table["current_player"] == viewer:
        line += f"; P{viewer}: {_ASKED[int(table['phase'])]}"
    return line


def _place(table: np.void, player: int, viewer: int) -> list[str]:
    """Show a player's guests, and its hand to itself."""
    points = int(POINTS[table["guest"] == player].sum())
    hand = desserts_at(table, player)
    you = " (you)" if player == viewer else ""
    warned = ", warned" if table["warned"][player] else ""
    lines = ["", f"P{player}{you}  {points} points, {len(hand)} desserts in hand{warned}"]
    lines += [f"    {_card(guest)}" for guest in np.flatnonzero(table["guest"] == player).tolist()]
    if player == viewer:
        lines.append(f"    hand: {', '.join(hand) or '-'}")
    return lines


def _names(table: np.void, *places: int) -> str:
    return ", ".join(desserts_at(table, *places)) or "-"


def _card(guest: int) -> str:
    """Return a guest as text: name, trio, points, what it craves and dislikes."""
    wants = " ".join(CRAVINGS[guest])
    dislikes = f", no {' '.join(sorted(DISLIKES[guest]))}" if DISLIKES[guest] else ""
    return f"{GUESTS[guest]} ({TRIO_NAMES[TRIO[guest]]}, {POINTS[guest]}): {wants}{dislikes}"
