"""Rule functions as plain Python, for what is asked too seldom to be compiled."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.core.interpreted import WideArray


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
