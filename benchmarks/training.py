"""How fast does PPO train, and does it learn as much? `python benchmarks/training.py`.

Decisions a second of `examples/cleanrl_ppo_selfplay.py`, play and learning together, with the
options that it has when none are given. `--beside CHECKOUT` measures the script of another checkout
in turn with this one, for ratios that hold whatever else the machine does. `--learn N` instead
trains each for N decisions with several seeds and tells how often the policies win, with 95%
intervals.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import waiter_envs

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = "examples/cleanrl_ppo_selfplay.py"
HERE, BESIDE = "here", "beside"


# -- Speed -------------------------------------------------------------------------------------


def serve(script: Path, game: str, updates: int, threads: int | None) -> None:
    """Train with a script, `updates` updates for each line on stdin; print decisions a second."""
    spec = importlib.util.spec_from_file_location("training_script", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["training_script"] = module
    spec.loader.exec_module(module)
    with tempfile.TemporaryDirectory() as folder:
        args = module.Args(game=game, opponents=(), runs=Path(folder), torch_threads=threads)
        run = module.Run(args)
        for _ in sys.stdin:
            start = time.perf_counter()
            for _ in range(updates):
                run.update()
            print(updates * run.steps / (time.perf_counter() - start), flush=True)
        run.writer.close()


class Trainer:
    """A process that trains a game with the script of a checkout when it is told to."""

    def __init__(self, checkout: Path, game: str, updates: int, threads: int | None) -> None:
        """Start the process, and let it warm up."""
        words = ["--serve", str(checkout / SCRIPT), "--updates", str(updates), game]
        words += ["--threads", str(threads)] if threads else []
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), *words],
            env={**os.environ, "PYTHONPATH": str(checkout)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.speed()

    def speed(self) -> float:
        """Train for some updates; return decisions a second."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def stop(self) -> None:
        """End the process."""
        self.process.communicate()


def speeds(
    checkouts: dict[str, Path], game: str, updates: int, threads: int | None, repeats: int
) -> dict[str, list[float]]:
    """Return decisions a second of each checkout, measured in turn."""
    trainers = {
        name: Trainer(checkout, game, updates, threads) for name, checkout in checkouts.items()
    }
    found: dict[str, list[float]] = {name: [] for name in checkouts}
    for _ in range(repeats):
        for name, trainer in trainers.items():
            found[name].append(trainer.speed())
    for trainer in trainers.values():
        trainer.stop()
    return found


def speed_row(game: str, found: dict[str, list[float]]) -> str:
    """Return a line of the table of speeds."""
    medians = [statistics.median(measured) for measured in found.values()]
    row = f"| {game} | " + " | ".join(f"{median:,.0f}" for median in medians) + " |"
    if BESIDE in found:
        ratios = [a / b for a, b in zip(found[HERE], found[BESIDE], strict=True)]
        row += f" {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |"
    return row


# -- Learning ----------------------------------------------------------------------------------


def learnt(
    checkout: Path, game: str, decisions: int, seed: int, games: int, threads: int | None
) -> list[Any]:
    """Train with the script of a checkout; return the rows of its last evaluation."""
    with tempfile.TemporaryDirectory() as folder:
        options = {
            "game": game, "total-timesteps": decisions, "seed": seed, "final-games": games,
            "eval-interval": decisions + 1, "eval-games": 1, "runs": folder, "run-name": "run",
            "torch-threads": threads,
        }  # fmt: skip
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        subprocess.run(
            [sys.executable, str(checkout / SCRIPT), *words],
            env={**os.environ, "PYTHONPATH": str(checkout)},
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with (Path(folder) / "run" / "evaluation.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
    return [row for row in rows if row["step"] == rows[-1]["step"]]


def learning_row(name: str, game: str, seed: int, rows: list[Any]) -> str:
    """Return a line of the table of win rates."""
    rates = [
        f"{row['opponent']} {float(row['win_rate']):.1%} "
        f"({float(row['low']):.1%} to {float(row['high']):.1%})"
        for row in rows
    ]
    return f"| {game} | {name} | {seed} | {', '.join(rates)} |"


# -- Command line ------------------------------------------------------------------------------


def main() -> None:
    """Measure every game, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(waiter_envs.GAMES))
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="of this project")
    parser.add_argument("--updates", type=int, default=8, help="of a measurement")
    parser.add_argument("--threads", type=int, help="default: one for each core")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--learn", type=int, metavar="N", help="train for N decisions instead")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--eval-games", type=int, default=2000, help="of the policies learnt")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.games[0], options.updates, options.threads)
        return
    checkouts = {HERE: ROOT}
    if options.beside:
        checkouts[BESIDE] = options.beside.resolve()
    results: list[dict[str, Any]] = []
    if options.learn:
        print("| game | script | seed | won |\n|---|---|---|---|", flush=True)
        for game in options.games:
            for seed in options.seeds:
                for name, checkout in checkouts.items():
                    rows = learnt(
                        checkout, game, options.learn, seed, options.eval_games, options.threads
                    )
                    print(learning_row(name, game, seed, rows), flush=True)
                    results.append({"game": game, "script": name, "seed": seed, "won": rows})
    else:
        titles = ["game", *checkouts, *(["ratio"] if options.beside else [])]
        print(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}", flush=True)
        for game in options.games:
            found = speeds(checkouts, game, options.updates, options.threads, options.repeats)
            print(speed_row(game, found), flush=True)
            results.append({"game": game, "decisions a second": found})
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
