"""Step throughput beside other libraries of card and board games: `python benchmarks/peers.py`.

Random play, everything measured in turn in one run, several times; the table gives medians, for one
core and for all. A step is one decision of one player. Counted for everybody: choosing a random
legal action, playing it, dealing again what has ended, and handing out what the next player sees
and may do. Not counted: compiling.

* waiter-envs, Pgx and Mahjax play many tables at once, and hand out arrays; the better one of
  several batch sizes is reported. *One table* is PettingZoo's interface: `last()` and `step()`.
* OpenSpiel, RLCard and PettingZoo play one table in Python; OpenSpiel writes the observation into
  an array that is there already. Where legal actions are a list, four bytes are counted for each.
* PufferLib hands out no mask: its actions are drawn from all, and an illegal one wastes the step.
  Its opponent's moves belong to the step. Of its package only the compiled part is loaded.

*One core*: a process with one thread, pinned to it. *All cores*: a process on each, at the same
time, and the rates added up. Seconds are those of the processor that a process was given, so that
what else runs on the machine counts for little.

A peer that cannot be imported is named. `pip install -c benchmarks/peers-constraints.txt
-e '.[peers]'`, in an environment of its own. `--json FILE` and `--picture FILE` also write the
numbers and draw them.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import importlib.util
import json
import multiprocessing
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

BATCHES = (256, 4096)
_AT_ONCE = 50
"""Steps of a single table between two looks at the clock."""
_WARM_UP = 500
"""Steps of a single table before the clock starts."""

ONE_THREAD = {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


@dataclass(frozen=True)
class Subject:
    """One game at one batch size."""

    batch: int
    hands_out: str
    bytes: float
    """Of observation and mask, a step."""
    play: Callable[[], int]
    """Plays for a moment, and returns how many steps that were."""


def steps_per_second(subject: Subject, seconds: float) -> float:
    """Play for some seconds."""
    steps, start, stop = 0, time.process_time(), time.perf_counter() + seconds
    while not steps or time.perf_counter() < stop:
        steps += subject.play()
    return steps / (time.process_time() - start)


# -- many tables at once -------------------------------------------------------------------------


def our_tables(name: str) -> list[Subject]:
    """Return our game, default variant."""
    from waiter_envs import Tables, load

    def subject(batch: int) -> Subject:
        tables = Tables.of(load(name), batch, 1, num_threads=1)

        def play() -> int:
            tables.step(tables.sample_actions())
            return batch

        for _ in range(200):  # so that tables are at all stages of their games
            play()
        shown = f"{tables.num_features} int8, mask of {tables.num_actions}"
        return Subject(batch, shown, tables.num_features + tables.num_actions, play)

    return [subject(batch) for batch in BATCHES]


def jax_tables(
    env: Any, auto_reset: Any, batches: Sequence[int], observe: Any = None
) -> list[Subject]:
    """Return a game in the interface of Pgx, each step one compiled call.

    Without `observe`, the states hold the observation.
    """
    import jax
    import jax.numpy as jnp

    step = auto_reset(env.step, env.init)

    def one(state: Any, key: Any) -> tuple[Any, Any]:
        choice, dealing = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        state = step(state, jax.random.categorical(choice, logits), dealing)
        return state, observe(state) if observe else ()

    def subject(batch: int) -> Subject:
        @functools.partial(jax.jit, donate_argnums=0)
        def many(state: Any, key: Any) -> tuple[Any, Any, Any]:
            key, now = jax.random.split(key)
            return *jax.vmap(one)(state, jax.random.split(now, batch)), key

        key = jax.random.PRNGKey(0)
        state = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))

        def play() -> int:
            nonlocal state, key
            state, _, key = jax.block_until_ready(many(state, key))
            return batch

        play()  # compiles
        if observe:
            seen = jax.tree.leaves(jax.eval_shape(jax.vmap(observe), state))
        else:
            seen = [state.observation]
        numbers = sum(leaf.size for leaf in seen) // batch
        kinds = ", ".join(sorted({str(leaf.dtype) for leaf in seen}))
        mask = state.legal_action_mask.nbytes / batch
        size = sum(leaf.size * leaf.dtype.itemsize for leaf in seen) / batch + mask
        return Subject(batch, f"{numbers} {kinds}, mask of {mask:.0f}", size, play)

    return [subject(batch) for batch in batches]


def pgx_tables(name: str) -> list[Subject]:
    """Return a game of Pgx."""
    import pgx
    from pgx.bridge_bidding import BridgeBidding
    from pgx.experimental.wrappers import auto_reset

    env = BridgeBidding() if name == "bridge_bidding" else pgx.make(name)  # needs a data set
    return jax_tables(env, auto_reset, BATCHES)


def mahjax_tables(name: str) -> list[Subject]:
    """Return a game of Mahjax, with one batch size: its steps take seconds."""
    import mahjax
    from mahjax.wrappers import auto_reset

    env = mahjax.make(name)
    return jax_tables(env, auto_reset, (256,), env.observe)


def puffer_tables(name: str) -> list[Subject]:
    """Return a game of PufferLib's Ocean, without the package around its compiled part."""
    found = importlib.util.find_spec("pufferlib")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'pufferlib'")
    folder = Path(found.submodule_search_locations[0])
    for package in ("pufferlib", "pufferlib.ocean", f"pufferlib.ocean.{name}"):
        spec = ModuleSpec(package, None, is_package=True)
        spec.submodule_search_locations = [str(folder.joinpath(*package.split(".")[1:]))]
        sys.modules[package] = importlib.util.module_from_spec(spec)
    usual = sys.getdlopenflags()
    sys.setdlopenflags(usual | os.RTLD_DEEPBIND)  # or it calls the `step` of the C library
    binding = importlib.import_module(f"pufferlib.ocean.{name}.cy_{name}")
    sys.setdlopenflags(usual)
    make, width, actions, pixels = {
        "tripletriad": ("CyTripleTriad", 114, 15, (990, 690, 192, 224)),
        "connect4": ("CyConnect4", 42, 7, (672, 576, 96, 96)),
    }[name]
    chance = np.random.default_rng(0)

    def subject(batch: int) -> Subject:
        observation = np.zeros((batch, width), np.float32)
        chosen, rewards = np.zeros(batch, np.int32), np.zeros(batch, np.float32)
        arrays = observation, chosen, rewards, np.zeros(batch, np.uint8)
        envs = getattr(binding, make)(*arrays, batch, *pixels)
        envs.reset()

        def play() -> int:
            arrays[1][:] = chance.integers(actions, size=batch)  # it needs `arrays` kept alive
            envs.step()
            return batch

        dealt = observation.copy()
        for _ in range(100):
            play()
        if (observation == dealt).all():
            raise RuntimeError("nothing happens")
        return Subject(batch, f"{width} float32, no mask", observation.nbytes / batch, play)

    return [subject(batch) for batch in BATCHES]


