"""Rule functions as plain Python, for what is not worth compiling."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from waiter_envs.core.interpreted import WideArray

_NAMES: dict[int, dict[str, Any]] = {}


def plain(function: Any) -> Callable[..., Any]:
    """Return a rule function as plain Python, with all that it calls.

    Args:
        function: compiled or not; its table is a `waiter_envs.core.interpreted.Record` then.
    """
    python = getattr(function, "py_func", function)
    return types.FunctionType(python.__code__, _names(python.__globals__), python.__name__)


def _names(names: dict[str, Any]) -> dict[str, Any]:
    """Return the names of a module, with plain functions in place of the compiled ones."""
    if id(names) not in _NAMES:
        copied = _NAMES[id(names)] = dict(names)
        for name, value in names.items():
            if hasattr(value, "py_func"):
                copied[name] = plain(value)
            elif type(value) is np.ndarray:
                copied[name] = value.view(WideArray)
    return _NAMES[id(names)]
