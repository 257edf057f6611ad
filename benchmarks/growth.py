"""How the cost of a step grows: `python benchmarks/growth.py`.

Steps a second of random play over the number of tables, of threads, of players and of decks. What
stays the same on the way: 4096 tables, one thread, the default variant; with several players Hey
Waiter! is played by everyone alone with 3 sets, so that only their number changes. Observation and
mask are written for every step, and choosing the actions is counted. The points of one line are
measured in turn, several times, and the medians taken. Seconds are those of the processor that the
process was given, so that what else runs on the machine counts for little; for threads, which must
run side by side, they are those of the clock, and the best turn is taken. `--json FILE` and
`--picture FILE` also write the numbers and draw them.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import waiter_envs
from waiter_envs.core.tables import Tables

BATCHES = tuple(4**power for power in range(9))
TABLES = 4096
THREADED_TABLES = 16384
_WARM_UP = 200
"""Steps before the clock starts, so that tables are at all stages of their games."""

AXES = ("tables", "threads", "players", "decks")


@dataclass(frozen=True)
class Point:
    """One size of one game."""

    axis: str
    size: int
    """What grows along the axis."""
    tables: int = TABLES
    threads: int = 1
    fields: dict[str, Any] = field(default_factory=dict)
    """Of the variant, where they change the default."""


def hey_waiter(players: int, sets: int) -> dict[str, Any]:
    """Return the fields of a variant in which everyone plays alone."""
    everyone = tuple(range(players))
    return {"seats": everyone, "teams": everyone, "sets": sets, "covers": 1}


def garcon_decks(copies: int) -> dict[str, Any]:
    """Return the fields of a variant with several copies of the shipped orders."""
    from garcon_env.cards import shipped_orders

    return {"orders": shipped_orders() * copies}


def points(name: str, axis: str, most_tables: int) -> Iterator[Point]:
    """Yield what is measured of a game along an axis, if anything."""
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    if axis == "tables":
        for size in BATCHES:
            if size <= most_tables:
                yield Point(axis, size, size)
    elif axis == "threads":
        powers = {2**power for power in range(cores.bit_length()) if 2**power < cores}
        for threads in sorted({*powers, cores}):
            yield Point(axis, threads, min(THREADED_TABLES, most_tables), threads)
    elif axis == "players":
        ranges = {"hey_waiter": range(2, 11), "garcon": range(3, 11), "dessert": range(2, 7)}
        for players in ranges.get(name, ()):
            alone = hey_waiter(players, 3) if name == "hey_waiter" else {"players": players}
            yield Point(axis, players, min(TABLES, most_tables), fields=alone)
    elif axis == "decks":
        decks = {"hey_waiter": lambda copies: hey_waiter(4, copies), "garcon": garcon_decks}
        for copies in (1, 2, 4, 8) if name in decks else ():
            yield Point(axis, copies, min(TABLES, most_tables), fields=decks[name](copies))


class Subject:
    """Tables of one point, in the middle of their games."""

    def __init__(self, name: str, point: Point) -> None:
        self.tables = Tables.of(
            waiter_envs.load(name), point.tables, 0, num_threads=point.threads, **point.fields
        )
        self.point = point
        self.rates: list[float] = []
        for _ in range(_WARM_UP):
            self.tables.step(self.tables.sample_actions())

    def measure(self, seconds: float) -> None:
        """Play for so long."""
        clock = time.perf_counter if self.point.axis == "threads" else time.process_time
        steps, start, stop = 0, clock(), time.perf_counter() + seconds
        while not steps or time.perf_counter() < stop:
            self.tables.step(self.tables.sample_actions())
            steps += self.tables.num_tables
        self.rates.append(steps / (clock() - start))

    def rate(self) -> float:
        """Return the median, of threads the best turn."""
        return (max if self.point.axis == "threads" else statistics.median)(self.rates)


def measure(name: str, line: list[Point], seconds: float, turns: int) -> list[dict[str, Any]]:
    """Measure the points of a line in turn."""
    subjects = [Subject(name, point) for point in line]
    for _ in range(turns):
        for subject in subjects:
            subject.measure(seconds)
    return [
        {
            "game": name,
            "axis": point.axis,
            "size": point.size,
            "tables": point.tables,
            "threads": point.threads,
            "features": subject.tables.num_features,
            "actions": subject.tables.num_actions,
            "steps_per_second": subject.rate(),
        }
        for point, subject in zip(line, subjects, strict=True)
    ]


def table(axis: str, rows: list[dict[str, Any]]) -> str:
    """Return the lines of an axis as a Markdown table: sizes across, games down."""
    games = list(dict.fromkeys(row["game"] for row in rows))
    sizes = sorted({row["size"] for row in rows})
    by_place = {(row["game"], row["size"]): row for row in rows}
    lines = [
        f"| million steps a second, by {axis} | "
        + " | ".join(f"{size:,}" for size in sizes)
        + " |",
        "|---" * (len(sizes) + 1) + "|",
    ]
    for game in games:
        found = [by_place.get((game, size)) for size in sizes]
        cells = [f"{row['steps_per_second'] / 1e6:.2f}" if row else "" for row in found]
        lines.append(f"| {waiter_envs.load(game).title} | " + " | ".join(cells) + " |")
        if axis in ("players", "decks"):
            features = [str(row["features"]) if row else "" for row in found]
            lines.append("| its features | " + " | ".join(features) + " |")
    return "\n".join(lines)


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw a panel for each axis, a line for each game."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

    axes_there = [axis for axis in AXES if any(row["axis"] == axis for row in rows)]
    figure, panels = plt.subplots(
        1,
        len(axes_there),
        figsize=(3.2 * len(axes_there), 3.4),
        squeeze=False,
        layout="constrained",
    )
    colours = {name: f"C{number}" for number, name in enumerate(waiter_envs.GAMES)}
    for axis, panel in zip(axes_there, panels[0], strict=True):
        for name, colour in colours.items():
            line = [row for row in rows if row["axis"] == axis and row["game"] == name]
            sizes, rates = [row["size"] for row in line], [row["steps_per_second"] for row in line]
            if line:
                title = waiter_envs.load(name).title
                panel.plot(sizes, [rate / 1e6 for rate in rates], "o-", ms=3, c=colour, label=title)
        if axis in ("tables", "decks"):
            panel.set_xscale("log", base=2)
        if axis == "tables":
            panel.set_yscale("log", base=2)
            panel.yaxis.set_minor_formatter(NullFormatter())
            panel.legend(fontsize="small")
            ticks = [4**power for power in (0, 2, 4, 6, 8)]
        else:
            panel.set_ylim(bottom=0)
            ticks = sorted({row["size"] for row in rows if row["axis"] == axis})
        panel.set_xticks(ticks)
        panel.xaxis.set_minor_locator(NullLocator())
        for side in (panel.xaxis, panel.yaxis):
            side.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))
        panel.set_xlabel(axis)
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("million steps a second")
    figure.savefig(path, dpi=100)


def main() -> None:
    """Measure, print, and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(waiter_envs.GAMES))
    parser.add_argument("--axes", nargs="+", choices=AXES, default=list(AXES))
    parser.add_argument("--most-tables", type=int, default=BATCHES[-1])
    parser.add_argument("--seconds", type=float, default=0.5, help="for each turn of a point")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    rows = []
    for axis in options.axes:
        of_axis = []
        for name in options.games:
            if line := list(points(name, axis, options.most_tables)):
                of_axis += measure(name, line, options.seconds, options.turns)
        print(table(axis, of_axis) + "\n", flush=True)
        rows += of_axis
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    if options.picture:
        draw(rows, options.picture)


if __name__ == "__main__":
    main()
