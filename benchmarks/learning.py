"""Does every game learn? PPO on each, measured and drawn: `python benchmarks/learning.py`.

Trains with `examples/cleanrl_ppo_selfplay.py`, and where a memory is needed with
`examples/cleanrl_ppo_recurrent.py`, about a quarter of an hour a game on two cores, into
`runs/learning_GAME`; a run that was stopped goes on. Then each policy plays against the game's
agents, alone among copies of one of them, seats rotated. Writes the table of `docs/learning.md` and
the picture `docs/learning.png`. `--report` only writes them anew from the runs that are there.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import waiter_envs

ROOT = Path(__file__).resolve().parents[1]
PAGE, PICTURE = ROOT / "docs" / "learning.md", ROOT / "docs" / "learning.png"


@dataclass(frozen=True)
class Recipe:
    """How a game is trained."""

    options: str
    """of the training script, beside the game"""
    preset: str | None = None
    variant: str = "{}"
    script: str = "examples/cleanrl_ppo_selfplay.py"

    def config(self, game: str) -> Any:
        """Return the variant that is trained."""
        binding = waiter_envs.load(game)
        preset = self.preset or next(iter(binding.presets))
        return binding.config(preset=preset, **json.loads(self.variant))

    def command(self, game: str) -> list[str]:
        """Return what Python runs, without the folder."""
        words = [self.script, "--game", game, *self.options.split()]
        words += ["--preset", self.preset] if self.preset else []
        return [*words, "--variant", self.variant] if self.variant != "{}" else words


RECIPES = {
    "hey_waiter": Recipe(
        "--total-timesteps 15000000 --num-tables 256 --minibatch-size 512 --learning-rate 5e-4"
    ),
    "greasy_spoon": Recipe("--total-timesteps 2000000"),
    "garcon": Recipe(
        "--belief faces_0 named_face --belief-coef 0.3 --policy-after 800000 "
        "--total-timesteps 4000000 --num-tables 256 --num-steps 64 --minibatch-size 512 "
        "--learning-rate 1.5e-3 --ent-coef 0.05 --hidden 256",
        preset="memory",
        variant='{"players": 3, "reward": "points", "max_open_orders": 6}',
        script="examples/cleanrl_ppo_recurrent.py",
    ),
    "dessert": Recipe("--total-timesteps 4000000"),
}
"""Options that fit the budget, for each game."""


def train(game: str, recipe: Recipe, runs: Path) -> None:
    """Train a game, or go on where its run was stopped."""
    command = [*recipe.command(game), "--run-name", f"learning_{game}", "--runs", str(runs)]
    print("python", *command, flush=True)
    subprocess.run([sys.executable, str(ROOT / command[0]), *command[1:]], check=True)


def read_evaluations(folder: Path) -> dict[str, list[dict[str, float]]]:
    """Return the evaluations of a run by opponent, in order of steps."""
    found: dict[str, list[dict[str, float]]] = defaultdict(list)
    with (folder / "evaluation.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            opponent = row.pop("opponent")
            found[opponent].append({name: float(number) for name, number in row.items()})
    return dict(found)


def table(games: Iterable[str], runs: Path) -> str:
    """Return the results as a Markdown table."""
    lines = [
        "| game | players | decisions | minutes | against | won | 95% interval | drawn | even |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for game in games:
        players = RECIPES[game].config(game).num_players
        for opponent, rows in read_evaluations(runs / f"learning_{game}").items():
            last = rows[-1]
            lines.append(
                f"| {waiter_envs.load(game).title} | {players} | {last['step'] / 1e6:.1f} million "
                f"| {last['seconds'] / 60:.0f} | `{opponent}` | {last['win_rate']:.1%} "
                f"| {last['low']:.1%} to {last['high']:.1%} | {last['draws'] / last['games']:.1%} "
                f"| {1 / players:.1%} |"
            )
    return "\n".join(lines)


def commands(games: Iterable[str]) -> str:
    """Return the commands behind the table, as a block of Markdown."""
    words = (["python", *RECIPES[g].command(g)] for g in games)
    quoted = (" ".join(f"'{word}'" if "{" in word else word for word in line) for line in words)
    return "\n".join(["```sh", *quoted, "```"])


def draw(games: list[str], runs: Path, path: Path) -> None:
    """Draw the curves of all games, with bands of 95% confidence."""
    figure, all_axes = plt.subplots(
        1, len(games), figsize=(3.6 * len(games), 3.4), sharey=True, layout="constrained"
    )
    for game, axes in zip(games, [all_axes] if len(games) == 1 else all_axes, strict=True):
        for opponent, rows in read_evaluations(runs / f"learning_{game}").items():
            steps = [row["step"] / 1e6 for row in rows]
            rates, low, high = (
                [100 * row[name] for row in rows] for name in ("win_rate", "low", "high")
            )
            (line,) = axes.plot(steps, rates, label=f"against {opponent}")
            axes.fill_between(steps, low, high, alpha=0.2, color=line.get_color(), linewidth=0)
        even = 100 / RECIPES[game].config(game).num_players
        axes.axhline(even, color="grey", linewidth=0.8, linestyle=":")
        axes.set(title=waiter_envs.load(game).title, xlabel="decisions (millions)", ylim=(0, 100))
        axes.legend(loc="lower right", fontsize="small")
    figure.axes[0].set_ylabel("games won (%)")
    figure.savefig(path, dpi=110)


def fill(page: str, name: str, text: str) -> str:
    """Return a page with new text between the marks `<!-- NAME -->` and `<!-- end -->`."""
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
    filled, count = re.subn(
        pattern, lambda found: f"{found[1]}{text}\n{found[2]}", page, flags=re.DOTALL
    )
    if count == 0:
        raise ValueError(f"the page has no mark <!-- {name} -->")
    return filled


def main() -> None:
    """Train, then write table and picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*RECIPES, []], help="default: all")
    parser.add_argument("--runs", type=Path, default=ROOT / "runs")
    parser.add_argument("--report", action="store_true", help="train nothing")
    options = parser.parse_args()
    if not options.report:
        for game in options.games or RECIPES:
            train(game, RECIPES[game], options.runs)
    done = [
        game for game in RECIPES if (options.runs / f"learning_{game}" / "evaluation.csv").exists()
    ]
    results = table(done, options.runs)
    print(results)
    page = fill(PAGE.read_text(), "results", results)
    PAGE.write_text(fill(page, "commands", commands(done)))
    draw(done, options.runs, PICTURE)


if __name__ == "__main__":
    main()
