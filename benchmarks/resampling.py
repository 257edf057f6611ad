"""What it costs to deal anew what a player does not know: `python benchmarks/resampling.py`.

Nanoseconds, and times a full step (observation and mask written), of one thread: for the player to
act, for any other, and, in games where agents remember, with the memory of the rule-based agent,
who then plays; else play is random. All are measured in turn, and the medians taken.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import waiter_envs
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.make import make_agent
from waiter_envs.core import resampling, rng
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables

_WARM_UP = 200
"""Steps before the clock starts, so that tables are at all stages of their games."""

STEP = "step"


def resamplers(
    game: Game, tables: Tables, agent: Any, turn: int
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what is measured at the tables as they stand, each a name and a call."""
    acting = tables.current_player.astype(np.int64)
    others = (acting + 1 + turn % (tables.num_players - 1)) % tables.num_players
    streams = rng.streams(turn, tables.num_tables)
    refused = np.zeros(tables.num_tables, np.bool_)
    dtype = tables.state.dtype
    kernel = game.kernel(resampling.resample_tables, dtype, resample=game.resample)
    for name, players in (("to act", acting), ("another", others)):
        before = tables.state.copy(), players.astype(np.int8), streams
        yield name, lambda before=before: kernel(*before, 0, tables.num_tables, refused)  # type: ignore[misc]
    if game.resample_remembering is None:
        return
    rows = np.arange(tables.num_tables), acting
    memory = agent.memories(Decisions.at(tables))[rows]
    remembering = game.kernel(
        resampling.resample_remembering, dtype, resample=game.resample_remembering
    )
    before = tables.state.copy(), acting.astype(np.int8), streams, memory
    yield "with a memory", lambda: remembering(*before, 0, tables.num_tables, refused)


def measure(game: Game, preset: str, num_tables: int, turns: int) -> dict[str, float]:
    """Return the nanoseconds of a step and of each way to resample."""
    tables = Tables.of(game, num_tables, 1, num_threads=1, preset=preset)
    agent = make_agent(game, "heuristic", 1)
    spent: dict[str, list[float]] = {}
    for turn in range(_WARM_UP + turns):
        actions = tables.sample_actions()
        if game.resample_remembering is not None:  # it must have played what it remembers
            actions = agent.act(Decisions.at(tables))
        start = time.process_time()
        tables.step(actions)
        if turn >= _WARM_UP:
            spent.setdefault(STEP, []).append(time.process_time() - start)
            for name, call in resamplers(game, tables, agent, turn):
                start = time.process_time()
                call()
                spent.setdefault(name, []).append(time.process_time() - start)
        if game.resample_remembering is not None:
            agent.reset(np.flatnonzero(tables.terminated | tables.truncated))
    return {name: statistics.median(seconds) / num_tables * 1e9 for name, seconds in spent.items()}


def main() -> None:
    """Measure the games asked for, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(waiter_envs.GAMES))
    parser.add_argument("--presets", nargs="*", help="default: the first one of each game")
    parser.add_argument("--num-tables", type=int, default=4096)
    parser.add_argument("--turns", type=int, default=40)
    options = parser.parse_args()
    print("| game | step | to act | another | with a memory |")
    print("|---|---|---|---|---|")
    for name in options.games:
        game = waiter_envs.load(name)
        for preset in options.presets or [game.default_preset]:
            spent = measure(game, preset, options.num_tables, options.turns)
            step = spent.pop(STEP)
            cells = [f"{cost:.0f} ns, {cost / step:.1f} x" for cost in spent.values()]
            print(f"| {name}, `{preset}` | {step:.0f} ns | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
