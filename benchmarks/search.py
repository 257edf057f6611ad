"""How strong searches are, and what they cost: `python benchmarks/search.py`.

Each plays alone against copies of the rule-based agent, seats rotated. The table has the share of
games won with its 95% interval, the milliseconds of one core that a decision took, and simulations
a second and core. Where they go is reckoned from what each thing costs by itself, at positions of
the playouts: the policy that plays on, masks, moves (steps and rewards), redeals; the rest is
copying, luck and statistics.

`--ms 5 20 50 200` measures strength over time, `--options` changes what a search does: `--options
anchor=0 candidates=8`. `--json FILE` adds the numbers to those in a file; runs with other seeds
(`--seed`) count together with what was measured before; `--show FILE ...` prints a table of all,
and `--picture` draws how strength grows with time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

import waiter_envs
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.search import SearchAgent
from waiter_envs.agents.search_options import parse_options
from waiter_envs.arena.match import play_match, wilson
from waiter_envs.core import kernels, playing, resampling, rng
from waiter_envs.core.game import Game
from waiter_envs.core.searching import MOVES, SIMULATIONS, WORLDS, Found
from waiter_envs.core.tables import Tables

VARIANTS = (
    ("greasy_spoon", "best_of_1"),
    ("hey_waiter", "2_players"),
    ("hey_waiter", "4_partnership"),
    ("dessert", "standard"),
    ("garcon", "rulebook"),
)
_SAMPLED = 512
"""Positions at which costs are measured."""

step: Any = None
rewards: Any = None
legal_action_mask: Any = None


class Clocked(SearchAgent):
    """Notes what it spends. What is compiled first does not count."""

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        """Search in a single thread, as it is to be compared."""
        super().__init__(game, seed, num_threads=1, **options)
        self.seconds = 0.0
        self.decisions = self.left_prior = 0
        self.spent = np.zeros(3, np.int64)

    def search(self, decisions: Decisions) -> Found:
        """Search, and note the time."""
        if not self.decisions:
            memory = self.snapshot()
            one = Decisions(*(array[:1] for array in decisions))
            super().search(one)
            self.restore(memory)
        start = time.process_time()
        found = super().search(decisions)
        self.seconds += time.process_time() - start
        self.decisions += len(found.choice)
        self.left_prior += int((found.choice > 0).sum())
        self.spent += found.spent.sum(axis=0)
        return found


def write_masks(state: Any, mask: Any) -> None:
    """Write the mask of every table to the same place."""
    for i in range(state.shape[0]):
        legal_action_mask(state[i], mask)


def copy_and_move(state: Any, room: Any, actions: Any, paid: Any, moves: Any) -> None:
    """Copy every table to the same place, and if it moves play an action there."""
    for i in range(state.shape[0]):
        room[0] = state[i]
        if moves:
            step(room[0], np.int64(actions[i]))
            rewards(room[0], paid)


def nanoseconds(call: Any) -> float:
    """Return what a call for `_SAMPLED` tables costs for each: the median of some times."""
    call()
    spent = []
    for _ in range(9):
        start = time.process_time()
        for _ in range(4):
            call()
        spent.append((time.process_time() - start) / 4)
    return statistics.median(spent) / _SAMPLED * 1e9


def costs(game: Game, config: Any, rollout: str) -> dict[str, float]:
    """Return nanoseconds of a policy's choice, a mask, a move and a redeal."""
    tables = Tables(game, config, _SAMPLED, 1, num_threads=1, observe=False)
    depths = np.arange(_SAMPLED) % 97
    for turn in range(97):  # each table stops at another stage of its game
        before = tables.state.copy()
        tables.playout(rollout, 1, seed=turn)
        stays = (depths < turn) | tables.terminated | tables.truncated
        tables.state = np.where(stays, before, tables.state)
    state, dtype = tables.buffers.state, tables.buffers.state.dtype
    mask, paid = np.zeros(tables.num_actions, np.int8), np.zeros(tables.num_players, np.float32)
    actions, room = tables.sample_actions().copy(), state[:1].copy()
    seen = tables.action_mask.copy()
    player = playing.policy_of(
        game, playing.Sizes(dtype, tables.num_features, tables.num_actions, None), rollout
    )
    masks = game.kernel(write_masks, dtype)
    moving = game.kernel(copy_and_move, dtype)
    chosen = np.zeros(_SAMPLED, np.int32)
    if rollout == playing.RANDOM:
        streams = rng.streams(1, _SAMPLED)

        def choose() -> None:
            kernels.sample(seen, streams, 0, _SAMPLED, chosen)
    elif player.blank_memory.dtype.names:
        heuristic = game.kernel(
            kernels.choose_remembering, dtype, choose=game.heuristics[rollout].choose
        )
        memory = np.repeat(player.blank_memory, _SAMPLED)

        def choose() -> None:
            heuristic(state, seen, memory, 0, _SAMPLED, chosen)
    else:
        heuristic = game.kernel(
            kernels.choose_actions, dtype, choose=game.heuristics[rollout].choose
        )

        def choose() -> None:
            heuristic(state, seen, 0, _SAMPLED, chosen)

    copying = nanoseconds(lambda: moving(state, room, actions, paid, False))
    found = {
        "policy": nanoseconds(choose),
        "masks": nanoseconds(lambda: masks(state, mask)),
        "moves": nanoseconds(lambda: moving(state, room, actions, paid, True)) - copying,
    }
    kernel = game.kernel(resampling.resample_tables, dtype, resample=game.resample)
    players, streams = state["current_player"].copy(), rng.streams(2, _SAMPLED)
    refused, dealt = np.zeros(_SAMPLED, np.bool_), state.copy()
    found["redeals"] = nanoseconds(lambda: kernel(dealt, players, streams, 0, _SAMPLED, refused))
    return found


