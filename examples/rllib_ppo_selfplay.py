"""PPO with action masks by self-play in RLlib: on this machine, or on a Ray cluster.

    python examples/rllib_ppo_selfplay.py
    python examples/rllib_ppo_selfplay.py --game greasy_spoon --num-env-runners 4 --league 3
    python examples/rllib_ppo_selfplay.py --address auto --num-env-runners 64

One policy learns in every seat. With `--league` it also plays against snapshots of itself: in a
share of the games it sits at one seat, and frozen copies of it at the others.

A run writes to `runs/<run name>/`: `evaluation.csv`, `policy.npz`, an agent
for `python -m waiter_envs match`, and RLlib's checkpoints. The same command continues a run
that was stopped. Continue only your own runs: RLlib's checkpoints run code when they are read.
"""

from __future__ import annotations

import csv
import dataclasses
import json
import logging
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

try:
    import ray
    import torch
    import tyro
    from ray.rllib.algorithms.algorithm import Algorithm
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from tqdm import tqdm
except ImportError as error:
    raise ImportError(f'{error}: pip install "waiter-envs[rllib]"', name=error.name) from error

import waiter_envs
from waiter_envs.agents.make import agent_names
from waiter_envs.agents.policies import FILE_NAME
from waiter_envs.arena.match import play_match
from waiter_envs.core.game import Game
from waiter_envs.interfaces.rllib import MaskedModule, PolicyAgent, Seating, TablesEnvRunner

LEARNER = "policy"


@dataclass
class Args:
    """Train one policy by self-play with RLlib, then measure it against other agents."""

    game: str = "hey_waiter"
    """name of the game"""
    preset: str | None = None
    """ready variant of the game; "None": its first"""
    variant: str = "{}"
    """fields of the game's Config that change the preset, as JSON: '{"dishes": 6}'"""
    seed: int = 1
    """of the network, the tables, the choices and the evaluations"""

    address: str | None = None
    """of a Ray cluster, "auto": the one that this machine belongs to; "None": Ray starts here"""
    num_env_runners: int = 2
    """processes that play; 0: the one that learns plays, too"""
    num_learners: int = 0
    """processes that learn; 0: the one that was started"""
    num_gpus_per_learner: float = 0.0
    """GPUs for each of them"""
    torch_threads: int | None = None
    """threads of PyTorch where it learns; "None": PyTorch's choice"""

    total_timesteps: int = 2_000_000
    """decisions to learn from, of all players at all tables"""
    num_tables: int = 64
    """tables of each env runner"""
    num_steps: int = 32
    """decisions at each table between two updates"""
    update_epochs: int = 2
    """passes over the decisions of an update"""
    minibatch_size: int = 256
    """decisions of a gradient step"""
    learning_rate: float = 1e-3
    """of Adam; falls to 0 by the end"""
    gamma: float = 0.999
    """discount from a player's decision to its next one"""
    gae_lambda: float = 0.95
    """lambda of generalised advantage estimation"""
    clip_coef: float = 0.2
    """how far an update may move the ratio of probabilities"""
    ent_coef: float = 0.005
    """weight of the entropy"""
    vf_coef: float = 0.5
    """weight of the value's error"""
    max_grad_norm: float = 0.5
    """length to which gradients are cut"""
    hidden: tuple[int, ...] = (256, 256)
    """sizes of the network's hidden layers"""

    league: int = 0
    """how many snapshots of the policy are kept as opponents; untrained policies at first"""
    league_share: float = 0.5
    """share of the games that are played against snapshots"""
    league_interval: int = 250_000
    """decisions until a snapshot takes the place of the oldest one"""

    opponents: tuple[str, ...] | None = None
    """agents to be measured against; "None": all that the game has"""
    greedy: bool = True
    """measure the likeliest actions; else draw them, as in training"""
    eval_interval: int = 250_000
    """decisions between two evaluations"""
    eval_games: int = 400
    """games of an evaluation against each opponent"""
    final_games: int = 2000
    """games of the final evaluation against each opponent"""

    run_name: str | None = None
    """folder of the run; "None": named after the game, the variant and the seed"""
    runs: Path = Path("runs")
    """where the folders of all runs are; of a cluster, on a disk that all its machines share"""
    fresh: bool = False
    """start over, though the run has a checkpoint"""
    checkpoint_seconds: float = 60.0
    """least time between two checkpoints"""


