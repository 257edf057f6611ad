"""A table of The Bill as text for people, as one player sees it."""

from __future__ import annotations

import numpy as np


def render(table: np.void, player: int) -> str:
    """Return the table as `player` sees it."""
    lines = [f"The Bill  {table['bill']} {'and paid' if table['terminated'] else 'so far'}"]
    for number, purse in enumerate(table["purse"]):
        mark = ">" if number == table["current_player"] else " "
        seen = f" (you)  {purse} coins" if number == player else "  ? coins"
        lines.append(f"{mark} P{number}{seen}")
    return "\n".join(lines)
