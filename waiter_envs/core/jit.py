"""How the library compiles: one decorator for rules, one cached compilation for kernels.

Rule functions are compiled in memory only (`njit`); a *kernel*, the loop over tables that
calls them, is compiled once for a game and stored on disk (`bind`). Three facts about Numba
shape this file. A cached function does not notice that a function which it calls has changed,
so the kernel's name carries a fingerprint of everything that it is built from (`fingerprint`): an
edit compiles anew, an unchanged tree is loaded. The index of a cache file can be corrupted by
two processes that write different entries at once, so every fingerprint has files of its own.
And symbols of machine code are numbered by process, so code of two processes may clash in a
third: there `right_of` for two players is linked where three sit (`_number_symbols_apart`).
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import secrets
import sys
import threading
import types
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

import numba
from numba.core.bytecode import FunctionIdentity

from waiter_envs.core.compile_cache import KernelCache
from waiter_envs.core.interpreted import INTERPRETED, PlainKernel, interpret

COMPILERS: tuple[ModuleType, ...] = ()
"""The module, if any, that compiles in Numba's place: it makes a difference to the machine code."""
_RULES: dict[str, Any] = {}
_KERNELS: dict[str, Any] = {}
try:
    from waiter_envs.core import compiler
except (ImportError, AttributeError):  # a Numba of another make compiles in its own, slower way
    pass
else:
    COMPILERS = (compiler,)
    _RULES["pipeline_class"] = compiler.RuleCompiler
    _KERNELS["pipeline_class"] = compiler.KernelCompiler

_compile: Any = functools.partial(numba.njit, error_model="numpy", nogil=True)
_UNCOUNTED = {"_nrt": False}
"""Arrays belong to whoever calls a kernel. So rules need not count references to them, which would
cost more than the rules themselves, but cannot make any either (see `njit_allocating`)."""


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

    The function makes no arrays, but for views of those that it gets, and returns none.
    """
    return _rule(function, _UNCOUNTED)


def njit_allocating(function: Callable[..., Any]) -> Any:
    """Decorate a function like `njit` that makes arrays, or gets one from a function that does."""
    return _rule(function, {"_nrt": True})


def njit_sums(function: Callable[..., Any]) -> Any:
    """Decorate a function like `njit`, but leave open in which order it sums floats.

    Then loops that add take many numbers at a time. Sums may differ in their last digits from one
    kind of processor to another.
    """
    return _rule(function, {**_UNCOUNTED, "fastmath": {"contract", "reassoc"}})


def _rule(function: Callable[..., Any], options: Mapping[str, Any]) -> Any:
    if INTERPRETED:
        return interpret(function)
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher = _compile(**wrappers, **options, **_RULES)(function)
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
    """Compile a function that Python calls, cached on disk where a directory can be written.

    It makes no arrays: its caller hands in whatever is to be filled.
    """
    if INTERPRETED:
        return PlainKernel(function)
    dispatcher = _compile(no_cfunc_wrapper=True, **_UNCOUNTED, **_KERNELS)(function)
    dispatcher.compile = _announcing(dispatcher)
    dispatcher._cache = KernelCache(function)
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