MAY_CHANGE = {
    "address",
    "num_env_runners",
    "num_learners",
    "num_gpus_per_learner",
    "torch_threads",
    "total_timesteps",
    "opponents",
    "greedy",
    "eval_interval",
    "eval_games",
    "final_games",
    "run_name",
    "runs",
    "fresh",
    "checkpoint_seconds",
}
"""Arguments that may change when a run is continued."""


def fail(problem: str) -> NoReturn:
    """Leave the script with an error message."""
    sys.exit(f"error: {problem}")


# -- The algorithm -----------------------------------------------------------------------------


def snapshots(args: Args) -> list[str]:
    """Return the names of the league's policies."""
    return [f"snapshot_{number}" for number in range(args.league)]


def algorithm(args: Args, num_players: int) -> Algorithm:
    """Return RLlib's PPO, ready to train."""
    module = RLModuleSpec(
        module_class=MaskedModule,
        model_config=DefaultModelConfig(
            fcnet_hiddens=list(args.hidden), fcnet_activation="relu", vf_share_layers=True
        ),
    )
    policies = [LEARNER, *snapshots(args)]
    config = (
        PPOConfig()
        .environment(args.game, env_config={"preset": args.preset, **json.loads(args.variant)})
        .env_runners(
            env_runner_cls=TablesEnvRunner,
            num_env_runners=args.num_env_runners,
            num_envs_per_env_runner=args.num_tables,
            rollout_fragment_length=args.num_steps,
        )
        .multi_agent(
            policies=set(policies),
            policy_mapping_fn=Seating(num_players, LEARNER, snapshots(args), args.league_share),
            policies_to_train=[LEARNER],
        )
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(policies, module))
        )
        .learners(num_learners=args.num_learners, num_gpus_per_learner=args.num_gpus_per_learner)
        .training(
            train_batch_size_per_learner=decisions(args) // max(1, args.num_learners),
            num_epochs=args.update_epochs,
            minibatch_size=args.minibatch_size,
            lr=[[0, args.learning_rate], [max(1, args.total_timesteps), 0.0]],
            gamma=args.gamma,
            lambda_=args.gae_lambda,
            clip_param=args.clip_coef,
            entropy_coeff=args.ent_coef,
            vf_loss_coeff=args.vf_coef,
            grad_clip=args.max_grad_norm,
            grad_clip_by="global_norm",
            use_kl_loss=False,
        )
        .debugging(seed=args.seed, log_level="ERROR")
    )
    return config.build_algo()


def decisions(args: Args) -> int:
    """Return the decisions that are played between two updates."""
    return args.num_tables * args.num_steps * max(1, args.num_env_runners)


def copy_to_league(algo: Algorithm, snapshot: str) -> None:
    """Let a snapshot play as the learner does now.

    Where it learns, for the checkpoints; and in every env runner by hand, because these take
    weights from there only after an update.
    """
    weights = algo.get_module(LEARNER).get_state()
    algo.set_state({"learner_group": {"learner": {"rl_module": {snapshot: weights}}}})
    algo.env_runner_group.foreach_env_runner(
        lambda runner: runner.module[snapshot].set_state(weights)
    )


# -- The run -----------------------------------------------------------------------------------


