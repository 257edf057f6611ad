"""Threads: compiled code holds no lock, so they work side by side on rows of the same arrays."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

_TABLES_PER_THREAD = 256
"""Fewer tables than that are not worth the hand-over to another thread."""


class Workers:
    """Runs a kernel over ranges of tables, on as many threads as the work is worth.

    Kernels hold no lock, so threads run side by side. The calling thread takes the first range.
    """

    def __init__(self, num_tables: int, num_threads: int) -> None:
        """Share the tables between at most so many threads."""
        pieces = max(1, min(num_threads, num_tables // _TABLES_PER_THREAD))
        bounds = np.linspace(0, num_tables, pieces + 1).astype(int).tolist()
        self.ranges = list(itertools.pairwise(bounds))

    def __call__(self, kernel: Any, before: tuple[Any, ...], after: tuple[Any, ...]) -> None:
        """Call a kernel for each range, between the arguments `before` and `after`."""
        self.call([functools.partial(kernel, *before, *piece, *after) for piece in self.ranges])

    def call(self, calls: list[Callable[[], Any]]) -> Any:
        """Make a call for each range; return what the first one returns."""
        first, *others = calls
        if not others:
            return first()
        pool = _pool(len(others))
        futures = [pool.submit(call) for call in others]
        result = first()
        for future in futures:
            future.result()
        return result


def take_turns(calls: Sequence[Callable[[], Any]], threads: int) -> list[Any]:
    """Make calls, so many at a time, each as soon as a thread is free; return what they return.

    For calls that take long, of which nobody knows beforehand how long.
    """
    if threads == 1 or len(calls) == 1:
        return [call() for call in calls]
    return list(_pool(threads).map(lambda call: call(), calls))


_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}


def _pool(threads: int) -> ThreadPoolExecutor:
    """Return the pool of this process with so many threads; a forked child makes its own."""
    key = (os.getpid(), threads)
    if key not in _pools:
        _pools[key] = ThreadPoolExecutor(threads, thread_name_prefix="waiter_envs")
    return _pools[key]


def num_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