# -- one table, in Python ------------------------------------------------------------------------


class AecTable:
    """A table in PettingZoo's interface."""

    def __init__(self, env: Any) -> None:
        self.env = env
        env.reset(seed=0)

    def look(self) -> tuple[Any, Any, Any]:
        """Return the observation, the mask or the list handed out, and the legal actions."""
        observation, _, terminated, truncated, info = self.env.last()
        if terminated or truncated:
            self.env.reset()
            observation, _, _, _, info = self.env.last()
        mask = observation.get("action_mask", info.get("action_mask"))
        return observation["observation"], mask, mask.nonzero()[0]

    def act(self, action: int) -> None:
        """Play an action."""
        self.env.step(action)


class SpielTable:
    """A table of OpenSpiel."""

    def __init__(self, name: str) -> None:
        import pyspiel
        from open_spiel.python.observation import make_observation

        self.game = pyspiel.load_game(name)
        recall = not self.game.get_type().provides_observation_tensor
        wanted = pyspiel.IIGObservationType(perfect_recall=True) if recall else None
        self.observer = make_observation(self.game, wanted)
        self.deal()

    def deal(self) -> None:
        """Start a game."""
        self.state = self.game.new_initial_state()
        self.draw()

    def draw(self) -> None:
        """Let chance play until a player is to move."""
        while self.state.is_chance_node():
            outcomes, weights = zip(*self.state.chance_outcomes(), strict=True)
            self.state.apply_action(random.choices(outcomes, weights)[0])

    def look(self) -> tuple[Any, Any, Any]:
        """Return the observation, the mask or the list handed out, and the legal actions."""
        self.observer.set_from(self.state, self.state.current_player())
        legal = self.state.legal_actions()
        return self.observer.tensor, legal, legal

    def act(self, action: int) -> None:
        """Play an action."""
        self.state.apply_action(action)
        self.draw()
        if self.state.is_terminal():
            self.deal()


