"""How the library compiles: one decorator for rules, one cached compilation for kernels.

Rule functions are compiled in memory only (`njit`); a *kernel*, the loop over tables that
calls them, is compiled once for a game and stored on disk (`bind`). Three facts about Numba
shape this file. A cached function does not notice that a function which it calls has changed,
so the kernel's name carries a fingerprint of every source file that it is built from: an edit
compiles anew, an unchanged tree is loaded. The index of a cache file can be corrupted by
two processes that write different entries at once, so every fingerprint has files of its own.
And symbols of machine code are numbered by process, so code of two processes may clash in a
third: there `right_of` for two players is linked where three sit (`_number_symbols_apart`).
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import itertools
import os
import re
import secrets
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: several processes may compile the same
    fcntl = None  # type: ignore[assignment]

import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import FunctionCache

from waiter_envs.core.interpreted import INTERPRETED, PlainKernel, interpret

try:
    from waiter_envs.core.compiler import KernelCompiler, RuleCompiler
except (ImportError, AttributeError):  # a Numba of another make compiles in its own, slower way
    _RULES: dict[str, Any] = {}
    _KERNELS: dict[str, Any] = {}
else:
    _RULES, _KERNELS = {"pipeline_class": RuleCompiler}, {"pipeline_class": KernelCompiler}

_compile: Any = functools.partial(numba.njit, error_model="numpy", nogil=True)


def _number_symbols_apart() -> None:
    """Let this process number what it compiles from a random number on.

    A symbol is made of a function's name, of the types of its arguments and of a number. Numba
    counts from 1 in every process, and abbreviates record types to another such number. So two
    processes give the same symbol to the same function of different variants; whoever compiles
    one and loads the other from disk would get one machine code for both.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(62))  # type: ignore[assignment]


_number_symbols_apart()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_number_symbols_apart)


def njit(function: Callable[..., Any]) -> Any:
    """Decorate a rule function: called by compiled code only, never cached on its own.

    All integer arguments count as int64. Numba would compile a version for every width of
    integer and even for every constant that occurs in a call, which costs seconds.
    """
    if INTERPRETED:
        return interpret(function)
    dispatcher = _compile(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_RULES)(function)
    call_template = dispatcher.get_call_template

    def widened_call_template(args: Iterable[Any], kws: Mapping[str, Any]) -> Any:
        return call_template(
            tuple(map(_widen, args)), {name: _widen(kind) for name, kind in kws.items()}
        )

    dispatcher.get_call_template = widened_call_template
    return dispatcher


def _widen(kind: Any) -> Any:
    """Return int64 for signed integers and integer constants, else the type as it is."""
    kind = numba.types.unliteral(kind)
    if isinstance(kind, numba.types.Integer) and kind.signed:  # type: ignore[attr-defined]
        return numba.types.int64
    return kind


@functools.cache
def _source_hash(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def fingerprint(modules: Iterable[ModuleType]) -> str:
    """Return a hash (16 hex digits) of the source files of `modules` and of the compiler."""
    sources = [inspect.getsourcefile(module) for module in modules]
    paths = sorted({*map(str, sources), str(Path(__file__).with_name("compiler.py"))})
    return hashlib.sha256("".join(map(_source_hash, paths)).encode()).hexdigest()[:16]


def dtype_hash(dtype: Any) -> str:
    """Return a hash (8 hex digits) of a structured dtype: its names, shapes and offsets."""
    fields = [(name, str(field[0]), field[1]) for name, field in dtype.fields.items()]
    return hashlib.sha256(f"{fields} {dtype.itemsize}".encode()).hexdigest()[:8]


def bind(template: Callable[..., Any], functions: Mapping[str, Any], label: str) -> Any:
    """Compile `template` with `functions` as globals, cached on disk under `label`.

    Args:
        template: a plain function that refers to the functions of `functions` by name.
        functions: name to compiled function; they replace the template's own globals.
        label: game, fingerprint and configuration: what tells one compilation from another.

    Returns:
        A Numba dispatcher. Where no cache directory can be written, it works uncached.
    """
    bound = types.FunctionType(
        template.__code__,
        {**template.__globals__, **functions},
        f"{template.__name__}_{label}",
        template.__defaults__,
        template.__closure__,
    )
    bound.__qualname__ = bound.__name__
    bound.__module__ = template.__module__
    return kernel(bound)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, cached on disk where a directory can be written."""
    if INTERPRETED:
        return PlainKernel(function)
    dispatcher = _compile(no_cfunc_wrapper=True, **_KERNELS)(function)
    dispatcher.compile = _announcing(dispatcher)
    try:
        dispatcher._cache = _ForgivingCache(function)
    except (RuntimeError, OSError) as error:  # RuntimeError: Numba finds no place to write
        _warn_uncached(error)
    return dispatcher


_PATIENCE = 2.0
"""Seconds of compiling until a line on stderr says so."""

_announced = threading.Event()


def _announcing(dispatcher: Any) -> Callable[[Any], Any]:
    """Return `dispatcher.compile`, which says so, once in a process, if it takes long."""
    compile_or_load = dispatcher.compile

    def announce() -> None:
        if not _announced.is_set():
            _announced.set()
            what = re.sub("_[0-9a-f]{16}.*", "", dispatcher.__name__).strip("_")
            kept = dispatcher.stats.cache_path
            then = f"kept in {kept}, so later starts load it" if kept else "nowhere to keep it"
            print(f"waiter_envs: compiling {what} ({then})", file=sys.stderr, flush=True)

    def compile_aloud(signature: Any) -> Any:
        timer = threading.Timer(_PATIENCE, announce)
        timer.daemon = True
        timer.start()
        try:
            return compile_or_load(signature)
        finally:
            timer.cancel()

    return compile_aloud


class _ForgivingCache(FunctionCache):
    """Numba's cache, except that a damaged or unwritable one costs a compilation, not the run.

    Of several processes that miss the same compilation, one compiles and the others wait for it.
    """

    _lock: Any = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored compilation, or `None` if there is none that can be read."""
        found = self._load(sig, target_context)
        if found is None and self._acquire():
            found = self._load(sig, target_context)
            if found is not None:
                self._release()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compilation; in a damaged cache file, begin anew."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_uncached(error)
        except Exception:
            self.flush()
            super().save_overload(sig, data)
        finally:
            self._release()

    def _load(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            return None

    def _acquire(self) -> bool:
        """Wait until no other process compiles this; return whether locks exist here.

        The system frees the lock of a process that dies.
        """
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


def _warn_uncached(error: Exception) -> None:
    warnings.warn(
        f"the compile cache cannot be written ({error}); every process compiles again. "
        "Set NUMBA_CACHE_DIR to a writable directory.",
        RuntimeWarning,
        stacklevel=4,
    )
