"""Games written down while they are played at `Tables`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Thoughts
from waiter_envs.arena.playback import Moves, Playback, Start
from waiter_envs.arena.record_files import Writer
from waiter_envs.arena.records import DIGITS, Thought, make
from waiter_envs.core import rng
from waiter_envs.core.tables import Tables

_BATCH = 256
"""Games that are played again, and written, at once, if they end soon after each other."""
_SECONDS = 1.0


class Recorder:
    """Writes down the games of tables that were just dealt for the first time.

    At each decision `think`, if there is something to tell, and `note`; at the end of games `end`.
    """

    def __init__(
        self,
        tables: Tables,
        seed: int,
        seats: Sequence[tuple[str, ...]],
        writer: Writer,
        thoughts: bool = True,
    ) -> None:
        """Begin the first game of each table.

        Args:
            tables: where they are played.
            seed: that has just dealt them.
            seats: who sits at each table, `(tables, players)`.
            writer: where to.
            thoughts: whether whoever plays is to be asked what it thinks.
        """
        self.thoughts = thoughts
        self._seats, self._writer = seats, writer
        count = tables.num_tables
        self._playback = Playback(tables.game, tables.config, min(count, _BATCH))
        self._seed = seed
        self._streams = rng.streams(seed, count)
        self._start = [Start(seed, table=table) for table in range(count)]
        self._actions = np.empty((count, 64), np.int32)
        self._length = np.zeros(count, np.int64)
        self._thoughts: list[dict[int, Thought]] = [{} for _ in range(count)]
        self._ended: list[tuple[Moves, tuple[str, ...], tuple[Thought | None, ...] | None]] = []
        self._written = time.monotonic()

    def think(self, which: npt.NDArray[np.int64], thoughts: Thoughts, seconds: float) -> None:
        """Keep what was thought at some tables, before their next action is noted.

        Raises:
            ValueError: if it is not of as many decisions and actions.
        """
        each = seconds / len(which)
        for name, shape in (
            ("probabilities", (len(which), self._playback.tables.num_actions)),
            ("values", (len(which),)),
        ):
            told = getattr(thoughts, name)
            if told is not None and told.shape != shape:
                raise ValueError(f"an agent's {name} have shape {told.shape}, must be {shape}")
        for row, table in enumerate(which.tolist()):
            chances = None
            if thoughts.probabilities is not None:
                some = thoughts.probabilities[row]
                legal = np.flatnonzero(some >= 0.5 * 10.0**-DIGITS)
                chances = dict(zip(legal.tolist(), some[legal].tolist(), strict=True))
            value = None if thoughts.values is None else float(thoughts.values[row])
            self._thoughts[table][int(self._length[table])] = Thought(chances, value, each)

    def note(self, actions: npt.NDArray[np.int32]) -> None:
        """Keep an action at each table, `(tables,)`; a negative number is none."""
        which = np.flatnonzero(actions >= 0)
        if not which.size:
            return
        room = self._actions.shape[1]
        if self._length[which].max() == room:
            more = np.empty_like(self._actions)
            self._actions = np.concatenate([self._actions, more], axis=1)
        self._actions[which, self._length[which]] = actions[which]
        self._length[which] += 1

    def end(self, which: npt.NDArray[np.int64], streams: npt.NDArray[np.uint64]) -> None:
        """End the games at some tables, and begin the next ones.

        Args:
            which: numbers of the tables; of those without an action no game is written.
            streams: the random streams that deal there next, `(n, 2)`.
        """
        for table, stream in zip(which.tolist(), streams.tolist(), strict=True):
            length = int(self._length[table])
            if length:
                moves = Moves(self._start[table], self._actions[table, :length].copy())
                thoughts = self._thoughts[table]
                told = tuple(map(thoughts.get, range(length))) if thoughts else None
                self._ended.append((moves, self._seats[table], told))
                self._thoughts[table] = {}
            drawn = rng.count_draws(tuple(self._streams[table].tolist()), tuple(stream))
            self._start[table] = Start(self._seed, table=table, drawn=drawn)
        self._length[which] = 0
        if len(self._ended) >= _BATCH or time.monotonic() >= self._written + _SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the games that have ended."""
        if self._ended:
            moves, seats, thoughts = zip(*self._ended, strict=True)
            self._writer.write(make(self._playback, moves, seats, thoughts))
            self._ended.clear()
        self._written = time.monotonic()

    def __enter__(self) -> Recorder:
        """Return the recorder, which writes all at the end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write the games that have ended."""
        self.flush()