class RlcardTable:
    """A table of RLCard."""

    def __init__(self, name: str) -> None:
        import rlcard

        self.env = rlcard.make(name)
        self.state, _ = self.env.reset()

    def look(self) -> tuple[Any, Any, Any]:
        """Return the observation, the mask or the list handed out, and the legal actions."""
        legal = list(self.state["legal_actions"])
        return self.state["obs"], legal, legal

    def act(self, action: int) -> None:
        """Play an action."""
        self.state, _ = self.env.step(action)
        if self.env.is_over():
            self.state, _ = self.env.reset()


def single(table: AecTable | SpielTable | RlcardTable) -> list[Subject]:
    """Return the subject of a single table."""

    def play() -> int:
        for _ in range(_AT_ONCE):
            *_, legal = table.look()
            table.act(int(random.choice(legal)))
        return _AT_ONCE

    sizes = []
    for _ in range(_WARM_UP):
        observation, choices, legal = table.look()
        listed = isinstance(choices, list)
        sizes.append(observation.nbytes + (4 * len(choices) if listed else choices.nbytes))
        table.act(int(random.choice(legal)))
    shown = f"{observation.size} {observation.dtype}, "
    shown += "list" if listed else f"mask of {choices.size}"
    return [Subject(1, shown, statistics.fmean(sizes), play)]


def our_table(name: str) -> list[Subject]:
    """Return our game as a PettingZoo environment."""
    import waiter_envs

    return single(AecTable(waiter_envs.make(name)))


def pettingzoo_table(name: str) -> list[Subject]:
    """Return a classic game of PettingZoo."""
    return single(AecTable(importlib.import_module(f"pettingzoo.classic.{name}").env()))


def spiel_table(name: str) -> list[Subject]:
    """Return a game of OpenSpiel."""
    return single(SpielTable(name))


def rlcard_table(name: str) -> list[Subject]:
    """Return a game of RLCard."""
    return single(RlcardTable(name))


OUR_GAMES = ("hey_waiter", "greasy_spoon", "garcon", "dessert")
LIBRARIES: dict[str, tuple[Callable[[str], list[Subject]], tuple[str, ...]]] = {
    "waiter-envs": (our_tables, OUR_GAMES),
    "PufferLib": (puffer_tables, ("tripletriad", "connect4")),
    "Pgx": (pgx_tables, ("kuhn_poker", "leduc_holdem", "sparrow_mahjong", "bridge_bidding")),
    "Mahjax": (mahjax_tables, ("no_red_mahjong",)),
    "waiter-envs, one table": (our_table, OUR_GAMES),
    "OpenSpiel": (spiel_table, ("leduc_poker", "hanabi", "gin_rummy", "hearts", "dou_dizhu")),
    "RLCard": (
        rlcard_table,
        ("leduc-holdem", "limit-holdem", "uno", "gin-rummy", "mahjong", "doudizhu"),
    ),
    "PettingZoo": (
        pettingzoo_table,
        ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "connect_four_v3"),
    ),
}

# -- processes -----------------------------------------------------------------------------------


def serve(library: str, core: int, channel: Connection) -> None:
    """Make the games of a library, then measure as told: a process of its own."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    os.environ.update(ONE_THREAD)
    make, games = LIBRARIES[library]
    subjects: list[tuple[str, Subject]] = []
    missing = []
    for game in games:
        try:
            subjects += [(game, subject) for subject in make(game)]
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            missing.append(f"{library} {game} ({reason})")
    shown = [(game, subject.batch, subject.hands_out, subject.bytes) for game, subject in subjects]
    channel.send((shown, missing))
    while (order := channel.recv()) is not None:
        number, seconds = order
        channel.send(steps_per_second(subjects[number][1], seconds))


class Worker:
    """A process that measures the games of one library."""

    def __init__(self, library: str, core: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.channel, theirs = spawn.Pipe()
        self.process = spawn.Process(target=serve, args=(library, core, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def stop(self) -> None:
        """End the process."""
        self.channel.send(None)
        self.process.join()


def together(workers: list[Worker], number: int, seconds: float) -> float:
    """Return the steps a second of all workers, at the same time."""
    for worker in workers:
        worker.channel.send((number, seconds))
    return sum(worker.channel.recv() for worker in workers)


class Team:
    """The processes of one library, and what they measured."""

    def __init__(self, library: str, cores: list[int]) -> None:
        self.workers = [Worker(library, core) for core in cores]
        self.library = library
        found, *_ = [worker.channel.recv() for worker in self.workers]
        self.shown, self.missing = found
        self.rates: list[tuple[list[float], list[float]]] = [([], []) for _ in self.shown]

    def measure(self, number: int, seconds: float) -> None:
        """Take a turn of one subject: on one core, then on all."""
        both = self.workers[:1], self.workers
        for workers, rates in zip(both, self.rates[number], strict=True):
            rates.append(together(workers, number, seconds))

    def results(self) -> list[dict[str, Any]]:
        """Return the medians, of each game's best batch size."""
        best: dict[str, dict[str, Any]] = {}
        for (game, batch, hands_out, size), rates in zip(self.shown, self.rates, strict=True):
            one, every = map(statistics.median, rates)
            row = {
                "library": self.library,
                "game": game,
                "batch": batch,
                "hands_out": hands_out,
                "bytes": size,
                "steps_per_second": one,
                "steps_per_second_all_cores": every,
            }
            if game not in best or one > best[game]["steps_per_second"]:
                best[game] = row
        return list(best.values())

    def stop(self) -> None:
        """End the processes."""
        for worker in self.workers:
            worker.stop()


