"""The variants of Garçon: one frozen, validated `Config`, and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from garcon_env.cards import (
    EVENT_NAMES,
    EVENTS,
    Deck,
    menu_rows,
    order_rows,
    read_deck,
    read_menu,
    shipped_deck,
    shipped_menu,
    shipped_orders,
)
from waiter_envs.core.checks import check_bool, check_choice, check_int, shown

COMPLETE = ("all", "any")
REWARDS = ("end", "points")
SHIPPED, FRESH = "shipped", "fresh"


@dataclass(frozen=True)
class Config:
    """One way of playing Garçon, checked on construction.

    Args:
        players: 3 to 10.
        target: points that start the last round (GA-7).
        clock: orders are completed at the end only, when the clock has run down (GA-9).
        clock_places: places that the clock moves; `None`: 4 for each player.
        first_player: who takes the first turn; `None`: drawn at random each game.
        complete: `"all"`: who has begun to complete orders goes on with all of them; `"any"`: may
            stop after each (GA-4).
        recall: how many of one's own turns an order's face stays in the observation after the
            turn that took it; 0: never; `None`: always (GA-8).
        orders: `"shipped"`: the deck that comes with the package; `"fresh"`: its backs with new
            faces in every deal, drawn at random; or a deck of one's own, a CSV file or rows.
        menu: `"shipped"`, or a menu of one's own for orders of one's own: a CSV file or rows.
        events: how many of each event, as a mapping; `None`: 5 repeat, 5 notebook, 4 leave.
        max_open_orders: orders that one player may have open, at least 2 (GA-12).
        reward: `"end"`: +1 to the winner at the end, paid by the others; `"points"`: besides, 0.1
            for each point gained, paid by the others.
        max_turns: turns after which a game is truncated, at the end of a round; `None`: 50 for
            each player.

    What the fields come to stands in `deck`, `fresh`, `event_counts`, `num_clock_places` and
    `turn_limit`. Two ways of writing the same variant are equal.

    Raises:
        ValueError: for an impossible variant; the text names the field and what is allowed.
        TypeError: for a field of the wrong type.
    """

    FILE_FIELDS: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType(
        {"orders": (SHIPPED, FRESH), "menu": (SHIPPED,)}
    )
    """Fields that may name a file, and the words that name none."""

    players: int = 4
    target: int = 8
    clock: bool = False
    clock_places: int | None = field(default=None, compare=False)
    first_player: int | None = None
    complete: str = "all"
    recall: int | None = 0
    orders: Any = field(default=SHIPPED, compare=False)
    menu: Any = field(default=SHIPPED, compare=False)
    events: Mapping[str, int] | None = field(default=None, compare=False)
    max_open_orders: int = 12
    reward: str = "end"
    max_turns: int | None = field(default=None, compare=False)

    num_players: int = field(init=False, repr=False, compare=False)
    deck: Deck = field(init=False, repr=False)
    fresh: bool = field(init=False, repr=False)
    event_counts: tuple[int, ...] = field(init=False, repr=False)
    num_clock_places: int = field(init=False, repr=False)
    turn_limit: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check every field, then resolve the defaults."""
        players = check_int("players", self.players, 3, 10)
        check_bool("clock", self.clock)
        check_choice("complete", self.complete, COMPLETE)
        check_choice("reward", self.reward, REWARDS)
        places, first, recall, limit = (
            self.clock_places,
            self.first_player,
            self.recall,
            self.max_turns,
        )
        if places is not None:
            places = check_int("clock_places", places, 1, 10**6, "or None")
        if first is not None:
            first = check_int("first_player", first, 0, players - 1, "or None")
        if recall is not None:
            recall = check_int("recall", recall, 0, 10**6, "or None")
        if limit is not None:
            limit = check_int("max_turns", limit, 1, 10**6, "or None")
        resolved = {
            "players": players,
            "target": check_int("target", self.target, 1, 10**6),
            "first_player": first,
            "recall": recall,
            "max_open_orders": check_int("max_open_orders", self.max_open_orders, 2, 100),
            "num_players": players,
            "deck": self._read_deck(),
            "fresh": isinstance(self.orders, str) and self.orders == FRESH,
            "event_counts": self._read_events(),
            "num_clock_places": places or 4 * players,
            "turn_limit": limit or 50 * players,
        }
        for name, value in resolved.items():
            object.__setattr__(self, name, value)

    def _read_deck(self) -> Deck:
        orders, menu = self.orders, self.menu
        own_orders = not (isinstance(orders, str) and orders in (SHIPPED, FRESH))
        own_menu = not (isinstance(menu, str) and menu == SHIPPED)
        if not own_menu:
            return read_deck(orders, shipped_menu()) if own_orders else shipped_deck()
        if own_orders:
            return read_deck(orders, menu)
        known = read_menu(menu)[1]
        lacks = [dish for dish in shipped_deck().dishes if dish not in known]
        if lacks:
            raise ValueError(
                f"menu: lacks {', '.join(lacks)}, which orders={orders!r} needs; must have all "
                "dishes of the shipped menu, or give orders of your own"
            )
        return read_deck(shipped_orders(), menu)

    def _read_events(self) -> tuple[int, ...]:
        events = EVENTS if self.events is None else self.events
        if not isinstance(events, Mapping):
            raise TypeError(f"events={shown(events)}: must be a mapping like {EVENTS}")
        unknown = [
            name if isinstance(name, str) else shown(name)
            for name in events
            if not isinstance(name, str) or name not in EVENT_NAMES
        ]
        if unknown:
            raise ValueError(
                f"events: unknown {', '.join(unknown)}; there are {', '.join(EVENT_NAMES)}"
            )
        return tuple(
            check_int(f"events[{name!r}]", events.get(name, 0), 0, 100) for name in EVENT_NAMES
        )

    def rows(self, name: str) -> list[Any]:
        """Return the rows of one of `FILE_FIELDS`, whatever they were read from."""
        return order_rows(self.deck) if name == "orders" else menu_rows(self.deck)

    @property
    def playing_together(self) -> tuple[int, ...]:
        """The party of each player in a match between agents: everyone alone."""
        return tuple(range(self.num_players))


PRESETS: Mapping[str, Config] = MappingProxyType(
    {
        "rulebook": Config(),
        "long": Config(target=20),
        "clock": Config(clock=True),
        "memory": Config(clock=True, orders=FRESH, recall=0),
        "perfect": Config(recall=None),
    }
)
"""Ready variants by name; each takes any number of `players`."""

DEFAULT_PRESET = "rulebook"
