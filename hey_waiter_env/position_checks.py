"""What shows in a position of Hey Waiter! to be impossible; `position` reads it entry by entry."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hey_waiter_env.actions import TAKE, describe
from hey_waiter_env.cards import COLOURS, HAND_SIZE, NUM_COLOURS
from hey_waiter_env.config import Config
from hey_waiter_env.state import DRAFT, NONE, PHASES


def check_position(config: Config, table: np.void) -> None:
    """Refuse a table whose entries cannot go together.

    Args:
        config: the variant.
        table: one record of `state.table_dtype`, each of its entries possible by itself.

    Raises:
        ValueError: if it is impossible; the text says what is wrong and what must be.
    """
    _check_cards(table)
    _check_dishes(config, table)
    _check_covers(table)
    if table["phase"] == DRAFT:
        _check_draft(config, table)
    _check_end(table)
    if config.secret_teams:
        _check_revealed(table)


def _check_cards(table: np.void) -> None:
    """Check that every card is there once, and that every player has its number (HW-4, HW-13)."""
    counts = table["draw"] + table["discard"] + table["hand"].sum(axis=0)
    under = table["card"][table["card"] != NONE]
    counts = (counts + np.bincount(under, minlength=NUM_COLOURS)).tolist()
    total = int(table["cards_per_colour"])
    if counts != [total] * NUM_COLOURS:
        raise ValueError(
            f"waiter cards in hands, under stacks, in draw and discard: {tally(counts)}; there "
            f"must be {total} of each colour"
        )
    if not table["draw"].any():
        raise ValueError(
            "draw: no card; the discard pile becomes the new draw pile as soon as it is empty"
        )
    for player, hand in enumerate(table["hand"].sum(axis=1).tolist()):
        stacks = int(table["num_stacks"][player])
        ended_it = table["winner"] != NONE and player == table["current_player"]
        due = HAND_SIZE - 2 * ended_it
        if hand + stacks != due:
            raise ValueError(
                f"players[{player}]: {hand} cards in hand and {stacks} stacks; together they "
                f"must be {due}" + (" after the play that ended the game" if ended_it else "")
            )


def _check_dishes(config: Config, table: np.void) -> None:
    """Check that there are no more dishes than the sets hold, or than were dealt to a side."""
    dishes = np.concatenate([table["dishes"].ravel(), table["draft"].ravel()])
    counts = np.bincount(dishes[dishes != NONE], minlength=NUM_COLOURS).tolist()
    most = int(table["dishes_per_colour"])
    if max(counts) > most:
        raise ValueError(f"dishes: {tally(counts)}; there are {most} of each colour in all")
    for side in range(config.num_sides):
        members = np.flatnonzero(table["side"] == side).tolist()
        number = int(table["height"][members].sum())
        most = sum(config.player_dishes[member] for member in members)
        if number > most:
            raise ValueError(
                f"players {members}, who are side {side}, have {number} dishes; {most} were dealt "
                "to them"
            )


def _check_covers(table: np.void) -> None:
    on_stacks = table["cover"][table["cover"] != NONE]
    counts = (table["table_covers"] + np.bincount(on_stacks, minlength=NUM_COLOURS)).tolist()
    total = int(table["num_covers"])
    if counts != [total] * NUM_COLOURS:
        raise ValueError(
            f"covers on the table and on stacks: {tally(counts)}; there must be {total} of each "
            "colour"
        )


def _check_draft(config: Config, table: np.void) -> None:
    """Check that the draft has come as far as the seat to act says (HW-1, HW-2)."""
    seats, start, to_act = config.num_seats, int(table["start_seat"]), int(table["to_act"])
    picked = [(start - 1 - pick) % seats for pick in range((start - 1 - to_act) % seats)]
    because = f"start_seat={start} and to_act={to_act} in the draft: seats {picked} have picked"
    taken = np.flatnonzero(table["taken"]).tolist()
    if len(taken) != len(picked) or (not config.equal_dishes and taken != sorted(picked)):
        raise ValueError(f"{because}, but of the stacks {taken} are taken")
    for player in range(config.num_players):
        due = [config.stack_dishes[seat] for seat in picked if config.seats[seat] == player]
        heights = table["height"][player, : table["num_stacks"][player]].tolist()
        if heights != due:
            raise ValueError(
                f"{because}, so players[{player}] must have stacks of {due} dishes, not {heights}"
            )
    _check_picks(config, table)
    if table["discard"].any() or table["busboy"].any() or (table["cover"] != NONE).any():
        raise ValueError(
            "in the draft nothing is discarded, all busboys show their face side and all covers "
            "are on the table"
        )


def _check_picks(config: Config, table: np.void) -> None:
    """Check that the last pick of every player is one that was made."""
    picks: list[int] = []
    for player, (kind, stack, card) in enumerate(table["last"][:, :3].tolist()):
        if not kind:
            continue
        name = f"last[{player}]={describe(tuple(table['last'][player]))!r}"
        newest = int(table["num_stacks"][player]) - 1
        if newest < 0:
            raise ValueError(f"{name}: player {player} has picked no stack")
        if card != table["card"][player, newest]:
            raise ValueError(f"{name}: another card is under the newest stack of player {player}")
        if config.equal_dishes and (not table["taken"][stack] or stack in picks):
            raise ValueError(f"{name}: stack {stack} is not taken, or by another player")
        picks.append(stack)


def _check_end(table: np.void) -> None:
    """Check that the game is won if a side has no dishes, and by the right side (HW-13)."""
    if table["phase"] == DRAFT:
        return
    seats = len(table["player_at"])
    to_act = int(table["to_act"])
    clockwise = [table["player_at"][(to_act + i) % seats] for i in range(seats)]
    sides = [int(table["side"][player]) for player in clockwise]
    with_dishes = set(table["side"][table["num_stacks"] > 0].tolist())
    winner = next((side for side in sides if side not in with_dishes), None)
    given = None if table["winner"] == NONE else int(table["winner"])
    if given == winner:
        return
    if winner is None:
        raise ValueError(f"winner={given}: a player of side {given} has dishes")
    raise ValueError(
        f"phase={PHASES[table['phase']]!r}, winner={given}: no player of side {winner} has "
        f"dishes, so the game is over and its winner must be {winner}"
    )


def _check_revealed(table: np.void) -> None:
    """Check that those sides are public that must be, and no others (HW-14).

    A side with a player without dishes is; one of several players may be, since a player who
    took dishes from a partner had none before; and what follows by elimination is.
    """
    revealed = set(np.flatnonzero(table["known"]).tolist())
    sides = table["side"].tolist()
    out = set()
    if table["phase"] != DRAFT:
        out = set(table["side"][table["num_stacks"] == 0].tolist())
        may_be = {side for side in revealed if sides.count(side) > 1}
    else:
        may_be = set()
    for player, last in enumerate(table["last"]):
        if last[0] == TAKE and sides[player] not in revealed:
            raise ValueError(
                f"revealed={sorted(revealed)}: player {player} took dishes from a partner, so "
                f"side {sides[player]} is public"
            )
    due = _with_eliminated(table, out | may_be)
    if due != revealed:
        raise ValueError(
            f"revealed={sorted(revealed)}: must be {sorted(due)} by elimination and "
            f"since players without dishes show their sides, which are {sorted(out)}"
        )


def _with_eliminated(table: np.void, known: set[int]) -> set[int]:
    """Return the known sides and those that elimination tells then (HW-14).

    Everybody knows how many of the players with equally many seats are on each side. A side is
    known if, among the others of every such group, all are on it or none.
    """
    sides = table["side"].tolist()
    while True:
        hidden: dict[int, list[int]] = {}
        for side, seats in zip(sides, table["seats_of"].tolist(), strict=True):
            if side not in known:
                hidden.setdefault(seats, []).append(side)
        follows = {
            side
            for side in set(sides) - known
            if all(group.count(side) in (0, len(group)) for group in hidden.values())
        }
        if not follows:
            return known
        known = known | follows


def tally(counts: Iterable[int]) -> str:
    """Return how many there are of each colour, as text."""
    return " ".join(f"{colour} {count}" for colour, count in zip(COLOURS, counts, strict=True))
