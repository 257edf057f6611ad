"""Files of results of a ladder: JSON lines, a head and then one line a deal, in their order.

A file grows by whole lines. Of one that was cut off within its last line, as when a process is
killed, that line is dropped; everything before it counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from waiter_envs.arena.deals import DIGITS, Played
from waiter_envs.arena.record_files import PathLike
from waiter_envs.core.checks import check_path


class LadderFile:
    """A file of results, which need not exist."""

    def __init__(self, path: PathLike, head: Mapping[str, Any], shape: tuple[int, int]) -> None:
        """Read what is there, and open the file to go on with it.

        Args:
            path: of the file.
            head: what makes results comparable: those of another head are refused.
            shape: seatings of a deal, and players.

        Raises:
            ValueError: if it holds other results, or is damaged before its last line. The file
                stays as it is.
            OSError: if it cannot be written.
        """
        self.path, self._shape = Path(check_path(path)), shape
        self._head = json.loads(json.dumps(head))
        content = self.path.read_bytes() if self.path.exists() else b""
        lines = content.splitlines(keepends=True)
        self.cut = bool(lines) and not lines[-1].endswith(b"\n")
        """Whether a last line was cut off."""
        whole = lines[:-1] if self.cut else lines
        self._check_begin(lines)
        self.deals = [self._read(number, line) for number, line in enumerate(whole[1:])]
        """What each deal came to, as far as it was played."""
        self._file = self.path.open("ab")
        self._file.truncate(sum(map(len, whole)))
        if not whole:
            self._append([self._head])

    def append(self, played: Played, seats: Any) -> None:
        """Append deals; they are on the disk when this returns."""
        first = len(self.deals)
        self.deals += [(played.rewards[i], played.truncated[i]) for i in range(len(seats))]
        self._append(
            {
                "deal": first + i,
                "seats": seats[i].tolist(),
                "rewards": np.round(played.rewards[i].astype(np.float64), DIGITS).tolist(),
                "truncated": np.flatnonzero(played.truncated[i]).tolist(),
            }
            for i in range(len(seats))
        )

    def _append(self, rows: Iterable[Mapping[str, Any]]) -> None:
        lines = "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows)
        self._file.write(lines.encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def _check_begin(self, lines: list[bytes]) -> None:
        """Refuse a file that begins with anything else than the head, or a part of it."""
        if not lines:
            return
        own = f"{json.dumps(self._head, separators=(',', ':'))}\n".encode()
        if len(lines) == 1 and self.cut:
            if own.startswith(lines[0]):
                return
            raise ValueError(f"{self.path} holds no results of a ladder")
        try:
            head = json.loads(lines[0])
        except ValueError:
            head = None
        if not isinstance(head, dict) or "ladder" not in head:
            raise ValueError(f"{self.path} holds no results of a ladder")
        others = list(differences(head, self._head))
        if others:
            raise ValueError(
                f"{self.path} holds results of another ladder: {'; '.join(others)}. "
                "Give another file, or what it was played with"
            )

    def _read(self, number: int, line: bytes) -> tuple[Any, Any]:
        """Return rewards and truncations of a deal.

        Raises:
            ValueError: if the line is damaged.
        """
        seatings, players = self._shape
        try:
            row = json.loads(line)
            rewards = np.array(row["rewards"], np.float32)
            truncated = np.zeros(seatings, np.bool_)
            truncated[np.array(row["truncated"], np.int64)] = True
            fits = row["deal"] == number and rewards.shape == (seatings, players)
        except (ValueError, KeyError, TypeError, IndexError, OverflowError):
            fits = False
        if not fits:
            raise ValueError(f"{self.path}, line {number + 2}: damaged, it is not deal {number}")
        return rewards, truncated

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def differences(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words in which keys two heads differ."""
    for key in sorted({*theirs, *ours}):
        there, here = theirs.get(key), ours.get(key)
        if there != here:
            yield f"{key} was {_short(there)}, now {_short(here)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 300 else f"{text[:297]}..."
