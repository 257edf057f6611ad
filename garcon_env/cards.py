"""The menu and the orders of Garçon: read, checked, and turned into numbers (rulebook: Contents).

The rulebook shows no card faces. The deck that comes with the package has the printed number of
orders and is this project's own; any other may be given as CSV files or as rows.
"""

from __future__ import annotations

import csv
import functools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPEAT, NOTEBOOK, LEAVE = range(3)
"""Kinds of events."""

EVENT_NAMES = ("repeat", "notebook", "leave")
NUM_EVENT_KINDS = len(EVENT_NAMES)
EVENTS = {"repeat": 5, "notebook": 5, "leave": 4}
"""Events of the printed game."""

ORDER_SLOTS, EVENT_SLOTS = 5, 2
"""Cards face up in the middle of the table."""

MAX_DISHES, MAX_ORDERS, MAX_POINTS = 62, 1000, 10_000
"""Bounds of this library, not of the rulebook."""

DATA = Path(__file__).parent / "data"


@functools.lru_cache(4096)
def dishes_of(face: int) -> tuple[int, ...]:
    """Return the dishes of a face, in the order of the menu."""
    return tuple(dish for dish in range(face.bit_length()) if face >> dish & 1)


@dataclass(frozen=True)
class Deck:
    """A menu and its orders. A *face* is a set of dishes: bit d for dish d of the menu."""

    symbols: tuple[str, ...]
    """In the order in which they first occur on the menu."""
    dishes: tuple[str, ...]
    """The menu, symbol after symbol."""
    symbol_of: tuple[int, ...]
    """Of each dish."""
    faces: tuple[int, ...]
    """Of each order."""
    points: tuple[int, ...]
    """Of each order, as printed."""

    @functools.cached_property
    def backs(self) -> tuple[tuple[int, ...], ...]:
        """The different backs: how many dishes of each symbol, fewest dishes first."""
        return tuple(sorted({self.back(face) for face in self.faces}, key=lambda b: (sum(b), b)))

    def back(self, face: int) -> tuple[int, ...]:
        """Return how many dishes of each symbol a face has."""
        counts = [0] * len(self.symbols)
        for dish in dishes_of(face):
            counts[self.symbol_of[dish]] += 1
        return tuple(counts)


def read_deck(orders: Any, menu: Any) -> Deck:
    """Return the deck of a menu and orders, each a CSV file or rows.

    Args:
        orders: path of a CSV file with the columns `points` and `dishes` (separated by `;`), or
            rows: mappings with these keys (dishes may be a list) or pairs.
        menu: path of a CSV file with the columns `dish` and `symbol`, or rows of these.

    Raises:
        ValueError: for a missing column, an unknown dish, a dish twice on an order, two orders
            with equal dishes and different points, fewer than 5 orders, points below 1; the text
            names the row.
        TypeError: if they are neither a path nor rows.
    """
    symbols, dishes, symbol_of = _read_menu(menu)
    number = {dish: i for i, dish in enumerate(dishes)}
    faces: list[int] = []
    points: list[int] = []
    for place, row in _rows("orders", orders, ("points", "dishes")):
        value = _points(place, row["points"])
        names = _names(place, row["dishes"])
        for name in names:
            if name not in number:
                raise ValueError(
                    f"{place}: unknown dish {name!r}; the menu has {', '.join(dishes)}"
                )
            if names.count(name) > 1:
                raise ValueError(f"{place}: {name!r} stands twice on one order")
        face = sum(1 << number[name] for name in names)
        if face in faces and points[faces.index(face)] != value:
            raise ValueError(
                f"{place}: {value} points, but row {faces.index(face) + 1} has the same dishes "
                f"for {points[faces.index(face)]}"
            )
        faces.append(face)
        points.append(value)
    if not ORDER_SLOTS <= len(faces) <= MAX_ORDERS:
        raise ValueError(f"orders: {len(faces)} of them; must be {ORDER_SLOTS} to {MAX_ORDERS}")
    return Deck(symbols, dishes, symbol_of, tuple(faces), tuple(points))


def _read_menu(menu: Any) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """Return the symbols, the dishes sorted by symbol, and the symbol of each dish."""
    by_symbol: dict[str, list[str]] = {}
    for place, row in _rows("menu", menu, ("dish", "symbol")):
        dish, symbol = str(row["dish"]).strip(), str(row["symbol"]).strip()
        if not dish or ";" in dish or not symbol:
            raise ValueError(f"{place}: dish {dish!r}, symbol {symbol!r}; both must have a name")
        if any(dish in known for known in by_symbol.values()):
            raise ValueError(f"{place}: {dish!r} stands twice on the menu")
        by_symbol.setdefault(symbol, []).append(dish)
    dishes = tuple(dish for group in by_symbol.values() for dish in group)
    if not 1 <= len(dishes) <= MAX_DISHES:
        raise ValueError(f"menu: {len(dishes)} dishes; must be 1 to {MAX_DISHES}")
    symbol_of = tuple(i for i, group in enumerate(by_symbol.values()) for _ in group)
    return tuple(by_symbol), dishes, symbol_of


def _points(place: str, text: Any) -> int:
    try:
        value = int(text)
    except (TypeError, ValueError):
        value = 0
    if isinstance(text, (bool, float)) or not 1 <= value <= MAX_POINTS:
        raise ValueError(f"{place}: points {text!r}; must be an integer from 1 to {MAX_POINTS}")
    return value


def _names(place: str, dishes: Any) -> list[str]:
    if isinstance(dishes, str):
        dishes = dishes.split(";")
    if not isinstance(dishes, Iterable) or not (names := [str(name).strip() for name in dishes]):
        raise ValueError(f"{place}: dishes {dishes!r}; must be names, at least one")
    return names


def _rows(
    name: str, source: Any, columns: tuple[str, str]
) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Yield what to call each row in an error, and the row."""
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if not path.is_file():
            raise ValueError(f"{name}={str(source)!r}: there is no such file")
        with path.open(newline="", encoding="utf-8-sig") as file:
            table = csv.DictReader(file, skipinitialspace=True)
            missing = [column for column in columns if column not in (table.fieldnames or ())]
            if missing:
                raise ValueError(
                    f"{path.name}: no column {', '.join(missing)}; must have {', '.join(columns)}"
                )
            rows: list[Any] = list(table)
        called = path.name
    elif isinstance(source, Sequence):
        rows, called = list(source), name
    else:
        raise TypeError(f"{name}={source!r}: must be a path, or rows of {', '.join(columns)}")
    for number, row in enumerate(rows, 1):
        place = f"{called}, row {number}"
        if not isinstance(row, Mapping) and isinstance(row, Sequence) and len(row) == len(columns):
            row = dict(zip(columns, row, strict=True))
        if not isinstance(row, Mapping) or any(row.get(column) is None for column in columns):
            raise ValueError(f"{place}: {row!r}; must have {' and '.join(columns)}")
        yield place, row


@functools.cache
def shipped_deck() -> Deck:
    """Return the deck that comes with the package."""
    return read_deck(DATA / "orders.csv", DATA / "menu.csv")