def shares(agent: Clocked, cost: dict[str, float]) -> dict[str, float]:
    """Return which share of its time an agent spent on what."""
    times = {
        "policy": agent.spent[MOVES] - agent.spent[SIMULATIONS],
        "masks": agent.spent[MOVES],
        "moves": agent.spent[MOVES],
        "redeals": agent.spent[WORLDS],
    }
    return {name: cost[name] * 1e-9 * times[name] / agent.seconds for name in cost}


def measure(
    name: str, preset: str, games: int, seed: int, options: dict[str, Any], reckon: bool
) -> dict[str, Any]:
    """Return what came out for one variant; `reckon`: with the shares of time."""
    game = waiter_envs.load(name)
    config = game.config(preset=preset)
    agent = Clocked(game, seed, **options)
    record = play_match(game, config, [agent, "heuristic"], games, seed).agents[0].record
    rollout = agent.options.rollout
    reckon = reckon and isinstance(rollout, str) and agent.options.tree is None
    return {
        "game": name,
        "preset": preset,
        "options": options,
        "seeds": [seed],
        "even": 1 / (1 + max(config.playing_together)),
        "wins": record.wins,
        "draws": record.draws,
        "games": record.games,
        "decisions": agent.decisions,
        "seconds": agent.seconds,
        "spent": agent.spent.tolist(),
        "left_prior": agent.left_prior,
        "shares": shares(agent, costs(game, config, rollout)) if reckon else {},
    }


SUMS = ("seeds", "wins", "draws", "games", "decisions", "seconds", "left_prior")


def add(results: list[dict[str, Any]], more: dict[str, Any]) -> None:
    """Add a result to others, or to the one of the same variant and options."""
    same = [r for r in results if all(r[k] == more[k] for k in ("game", "preset", "options"))]
    if not same:
        results.append(more)
        return
    (old,) = same
    if set(old["seeds"]) & set(more["seeds"]):
        raise SystemExit(f"seed {more['seeds']} counts already")
    for name in SUMS:
        old[name] += more[name]
    old["spent"] = [a + b for a, b in zip(old["spent"], more["spent"], strict=True)]
    old["shares"] = more["shares"] or old["shares"]


