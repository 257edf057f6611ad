"""The menu and the orders of Garçon: read, checked, and turned into numbers (rulebook: Contents).

The rulebook shows no card faces. The deck that comes with the package has the printed number of
orders and is this project's own; any other may be given as CSV files or as rows.
"""

from __future__ import annotations

import csv
import functools
import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from waiter_envs.core.checks import check_int, shown

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

ORDER_COLUMNS, MENU_COLUMNS = ("points", "dishes"), ("dish", "symbol")


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


# -- Decks of one's own ------------------------------------------------------------------------


def read_deck(orders: Any, menu: Any) -> Deck:
    """Return the deck of a menu and orders, each a CSV file or rows.

    Args:
        orders: path of a CSV file with the columns `points` and `dishes` (separated by `;`), or
            rows: mappings with these keys (dishes may be a list) or pairs.
        menu: path of a CSV file with the columns `dish` and `symbol`, or rows of these.

    Raises:
        ValueError: for a file that cannot be read as CSV in UTF-8, a column that is missing or
            there twice, an unknown dish, a dish twice on an order, two orders with equal dishes
            and different points, fewer than 5 orders, points below 1; the text names the row.
        TypeError: if they are neither a path nor rows, or for a cell of the wrong type.
    """
    symbols, dishes, symbol_of = read_menu(menu)
    number = {dish: i for i, dish in enumerate(dishes)}
    is_file = isinstance(orders, (str, os.PathLike))
    faces: list[int] = []
    points: list[int] = []
    first: dict[int, int] = {}  # row in which each face occurs first
    for place, row in _rows("orders", orders, ORDER_COLUMNS):
        value = _points(place, row["points"], is_file)
        face = 0
        for name in _dishes(place, row["dishes"]):
            if name not in number:
                raise ValueError(
                    f"{place}: unknown dish {shown(name)}; the menu has {', '.join(dishes)}"
                )
            if face >> number[name] & 1:
                raise ValueError(f"{place}: {name!r} stands twice on one order")
            face |= 1 << number[name]
        same = first.setdefault(face, len(faces))
        faces.append(face)
        points.append(value)
        if points[same] != value:
            raise ValueError(
                f"{place}: {value} points, but row {same + 1} has the same dishes for "
                f"{points[same]}"
            )
    if not ORDER_SLOTS <= len(faces) <= MAX_ORDERS:
        raise ValueError(f"orders: {len(faces)} of them; must be {ORDER_SLOTS} to {MAX_ORDERS}")
    return Deck(symbols, dishes, symbol_of, tuple(faces), tuple(points))


def order_rows(deck: Deck) -> list[tuple[int, list[str]]]:
    """Return the orders of a deck as rows, of which `read_deck` makes the same orders."""
    names = [[deck.dishes[dish] for dish in dishes_of(face)] for face in deck.faces]
    return list(zip(deck.points, names, strict=True))


def menu_rows(deck: Deck) -> list[tuple[str, str]]:
    """Return the menu of a deck as rows, of which `read_deck` makes the same menu."""
    return [
        (dish, deck.symbols[symbol])
        for dish, symbol in zip(deck.dishes, deck.symbol_of, strict=True)
    ]


def read_menu(menu: Any) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """Return the symbols, the dishes sorted by symbol, and the symbol of each dish."""
    symbol_of: dict[str, str] = {}
    for place, row in _rows("menu", menu, MENU_COLUMNS):
        dish, symbol = (_text(place, column, row[column]) for column in MENU_COLUMNS)
        if not dish or ";" in dish or not symbol:
            raise ValueError(
                f"{place}: dish {shown(dish)}, symbol {shown(symbol)}; both must have a name, "
                "a dish without a semicolon"
            )
        if dish in symbol_of:
            raise ValueError(f"{place}: {dish!r} stands twice on the menu")
        symbol_of[dish] = symbol
    if not 1 <= len(symbol_of) <= MAX_DISHES:
        raise ValueError(f"menu: {len(symbol_of)} dishes; must be 1 to {MAX_DISHES}")
    symbols = tuple(dict.fromkeys(symbol_of.values()))
    dishes = tuple(sorted(symbol_of, key=lambda dish: symbols.index(symbol_of[dish])))
    return symbols, dishes, tuple(symbols.index(symbol_of[dish]) for dish in dishes)


def _points(place: str, value: Any, is_file: bool) -> int:
    """Return the points of an order, which may be written as text, as in a file all cells are."""
    if isinstance(value, str) and re.fullmatch("0|[1-9][0-9]{0,9}", value.strip()):
        value = int(value)
    try:
        return check_int(f"{place}: points", value, 1, MAX_POINTS)
    except TypeError as error:
        raise (ValueError if is_file else TypeError)(str(error)) from None


