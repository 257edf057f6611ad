"""Kernels of tests: compiled anew when anything that they call has been edited."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from waiter_envs.core.fingerprint import fingerprint
from waiter_envs.core.game import SHARED_SOURCES
from waiter_envs.core.jit import bind


def kernel_of(*modules: ModuleType) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator for a kernel that calls the core, and these modules.

    A kernel by itself is loaded from disk until its own file changes, so a test of what it calls
    would try the code of yesterday.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        return bind(function, {}, fingerprint([*SHARED_SOURCES, *modules]))

    return compiled
