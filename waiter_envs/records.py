"""Games written down, read, played again, and as arrays to learn from: see `docs/records.md`."""

from waiter_envs.arena.datasets import DataSet, load, load_chunks
from waiter_envs.arena.playback import Start
from waiter_envs.arena.record_files import read, write
from waiter_envs.arena.record_games import RecordGames
from waiter_envs.arena.records import Record, RecordError, Step, Thought

__all__ = [
    "DataSet",
    "Record",
    "RecordError",
    "RecordGames",
    "Start",
    "Step",
    "Thought",
    "load",
    "load_chunks",
    "read",
    "write",
]
