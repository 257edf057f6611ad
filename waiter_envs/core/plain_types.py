"""What every game needs to read a position from plain JSON types.

All functions raise `ValueError` with a text that names the entry and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from waiter_envs.core.checks import check_int, shown


def check_keys(name: str, mapping: Any, keys: Iterable[str]) -> None:
    """Refuse what is no mapping with exactly these keys."""
    if not isinstance(mapping, Mapping):
        raise ValueError(
            f"{name}={shown(mapping)}: must be a mapping with the keys {', '.join(keys)}"
        )
    missing = [key for key in keys if key not in mapping]
    unknown = [key if isinstance(key, str) else shown(key) for key in mapping if key not in keys]
    if missing or unknown:
        problems = [f"has no {key}" for key in missing] + [f"has unknown {key}" for key in unknown]
        raise ValueError(f"{name} {', '.join(problems)}; must have the keys {', '.join(keys)}")


def read_list(name: str, values: Any, length: int | None = None) -> Sequence[Any]:
    """Return `values`, which must be a list (of a certain length)."""
    if not isinstance(values, Sequence) or isinstance(values, (str, bytes, bytearray)):
        raise ValueError(f"{name}={shown(values)}: must be a list")
    if length is not None and len(values) != length:
        raise ValueError(f"{name}: a list of {len(values)}; must be of {length}")
    return values


def read_int(name: str, value: Any, low: int, high: int, hint: str = "") -> int:
    """Return `value` as an int; refuse it if it is no integer of `low .. high`."""
    try:
        check_int(name, value, low, high, hint)
    except TypeError as error:
        raise ValueError(str(error)) from None
    return int(value)


def read_ints(name: str, values: Any, length: int | None, bound: int) -> list[int]:
    """Return `values`, which must be a list of integers `0 .. bound - 1`, as ints."""
    return [
        read_int(f"{name}[{i}]", value, 0, bound - 1)
        for i, value in enumerate(read_list(name, values, length))
    ]


def read_choice(name: str, value: Any, allowed: Sequence[str], hint: str = "") -> str:
    """Return `value`, which must be one of the texts `allowed`."""
    if not isinstance(value, str) or value not in tuple(allowed):
        raise ValueError(
            f"{name}={shown(value)}: must be one of {', '.join(allowed)} {hint}".rstrip()
        )
    return value


def read_bool(name: str, value: Any) -> bool:
    """Return `value`, which must be true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{name}={shown(value)}: must be true or false")
    return value
