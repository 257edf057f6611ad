"""Plot how often the policy of training runs won against each opponent.

    python examples/plot_learning.py runs/hey_waiter__2_players__seed1 --out learning.png

Reads the `evaluation.csv` that `cleanrl_ppo_selfplay.py` writes to a run's folder.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import tyro
except ImportError as error:
    raise ImportError(f'{error}: pip install "waiter-envs[train]"', name=error.name) from error


@dataclass
class Args:
    """Draw the learning curves of one run or more."""

    runs: tyro.conf.Positional[tuple[Path, ...]]
    """folders of runs"""
    opponents: tuple[str, ...] | None = None
    """whose curves to draw; "None": all"""
    even: float = 50.0
    """games that equally good players would win (%), for the dotted line"""
    out: Path = Path("learning.png")
    """the picture to write; its ending names the format"""
    title: str = ""
    """what stands above the picture"""


def read_curves(run: Path) -> dict[str, list[dict[str, float]]]:
    """Return the evaluations of a run by opponent, in order of steps."""
    path = run / "evaluation.csv"
    if not path.is_file():
        sys.exit(f"error: {path} does not exist; give the folders of training runs")
    curves: dict[str, list[dict[str, float]]] = defaultdict(list)
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            opponent = row.pop("opponent")
            curves[opponent].append({name: float(number) for name, number in row.items()})
    return curves


def main(args: Args) -> None:
    """Draw every run's curves, with a band for the 95 % confidence interval."""
    if not args.runs:
        sys.exit("error: give at least one folder of a training run")
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for run in args.runs:
        for opponent, rows in read_curves(run).items():
            if args.opponents is not None and opponent not in args.opponents:
                continue
            steps = [row["step"] / 1e6 for row in rows]
            label = f"against {opponent}" + (f" ({run.name})" if len(args.runs) > 1 else "")
            (line,) = axes.plot(steps, [100 * row["win_rate"] for row in rows], label=label)
            low, high = ([100 * row[end] for row in rows] for end in ("low", "high"))
            axes.fill_between(steps, low, high, alpha=0.2, color=line.get_color(), linewidth=0)
    axes.axhline(args.even, color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="decisions (millions)", ylabel="games won (%)", ylim=(0, 100), xlim=(0, None))
    axes.set_title(args.title)
    axes.legend(loc="best")
    figure.savefig(args.out, dpi=120)
    print(f"wrote {args.out}")


if __name__ == "__main__":
    main(tyro.cli(Args))