# -- what is shown -------------------------------------------------------------------------------


def rounded(number: float) -> str:
    """Return a number to three significant digits, with thousands set apart."""
    size = int(np.floor(np.log10(number)))
    return f"{round(number, 2 - size):,.{max(0, 2 - size)}f}"


def table(rows: list[dict[str, Any]], cores: int) -> str:
    """Return the results as a Markdown table."""
    lines = [
        f"| library | game | tables | a step hands out | bytes | steps/s, one core | MB/s "
        f"| steps/s, {cores} cores | MB/s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        one, every = row["steps_per_second"], row["steps_per_second_all_cores"]
        megabytes = [rounded(rate * row["bytes"] / 1e6) for rate in (one, every)]
        lines.append(
            f"| {row['library']} | `{row['game']}` | {row['batch']:,} | {row['hands_out']} "
            f"| {row['bytes']:,.0f} | {rounded(one)} | {megabytes[0]} | {rounded(every)} "
            f"| {megabytes[1]} |"
        )
    return "\n".join(lines)


def draw(rows: list[dict[str, Any]], cores: int, path: Path) -> None:
    """Draw bars for one core, and a dot for all cores."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    libraries = list(dict.fromkeys(row["library"] for row in rows))
    colours = [f"C{libraries.index(row['library'])}" for row in rows]
    labels = [f"{row['library']}  {row['game']}" for row in rows]
    places = [number + 0.6 * libraries.index(row["library"]) for number, row in enumerate(rows)]
    figure, panels = plt.subplots(
        1, 2, figsize=(10, 0.24 * max(places) + 1.4), sharey=True, layout="constrained"
    )
    for panel, unit in zip(panels, ("steps a second", "bytes handed out a second"), strict=True):
        sizes = [row["bytes"] if unit.startswith("bytes") else 1 for row in rows]
        one = [row["steps_per_second"] * size for row, size in zip(rows, sizes, strict=True)]
        every = [
            row["steps_per_second_all_cores"] * size for row, size in zip(rows, sizes, strict=True)
        ]
        panel.barh(places, one, color=colours, label="one core")
        panel.plot(every, places, "k|", ms=8, label=f"{cores} cores")
        panel.set(xscale="log", xlabel=unit)
        panel.grid(axis="x", alpha=0.3)
        panel.set_axisbelow(True)
    panels[0].set_yticks(places, labels, fontsize="small")
    panels[0].invert_yaxis()
    panels[0].margins(y=0.01)
    panels[0].legend(loc="lower right")
    figure.savefig(path, dpi=100)


def main() -> None:
    """Measure everybody in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("libraries", nargs="*", default=list(LIBRARIES), help="default: all")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each turn")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    if hasattr(os, "sched_getaffinity"):
        cores = sorted(os.sched_getaffinity(0))
    else:
        cores = list(range(os.cpu_count() or 1))
    teams, missing = [], []
    for library in options.libraries:
        try:
            teams.append(Team(library, cores))
            missing += teams[-1].missing
        except EOFError:
            missing.append(f"{library} (its process broke off)")
        print(f"{library}: ready", file=sys.stderr, flush=True)
    for _ in range(options.turns):
        for team in [*teams]:
            try:
                for number in range(len(team.shown)):
                    team.measure(number, options.seconds)
            except EOFError:
                missing.append(f"{team.library} (its process broke off)")
                teams.remove(team)
    rows = [row for team in teams for row in team.results()]
    for team in teams:
        team.stop()
    print(table(rows, len(cores)))
    for name in missing:
        print(f"\nnot measured: {name}")
    if options.json:
        options.json.write_text(json.dumps({"results": rows, "missing": missing}, indent=1))
    if options.picture:
        draw(rows, len(cores), options.picture)


if __name__ == "__main__":
    main()
