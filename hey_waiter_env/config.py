"""The variants of Hey Waiter!: one frozen, validated `Config`, and the presets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from hey_waiter_env.cards import BUSBOY_SETS, DISHES_PER_SET, MAX_STACKS
from waiter_envs.core.checks import check_bool, check_int, check_int_tuple, check_numbering

MAX_SEATS = 100
"""Bound of this library, not of the rulebook: players are numbered in one byte."""


@dataclass(frozen=True)
class Config:
    """One way of playing Hey Waiter!, checked on construction.

    Args:
        seats: which player sits at each seat, clockwise. A player who sits twice works Double
            Duty, thrice Triple Duty (HW-3).
        teams: the side of each player, numbered from 0; all different is free-for-all. `None`:
            partners across at four single seats, else everyone alone. With `secret_teams` only
            the sizes of the sides count (HW-14).
        dishes: dishes to a stack: one number, or one per seat for a handicap (HW-2).
        sets: copies of the game shuffled together, cards and dishes.
        covers: covers of each colour on the table, at most `sets`.
        secret_teams: partnerships are drawn each game and known to nobody (HW-14).
        allow_neighbours: partners may sit side by side.
        starting_seat: the seat that takes the first turn; `None`: drawn at random each game.
        max_turns: turns of all players, picks not counted, after which a game is truncated;
            `None`: 25 for each dish dealt, at least 300.

    The fields stay as they were given, so `dataclasses.replace` works as one would expect; what
    they come to stands in `sides` (of each player), `stack_dishes` (of each seat) and
    `turn_limit`. Two ways of writing the same variant are equal.

    Raises:
        ValueError: for an impossible variant; the text names the field and what is allowed.
        TypeError: for a field of the wrong type.
    """

    seats: Sequence[int] = (0, 1, 2, 3)
    teams: Sequence[int] | None = field(default=None, compare=False)
    dishes: int | Sequence[int] = field(default=12, compare=False)
    sets: int = 1
    covers: int = 1
    secret_teams: bool = False
    allow_neighbours: bool = False
    starting_seat: int | None = None
    max_turns: int | None = field(default=None, compare=False)

    num_seats: int = field(init=False, repr=False, compare=False)
    num_players: int = field(init=False, repr=False, compare=False)
    num_sides: int = field(init=False, repr=False, compare=False)
    sides: tuple[int, ...] = field(init=False, repr=False)
    stack_dishes: tuple[int, ...] = field(init=False, repr=False)
    turn_limit: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check every field, then resolve the defaults."""
        sets = check_int("sets", self.sets, 1, 99)
        seats = self._check_seats(sets)
        teams = self._check_teams(seats)
        dishes = self._check_dishes(seats, sets)
        start, limit = self.starting_seat, self.max_turns
        if start is not None:
            start = check_int("starting_seat", start, 0, len(seats) - 1, "or None")
        if limit is not None:
            limit = check_int("max_turns", limit, 1, 2**30, "or None")
        resolved = {
            "sets": sets,
            "covers": check_int("covers", self.covers, 0, sets, "at most `sets`"),
            "starting_seat": start,
            "seats": seats,
            "num_seats": len(seats),
            "num_players": max(seats) + 1,
            "num_sides": max(teams) + 1,
            "sides": teams,
            "stack_dishes": dishes,
            "turn_limit": limit or max(300, 25 * sum(dishes)),
        }
        for name, value in resolved.items():
            object.__setattr__(self, name, value)

    def _check_seats(self, sets: int) -> tuple[int, ...]:
        check_bool("secret_teams", self.secret_teams)
        check_bool("allow_neighbours", self.allow_neighbours)
        seats = check_int_tuple("seats", self.seats)
        num_players = check_numbering("seats", seats, "players")
        if len(seats) > MAX_SEATS:
            raise ValueError(f"seats: {len(seats)} seats; at most {MAX_SEATS} are allowed")
        if num_players < 2:
            raise ValueError(f"seats={seats}: at least 2 players sit down")
        if num_players > BUSBOY_SETS * sets:
            raise ValueError(
                f"seats={seats}: {num_players} players, but sets={sets} holds busboys for "
                f"{BUSBOY_SETS * sets}; allowed are {BUSBOY_SETS} players for each set"
            )
        for player in range(num_players):
            if seats.count(player) > MAX_STACKS:
                raise ValueError(
                    f"seats={seats}: player {player} sits at {seats.count(player)} seats; "
                    f"at most {MAX_STACKS} are allowed, one stack for each"
                )
        return seats

    def _check_teams(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        num_players = max(seats) + 1
        if self.teams is not None:
            teams = check_int_tuple("teams", self.teams)
        elif len(seats) == num_players == 4:
            teams = tuple(_across(seats, player) for player in range(4))
        else:
            teams = tuple(range(num_players))
        if len(teams) != num_players:
            raise ValueError(
                f"teams={teams}: one side for each player, but seats={seats} has "
                f"{num_players} players"
            )
        num_sides = check_numbering("teams", teams, "sides")
        if num_sides < 2:
            raise ValueError(f"teams={teams}: at least 2 sides play against each other")
        if self.secret_teams and num_sides == num_players:
            raise ValueError(f"secret_teams=True, but in teams={teams} nobody has a partner")
        if not self.allow_neighbours:
            for seat, player in enumerate(seats):
                neighbour = seats[(seat + 1) % len(seats)]
                own = neighbour == player
                if own or (teams[neighbour] == teams[player] and not self.secret_teams):
                    raise ValueError(
                        f"seats={seats}, teams={teams}: players {player} and {neighbour}, side by "
                        f"side at seats {seat} and {(seat + 1) % len(seats)}, are "
                        f"{'the same player' if own else 'partners'}; "
                        "allow_neighbours=True permits it"
                    )
        return _sorted_among_equals(seats, teams) if self.secret_teams else teams

    def _check_dishes(self, seats: tuple[int, ...], sets: int) -> tuple[int, ...]:
        if hasattr(self.dishes, "__len__"):
            dishes = check_int_tuple("dishes", self.dishes)
        else:
            dishes = (check_int("dishes", self.dishes, 1, DISHES_PER_SET * sets),) * len(seats)
        if len(dishes) != len(seats):
            raise ValueError(
                f"dishes={dishes}: one number, or one for each of the {len(seats)} seats"
            )
        if min(dishes) < 1:
            raise ValueError(f"dishes={dishes}: every stack has at least 1 dish")
        if sum(dishes) > DISHES_PER_SET * sets:
            raise ValueError(
                f"dishes={dishes}: {sum(dishes)} dishes, but sets={sets} holds "
                f"{DISHES_PER_SET * sets}"
            )
        return dishes

    @property
    def equal_dishes(self) -> bool:
        """Whether all stacks are equally high, so that players choose among them (HW-2)."""
        return len(set(self.stack_dishes)) == 1

    @property
    def player_dishes(self) -> tuple[int, ...]:
        """How many dishes each player is dealt over all its seats."""
        totals = [0] * self.num_players
        for player, dishes in zip(self.seats, self.stack_dishes, strict=True):
            totals[player] += dishes
        return tuple(totals)

    @property
    def max_dishes(self) -> int:
        """The most dishes dealt to one player over all its seats: D of the action blocks."""
        return max(self.player_dishes)

    @property
    def playing_together(self) -> tuple[int, ...]:
        """The party of each player in a match between agents: its side, if that is known."""
        return tuple(range(self.num_players)) if self.secret_teams else self.sides

    @property
    def max_partners(self) -> int:
        """How many partners the action block `take` tells apart."""
        if self.secret_teams:
            return self.num_players - 1
        return max(self.sides.count(side) for side in self.sides) - 1


def _across(seats: tuple[int, ...], player: int) -> int:
    """Return the side of `player` when partners sit across; player 0 is on side 0."""
    return (seats.index(player) - seats.index(0)) % 2


def _sorted_among_equals(seats: tuple[int, ...], teams: tuple[int, ...]) -> tuple[int, ...]:
    """Return secret sides in one fixed order among players with equally many seats (HW-14)."""
    groups: dict[int, list[int]] = {}
    for player, side in enumerate(teams):
        groups.setdefault(seats.count(player), []).append(side)
    queues = {count: iter(sorted(sides)) for count, sides in groups.items()}
    return tuple(next(queues[seats.count(player)]) for player in range(len(teams)))


def _preset(seats: str | int, teams: str | None = None, **changes: int | bool) -> Config:
    """Write a preset briefly: one digit for each seat (or their number), and for each player."""
    places = tuple(range(seats)) if isinstance(seats, int) else tuple(map(int, seats))
    return Config(places, tuple(map(int, teams)) if teams else None, **changes)  # type: ignore[arg-type]


PRESETS: Mapping[str, Config] = MappingProxyType(
    {
        "2_players": _preset(2),
        "3_players": _preset(3),
        "4_partnership": _preset(4, "0101"),
        "4_free_for_all": _preset(4, "0123"),
        "double_duty": _preset("0121", "010"),
        "3v3": _preset(6, "010101", sets=2),
        "2v2v2": _preset(6, "012012", sets=2),
        "4v4": _preset(8, "01010101", sets=2),
        "3v2": _preset("012341", "01010", sets=2),
        "2v2v1": _preset("012342", "01201", sets=2),
        "4v3": _preset("01234563", "0101010", sets=2),
        "3v3v2": _preset("012345672", "01201201", sets=3),
        "2v1v1": _preset("012312", "0120", dishes=8),
        "triple_duty": _preset("012131", "0100", dishes=8),
        "5v5": _preset(10, "0101010101", dishes=14, sets=3, covers=3),
        "secret_2v2": _preset(4, "0101", secret_teams=True),
    }
)
"""The presets of the rulebook's variants, by name."""

DEFAULT_PRESET = "4_partnership"
