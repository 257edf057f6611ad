"""What compiled code is made of, as a hash: it tells outdated machine code from fresh.

Compiled code is made of the text of modules and of the constants that Numba freezes into it, which
modules compute while they are imported, out of other modules or of files of data.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator
from importlib import resources
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from importlib.abc import Traversable

DATA = "data"
"""The folder of a package whose files its modules may read while they are imported."""


def fingerprint(modules: Iterable[ModuleType]) -> str:
    """Return a hash (16 hex digits) of `modules`, their constants and the data beside them.

    Raises:
        ImportError: if a module was loaded from nothing that can be read.
    """
    return _hash(repr(sorted(sources(modules).items())).encode())[:16]


def sources(modules: Iterable[ModuleType]) -> dict[str, str]:
    """Return the hashes that make a fingerprint, by name.

    They are those of each module (`dessert_env.cards`), of its constants, imported or its own
    (`dessert_env.cards.POINTS`), and of each file of data (`dessert_env/data/guests.csv`).
    """
    hashes: dict[str, str] = {}
    for module in modules:
        hashes[module.__name__] = module_hash(module)
        hashes |= _constants(module)
        hashes |= _data(module.__package__ or "")
    return hashes


@functools.cache
def module_hash(module: ModuleType) -> str:
    """Return the hash of a module's source, or of its bytecode where that is all there is.

    Raises:
        ImportError: if neither can be read.
    """
    try:
        content = module.__loader__.get_data(module.__file__)  # type: ignore[union-attr]
    except (AttributeError, TypeError, OSError) as error:
        raise ImportError(
            f"{module.__name__}: neither source nor bytecode can be read ({error!r}), so compiled "
            "rules cannot be told from outdated ones; NUMBA_DISABLE_JIT=1 runs them uncompiled"
        ) from error
    return _hash(content)


def _constants(module: ModuleType) -> dict[str, str]:
    """Return the hashes of a module's numbers, arrays, and tuples of them."""
    return {
        f"{module.__name__}.{name}": _hash(repr(_plain(value)).encode())
        for name, value in vars(module).items()
        if _is_constant(value)
    }


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    if isinstance(value, np.ndarray):
        return not value.dtype.hasobject
    return isinstance(value, (int, float, np.number, np.bool_))


def _plain(value: Any) -> Any:
    """Return a constant as what its `repr` tells in full."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, _hash(value.tobytes())
    return type(value).__name__, repr(value)


@functools.cache
def _data(package: str) -> dict[str, str]:
    """Return the hash of every file in a package's folder of data, by its path."""
    if not package:
        return {}
    files = _files(f"{package}/{DATA}", resources.files(package) / DATA)
    return {path: _hash(file.read_bytes()) for path, file in files}


def _files(path: str, folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a folder, if it is there, and of the folders in it."""
    if folder.is_dir():
        for entry in folder.iterdir():
            if entry.is_file():
                yield f"{path}/{entry.name}", entry
            else:
                yield from _files(f"{path}/{entry.name}", entry)


def dtype_hash(dtype: Any) -> str:
    """Return a hash (8 hex digits) of a structured dtype: its names, shapes and offsets."""
    fields = [(name, str(field[0]), field[1]) for name, field in dtype.fields.items()]
    return _hash(f"{fields} {dtype.itemsize}".encode())[:8]


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
