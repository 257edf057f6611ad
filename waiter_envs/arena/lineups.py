"""Line-ups: which agents play a deal together, and who of them sits where."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.core import rng

_PURPOSE = 1 << 20
"""Of the random numbers that arrange line-ups."""


def even_share(config: Any) -> float:
    """Return the share of games that a side wins if all are equally strong and nothing is drawn.

    Where sides are drawn in the game, players are put on line-ups one by one, but win together.
    """
    return 1 / (1 + max(getattr(config, "sides", config.playing_together)))


def num_seatings(agents: int, sides: int) -> int:
    """Return how often a deal is played: once for each seating of `seatings`."""
    if sides == 2:
        return agents * (agents - 1)
    more = agents if agents > sides else sides % agents
    return (agents if more else 1) * sides


def seatings(agents: int, sides: int, deals: int, seed: int) -> npt.NDArray[np.int64]:
    """Return who plays which side of each deal, `(deals, seatings, sides)`, numbers of agents.

    Every agent plays every side of a deal equally often.

    * Two sides: every agent against every other one, on both sides.
    * More sides, and no more agents than sides: all play, some of them several sides if they are
      fewer (each in turn one side more), in an order drawn for each deal; in all rotations.
    * More agents than sides: they stand in a circle, drawn for each deal; whoever stand beside each
      other make a line-up, which plays in all rotations. Over the deals all meet equally often.

    The order of a deal depends on the seed and its number alone.
    """
    if sides == 2:
        pairs = [(a, b) for a in range(agents) for b in range(agents) if a != b]
        return np.broadcast_to(np.array(pairs), (deals, len(pairs), 2))
    lineups = _circles if agents > sides else _crowds
    arranged = lineups(agents, sides, deals, seed)  # (deals, line-ups, sides)
    turned = [np.roll(arranged, turn, axis=2) for turn in range(sides)]
    return np.stack(turned, axis=2).reshape(deals, -1, sides)


def _circles(agents: int, sides: int, deals: int, seed: int) -> npt.NDArray[np.int64]:
    """Return neighbours on a circle of agents: as many line-ups as agents."""
    circle = _shuffled(deals, agents, seed)
    place = (np.arange(agents)[:, np.newaxis] + np.arange(sides)) % agents
    return circle[:, place]


def _crowds(agents: int, sides: int, deals: int, seed: int) -> npt.NDArray[np.int64]:
    """Return line-ups of all agents, as equally often as there are places."""
    each, left = divmod(sides, agents)
    count = agents if left else 1
    extra = (np.arange(count)[:, np.newaxis] + np.arange(left)) % agents
    crowd = np.concatenate([np.tile(np.arange(agents), (count, each)), extra], axis=1)
    order = _shuffled(deals * count, sides, seed).reshape(deals, count, sides)
    arranged = np.take_along_axis(np.broadcast_to(crowd, order.shape), order, axis=2)
    for period in range(1, sides):
        if sides % period == 0:
            _break_period(arranged, period)
    return arranged


def _break_period(arranged: npt.NDArray[np.int64], period: int) -> None:
    """Swap two neighbours where a rotation by `period` would play the same game again."""
    again = (np.roll(arranged, period, axis=2) == arranged).all(axis=2)
    for deal, lineup in zip(*np.nonzero(again), strict=True):
        row = arranged[deal, lineup]
        place = int((row[:-1] != row[1:]).argmax())
        row[[place, place + 1]] = row[[place + 1, place]]


def _shuffled(count: int, size: int, seed: int) -> npt.NDArray[np.int64]:
    """Return random orders of `0 .. size - 1`, `(count, size)`."""
    keys = rng.streams(seed, count * size, _PURPOSE)[:, 0].reshape(count, size)
    return np.argsort(keys, axis=1, kind="stable")
