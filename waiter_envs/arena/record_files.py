"""Files of records: JSON lines, one game a line, plain (`.jsonl`) or compressed (`.jsonl.gz`)."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import time
import warnings
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from waiter_envs.arena.playback import Playback
from waiter_envs.arena.records import Record, RecordError, check
from waiter_envs.core.checks import check_bool, check_int, check_path, shown
from waiter_envs.core.games import load

PathLike = str | os.PathLike[str]

_BATCH = 256
"""Records that are read, and played again, at once."""
_LEVEL = 6
_SECONDS = 1.0
"""A compressed file is flushed no more often than that: each time costs some bytes."""
_MOST = 2**62


# -- Writing -----------------------------------------------------------------------------------


class Writer:
    """A file to which records are appended, whole lines at a time.

    Plain files are flushed with every call. Compressed ones are when they were not for a second:
    a killed process loses the games since. One process writes to a file at a time.
    """

    def __init__(self, path: PathLike) -> None:
        """Open a file, which need not exist; the rest of a line that was cut off is removed.

        Raises:
            TypeError: if `path` is none.
            ValueError: if it is a compressed file that is cut off or damaged.
            OSError: if it cannot be written.
        """
        self.path = Path(check_path(path))
        compressed = self.path.suffix == ".gz"
        if self.path.exists():
            (_check_compressed if compressed else _mend)(self.path)
        self._file: Any = _open(self.path, "ab")
        self._every = _SECONDS if compressed else 0.0
        self._flushed = time.monotonic()

    def write(self, records: Iterable[Record]) -> None:
        """Append records."""
        lines = [f"{record.to_json()}\n" for record in records]
        self._file.write("".join(lines).encode())
        if time.monotonic() >= self._flushed + self._every:
            self._file.flush()
            self._flushed = time.monotonic()

    def close(self) -> None:
        """Write what is left."""
        self._file.close()

    def __enter__(self) -> Writer:
        """Return the writer, which is closed at the end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()


def write(path: PathLike, records: Iterable[Record]) -> None:
    """Append records to a file, which need not exist.

    Raises:
        TypeError, ValueError: if there is something else among them, or for a path of none.
        OSError: if the file cannot be written.
    """
    check_path(path)
    if not isinstance(records, Iterable):
        raise TypeError(f"records={shown(records)}: must be records")
    records = iter(records)
    with Writer(path) as writer:
        while batch := list(itertools.islice(records, _BATCH)):
            for record in batch:
                if not isinstance(record, Record):
                    raise TypeError(f"records: {shown(record)} is no Record")
            writer.write(batch)


def _open(path: Path, mode: str) -> Any:
    return gzip.open(path, mode, _LEVEL) if path.suffix == ".gz" else path.open(mode)


def _mend(path: Path) -> None:
    """Make a plain file end with a whole line."""
    with path.open("rb+") as file:
        content_end = file.seek(0, os.SEEK_END)
        if content_end == 0:
            return
        file.seek(content_end - 1)
        if file.read() == b"\n":
            return
        file.seek(0)
        *_, last = file
        if _is_json(last):
            file.write(b"\n")
            return
        file.truncate(content_end - len(last))
    warnings.warn(f"{path}: removed its last line, which was cut off", UserWarning, stacklevel=3)


def _check_compressed(path: Path) -> None:
    """Refuse a compressed file that nothing can be appended to."""
    try:
        with gzip.open(path) as file:
            while file.read(2**20):
                pass
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(
            f"{path} is cut off or damaged ({error}), and nothing can be appended: "
            "`read` it and `write` its records to another file"
        ) from None


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


# -- Reading -----------------------------------------------------------------------------------

Line = tuple[int, bytes]
"""Number of a line, from 1, and what stands there."""


def read(
    path: PathLike, start: int = 0, stop: int | None = None, *, check: bool = True
) -> Iterator[Record]:
    """Yield the records of a file, in its order.

    Args:
        path: of the file.
        start: number of the first game, from 0.
        stop: number of the game behind the last; `None`: to the end.
        check: play every game again, and refuse what is not what the core plays.

    Raises:
        TypeError, ValueError: for an argument of the wrong type or out of range; `RecordError` for
            what is no record, or does not fit, after all records before it. The text names file,
            line, game and decision.
        OSError: if the file cannot be read.

    Warns:
        UserWarning: if the file was cut off within its last line, as by a writer that was killed.
    """
    check_path(path)
    start = check_int("start", start, 0, _MOST)
    stop = _MOST if stop is None else check_int("stop", stop, 0, _MOST, "or None")
    check_bool("check", check)
    batches = read_batches(path, start, stop, _Checks() if check else None)
    return itertools.chain.from_iterable(batches)


def read_batches(
    path: PathLike, start: int, stop: int, checks: _Checks | None, size: int = _BATCH
) -> Iterator[list[Record]]:
    """Yield records, some at a time; see `read`."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    lines = itertools.islice(_lines(path), start, stop)
    while batch := list(itertools.islice(lines, size)):
        records, problem = [], None
        for number, line in batch:
            try:
                records.append(Record.from_json(line))
            except RecordError as error:
                problem = at(path, number, error)
                break
        if checks is not None:
            fit, misfit = checks.count_fitting(records)
            if misfit is not None:
                problem = at(path, batch[fit][0], misfit)
            records = records[:fit]
        if records:
            yield records
        if problem is not None:
            raise problem


def at(path: PathLike, line: int, error: RecordError) -> RecordError:
    """Return an error that tells where in a file it was found."""
    return RecordError(f"{path}, line {line}: {error}")


def _lines(path: Path) -> Iterator[Line]:
    """Yield the whole lines of a file; a cut-off end is told of."""
    number = 0
    cut = ""
    with _open(path, "rb") as file:
        try:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n") and not _is_json(line):
                    cut = f"line {number} is cut off"
                    break
                yield number, line
        except EOFError:
            cut = f"it is cut off after line {number}"
        except (zlib.error, gzip.BadGzipFile) as error:
            raise RecordError(f"{path}, after line {number}: damaged ({error})") from None
    if cut:
        warnings.warn(
            f"{path}: {cut}, as by a writer that was killed; all games before it are whole",
            UserWarning,
            stacklevel=2,
        )


class _Checks:
    """Plays records again; tables of a variant are kept for its next ones."""

    def __init__(self) -> None:
        self._playbacks: dict[tuple[str, str], Playback] = {}

    def count_fitting(self, records: list[Record]) -> tuple[int, RecordError | None]:
        """Return how many records fit until one does not, and what is wrong with that."""
        variants: dict[tuple[str, str], list[int]] = {}
        for number, record in enumerate(records):
            key = record.game, json.dumps(record.variant)
            variants.setdefault(key, []).append(number)
        fit, problem = len(records), None
        for key, numbers in variants.items():
            mine = [records[number] for number in numbers]
            playback = self._playback(key, mine[0])
            played = playback.play([record.moves for record in mine])
            done = 0
            try:
                for _ in check(mine, playback, played):
                    done += 1
            except RecordError as error:
                if numbers[done] < fit:
                    fit, problem = numbers[done], error
        return fit, problem

    def _playback(self, key: tuple[str, str], record: Record) -> Playback:
        if key not in self._playbacks:
            if len(self._playbacks) == 16:  # a file of many variants
                self._playbacks.clear()
            self._playbacks[key] = Playback(load(record.game), record.config, _BATCH)
        return self._playbacks[key]