COLUMNS = ("", "even", "won", "interval", "drawn", "games", "ms", "simulations", "a second")
SHARES = "policy, masks, moves, redeals"
HEADER = f"| {' | '.join((*COLUMNS, SHARES))} |\n|{'---|' * (1 + len(COLUMNS))}"


def line(result: dict[str, Any]) -> str:
    """Return a result as a line of the table."""
    low, high = wilson(result["wins"], result["games"])
    simulations, decisions = result["spent"][SIMULATIONS], result["decisions"]
    options = ",".join(f"{name}={value}" for name, value in result["options"].items())
    cells = [
        f"{result['game']} {result['preset']}, `{options}`",
        f"{result['even']:.0%}",
        f"{result['wins'] / result['games']:.1%}",
        f"{100 * low:.1f} to {100 * high:.1f}",
        f"{result['draws'] / result['games']:.1%}",
        str(result["games"]),
        f"{1000 * result['seconds'] / decisions:.1f}",
        f"{simulations / decisions:,.0f}",
        f"{simulations / result['seconds']:,.0f}",
        ", ".join(f"{share:.0%}" for share in result["shares"].values()),
    ]
    return f"| {' | '.join(cells)} |"


def draw(results: list[dict[str, Any]], path: Path) -> None:
    """Draw the share of games won over milliseconds a decision, a line for each variant."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter

    figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    lines: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for result in results:
        lines.setdefault((result["game"], result["preset"]), []).append(result)
    for (name, preset), line in lines.items():
        line.sort(key=lambda result: result["seconds"] / result["decisions"])
        time = [1000 * result["seconds"] / result["decisions"] for result in line]
        won = np.array([result["wins"] / result["games"] for result in line])
        reach = np.abs(np.array([wilson(r["wins"], r["games"]) for r in line]).T - won)
        label = f"{waiter_envs.load(name).title}, {preset}"
        drawn = axes.errorbar(time, 100 * won, 100 * reach, fmt="o-", ms=3, capsize=2, label=label)
        axes.axhline(100 * line[0]["even"], c=drawn[0].get_color(), ls=":", lw=1)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))
    axes.set_ylim(0, 100)
    axes.set_xlabel("milliseconds of one core a decision")
    axes.set_ylabel("% won (dotted: even)")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=100)


def main() -> None:
    """Measure the games asked for, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variants", nargs="+", metavar="GAME:PRESET", help="default: five")
    parser.add_argument("--ms", nargs="+", type=float, default=[50.0], help="a decision")
    parser.add_argument("--simulations", nargs="+", type=int, help="a decision, instead of --ms")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--no-shares", action="store_true", help="do not reckon where time goes")
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--show", metavar="FILE", type=Path, nargs="+", help="measure nothing")
    parser.add_argument("--picture", metavar="FILE", type=Path, help="of what --show shows")
    args = parser.parse_args()
    print(HEADER)
    if args.show:
        shown = [result for file in args.show for result in json.loads(file.read_text())]
        print(*map(line, shown), sep="\n")
        if args.picture:
            draw(shown, args.picture)
        return
    variants = [tuple(text.split(":")) for text in args.variants or ()] or VARIANTS
    budgets = [{"simulations": n} for n in args.simulations or ()] or [{"ms": n} for n in args.ms]
    for name, preset in variants:
        for budget in budgets:
            options = {**budget, **parse_options(",".join(args.options))}
            result = measure(name, preset, args.games, args.seed, options, not args.no_shares)
            print(line(result), flush=True)
            if args.json:
                results = json.loads(args.json.read_text()) if args.json.exists() else []
                add(results, result)
                args.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