def _dishes(place: str, dishes: Any) -> list[str]:
    """Return the dishes of an order, which may be one text."""
    if isinstance(dishes, str):
        dishes = dishes.split(";")
    if not isinstance(dishes, (Sequence, Set)) or isinstance(dishes, (bytes, bytearray)):
        raise TypeError(f"{place}: dishes {shown(dishes)}; must be names, at least one")
    if not dishes:
        raise ValueError(f"{place}: dishes {shown(dishes)}; must be names, at least one")
    return [_text(place, "dishes", name) for name in dishes]


def _text(place: str, column: str, value: Any) -> str:
    """Return a name without the blanks around it."""
    if not isinstance(value, str):
        raise TypeError(f"{place}: {column} {shown(value)}; must be text")
    return value.strip()


# -- Rows --------------------------------------------------------------------------------------


def _rows(
    name: str, source: Any, columns: tuple[str, str]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield what to call each row in an error, and the row."""
    if isinstance(source, (str, os.PathLike)):
        try:
            path = Path(source)
        except TypeError:
            raise TypeError(f"{name}={shown(source)}: must be a path of text") from None
        yield from _rows_of_file(path.name, _content(name, path), columns)
        return
    if not isinstance(source, Sequence) or isinstance(source, (bytes, bytearray)):
        raise TypeError(f"{name}={shown(source)}: must be a path, or rows of {', '.join(columns)}")
    for number, row in enumerate(source, 1):
        place = f"{name}, row {number}"
        must = f"must have {' and '.join(columns)}"
        if isinstance(row, Mapping):
            named = row
        elif isinstance(row, Sequence) and not isinstance(row, (str, bytes, bytearray)):
            if len(row) != len(columns):
                raise ValueError(f"{place}: {shown(row)}; {must}")
            named = dict(zip(columns, row, strict=True))
        else:
            raise TypeError(f"{place}: {shown(row)}; {must}, as a pair or a mapping")
        if any(named.get(column) is None for column in columns):
            raise ValueError(f"{place}: {shown(row)}; {must}")
        yield place, named


def _content(name: str, path: Path) -> str:
    """Return the text of a file."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ValueError(f"{name}={shown(str(path))}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path.name}, row {_row_of_byte(error)}: no text in UTF-8 ({error.reason}); must be "
            "saved as CSV in UTF-8"
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ValueError(f"{name}={shown(str(path))}: cannot be read: {why}") from None


def _row_of_byte(error: UnicodeDecodeError) -> int:
    """Return the row of a file in which its text breaks off; 0 is the header."""
    return error.object[: error.start].count(b"\n")


def _rows_of_file(
    called: str, text: str, columns: tuple[str, str]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield what to call each row of a CSV file in an error, and the row; 0 is the header."""
    header: list[str] | None = None
    number = 0
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True)
    while True:
        place = f"{called}, row {number}"
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            raise ValueError(f"{place}: {error}; must be CSV") from None
        if not cells:
            continue
        number += 1
        if header is None:
            header = [cell.strip() for cell in cells]
            _check_header(called, header, columns)
            continue
        if len(cells) > len(header):
            raise ValueError(
                f"{place}: {shown(cells)}; has {len(cells)} cells, the header {len(header)} "
                "(dishes are separated by semicolons)"
            )
        row = dict(zip(header, cells, strict=False))
        if any(column not in row for column in columns):
            raise ValueError(f"{place}: {shown(cells)}; must have {' and '.join(columns)}")
        yield place, row
    if header is None:
        _check_header(called, [], columns)


def _check_header(called: str, header: list[str], columns: tuple[str, str]) -> None:
    """Refuse a header that lacks a column or has one twice."""
    missing = [column for column in columns if column not in header]
    if missing:
        raise ValueError(
            f"{called}: no column {', '.join(missing)}; must have {', '.join(columns)}"
        )
    twice = [column for column in columns if header.count(column) > 1]
    if twice:
        raise ValueError(f"{called}, row 0: the column {', '.join(twice)} is there twice")


# -- The deck of the package -------------------------------------------------------------------


def shipped_rows(name: str, columns: tuple[str, str]) -> list[Mapping[str, str]]:
    """Return the rows of a file of the package, which may lie in an archive."""
    text = (resources.files("garcon_env") / "data" / name).read_text("utf-8")
    return [row for _, row in _rows_of_file(name, text, columns)]


@functools.cache
def shipped_orders() -> list[Mapping[str, str]]:
    """Return the rows of the orders that come with the package."""
    return shipped_rows("orders.csv", ORDER_COLUMNS)


@functools.cache
def shipped_menu() -> list[Mapping[str, str]]:
    """Return the rows of the menu that comes with the package."""
    return shipped_rows("menu.csv", MENU_COLUMNS)


@functools.cache
def shipped_deck() -> Deck:
    """Return the deck that comes with the package."""
    return read_deck(shipped_orders(), shipped_menu())
