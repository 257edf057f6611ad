"""A table of Greasy Spoon as text for people, as one player sees it (GS-12)."""

from __future__ import annotations

import numpy as np

from greasy_spoon_env.actions import WITH, dish_text, item_text, kind_of
from greasy_spoon_env.cards import CARDS, COMBO_1, COMBO_2, ITEMS, MAIN, TYPES, card_texts
from greasy_spoon_env.state import COMPLETING, NONE, OVER, PILES, STASHING

FACE_DOWN = "?"
"""A card that the viewer does not see."""


def render(table: np.void, player: int) -> str:
    """Return the table as `player` sees it: what a person in that seat could see, no more.

    Args:
        table: one record of `state.table_dtype`.
        player: the viewer.
    """
    lines = [_headline(table, player), f"dish     {_dish(table)}"]
    for number in (player, 1 - player):
        lines += _place(table, number, number == player)
    return "\n".join(lines)


def _headline(table: np.void, viewer: int) -> str:
    """Say where the match stands and who is to do what."""
    score = "-".join(str(games) for games in table["score"].tolist())
    match = f"Greasy Spoon  best of {2 * int(table['games_to_win']) - 1}, score {score}"
    if table["phase"] == OVER:
        return f"{match}  P{table['winner']} has won"
    acting = int(table["current_player"])
    doing = "to serve or pass" if table["dish"][0] != NONE else "to lead"
    if table["phase"] == STASHING:
        doing = f"has passed and set aside {table['stashed']}"
        if table["last_stashed"] != NONE and acting == viewer:
            doing += f", the last {CARDS[table['last_stashed']]}"
    elif table["phase"] == COMPLETING and acting == viewer:
        main = item_text(int(table["pending"]))
        doing = f"to complete {main} + {WITH[int(table['pending_with'])]}"
    return f"{match}  P{acting} {doing}"


def _dish(table: np.void) -> str:
    """Return the dish to beat, its cards and what they are called."""
    first, second = table["dish"].tolist()
    if first == NONE:
        return "-"
    names = [TYPES[ITEMS[item].category][ITEMS[item].type] for item in (first, second) if item >= 0]
    kind = {COMBO_1: "Combo 1: ", COMBO_2: "Combo 2: "}.get(kind_of((first, second)), "")
    return f"{dish_text((first, second))}  ({kind}{' & '.join(names)})"


def _place(table: np.void, player: int, is_viewer: bool) -> list[str]:
    """Show what is known of a player, and its own cards to the viewer."""
    acting = table["phase"] != OVER and player == table["current_player"]
    pending = table["phase"] == COMPLETING and acting
    last = f"set aside {table['set_aside'][player]} in its last pass"
    if table["recalled"][player]:
        last += ", recalled"
    marks = f"{'>' if acting else ' '} P{player}{' (you)' if is_viewer else ''}"
    starter = ", starter" if player == table["starter"] else ""
    lines = ["", f"{marks}{starter}  {last}"]
    for name in PILES:
        cards = table[name][player]
        size = int(cards.sum())
        if name == "hand" and pending and not is_viewer:
            size += MAIN + 1  # a half-served main still counts there (GS-11)
        seen = " ".join(card_texts(cards)) if is_viewer or name == "served" else FACE_DOWN * size
        if name == "draw":  # nobody knows its order
            seen = ""
        lines.append(f"    {name:<10} {size:2} {seen}".rstrip())
    return lines
