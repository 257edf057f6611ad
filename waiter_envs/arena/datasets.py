"""Records as arrays, for learning from games that were played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs.arena.playback import Playback
from waiter_envs.arena.record_files import PathLike, at, read_batches
from waiter_envs.arena.records import RecordError, check
from waiter_envs.core.checks import check_bool, check_int, check_path
from waiter_envs.core.games import load as load_game

_TABLES = 1024
_MOST = 2**62


class DataSet(NamedTuple):
    """Decisions of games, one a row, game after game in the order of play."""

    observation: npt.NDArray[Any]
    """`(decisions, features)` int8: what the decider saw; packed: see `Tables`."""
    action_mask: npt.NDArray[Any]
    """`(decisions, actions)` int8: 1 where it might act; packed likewise."""
    action: npt.NDArray[np.int32]
    """`(decisions,)`: what it did."""
    reward_to_go: npt.NDArray[np.float32]
    """`(decisions,)`: what it was paid from then to the end of the game, undiscounted."""
    player: npt.NDArray[np.int8]
    """`(decisions,)`: who it was."""
    game: npt.NDArray[np.int64]
    """`(decisions,)`: number of the game in the file, from 0."""


def load(path: PathLike, *, packed: bool = False) -> DataSet:
    """Return all decisions of a file, as the players saw them; the core plays them again.

    Args:
        path: of the file; its games are of one variant.
        packed: eight features, or actions of a mask, in a byte (`numpy.packbits`).

    Raises:
        TypeError, ValueError: as `read`; `RecordError` too for a second variant, or no game.
        OSError: if the file cannot be read.
    """
    parts = list(load_chunks(path, packed=packed))
    if not parts:
        raise RecordError(f"{path}: there is no game in it")
    return DataSet(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def load_chunks(path: PathLike, games: int = 1024, *, packed: bool = False) -> Iterator[DataSet]:
    """Yield the decisions of a file, `games` games at a time, for files of any size; see `load`."""
    check_path(path)
    games = check_int("games", games, 1, 2**31 - 1)
    check_bool("packed", packed)
    return _chunks(path, games, packed)


def _chunks(path: PathLike, games: int, packed: bool) -> Iterator[DataSet]:
    playback: Playback | None = None
    first = 0
    for records in read_batches(path, 0, _MOST, None, games):
        if playback is None:
            game, config = load_game(records[0].game), records[0].config
            tables = min(games, _TABLES)
            playback = Playback(game, config, tables, observe=True, packed=packed)
        for number, record in enumerate(records):
            if record.game != game.name or record.config != config:
                other = RecordError("another variant than the first game; one file each")
                raise at(path, first + number + 1, other)
        played = playback.play([record.moves for record in records])
        number = 0
        try:
            for _ in check(records, playback, played):
                number += 1
        except RecordError as error:
            raise at(path, first + number + 1, error) from None
        yield DataSet(
            played.observation,
            played.action_mask,
            played.action,
            played.reward_to_go(),
            played.player,
            first + np.repeat(np.arange(len(records)), np.diff(played.first)),
        )
        first += len(records)
