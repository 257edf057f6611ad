"""Positions of Hey Waiter! as plain JSON types: written, read and checked.

Cards, dishes and covers are letters of `WGRB`. `position_to_dict` writes multisets sorted in
that order; `read_position` takes letters in any order, or counts by letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hey_waiter_env.actions import DRAFT_PICK, MOVE_COVER, MOVE_DISHES, TAKE, describe, parse
from hey_waiter_env.cards import COLOURS, HAND_SIZE, MAX_STACKS, NUM_COLOURS
from hey_waiter_env.config import Config
from hey_waiter_env.state import DRAFT, NONE, OVER, PLAY, blank_table
from waiter_envs.core.plain_types import (
    check_keys,
    read_bool,
    read_choice,
    read_int,
    read_ints,
    read_list,
)

PHASES = ("draft", "play", "over")
"""Names of the phases DRAFT, PLAY and OVER."""

BUSBOY_SIDES = ("face", "serve")
"""Names of the sides FACE and SERVE of a busboy."""

_KEYS = (
    "phase",
    "seats",
    "teams",
    "revealed",
    "start_seat",
    "to_act",
    "turn",
    "players",
    "covers",
    "draw",
    "discard",
    "draft",
    "last",
    "winner",
    "truncated",
)


# -- Writing -----------------------------------------------------------------------------------


def position_to_dict(table: np.void) -> dict[str, Any]:
    """Return a position in plain JSON types: the whole state but the random stream.

    Args:
        table: one record of `state.table_dtype`.

    Returns:
        The keys and forms of the section "Position" of `docs/hey_waiter.md`, hidden cards
        included.
    """
    position: dict[str, Any] = {
        "phase": PHASES[table["phase"]],
        "seats": table["player_at"].tolist(),
        "teams": table["side"].tolist(),
    }
    if table["secret"]:
        position["revealed"] = np.flatnonzero(table["known"]).tolist()
    winner = int(table["winner"])
    return {
        **position,
        "start_seat": int(table["start_seat"]),
        "to_act": int(table["to_act"]),
        "turn": int(table["turn"]),
        "players": [_player_to_dict(table, player) for player in range(len(table["hand"]))],
        "covers": _letters(table["table_covers"].tolist()),
        "draw": dict(zip(COLOURS, table["draw"].tolist(), strict=True)),
        "discard": dict(zip(COLOURS, table["discard"].tolist(), strict=True)),
        "draft": _draft_to_list(table),
        "last": [describe(tuple(last)) if last[0] else None for last in table["last"].tolist()],
        "winner": None if winner == NONE else winner,
        "truncated": bool(table["truncated"]),
    }


def _player_to_dict(table: np.void, player: int) -> dict[str, Any]:
    number = int(table["num_stacks"][player])
    dishes = _word(table["dishes"][player].tolist())
    stacks = []
    start = 0
    for card, height, cover in zip(
        table["card"][player, :number].tolist(),
        table["height"][player, :number].tolist(),
        table["cover"][player, :number].tolist(),
        strict=True,
    ):
        stacks.append(
            {
                "card": COLOURS[card],
                "dishes": dishes[start : start + height],
                "cover": None if cover == NONE else COLOURS[cover],
            }
        )
        start += height
    return {
        "hand": _letters(table["hand"][player].tolist()),
        "stacks": stacks,
        "busboys": {
            colour: BUSBOY_SIDES[side]
            for colour, side in zip(COLOURS, table["busboy"][player].tolist(), strict=True)
        },
    }


def _draft_to_list(table: np.void) -> list[str | None]:
    if table["phase"] != DRAFT:
        return []
    return [
        None if taken else _word(dishes)
        for taken, dishes in zip(table["taken"].tolist(), table["draft"].tolist(), strict=True)
    ]


def _letters(counts: Iterable[int]) -> str:
    """Return a multiset, given as counts, as sorted letters."""
    return "".join(colour * count for colour, count in zip(COLOURS, counts, strict=True))


def _word(colours: Iterable[int]) -> str:
    """Return a sequence of colours as letters; unused places are left out."""
    return "".join(COLOURS[colour] for colour in colours if colour != NONE)


# -- Reading -----------------------------------------------------------------------------------


def read_position(config: Config, position: Mapping[str, Any]) -> npt.NDArray[np.void]:
    """Return the table that a position describes: the inverse of `position_to_dict`.

    What can be seen to be impossible is refused. Whether plays lead to a position is not asked:
    a study may begin with few dishes at turn 0.

    Args:
        config: the variant.
        position: plain JSON types; see the section "Position" of `docs/hey_waiter.md`.

    Returns:
        An array of one table, without a random stream.

    Raises:
        ValueError: if the position is impossible; the text says what is wrong and what is
            allowed.
    """
    keys = [key for key in _KEYS if key != "revealed" or config.secret_teams]
    check_keys("the position", position, keys)
    array = blank_table(config)
    table = array[0]
    _read_sides(config, table, position)
    _read_progress(config, table, position)
    for player, entry in enumerate(read_list("players", position["players"], config.num_players)):
        _read_player(config, table, player, entry)
    _read_piles(table, position)
    _read_draft(config, table, position["draft"])
    for player, text in enumerate(read_list("last", position["last"], config.num_players)):
        if text is not None:
            table["last"][player] = _read_last(config, table, player, text)
    _check_cards(table)
    _check_dishes(config, table)
    _check_covers(table)
    if table["phase"] == DRAFT:
        _check_draft(config, table)
    _check_end(table)
    if config.secret_teams:
        _check_revealed(table)
    return array


def _read_sides(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    seats = read_ints("seats", position["seats"], config.num_seats, config.num_players)
    if seats != list(config.seats):
        raise ValueError(f"seats={seats}: must be those of the variant, {list(config.seats)}")
    teams = read_ints("teams", position["teams"], config.num_players, config.num_sides)
    if not config.secret_teams:
        if teams != list(config.sides):
            raise ValueError(f"teams={teams}: must be those of the variant, {list(config.sides)}")
        return
    if _sides_by_seats(config, teams) != _sides_by_seats(config, config.sides):
        raise ValueError(
            f"teams={teams}: no drawing of {list(config.sides)} among players with equally many "
            "seats"
        )
    table["side"] = teams
    revealed = read_ints("revealed", position["revealed"], None, config.num_sides)
    if len(set(revealed)) < len(revealed):
        raise ValueError(f"revealed={revealed}: names a side twice")
    table["known"][revealed] = 1


def _sides_by_seats(config: Config, sides: Iterable[int]) -> Counter[tuple[int, int]]:
    """Count the players of each side among those with equally many seats (HW-14)."""
    return Counter((config.seats.count(p), side) for p, side in enumerate(sides))


def _read_progress(config: Config, table: np.void, position: Mapping[str, Any]) -> None:
    """Read phase, seats to act and to start, turn, and how the game ended."""
    phase = PHASES.index(read_choice("phase", position["phase"], PHASES))
    last_seat, limit = config.num_seats - 1, config.turn_limit
    start_seat = read_int("start_seat", position["start_seat"], 0, last_seat)
    if config.starting_seat not in (None, start_seat):
        raise ValueError(
            f"start_seat={start_seat}: must be that of the variant, {config.starting_seat}"
        )
    low, high = {DRAFT: (0, 0), PLAY: (0, limit - 1), OVER: (1, limit)}[phase]
    hint = f"with phase={PHASES[phase]!r} and {limit} turns in all"
    turn = read_int("turn", position["turn"], low, high, hint)
    winner, truncated = position["winner"], position["truncated"]
    if winner is not None:
        winner = read_int("winner", winner, 0, config.num_sides - 1, "or null")
    read_bool("truncated", truncated)
    if (phase == OVER) != (winner is not None or truncated) or (winner is not None and truncated):
        raise ValueError(
            f"phase={PHASES[phase]!r}, winner={winner}, truncated={truncated}: a game is over "
            "either with a winner or truncated, and has neither before"
        )
    if truncated and turn != limit:
        raise ValueError(f"truncated=True at turn={turn}: must be at turn {limit}")
    table["phase"] = phase
    table["start_seat"] = start_seat
    table["to_act"] = read_int("to_act", position["to_act"], 0, last_seat)
    table["current_player"] = table["player_at"][table["to_act"]]
    table["turn"] = turn
    table["winner"] = NONE if winner is None else winner
    table["terminated"] = winner is not None
    table["truncated"] = truncated


def _read_player(config: Config, table: np.void, player: int, entry: Any) -> None:
    name = f"players[{player}]"
    check_keys(name, entry, ("hand", "stacks", "busboys"))
    hand = _counts(f"{name}.hand", entry["hand"])
    if sum(hand) > HAND_SIZE:
        raise ValueError(f"{name}.hand: {sum(hand)} cards; at most {HAND_SIZE} are allowed")
    table["hand"][player] = hand
    stacks = read_list(f"{name}.stacks", entry["stacks"])
    if len(stacks) > MAX_STACKS:
        raise ValueError(f"{name}: {len(stacks)} stacks; at most {MAX_STACKS} are allowed")
    dishes = [
        _read_stack(table, player, place, f"{name}.stacks[{place}]", stack)
        for place, stack in enumerate(stacks)
    ]
    number = sum(map(len, dishes))
    most = max(_dishes_dealt(config, partner) for partner in _members(table, player))
    if number > most:
        raise ValueError(f"{name}: {number} dishes; at most {most} are allowed")
    table["dishes"][player, :number] = [dish for stack in dishes for dish in stack]
    table["height"][player, : len(stacks)] = [len(stack) for stack in dishes]
    table["num_stacks"][player] = len(stacks)
    check_keys(f"{name}.busboys", entry["busboys"], COLOURS)
    for colour, letter in enumerate(COLOURS):
        side = read_choice(f"{name}.busboys.{letter}", entry["busboys"][letter], BUSBOY_SIDES)
        table["busboy"][player, colour] = BUSBOY_SIDES.index(side)


def _read_stack(table: np.void, player: int, place: int, name: str, stack: Any) -> list[int]:
    """Read the card and the cover of a stack; return its dishes."""
    check_keys(name, stack, ("card", "dishes", "cover"))
    dishes = _colours(f"{name}.dishes", stack["dishes"])
    if not dishes:
        raise ValueError(f"{name}: a stack without dishes; its card goes back to the hand")
    table["card"][player, place] = COLOURS.index(
        read_choice(f"{name}.card", stack["card"], COLOURS)
    )
    cover = stack["cover"]
    if cover is not None:
        cover = COLOURS.index(read_choice(f"{name}.cover", cover, COLOURS, "or null"))
        table["cover"][player, place] = cover
    return dishes


def _members(table: np.void, player: int) -> list[int]:
    """Return a player and its partners."""
    return np.flatnonzero(table["side"] == table["side"][player]).tolist()


def _dishes_dealt(config: Config, player: int) -> int:
    """Return how many dishes a player picks over all its seats."""
    return sum(n for p, n in zip(config.seats, config.stack_dishes, strict=True) if p == player)


def _read_piles(table: np.void, position: Mapping[str, Any]) -> None:
    for key, name, most in (
        ("covers", "table_covers", int(table["num_covers"])),
        ("draw", "draw", int(table["cards_per_colour"])),
        ("discard", "discard", int(table["cards_per_colour"])),
    ):
        counts = _counts(key, position[key])
        if max(counts) > most:
            raise ValueError(f"{key}: {_tally(counts)}; there are {most} of each colour in all")
        table[name] = counts


def _read_draft(config: Config, table: np.void, draft: Any) -> None:
    if table["phase"] != DRAFT:
        read_list("draft", draft, 0)
        return
    table["draft"] = NONE
    for number, stack in enumerate(read_list("draft", draft, config.num_seats)):
        if stack is None:
            table["taken"][number] = 1
            continue
        dishes = _colours(f"draft[{number}]", stack)
        length = config.stack_dishes[number]
        if len(dishes) != length:
            raise ValueError(f"draft[{number}]: {len(dishes)} dishes; must be {length}, or null")
        table["draft"][number, :length] = dishes


def _read_last(config: Config, table: np.void, player: int, text: Any) -> tuple[int, ...]:
    """Return the description of a player's last action."""
    name = f"last[{player}]"
    if not isinstance(text, str):
        raise ValueError(f"{name}={text!r}: must be the text of an action, or null")
    try:
        description = parse(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    kind, a, b, c, d, _ = description
    if kind == DRAFT_PICK:
        stacks = config.num_seats if config.equal_dishes else 1
        read_int(f"{name}={text!r}: stack", a, 0, stacks - 1)
    elif table["phase"] == DRAFT:
        raise ValueError(f"{name}={text!r}: must be a pick, or null, in the draft")
    elif kind in (MOVE_COVER, TAKE):
        read_int(f"{name}={text!r}: player", b, 0, config.num_players - 1)
    if kind == TAKE and (b == player or table["side"][b] != table["side"][player]):
        raise ValueError(f"{name}={text!r}: player {b} is no partner of player {player}")
    if kind in (MOVE_DISHES, TAKE):
        height = c if kind == MOVE_DISHES else d
        read_int(f"{name}={text!r}: height", height, 0, config.max_dishes - 1)
    return description


# -- Checking ----------------------------------------------------------------------------------


def _check_cards(table: np.void) -> None:
    """Check that every card is there once, and that every player has its number (HW-4, HW-13)."""
    counts = table["draw"] + table["discard"] + table["hand"].sum(axis=0)
    under = table["card"][table["card"] != NONE]
    counts = (counts + np.bincount(under, minlength=NUM_COLOURS)).tolist()
    total = int(table["cards_per_colour"])
    if counts != [total] * NUM_COLOURS:
        raise ValueError(
            f"waiter cards in hands, under stacks, in draw and discard: {_tally(counts)}; there "
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
        raise ValueError(f"dishes: {_tally(counts)}; there are {most} of each colour in all")
    for side in range(config.num_sides):
        members = np.flatnonzero(table["side"] == side).tolist()
        number = int(table["height"][members].sum())
        most = sum(_dishes_dealt(config, member) for member in members)
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
            f"covers on the table and on stacks: {_tally(counts)}; there must be {total} of each "
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


# -- Letters -----------------------------------------------------------------------------------


def _colours(name: str, letters: Any) -> list[int]:
    """Read a sequence of colours from letters."""
    if not isinstance(letters, str) or not set(letters) <= set(COLOURS):
        raise ValueError(f"{name}={letters!r}: must be letters of {COLOURS}")
    return [COLOURS.index(letter) for letter in letters]


def _counts(name: str, cards: Any) -> list[int]:
    """Read a multiset from letters in any order, or from counts by letter."""
    if isinstance(cards, str):
        colours = _colours(name, cards)
        return [colours.count(colour) for colour in range(NUM_COLOURS)]
    if not isinstance(cards, Mapping) or not set(cards) <= set(COLOURS):
        raise ValueError(f"{name}={cards!r}: must be letters of {COLOURS}, or counts by letter")
    return [read_int(f"{name}.{c}", cards.get(c, 0), 0, 10**6) for c in COLOURS]


def _tally(counts: Iterable[int]) -> str:
    return " ".join(f"{colour} {count}" for colour, count in zip(COLOURS, counts, strict=True))
