"""The compiled code as plain Python, for debuggers and for coverage: `NUMBA_DISABLE_JIT=1`.

Numba reads a record's field as an attribute, and widens every small integer that it reads. Plain
NumPy does neither: a record is indexed, and an `int8` overflows. Here arrays and records are
wrapped so that the same source means the same in both worlds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

INTERPRETED = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
"""Whether the rules run as plain Python in this process."""


class WideArray(np.ndarray[Any, Any]):
    """An array that hands out Python's numbers, and records with attributes."""

    def __getitem__(self, key: Any) -> Any:
        """Return a wide view, a Python number, a 64-bit word or a `Record`."""
        return _widen(super().__getitem__(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write a value; a record is copied whole."""
        super().__setitem__(key, value.record if isinstance(value, Record) else value)


class Record:
    """One record whose fields are attributes; writing to them writes to its array."""

    __slots__ = ("record",)

    def __init__(self, record: np.void) -> None:
        """Wrap one element of a structured array."""
        object.__setattr__(self, "record", record)

    def __getattr__(self, name: str) -> Any:
        """Return a field."""
        try:
            return _widen(self.record[name])
        except ValueError as error:
            raise AttributeError(str(error)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        """Write a field."""
        self.record[name] = value


def interpret(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a rule function as it is, once the tables of its module hand out Python's numbers."""
    names = function.__globals__
    for name, value in list(names.items()):
        if type(value) is np.ndarray:
            names[name] = value.view(WideArray)
    return function


class PlainKernel:
    """A kernel that is not compiled: the template itself, called with wrapped arrays."""

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
        return tuple(map(_open, argument))
    return argument.view(WideArray) if isinstance(argument, np.ndarray) else argument


def _widen(value: Any) -> Any:
    if type(value) is np.ndarray:
        return value.view(WideArray)
    if isinstance(value, np.void):
        return Record(value)
    if isinstance(value, np.generic) and not isinstance(value, np.uint64):
        return value.item()
    return value
