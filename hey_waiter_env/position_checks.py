"""What shows in a position of Hey Waiter! to be impossible; `position` reads it entry by entry."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hey_waiter_env.actions import (
    CALL_BUSBOY,
    DISCARD,
    DRAFT_PICK,
    MOVE_COVER,
    NO_USE,
    SERVE_ALL,
    SERVE_FROM,
    TAKE,
    TURN,
    describe,
)
from hey_waiter_env.cards import COLOURS, HAND_SIZE, NUM_COLOURS
from hey_waiter_env.config import Config
from hey_waiter_env.state import BUSBOY_SIDES, DRAFT, FACE, NONE, OVER, PHASES, SERVE


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
    else:
        _check_to_act(table)
        _check_last(config, table)
        _check_end(table)
    if table["turn"] == 0:
        _check_deal(config, table)
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


def _seats_picked(table: np.void) -> list[int]:
    """Return the seats that have picked a stack, in order: to the right, the starting one last."""
    seats, start = len(table["player_at"]), int(table["start_seat"])
    picks = (start - 1 - int(table["to_act"])) % seats if table["phase"] == DRAFT else seats
    return [(start - 1 - pick) % seats for pick in range(picks)]


def _check_draft(config: Config, table: np.void) -> None:
    """Check that the draft has come as far as the seat to act says (HW-1, HW-2)."""
    picked = _seats_picked(table)
    taken = np.flatnonzero(table["taken"]).tolist()
    if len(taken) != len(picked) or (not config.equal_dishes and taken != sorted(picked)):
        raise ValueError(
            f"start_seat={table['start_seat']} and to_act={table['to_act']} in the draft: seats "
            f"{picked} have picked, but of the stacks {taken} are taken"
        )
    _check_picks(config, table)


def _check_deal(config: Config, table: np.void) -> None:
    """Check that before the first turn nothing but picks has happened (HW-1, HW-4)."""
    picked = _seats_picked(table)
    for player in range(config.num_players):
        due = [config.stack_dishes[seat] for seat in picked if config.seats[seat] == player]
        heights = table["height"][player, : table["num_stacks"][player]].tolist()
        if heights != due:
            raise ValueError(
                f"turn=0: seats {picked} have picked, so players[{player}] must have stacks of "
                f"{due} dishes, not {heights}"
            )
    if table["discard"].any() or table["busboy"].any() or (table["cover"] != NONE).any():
        raise ValueError(
            "turn=0: before the first turn nothing is discarded, all busboys show their face side "
            "and all covers are on the table"
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


def _check_to_act(table: np.void) -> None:
    """Check that turns have gone clockwise from the starting seat (HW-3)."""
    start, turn, to_act = int(table["start_seat"]), int(table["turn"]), int(table["to_act"])
    due = (start + turn - (table["phase"] == OVER)) % len(table["player_at"])
    if to_act != due:
        raise ValueError(
            f"to_act={to_act}: after turn={turn} turns clockwise from start_seat={start} it must "
            f"be {due}, the seat " + ("that acted last" if table["phase"] == OVER else "to act")
        )


def _check_last(config: Config, table: np.void) -> None:
    """Check the last actions against the turns that were taken, and what these left behind."""
    picks: list[int] = []
    for player, last in enumerate(table["last"].tolist()):
        kind, a, b, use = last[:4]
        if not kind:
            continue
        name = f"last[{player}]={describe(tuple(last))!r}"
        has_acted = player in _players_acted(table)
        if has_acted == (kind == DRAFT_PICK):
            raise ValueError(
                f"{name}: by turn={table['turn']} player {player} has taken "
                + ("a turn since it picked" if has_acted else "no turn yet")
            )
        if kind == DRAFT_PICK and config.equal_dishes:
            if a in picks:
                raise ValueError(f"{name}: another player has picked stack {a}")
            picks.append(a)
        if not config.covers and (kind == MOVE_COVER or (kind == CALL_BUSBOY and b != NONE)):
            raise ValueError(f"{name}: the variant has no covers")
        if kind == CALL_BUSBOY and use != NO_USE:
            side = BUSBOY_SIDES[SERVE if use == TURN else FACE]
            if BUSBOY_SIDES[table["busboy"][player, a]] != side:
                raise ValueError(f"{name}: players[{player}].busboys.{COLOURS[a]} must be {side!r}")
        if kind == DISCARD and sum(last[1:5]) == HAND_SIZE and not _has_partner(table, player):
            raise ValueError(f"{name}: of {HAND_SIZE} cards one is under a stack")


def _players_acted(table: np.void) -> set[int]:
    """Return the players who have taken a turn."""
    seats = len(table["player_at"])
    acted = [(int(table["start_seat"]) + turn) % seats for turn in range(min(table["turn"], seats))]
    return set(table["player_at"][acted].tolist())


def _has_partner(table: np.void, player: int) -> bool:
    """Return whether somebody else is on a player's side."""
    return bool((table["side"] == table["side"][player]).sum() > 1)


def _check_end(table: np.void) -> None:
    """Check that the game is won if a side has no dishes, and by the right side (HW-13)."""
    seats = len(table["player_at"])
    to_act = int(table["to_act"])
    clockwise = [table["player_at"][(to_act + i) % seats] for i in range(seats)]
    sides = [int(table["side"][player]) for player in clockwise]
    with_dishes = set(table["side"][table["num_stacks"] > 0].tolist())
    winner = next((side for side in sides if side not in with_dishes), None)
    given = None if table["winner"] == NONE else int(table["winner"])
    if given == winner:
        _check_last_serving(table)
        return
    if winner is None:
        raise ValueError(f"winner={given}: a player of side {given} has dishes")
    raise ValueError(
        f"phase={PHASES[table['phase']]!r}, winner={given}: no player of side {winner} has "
        f"dishes, so the game is over and its winner must be {winner}"
    )


def _check_last_serving(table: np.void) -> None:
    """Check that a game that is won ended by serving a dish (HW-13)."""
    player = int(table["current_player"])
    last = table["last"][player].tolist()
    serves = last[0] == SERVE_ALL or (last[0] == CALL_BUSBOY and last[3] >= SERVE_FROM)
    if table["winner"] != NONE and last[0] and not serves:
        raise ValueError(
            f"last[{player}]={describe(tuple(last))!r}: player {player} ended the game, which must "
            "be by serving a dish"
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