class Run:
    """A run: what it holds, how it learns, what it writes."""

    def __init__(self, args: Args) -> None:
        """Set up a run, or take it up where its last checkpoint left it."""
        self.args = args
        self.game, self.config = variant(args)
        self.opponents = opponents(args, self.game)
        name = args.run_name or f"rllib__{args.game}__{args.preset}__seed{args.seed}"
        self.folder = (args.runs / name).absolute()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.identity = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in dataclasses.asdict(args).items()
            if name not in MAY_CHANGE
        }
        self.step = 0
        self.seconds = 0.0
        self.evaluations: list[dict[str, Any]] = []
        if args.fresh:
            for old in self.checkpoints():
                shutil.rmtree(old)
        last = self.checkpoints()[-1] if self.checkpoints() else None
        state = self.read_state(last) if last else None

        connect(args)
        self.algo = algorithm(args, self.config.num_players)
        if last and state:
            self.algo.restore_from_path(str(last / "rllib"))
            self.step = state["step"]
            self.seconds = state["seconds"]
            self.evaluations = state["evaluations"]
            print(f"continues {last} (--fresh starts over)")

    def checkpoints(self) -> list[Path]:
        """Return the folders of the checkpoints, the oldest first."""
        return sorted(self.folder.glob("checkpoint_*[0-9]"))

    def save(self) -> None:
        """Write a checkpoint whole or not at all, and keep no older one."""
        older = self.checkpoints()
        path = self.folder / f"checkpoint_{self.step:012}"
        if path in older:
            return
        temporary = path.with_suffix(".tmp")
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        self.algo.save_to_path(str(temporary / "rllib"))
        state = {
            "identity": self.identity,
            "step": self.step,
            "seconds": self.seconds,
            "evaluations": self.evaluations,
        }
        (temporary / "state.json").write_text(json.dumps(state))
        os.replace(temporary, path)
        for folder in older:
            shutil.rmtree(folder)
        self.agent().save(self.folder / FILE_NAME, self.game, self.config)

    def read_state(self, path: Path) -> dict[str, Any]:
        """Return what a checkpoint says of the run; leave the script if it is another run's."""
        try:
            state: dict[str, Any] = json.loads((path / "state.json").read_text())
            found = state["identity"]
        except (OSError, ValueError, KeyError) as error:
            fail(f"{path} is damaged, or no checkpoint of this script ({error!r})")
        for name, wanted in self.identity.items():
            if found.get(name) != wanted:
                fail(
                    f"{path} is of another run: its {name} is {found.get(name)}, and this run's is "
                    f"{wanted}. Choose another --run-name, or start over with --fresh"
                )
        return state

    def train(self) -> None:
        """Play and learn until the steps are done."""
        args = self.args
        saved = time.monotonic()
        with tqdm(total=args.total_timesteps, initial=self.step, unit="step") as bar:
            if self.step == 0:
                bar.write(self.summary(self.evaluate(args.eval_games)))
            while self.step < args.total_timesteps:
                before = self.step
                self.update()
                bar.update(self.step - before)
                if args.league and self.passed(args.league_interval, before):
                    number = self.step // args.league_interval - 1
                    copy_to_league(self.algo, snapshots(args)[number % args.league])
                if self.passed(args.eval_interval, before) and self.step < args.total_timesteps:
                    bar.write(self.summary(self.evaluate(args.eval_games)))
                if time.monotonic() - saved >= args.checkpoint_seconds:
                    self.save()
                    saved = time.monotonic()
        self.save()

    def passed(self, interval: int, before: int) -> bool:
        """Return whether a multiple of `interval` has been reached since step `before`."""
        return self.step // interval > before // interval

    def update(self) -> None:
        """Let RLlib play and learn once."""
        start = time.perf_counter()
        result = self.algo.train()
        self.seconds += time.perf_counter() - start
        self.step = int(result["env_runners"]["num_env_steps_sampled_lifetime"])

    def agent(self) -> PolicyAgent:
        """Return the policy as an agent."""
        module = self.algo.get_module(LEARNER)
        return PolicyAgent(module, greedy=self.args.greedy, seed=self.args.seed)

    def evaluate(self, games: int) -> list[dict[str, Any]]:
        """Play against every opponent, write the results down, and return them."""
        results = [self.match(opponent, games) for opponent in self.opponents]
        self.evaluations += results
        if self.evaluations:
            with (self.folder / "evaluation.csv").open("w", newline="") as file:
                table = csv.DictWriter(file, list(self.evaluations[0]))
                table.writeheader()
                table.writerows(self.evaluations)
        return results

    def match(self, opponent: str, games: int) -> dict[str, Any]:
        """Play against an opponent, on every side equally often; return a row of the table."""
        agents = [self.agent(), opponent]
        result = play_match(self.game, self.config, agents, games, self.args.seed)
        record = result.agents[0].record
        return {
            "step": self.step,
            "seconds": round(self.seconds, 1),
            "opponent": opponent,
            "games": record.games,
            "wins": record.wins,
            "draws": record.draws,
            "losses": record.losses,
            "win_rate": record.win_rate,
            "low": record.interval[0],
            "high": record.interval[1],
            "decisions_per_game": result.mean_decisions,
        }

    def summary(self, results: list[dict[str, Any]]) -> str:
        """Return one line that tells how often the policy won, and how fast it learns."""
        line = f"{self.step:>12,} steps, {self.seconds:.0f} s"
        if self.step:
            line += f", {self.step / self.seconds:,.0f} steps/s"
        for row in results:
            interval = f"{row['low']:.0%} to {row['high']:.0%}"
            line += f", {row['win_rate']:.1%} ({interval}) won against {row['opponent']}"
        return line

    def report(self) -> None:
        """Evaluate at length, and print the result and the throughput."""
        results = self.evaluate(self.args.final_games)
        print(f"\n{self.game.title}, {self.args.preset}: {self.step:,} decisions")
        print(f"{'opponent':<12}{'games':>7}{'won':>8}  95 % interval{'drawn':>9}{'lost':>8}")
        for row in results:
            drawn, lost = row["draws"] / row["games"], row["losses"] / row["games"]
            interval = f"{row['low']:.1%} to {row['high']:.1%}"
            print(f"{row['opponent']:<12}{row['games']:>7}{row['win_rate']:>8.1%}", end="")
            print(f"  {interval:<14}{drawn:>8.1%}{lost:>8.1%}")
        print(f"throughput: {self.step / self.seconds:,.0f} env steps/s, playing and learning")


