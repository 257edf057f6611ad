"""Where compiled kernels are kept: Numba's files, in the first folder that can be written.

A folder before it that can only be read, such as one that was filled while an image was built, is
read and left alone. A damaged or unwritable cache costs a compilation, not the run. Of several
processes that miss the same compilation, one compiles and the others wait for it.
"""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: several processes may compile the same
    fcntl = None  # type: ignore[assignment]

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.misc.appdirs import AppDirs

from waiter_envs.core.fingerprint import module_hash


class KernelCache:
    """The cache of one kernel, as a Numba dispatcher wants it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Look nowhere yet."""
        self._places = [_Place(function, folder) for folder in folders(function)]
        self._target: _Place | None = None

    @property
    def cache_path(self) -> str:
        """The folder that is written, or the first one that is read."""
        return str((self._target or self._places[0]).cache_path) if self._places else ""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored compilation, or `None` if there is none that can be read."""
        for place in self._places:
            found = place.load(sig, target_context)
            if found is not None:
                return found
            if place.can_be_written():
                self._target = place
                return place.load_or_lock(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compilation that `load_overload` has missed."""
        if self._target is None:
            _warn_uncached("there is no folder that this user can write")
        else:
            self._target.save(sig, data)

    def flush(self) -> None:
        """Forget what is stored, before Numba compiles everything again."""
        if self._target is not None:
            self._target.flush()


def folders(function: Callable[..., Any]) -> Iterator[Path]:
    """Yield the folders where the compilations of `function` may be, first choice first.

    They are Numba's: in `NUMBA_CACHE_DIR`, beside the module, in the user's folder of caches.
    """
    file = sys.modules[function.__module__].__file__ or ""
    shared = _CacheLocator.get_suitable_cache_subpath(file)
    if numba.config.CACHE_DIR:  # type: ignore[attr-defined]
        yield Path(numba.config.CACHE_DIR, shared)  # type: ignore[attr-defined]
    yield Path(file).parent / "__pycache__"
    yield Path(AppDirs(appname="numba", appauthor=False).user_cache_dir, shared)


class _Place(FunctionCache):
    """Numba's cache of one function, in one folder."""

    _lock: Any = None

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._impl_class = functools.partial(_Files, folder=folder)  # type: ignore[assignment]
        super().__init__(function)

    def load(self, sig: Any, target_context: Any) -> Any:
        """Return the stored compilation, or `None` if there is none that can be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            return None

    def can_be_written(self) -> bool:
        """Return whether the folder is there, or could be made, and takes a file."""
        try:
            self._impl.locator.ensure_cache_path()
        except OSError:
            return False
        return True

    def load_or_lock(self, sig: Any, target_context: Any) -> Any:
        """Wait until no other process compiles this; return what it has stored, or `None`."""
        if not self._acquire():
            return None
        found = self.load(sig, target_context)
        if found is not None:
            self._release()
        return found

    def save(self, sig: Any, data: Any) -> None:
        """Store a compilation; in a damaged cache file, begin anew."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_uncached(str(error))
        except Exception:
            self.flush()
            super().save_overload(sig, data)
        finally:
            self._release()

    def _acquire(self) -> bool:
        """Wait for the lock; return whether there is one. The system frees that of the dead."""
        if fcntl is None or self._lock is not None:
            return False
        try:
            path = Path(self.cache_path) / f"{self._impl.filename_base}.lock"
            self._lock = path.open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        except OSError:
            self._release()
            return False
        return True

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


class _Files(CompileResultCacheImpl):
    """The names of a function's files; unlike Numba's own, they ask for no source on disk."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(function, folder)
        module = function.__module__.rpartition(".")[2]
        name = f"{module}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))


class _Locator(_CacheLocator):
    """One folder, for one function."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._py_file = function.__code__.co_filename
        self._function = function
        self._folder = folder

    def get_cache_path(self) -> str:
        """Return the folder."""
        return os.fspath(self._folder)

    def get_source_stamp(self) -> str:
        """Return what changes with the module of the function."""
        return module_hash(sys.modules[self._function.__module__])

    def get_disambiguator(self) -> str:
        """Return what tells two functions of one name apart."""
        return str(self._function.__code__.co_firstlineno)


@functools.cache
def _warn_uncached(reason: str) -> None:
    """Warn once a process."""
    warnings.warn(
        f"the compile cache cannot be written ({reason}); every process compiles again. "
        "Set NUMBA_CACHE_DIR to a writable directory.",
        RuntimeWarning,
        stacklevel=2,
    )
