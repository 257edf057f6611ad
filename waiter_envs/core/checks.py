"""Checks of arguments: each refuses what it cannot take and says what is allowed."""

from __future__ import annotations

import operator
import os
import reprlib
from collections.abc import Mapping, Set
from typing import Any

import numpy as np
import numpy.typing as npt

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 200
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = _SHORT.maxset = 20


def shown(value: Any) -> str:
    """Return a value as an error tells it: its `repr`, cut where it is long or nested deep."""
    try:
        return _SHORT.repr(value)
    except Exception:  # a foreign `__repr__` may raise anything
        return f"<{type(value).__name__}>"


def check_int(name: str, value: Any, low: int, high: int, hint: str = "") -> int:
    """Return `value` as an int; refuse it if it is no integer of `low .. high`.

    Raises:
        TypeError: if it is no integer (a bool is none).
        ValueError: if it is out of range.
    """
    allowed = f"an integer from {low} to {high}" + (f", {hint}" if hint else "")
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name}={shown(value)}: must be {allowed}")
    if not low <= number <= high:
        raise ValueError(f"{name}={shown(value)}: must be {allowed}")
    return number


def check_number(name: str, value: Any, low: float, high: float) -> float:
    """Return `value` as a float; refuse it if it is no number from `low` to `high`.

    Raises:
        TypeError: if it is no number (a bool is none).
        ValueError: if it is out of range.
    """
    allowed = f"a number from {low:g} to {high:g}"
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name}={shown(value)}: must be {allowed}")
    if not low <= value <= high:
        raise ValueError(f"{name}={shown(value)}: must be {allowed}")
    return float(value)


def check_bool(name: str, value: Any) -> None:
    """Refuse a `value` that is no bool.

    Raises:
        TypeError: if it is none.
    """
    if not isinstance(value, bool):
        raise TypeError(f"{name}={shown(value)}: must be True or False")


def check_choice(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """Return `value`, which must be one of `allowed`.

    Raises:
        TypeError: if it is of another type than those (a bool is no integer here).
        ValueError: if it is none of them.
    """
    text = f"{name}={shown(value)}: must be one of {', '.join(map(repr, allowed))}"
    kinds = (int, np.integer) if isinstance(allowed[0], int) else type(allowed[0])
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise TypeError(text)
    if value not in allowed:
        raise ValueError(text)
    return value


def check_numbering(name: str, values: tuple[int, ...], what: str) -> int:
    """Return how many different numbers there are, which must be 0, 1, 2 and so on.

    Raises:
        ValueError: if one is left out.
    """
    count = len(set(values))
    if values and (min(values) != 0 or max(values) != count - 1):
        raise ValueError(f"{name}={values}: {what} are numbered from 0 without gaps")
    return count


def check_int_tuple(name: str, values: Any) -> tuple[int, ...]:
    """Return `values` as a tuple of ints.

    Raises:
        TypeError: if it is no sequence of integers (a bool is none).
    """
    try:
        if isinstance(values, (str, bytes, bytearray, Mapping, Set)):
            raise TypeError
        values = tuple(values)
        if any(isinstance(value, (bool, np.bool_)) for value in values):
            raise TypeError
        return tuple(operator.index(value) for value in values)
    except TypeError:
        raise TypeError(f"{name}={shown(values)}: must be a sequence of integers") from None


def check_options(options: Any, known: tuple[str, ...]) -> None:
    """Refuse options of a `reset` that are no mapping, or unknown.

    Raises:
        TypeError: if they are no mapping.
        ValueError: if one is unknown.
    """
    if options is None:
        return
    if not isinstance(options, Mapping):
        raise TypeError(f"options={shown(options)}: must be a mapping, or None")
    unknown = [shown(option) for option in options if option not in known]
    if unknown:
        allowed = ", ".join(map(repr, known)) or "none"
        raise ValueError(f"unknown option {', '.join(unknown)}; there is {allowed}")


def check_text(name: str, value: Any) -> str:
    """Return `value`, which must be a text.

    Raises:
        TypeError: if it is none.
    """
    if not isinstance(value, str):
        raise TypeError(f"{name}={shown(value)}: must be a text")
    return value


def check_callable(name: str, value: Any) -> None:
    """Refuse a `value` that is no function.

    Raises:
        TypeError: if it is none.
    """
    if not callable(value):
        raise TypeError(f"{name}={shown(value)}: must be a function")


def check_seed(seed: Any, hint: str = "") -> int:
    """Return a seed as an int.

    Raises:
        TypeError: if it is no integer.
        ValueError: if it is negative or has more than 64 bits.
    """
    return check_int("seed", seed, 0, 2**64 - 1, hint)


def check_array(name: str, values: Any) -> npt.NDArray[Any]:
    """Return `values` as an array.

    Raises:
        TypeError: if they make none.
    """
    try:
        return np.asarray(values)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise TypeError(f"{name}={shown(values)}: must be an array ({error})") from None


def check_numbers(name: str, values: Any, bound: int) -> npt.NDArray[np.int64]:
    """Return integers of `0 .. bound - 1` as an array; where `values` are bools, of the 1s.

    Raises:
        TypeError: if they are neither.
        ValueError: if they have more than one dimension, or one is out of range.
    """
    array = check_array(name, values)
    if array.dtype == np.bool_ and array.shape == (bound,):
        return np.flatnonzero(array)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} has dtype {array.dtype}, must be integers or {bound} bools")
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}, must have one dimension")
    if array.size and not 0 <= array.min() <= array.max() < bound:
        raise ValueError(f"{name} must be numbers from 0 to {bound - 1}")
    return array.astype(np.int64)


def check_path(path: Any, name: str = "path") -> str | os.PathLike[str]:
    """Return `path`, which must be one.

    Raises:
        TypeError: if it is neither a text nor path-like.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name}={shown(path)}: must be a path")
    return path
