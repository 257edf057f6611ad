"""A table of Hey Waiter! as text for people, as one seat sees it (HW-15)."""

from __future__ import annotations

import numpy as np

from hey_waiter_env.actions import DRAFT_PICK, MOVE_DISHES, ONTO, TAKE, describe
from hey_waiter_env.cards import COLOURS
from hey_waiter_env.state import DRAFT, NONE, OVER, SERVE

UNKNOWN = "?"


def render(table: np.void, player: int) -> str:
    """Return the table as `player` sees it: what a person in that seat could see, no more.

    Stacks are written bottom to top, the newest last. `?` stands for a card that is face down
    or in another hand.

    Args:
        table: one record of `state.table_dtype`.
        player: the viewer, to act or not.
    """
    lines = [_headline(table), *_sides(table), "", *_middle(table)]
    for other in range(len(table["hand"])):
        lines += _place(table, other, player)
    return "\n".join(lines)


def _headline(table: np.void) -> str:
    """Say how far the game is, who acts, or who has won."""
    turn, limit = int(table["turn"]), int(table["turn_limit"])
    seat = int(table["to_act"])
    actor = f"P{table['player_at'][seat]} at seat {seat}"
    if table["winner"] != NONE:
        members = np.flatnonzero(table["side"] == table["winner"]).tolist()
        now = f"{_names(members)} {'win' if len(members) > 1 else 'wins'}, {actor} acted last"
    elif table["phase"] == OVER:
        now = f"cut at the turn limit: a draw, {actor} acted last"
    elif table["phase"] == DRAFT:
        now = f"the draft: {actor} picks a stack"
    else:
        now = f"{actor} is to act"
    return (
        f"Hey Waiter!  turn {turn}, {limit - turn} left  starting seat {table['start_seat']}\n{now}"
    )


def _sides(table: np.void) -> list[str]:
    """Say who plays with whom, as far as everybody knows; sides have no numbers here."""
    players, sides = len(table["side"]), len(table["known"])
    if players == sides:
        return []
    known: list[str] = []
    hidden: list[str] = []
    seen = set()
    for player, side in enumerate(table["side"].tolist()):
        if not table["known"][side]:
            hidden.append(f"P{player}")
        elif side not in seen:
            seen.add(side)
            known.append(_names(np.flatnonzero(table["side"] == side).tolist()))
    if hidden:
        hidden_sides = [side for side in range(sides) if not table["known"][side]]
        sizes = sorted((int((table["side"] == side).sum()) for side in hidden_sides), reverse=True)
        known.append(f"secret: {' '.join(hidden)}, in sides of {', '.join(map(str, sizes))}")
    return [f"sides  {' against '.join(known)}"]


def _names(players: list[int]) -> str:
    return "+".join(f"P{player}" for player in players)


def _middle(table: np.void) -> list[str]:
    """Show what lies in the middle: covers, piles, and the stacks of the draft."""
    lines = [
        f"covers   {_letters(table['table_covers']) or '-'}",
        f"draw     {int(table['draw'].sum())} cards",
        "discard  " + "  ".join(f"{c} {n}" for c, n in zip(COLOURS, table["discard"], strict=True)),
    ]
    if table["phase"] != DRAFT:
        return lines
    for number, dishes in enumerate(table["draft"]):
        text = "taken" if table["taken"][number] else _dishes(dishes[dishes != NONE])
        if table["equal_dishes"]:
            lines.append(f"pick {number}   {text}")
        else:
            owner = f"for P{table['player_at'][number]} at seat {number}"
            lines.append(f"stack    {text}  {owner}")
    return lines


def _place(table: np.void, player: int, viewer: int) -> list[str]:
    """Show what lies before a player, and its hand if it is the viewer's."""
    seats = np.flatnonzero(table["player_at"] == player).tolist()
    hand = table["hand"][player]
    size = int(hand.sum())
    cards = _letters(hand) if player == viewer else UNKNOWN * size
    acting = table["phase"] != OVER and player == table["player_at"][table["to_act"]]
    name = f"{'>' if acting else ' '} P{player}{' (you)' if player == viewer else ''}"
    where = f"seat{'s' if len(seats) > 1 else ''} {','.join(map(str, seats))}"
    head = (
        f"{name:<11}{where:<11} hand {size} {cards:<7}  busboys {_busboys(table['busboy'][player])}"
        f"  last: {_last_action(table['last'][player], player == viewer)}"
    )
    return ["", head.rstrip(), *_stacks(table, player, player == viewer)]


def _busboys(busboys: np.ndarray) -> str:
    return " ".join(
        f"{colour}:{'serve' if side == SERVE else 'face '}"
        for colour, side in zip(COLOURS, busboys.tolist(), strict=True)
    )


def _stacks(table: np.void, player: int, is_viewer: bool) -> list[str]:
    number = int(table["num_stacks"][player])
    if not number and table["phase"] != DRAFT:
        return ["    no dishes left"]
    lines = []
    start = 0
    for stack in range(number):
        height = int(table["height"][player, stack])
        card = COLOURS[table["card"][player, stack]] if is_viewer else UNKNOWN
        dishes = _dishes(table["dishes"][player, start : start + height])
        cover = table["cover"][player, stack]
        covered = "" if cover == NONE else f"  under the {COLOURS[cover]} cover"
        lines.append(f"    {stack} [{card}] {dishes}{covered}")
        start += height
    return lines


def _last_action(last: np.ndarray, is_own: bool) -> str:
    """Return the text of a last action, without the colour of a card that others lay down."""
    kind = last[0]
    if not kind:
        return "-"
    text = describe(tuple(last.tolist()))
    laid_down = kind in (DRAFT_PICK, TAKE) or (kind == MOVE_DISHES and last[4] < ONTO)
    return text if is_own or not laid_down else text[:-1] + UNKNOWN


def _letters(counts: np.ndarray) -> str:
    return "".join(colour * n for colour, n in zip(COLOURS, counts.tolist(), strict=True))


def _dishes(colours: np.ndarray) -> str:
    return " ".join(COLOURS[colour] for colour in colours.tolist())
