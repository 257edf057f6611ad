"""Measures step throughput on this machine, beside the floor, in one run.

The *floor* is a compiled loop that copies an observation row and a mask row of the game's sizes,
at random from a pool prepared from play, into the same kind of buffers: as many rows as there are
tables, again and again in one call, so that no call is paid for. No environment that hands out an
observation and a mask can be faster. Beside it, the same tables without observations (rules and
masks only, `observe=False`). All are measured in turn, many times, and the medians compared, so
that a noisy machine harms them alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.agents.make import make_agent
from waiter_envs.core.checks import (
    check_int,
    check_number,
    check_numbers,
    check_seed,
    check_text,
    shown,
)
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.jit import kernel
from waiter_envs.core.tables import Tables

_POOL = 4096
_WARM_UP = 200
"""Steps before the clock starts, so that tables are at all stages of their games."""


@dataclass(frozen=True)
class Throughput:
    """What one measurement found; rates are of all threads together."""

    preset: str
    agent: str
    num_tables: int
    num_threads: int
    steps_per_second: float
    """Observation and mask written, games dealt again; choosing the actions not counted."""
    steps_per_second_with_choice: float
    """Choosing the actions counted."""
    floor_per_second: float
    """Copies of rows of the same sizes, with as many threads."""
    playout_steps_per_second: float
    """Steps without observations; choosing the actions not counted."""

    @property
    def share_of_floor(self) -> float:
        """Steps for each copy in the same time."""
        return self.steps_per_second / self.floor_per_second

    @property
    def playouts_over_steps(self) -> float:
        """Steps without observations for each step with them."""
        return self.playout_steps_per_second / self.steps_per_second

    def to_dict(self) -> dict[str, Any]:
        """Return the measurement in plain JSON types."""
        ratios = ("share_of_floor", "playouts_over_steps")
        return {**vars(self), **{name: getattr(self, name) for name in ratios}}


@kernel
def copy_rows(pool, mask_pool, chosen, times, start, stop, observation, action_mask):
    """Copy row `chosen[i]` of both pools to row i of both buffers, so many times."""
    for _ in range(times):
        for i in range(start, stop):
            row = chosen[i]
            for j in range(observation.shape[1]):
                observation[i, j] = pool[row, j]
            for j in range(action_mask.shape[1]):
                action_mask[i, j] = mask_pool[row, j]


def measure(
    game: Game,
    preset: str,
    agent: str,
    num_tables: int,
    threads: Sequence[int],
    seconds: float = 1.0,
    seed: int = 0,
    fields: Mapping[str, Any] | None = None,
) -> list[Throughput]:
    """Measure one way of playing, with several numbers of threads in turn.

    Args:
        game: the game.
        preset: its variant.
        agent: who plays all seats.
        num_tables: tables stepped at once, the batch.
        threads: numbers of threads that share a batch.
        seconds: how long to measure each number, about.
        seed: of the tables.
        fields: fields of the variant that change the preset.

    Returns:
        A measurement for each number of threads.

    Raises:
        ValueError: for an unknown preset or agent, or a number out of range.
    """
    check_game(game)
    check_int("num_tables", num_tables, 1, 2**31 - 1)
    check_number("seconds", seconds, 0, 3600)
    seed = check_seed(seed)
    for count in check_numbers("threads", threads, 4097).tolist():
        check_int("threads", count, 1, 4096)
    if not len(threads):
        raise ValueError("threads=[]: give at least one number")
    make_agent(game, check_text("agent", agent), seed)
    if fields is not None and not isinstance(fields, Mapping):
        raise TypeError(f"fields={shown(fields)}: must be a mapping")
    config = game.config(preset=preset, **(fields or {}))
    name = " ".join([preset, *(f"{name}={value}" for name, value in (fields or {}).items())])
    subjects = [_Subject(game, config, agent, num_tables, count, seed) for count in threads]
    stop = time.perf_counter() + seconds * len(subjects)
    while len(subjects[0].stepping) < 5 or time.perf_counter() < stop:
        for subject in subjects:
            subject.measure()
    return [subject.result(name) for subject in subjects]


class _Subject:
    """Tables of one game on some threads, and what has been measured of them."""

    def __init__(
        self, game: Game, config: Any, agent: str, num_tables: int, num_threads: int, seed: int
    ) -> None:
        self.tables = Tables(game, config, num_tables, seed, num_threads=num_threads)
        self.blind = Tables(game, config, num_tables, seed, num_threads=num_threads, observe=False)
        self.agent = agent
        self.player = make_agent(game, agent, seed)
        for _ in range(_WARM_UP):
            self.tables.step(_choose(self.tables, self.player, agent))
            _tell_of_ends(self.tables, self.player)
        self.floor = _Floor(game, config, self.tables, make_agent(game, agent, seed), agent, seed)
        self.repeats = max(1, 2048 // num_tables)  # small batches are timed several at a time
        self.choosing: list[float] = []
        self.stepping: list[float] = []
        self.copying: list[float] = []
        self.playing: list[float] = []

    def measure(self) -> None:
        """Time some steps, as many without observations, and as many copies."""
        choice = step = play = 0.0
        self.blind.state = self.tables.state
        for _ in range(self.repeats):
            start = time.perf_counter()
            actions = _choose(self.tables, self.player, self.agent)
            chosen = time.perf_counter()
            self.tables.step(actions)
            stepped = time.perf_counter()
            self.blind.step(actions)
            play += time.perf_counter() - stepped
            step += stepped - chosen
            choice += chosen - start
            _tell_of_ends(self.tables, self.player)
        start = time.perf_counter()
        self.floor(self.repeats)
        self.copying.append(time.perf_counter() - start)
        self.choosing.append(choice)
        self.stepping.append(step)
        self.playing.append(play)

    def result(self, preset: str) -> Throughput:
        """Return the medians as rates."""
        done = self.repeats * self.tables.num_tables
        step_time, choice_time = float(np.median(self.stepping)), float(np.median(self.choosing))
        return Throughput(
            preset,
            self.agent,
            self.tables.num_tables,
            self.tables.num_threads,
            done / step_time,
            done / (step_time + choice_time),
            done / float(np.median(self.copying)),
            done / float(np.median(self.playing)),
        )


def _choose(tables: Tables, player: Agent, name: str) -> np.ndarray:
    if name == "random":
        return tables.sample_actions()
    return player.act(Decisions.at(tables))


def _tell_of_ends(tables: Tables, player: Agent) -> None:
    player.reset(np.flatnonzero(tables.terminated | tables.truncated))


class _Floor:
    """The copy that no environment can beat."""

    def __init__(
        self, game: Game, config: Any, tables: Tables, player: Agent, name: str, seed: int
    ) -> None:
        pool, masks = [], []
        source = Tables(game, config, 1024, seed + 1)
        for step in range(_WARM_UP):
            source.step(_choose(source, player, name))
            _tell_of_ends(source, player)
            if step % (_WARM_UP * 1024 // _POOL) == 0:
                pool.append(source.observation.copy())
                masks.append(source.action_mask.copy())
        self.pool = np.concatenate(pool)
        self.masks = np.concatenate(masks)
        chosen = np.random.default_rng(seed).integers(len(self.pool), size=tables.num_tables)
        self.chosen = chosen.astype(np.int32)
        self.observation = np.zeros((tables.num_tables, tables.num_features), np.int8)
        self.action_mask = np.zeros((tables.num_tables, tables.num_actions), np.int8)
        self.run = tables.run
        self(1)

    def __call__(self, times: int) -> None:
        """Copy a batch of rows so many times, in one call."""
        self.run(
            copy_rows,
            (self.pool, self.masks, self.chosen, times),
            (self.observation, self.action_mask),
        )


def measure_all(
    game: Game,
    presets: Sequence[str],
    agents: Sequence[str],
    batches: Sequence[int],
    threads: Sequence[int],
    seconds: float = 1.0,
    progress: Callable[[Throughput], None] | None = None,
    fields: Mapping[str, Any] | None = None,
) -> list[Throughput]:
    """Measure every combination; `progress` hears each result."""
    results = []
    for preset in presets:
        for agent in agents:
            for num_tables in batches:
                found = measure(game, preset, agent, num_tables, threads, seconds, fields=fields)
                results += found
                if progress:
                    for result in found:
                        progress(result)
    return results


HEADER = (
    f"{'preset':<20} {'agent':<12} {'tables':>6} {'threads':>7} {'steps/s':>12} "
    f"{'with choice':>12} {'floor/s':>12} {'share':>6} {'playouts':>8}"
)


def line(result: Throughput) -> str:
    """Return one line of a table under `HEADER`."""
    return (
        f"{result.preset:<20} {result.agent:<12} {result.num_tables:>6} {result.num_threads:>7} "
        f"{result.steps_per_second:>12,.0f} {result.steps_per_second_with_choice:>12,.0f} "
        f"{result.floor_per_second:>12,.0f} {result.share_of_floor:>6.2f} "
        f"{result.playouts_over_steps:>7.2f}x"
    )
