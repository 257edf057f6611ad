"""The compiled code as plain Python, for debuggers and for coverage: `NUMBA_DISABLE_JIT=1`.

Numba reads a record's field as an attribute, and widens every small integer that it reads. Plain
NumPy does neither: a record is indexed, and an `int8` overflows. Here arrays and records are
wrapped so that the same source means the same in both worlds. Views are made once and numbers
are read through `memoryview`, which takes a fraction of the time that NumPy takes for one number.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

INTERPRETED = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
"""Whether the rules run as plain Python in this process."""


class WideArray(np.ndarray[Any, Any]):
    """An array that hands out Python's numbers, and records with attributes."""

    plain: npt.NDArray[Any]
    """The same array as NumPy knows it."""
    numbers: Any
    """Of an index for each axis, a number; `None` where NumPy has to look."""
    elements: Any
    """Of one index, a number or a view."""

    def __getattr__(self, name: str) -> Any:
        """Set the three attributes above, when the first of them is asked for."""
        if name not in ("plain", "numbers", "elements"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        plain = self.plain = self.view(np.ndarray)
        one_axis = plain.ndim == 1 and not plain.dtype.names
        self.numbers = _numbers(plain) if one_axis or plain.dtype.kind in "bif" else None
        self.elements = self.numbers if one_axis else _Views(plain)
        return getattr(self, name)

    def __getitem__(self, key: Any) -> Any:
        """Return a wide view, a Python number, a 64-bit word or a `Record`."""
        kind = type(key)
        if kind is int or kind is np.int64:
            return self.elements[key]
        if kind is tuple:
            try:
                return self.numbers[key]
            except (TypeError, NotImplementedError):  # not an index for each axis
                pass
        value = self.plain[key]
        if isinstance(value, np.void):  # a copy, if NumPy likes: a view is wanted
            value = self.plain[(*key, ...) if kind is tuple else (key, ...)]
        return _widen(value)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write a value; a record is copied whole."""
        kind = type(key)
        if kind is int or kind is tuple:
            try:
                self.numbers[key] = value
                return
            except (TypeError, ValueError, NotImplementedError):  # more than one number
                pass
        self.plain[key] = value.record if isinstance(value, Record) else value


class Record:
    """One record whose fields are attributes; writing to them writes to its array."""

    __slots__ = ("record", "views")

    def __init__(self, record: npt.NDArray[np.void]) -> None:
        """Wrap a structured array that has no axis; see `_record`."""
        self.record = record
        self.views = _Fields(record)


def _record(record: npt.NDArray[np.void]) -> Record:
    return _record_class(record.dtype)(record)


@functools.cache
def _record_class(dtype: np.dtype[np.void]) -> type[Record]:
    """Return `Record` with a property for each field."""
    fields = {
        name: (_number if _is_number(dtype[name]) else _array)(name) for name in dtype.names or ()
    }
    return type("Record", (Record,), {"__slots__": (), **fields})


def _is_number(kind: np.dtype[Any]) -> bool:
    return not (kind.shape or kind.names)


def _number(name: str) -> property:
    def read(record: Record) -> Any:
        return record.views[name][()]

    def write(record: Record, value: Any) -> None:
        try:
            record.views[name][()] = value
        except (TypeError, ValueError):  # NumPy knows more kinds of numbers
            record.record[name] = value

    return property(read, write)


def _array(name: str) -> property:
    def read(record: Record) -> Any:
        return record.views[name]

    def write(record: Record, value: Any) -> None:
        record.record[name] = value.record if isinstance(value, Record) else value

    return property(read, write)


class _Views(dict[int, Any]):
    """The elements of an array of records, or the rows of one with several axes."""

    def __init__(self, plain: npt.NDArray[Any]) -> None:
        self.plain = plain

    def __missing__(self, key: int) -> Any:
        self[key] = view = _widen(self.plain[key, ...])
        return view


class _Fields(dict[str, Any]):
    """The fields of a record, each made once."""

    def __init__(self, record: npt.NDArray[np.void]) -> None:
        self.record = record

    def __missing__(self, name: str) -> Any:
        field = self.record[name]
        number = _is_number(self.record.dtype[name])
        self[name] = view = _numbers(field) if number else _widen(field)
        return view


def _numbers(array: npt.NDArray[Any]) -> Any:
    """Return what reads and writes numbers fast; 64-bit words must stay NumPy's, which wrap."""
    is_word = array.dtype == np.uint64 or array.dtype.kind not in "biuf"
    return array if is_word else memoryview(array)  # type: ignore[arg-type]


def interpret(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a rule function as it is, once the tables of its module hand out Python's numbers."""
    names = function.__globals__
    for name, value in list(names.items()):
        if type(value) is np.ndarray:
            names[name] = value.view(WideArray)
    return function


class PlainKernel:
    """A kernel that is not compiled: the template itself, called with wrapped arrays."""

    signatures: tuple[Any, ...] = ()

    def __init__(self, function: Callable[..., Any]) -> None:
        """Take the template, bound to the rules of a game."""
        self.py_func = function

    def __call__(self, *arguments: Any) -> Any:
        """Run it. Random streams rely on 64-bit words that wrap around, so that is no warning."""
        with np.errstate(over="ignore"):
            return self.py_func(*map(_open, arguments))

    def compile(self, signature: Any) -> PlainKernel:
        """Return itself: there is one version for all types."""
        del signature
        return self


def _open(argument: Any) -> Any:
    """Return an argument of a kernel as the rules want it."""
    if isinstance(argument, tuple):
        opened = map(_open, argument)
        return type(argument)(*opened) if hasattr(argument, "_fields") else tuple(opened)
    return argument.view(WideArray) if isinstance(argument, np.ndarray) else argument


def _widen(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        if value.ndim == 0 and value.dtype.names:
            return _record(value)
        return value.view(WideArray)
    if isinstance(value, np.generic) and not isinstance(value, np.uint64):
        return value.item()
    return value


# -- One rule as plain Python, in a process that compiles the others ---------------------------


def plain(function: Any) -> Callable[..., Any]:
    """Return a rule function, compiled or not, as plain Python.

    Args:
        function: its first argument is a table.

    Returns:
        The function, whose first argument is an array of one table, `(1,)`.
    """
    rule = _plain(function)

    def run(array: npt.NDArray[np.void], *arguments: Any) -> Any:
        return rule(array.view(WideArray)[0], *arguments)

    return run


_NAMES: dict[int, dict[str, Any]] = {}
"""Of each module by its own names, the names with plain functions instead of compiled ones."""


def _plain(function: Any) -> Any:
    """Return a plain function as it is, a compiled one with the plain ones that it calls."""
    if not hasattr(function, "py_func"):
        return function
    python = function.py_func
    return types.FunctionType(python.__code__, _names(python.__globals__), python.__name__)


def _names(names: dict[str, Any]) -> dict[str, Any]:
    if id(names) not in _NAMES:
        copied = _NAMES[id(names)] = dict(names)
        for name, value in names.items():
            is_table = type(value) is np.ndarray
            copied[name] = value.view(WideArray) if is_table else _plain(value)
    return _NAMES[id(names)]
