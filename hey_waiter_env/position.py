"""Positions of Hey Waiter! as plain JSON types: written, read and checked.

Cards, dishes and covers are letters of `WGRB`. `write_position` writes multisets sorted in
that order; `read_position` takes letters in any order, or counts by letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hey_waiter_env.actions import DRAFT_PICK, MOVE_COVER, MOVE_DISHES, ONTO, TAKE, describe, parse
from hey_waiter_env.cards import COLOURS, HAND_SIZE, MAX_STACKS, NUM_COLOURS
from hey_waiter_env.config import Config
from hey_waiter_env.position_checks import check_position, tally
from hey_waiter_env.state import BUSBOY_SIDES, DRAFT, NONE, OVER, PHASES, PLAY, blank_table
from waiter_envs.core.checks import shown
from waiter_envs.core.plain_types import (
    check_keys,
    read_bool,
    read_choice,
    read_int,
    read_ints,
    read_list,
)

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


def write_position(table: np.void) -> dict[str, Any]:
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
    """Return the table that a position describes: the inverse of `write_position`.

    What shows in the position itself to be impossible is refused: entries that contradict each
    other. Which plays lead to it is not asked.

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
    check_position(config, table)
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
        raise ValueError(f"revealed={shown(revealed)}: names a side twice")
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
    most = _most_dishes(config, table, player)
    if number > most:
        raise ValueError(f"{name}: {number} dishes; at most {most} are allowed")
    table["dishes"][player, :number] = [dish for stack in dishes for dish in stack]
    table["height"][player, : len(stacks)] = [len(stack) for stack in dishes]
    table["num_stacks"][player] = len(stacks)
    check_keys(f"{name}.busboys", entry["busboys"], tuple(COLOURS))
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


def _most_dishes(config: Config, table: np.void, player: int) -> int:
    """Return the most dishes that a player can have: what one of its side was dealt (HW-11)."""
    members = np.flatnonzero(table["side"] == table["side"][player]).tolist()
    return max(config.player_dishes[member] for member in members)


def _read_piles(table: np.void, position: Mapping[str, Any]) -> None:
    for key, name, most in (
        ("covers", "table_covers", int(table["num_covers"])),
        ("draw", "draw", int(table["cards_per_colour"])),
        ("discard", "discard", int(table["cards_per_colour"])),
    ):
        counts = _counts(key, position[key])
        if max(counts) > most:
            raise ValueError(f"{key}: {tally(counts)}; there are {most} of each colour in all")
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
        raise ValueError(f"{name}={shown(text)}: must be the text of an action, or null")
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
    if kind == MOVE_DISHES and d == ONTO + b:
        raise ValueError(f"{name}={text!r}: a stack cannot be moved onto itself")
    if kind == TAKE and (b == player or table["side"][b] != table["side"][player]):
        raise ValueError(f"{name}={text!r}: player {b} is no partner of player {player}")
    if kind in (MOVE_DISHES, TAKE):
        height = c if kind == MOVE_DISHES else d
        read_int(f"{name}={text!r}: height", height, 0, _most_dishes(config, table, player) - 1)
    return description


# -- Letters -----------------------------------------------------------------------------------


def _colours(name: str, letters: Any) -> list[int]:
    """Read a sequence of colours from letters."""
    if not isinstance(letters, str) or not set(letters) <= set(COLOURS):
        raise ValueError(f"{name}={shown(letters)}: must be letters of {COLOURS}")
    return [COLOURS.index(letter) for letter in letters]


def _counts(name: str, cards: Any) -> list[int]:
    """Read a multiset from letters in any order, or from counts by letter."""
    if isinstance(cards, str):
        colours = _colours(name, cards)
        return [colours.count(colour) for colour in range(NUM_COLOURS)]
    if not isinstance(cards, Mapping) or not set(cards) <= set(COLOURS):
        raise ValueError(
            f"{name}={shown(cards)}: must be letters of {COLOURS}, or counts by letter"
        )
    return [read_int(f"{name}.{c}", cards.get(c, 0), 0, 10**6) for c in COLOURS]