# -- Command line ------------------------------------------------------------------------------


def connect(args: Args) -> None:
    """Start Ray here, or join a cluster, unless that is done already."""
    if args.torch_threads is not None:
        torch.set_num_threads(args.torch_threads)
    if ray.is_initialized():
        return
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    if args.address is not None:
        ray.init(args.address, **quiet)
        return
    needed = args.num_env_runners + args.num_learners + 1
    ray.init(num_cpus=max(needed, os.cpu_count() or 1), include_dashboard=False, **quiet)


def check(args: Args) -> None:
    """Leave the script if an argument is out of range."""
    least = {
        "num_env_runners": 0,
        "num_learners": 0,
        "num_gpus_per_learner": 0.0,
        "total_timesteps": 1,
        "num_tables": 1,
        "num_steps": 1,
        "update_epochs": 1,
        "minibatch_size": 1,
        "league": 0,
        "league_interval": 1,
        "eval_interval": 1,
        "eval_games": 1,
        "final_games": 1,
        "seed": 0,
        "learning_rate": 0.0,
        "clip_coef": 0.0,
        "ent_coef": 0.0,
        "vf_coef": 0.0,
        "max_grad_norm": 0.0,
        "checkpoint_seconds": 0.0,
    }
    for name, low in least.items():
        if not getattr(args, name) >= low:
            fail(f"--{option(name)} {getattr(args, name)}: must be at least {low}")
    for name in ("gamma", "gae_lambda", "league_share"):
        if not 0 <= getattr(args, name) <= 1:
            fail(f"--{option(name)} {getattr(args, name)}: must be from 0 to 1")
    if args.torch_threads is not None and args.torch_threads < 1:
        fail(f"--torch-threads {args.torch_threads}: must be at least 1, or None")
    if not args.hidden or min(args.hidden) < 1:
        fail(f"--hidden {args.hidden}: give the size of each hidden layer, at least 1")
    folder = args.run_name
    if folder is not None and (folder in ("", "..") or Path(folder).name != folder):
        fail(f"--run-name {folder}: must be the name of a folder, not a path")


def option(name: str) -> str:
    """Return the name of an argument as it is written on the command line."""
    return name.replace("_", "-")


def variant(args: Args) -> tuple[Game, Any]:
    """Return the game and its variant; leave the script if there is no such thing.

    Writes the preset into `args` if they name none.
    """
    try:
        fields = json.loads(args.variant)
        if not isinstance(fields, dict):
            raise TypeError("must be an object")
    except (ValueError, TypeError) as error:
        fail(f"--variant {args.variant}: {error}; write it like '{{\"dishes\": 6}}'")
    try:
        game = waiter_envs.load(args.game)
        args.preset = args.preset or next(iter(game.presets))
        return game, game.config(preset=args.preset, **fields)
    except (ValueError, TypeError) as error:
        fail(str(error))


def opponents(args: Args, game: Game) -> tuple[str, ...]:
    """Return the agents to be measured against; leave the script if one is unknown."""
    known = agent_names(game)
    for name in args.opponents or ():
        if name not in known:
            fail(f"--opponents {name}: unknown agent; {game.name} has {', '.join(known)}")
    return known if args.opponents is None else args.opponents


def main(args: Args) -> None:
    """Train and report."""
    check(args)
    run = Run(args)
    try:
        run.train()
        run.report()
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command continues from the last checkpoint")
    finally:
        run.algo.stop()


if __name__ == "__main__":
    main(tyro.cli(Args))
