"""`run_benchmark`: measures an agent by a fixed protocol; see `docs/waiterbench.md`."""

from __future__ import annotations

import dataclasses
import json
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waiter_envs import __version__
from waiter_envs.arena.benchmark_protocol import RIVAL, WAITER_BENCH, Protocol, Task
from waiter_envs.arena.contender import Contender, contenders
from waiter_envs.arena.ladder import play_ladder
from waiter_envs.arena.ladder_file import differences
from waiter_envs.arena.shares import Hall, Share, Tally
from waiter_envs.core.checks import check_int, shown
from waiter_envs.core.games import load
from waiter_envs.core.workers import num_cores

PARTS = ("strength", "memory", "partners", "generalisation", "robustness")

PAIR = " with "
"""Between two who play together."""

Row = dict[str, Any]
"""A line of the table: `part`, `task`, `measure`, `value`, `low`, `high`, and what else is told."""


def run_benchmark(
    agent: str,
    *,
    partners: Sequence[str] = (),
    exploiters: Sequence[str] = (),
    parts: Sequence[str] = PARTS,
    protocol: Protocol = WAITER_BENCH,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Measure an agent; return the result in plain JSON types.

    Args:
        agent: what `Contender` takes.
        partners: agents trained apart, to play together with it; likewise.
        exploiters: policies trained against it (`examples/best_response.py`); likewise.
        parts: which of `PARTS`.
        protocol: what is played; the result names it.
        threads: deals that are played at once; `None`: one for each core.
        progress: is told what comes next.

    Raises:
        ValueError: for an unknown agent or part, two agents of one name, or a damaged policy.
    """
    unknown = [shown(part) for part in parts if part not in PARTS]
    if unknown or not parts:
        raise ValueError(f"parts {', '.join(unknown)}: must be some of {', '.join(PARTS)}")
    if threads is not None:
        check_int("threads", threads, 1, 4096, "or None")
    who, *others = contenders([agent, *partners])
    bench = _Bench(
        protocol,
        who,
        others,
        contenders(exploiters),
        threads or num_cores(),
        progress or (lambda task: None),
    )
    rows: list[Row] = []
    seconds: dict[str, float] = {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="the policy has learnt another variant")
        for part in PARTS:
            if part in parts:
                start = time.perf_counter()
                rows += ({"part": part, **row} for row in getattr(bench, part)())
                seconds[part] = round(time.perf_counter() - start, 1)
    return {
        **head(protocol),
        "agent": who.to_dict(),
        "partners": [other.to_dict() for other in others],
        "exploiters": [other.to_dict() for other in bench.exploiters],
        "rows": rows,
        "seconds": seconds,
        "protocol": protocol.to_dict(),
    }


def head(protocol: Protocol) -> dict[str, Any]:
    """Return what makes results comparable: names and versions."""
    return {
        "benchmark": protocol.name,
        "protocol_digest": protocol.digest,
        "library": __version__,
        "games": {name: load(name).version for name in sorted(protocol.pool)},
    }


@dataclass(frozen=True)
class _Bench:
    """A benchmark in progress: each part yields its lines."""

    protocol: Protocol
    who: Contender
    others: Sequence[Contender]
    exploiters: Sequence[Contender]
    threads: int
    progress: Callable[[str], None]

    def entered(self, part: str, game: str, fields: Mapping[str, Any]) -> tuple[Hall, str | None]:
        """Return where a variant is played, and as whom the contender plays it, if it can."""
        found, deals = load(game), self.protocol.deals[part]
        hall = Hall(found, found.config(**fields), deals, self.protocol.seed, self.threads)
        return hall, self.who.entry(hall.game, hall.config)

    def strength(self) -> Iterator[Row]:
        """Rate the contender among the pool."""
        for task in self.protocol.strength:
            hall, mine = self.entered("strength", task.game, task.fields)
            if mine is None:
                yield _absent(task.name)
                continue
            self.progress(f"strength: {task.name}")
            agents = list(dict.fromkeys([*self.protocol.pool[task.game], mine]))
            ladder = play_ladder(
                hall.game, hall.config, agents, hall.deals, hall.seed, threads=self.threads
            )
            rated = {agent.name: agent for agent in ladder.agents}
            row = rated[mine]
            pool = {name: round(rated[name].rating, 1) for name in agents if name != mine}
            low, high = row.interval
            yield {
                **_line(task.name, "rating", Share(row.rating, low, high, row.games)),
                "pool": pool,
            }
            low, high = row.won_interval
            share = Share(row.won, low, high, row.games)
            yield {**_line(task.name, "won against the pool", share), "even": ladder.even}

    def memory(self) -> Iterator[Row]:
        """Compare twins that differ in memory alone."""
        for twins in self.protocol.memory:
            found: list[Tally] = []
            for fields, what in ((twins.told, "told"), (twins.without, "to be remembered")):
                hall, mine = self.entered("memory", twins.game, fields)
                if mine is None:
                    yield _absent(f"{twins.name}: {what}")
                    continue
                self.progress(f"memory: {twins.name}, {what}")
                found.append(hall.alone(mine, RIVAL))
                yield _line(f"{twins.name}: {what}", "won alone", found[-1].share, hall.even)
            if len(found) == 2:
                yield _line(twins.name, "gap", found[0].above(found[1]))

    def partners(self) -> Iterator[Row]:
        """Let the contender play together with itself, and with agents trained apart."""
        for task in self.protocol.partners:
            hall, mine = self.entered("partners", task.game, task.fields)
            if mine is None:
                yield _absent(task.name)
                continue
            entries = [other.entry(hall.game, hall.config) for other in self.others]
            names = list(dict.fromkeys([mine, *(name for name in entries if name), RIVAL]))
            tallies: dict[tuple[str, str], Tally] = {}
            for a, one in enumerate(names):
                for other in names[a:]:
                    self.progress(f"partners: {task.name}, {one} with {other}")
                    tallies[one, other] = hall.team(one, other, RIVAL)
                    row = _line(task.name, f"{one}{PAIR}{other}", tallies[one, other].share, 0.5)
                    yield row
            cross = [tallies[mine, other] for other in names[1:]]
            if cross:
                won = sum(tally.won for tally in cross)
                games = sum(tally.games for tally in cross)
                apart = Tally(won, games, hall.seed)  # type: ignore[arg-type]
                yield _line(
                    task.name, "self-play less cross-play", tallies[mine, mine].above(apart)
                )

    def generalisation(self) -> Iterator[Row]:
        """Compare the variant for training with those held out."""
        for task in self.protocol.generalisation:
            hall, mine = self.entered("generalisation", task.game, task.training)
            if mine is None:
                yield _absent(task.name)
                continue
            self.progress(f"generalisation: {task.name}")
            seen = hall.alone(mine, RIVAL)
            yield _line(f"{task.name}: training", "won alone", seen.share, hall.even)
            for name, fields in task.held_out.items():
                other, there = self.entered("generalisation", task.game, fields)
                if there is None:
                    yield _absent(f"{task.name}: {name}")
                    continue
                self.progress(f"generalisation: {task.name}, {name}")
                share = other.alone(there, RIVAL).share
                yield _line(f"{task.name}: {name}", "won alone", share, other.even)

    def robustness(self) -> Iterator[Row]:
        """Find who gains most in one seat among copies of the contender: a lower bound."""
        for task in self.protocol.robustness:
            hall, mine = self.entered("robustness", task.game, task.fields)
            if mine is None:
                yield _absent(task.name)
                continue
            tallies = {}
            for name in self.responses(task, hall, mine):
                self.progress(f"robustness: {task.name}, {name}")
                tallies[name] = hall.seat(name, mine)
            best = max(tallies, key=lambda name: tallies[name].half(second=False).share.value)
            gain = tallies[best].half(second=True).share.less(hall.even)
            yield {**_line(task.name, "gain of a best response, at least", gain), "by": best}

    def responses(self, task: Task, hall: Hall, mine: str) -> list[str]:
        """Return who plays against copies of the contender."""
        found = [name for name in self.protocol.pool[task.game] if name != "random"]
        for exploiter in self.exploiters:
            entry = exploiter.entry(hall.game, hall.config)
            if entry is not None:
                found.append(entry)
        return [name for name in dict.fromkeys(found) if name != mine] or ["random"]


def _line(task: str, measure: str, share: Share, even: float | None = None) -> Row:
    row: Row = {"task": task, "measure": measure, **dataclasses.asdict(share)}
    return row if even is None else {**row, "even": even}


def _absent(task: str) -> Row:
    """Return the line of a task that the contender has no policy for."""
    return {"task": task, "measure": "not entered"}


# -- Results side by side ----------------------------------------------------------------------


def read_result(path: str | Path, protocol: Protocol = WAITER_BENCH) -> dict[str, Any]:
    """Return a result from a file, to be compared with one of today.

    Raises:
        ValueError: if it is none, or of another benchmark, protocol, library or version of a game.
        OSError: if it cannot be read.
    """
    try:
        result = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError:
        result = None
    if not isinstance(result, dict) or not isinstance(result.get("rows"), list):
        raise ValueError(f"{path} holds no result of a benchmark")
    own = head(protocol)
    others = list(differences({key: result.get(key) for key in own}, own))
    if others:
        raise ValueError(f"{path} cannot be compared: {'; '.join(others)}")
    return result


def table(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield results side by side, in lines of a Markdown table."""
    cells: dict[tuple[str, str, str], dict[int, str]] = {}
    for number, result in enumerate(results):
        own = {result["agent"]["name"], *(file["path"] for file in result["agent"]["policies"])}
        for row in result["rows"]:
            who = row["measure"].split(PAIR)
            measure = PAIR.join("it" if name in own else name for name in who)
            key = row["part"], row["task"], measure
            cells.setdefault(key, {})[number] = _cell(row)
    names = [str(result["agent"]["name"]) for result in results]
    yield f"| part | task | measure | {' | '.join(names)} |"
    yield "|---" * (3 + len(names)) + "|"
    for key, row in cells.items():
        found = [row.get(number, "") for number in range(len(results))]
        yield f"| {' | '.join([*key, *found])} |"


def _cell(row: Mapping[str, Any]) -> str:
    if "value" not in row:
        return "no policy"
    low, value, high = row["low"], row["value"], row["high"]
    if row["measure"] == "rating":
        return f"{value:.0f} ({low:.0f} to {high:.0f})"
    even = f", even {row['even']:.0%}" if "even" in row else ""
    by = f", by {row['by']}" if "by" in row else ""
    return f"{value:.1%} ({100 * low:.1f} to {100 * high:.1f}){even}{by}"
