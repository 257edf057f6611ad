"""MaskablePPO of Stable-Baselines3 against agents of any of the games.

    python examples/sb3_maskable_ppo.py
    python examples/sb3_maskable_ppo.py --game greasy_spoon --opponents random

One learner sits at each of many tables, which are stepped as one batch; the opponents move in
compiled code. A run writes its model to `runs/<run name>/model.zip` and, in the end, measures it
against other agents, seats rotated. Needs `pip install "waiter-envs[sb3]"`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

try:
    import torch
    import tyro
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecMonitor
except ImportError as error:
    raise ImportError(f'{error}: pip install "waiter-envs[sb3]"', name=error.name) from error

import waiter_envs
from waiter_envs import SingleAgentVectorEnv
from waiter_envs.agents.make import agent_names
from waiter_envs.agents.policies import FILE_NAME
from waiter_envs.arena.match import MatchResult, play_match
from waiter_envs.core.game import Game
from waiter_envs.interfaces.sb3 import PolicyAgent, TablesVecEnv


@dataclass
class Args:
    """Train a policy against named agents, then measure it."""

    game: str = "hey_waiter"
    """name of the game"""
    preset: str | None = None
    """ready variant of the game; "None": its first"""
    variant: str = "{}"
    """fields of the game's Config that change the preset, as JSON: '{"dishes": 6}'"""
    opponents: tuple[str, ...] = ("heuristic",)
    """agents that play the other seats: one for all of them, or one for each"""
    seat: int | None = None
    """where the learner sits; "None": drawn anew for each game"""
    seed: int = 1
    """of the network, the tables and the evaluation"""
    device: str = "cpu"
    """where the network lives"""
    torch_threads: int | None = None
    """threads of PyTorch and of the tables; "None": one for each core"""

    total_timesteps: int = 1_000_000
    """decisions of the learner"""
    num_envs: int = 128
    """tables played at once"""
    num_steps: int = 64
    """decisions at each table between two updates"""
    update_epochs: int = 2
    """passes over the decisions of an update"""
    minibatch_size: int = 512
    """decisions of a gradient step"""
    learning_rate: float = 1e-3
    """of Adam; falls to 0 by the end"""
    gamma: float = 0.999
    """discount from a decision to the next one"""
    gae_lambda: float = 0.95
    """lambda of generalised advantage estimation"""
    ent_coef: float = 0.005
    """weight of the entropy"""
    hidden: tuple[int, ...] = (256, 256)
    """sizes of the network's hidden layers"""

    evaluate_against: tuple[str, ...] | None = None
    """agents to be measured against; "None": all that the game has"""
    eval_games: int = 2000
    """games of the evaluation against each of them"""
    run_name: str | None = None
    """folder of the run; "None": named after the game, the variant and the seed"""
    runs: Path = Path("runs")
    """where the folders of all runs are"""


def make_envs(args: Args, game: Game, config: Any) -> VecMonitor:
    """Return the tables, with statistics of whole games in the infos."""
    opponents: Any = args.opponents[0] if len(args.opponents) == 1 else args.opponents
    envs = SingleAgentVectorEnv(
        game,
        args.num_envs,
        seat=args.seat,
        opponents=opponents,
        flat_observation=True,
        autoreset_mode="SameStep",
        num_threads=args.torch_threads,
        config=config,
    )
    return VecMonitor(TablesVecEnv(envs))


def make_model(args: Args, envs: VecMonitor) -> MaskablePPO:
    """Return a model that has learnt nothing yet."""
    return MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=args.num_steps,
        batch_size=args.minibatch_size,
        n_epochs=args.update_epochs,
        learning_rate=lambda left: args.learning_rate * left,
        gamma=args.gamma,
        gae_lambda=args.gae_lambda,
        ent_coef=args.ent_coef,
        policy_kwargs={"net_arch": list(args.hidden), "activation_fn": torch.nn.ReLU},
        seed=args.seed,
        device=args.device,
        verbose=1,
    )


def evaluate(args: Args, game: Game, config: Any, model: MaskablePPO) -> dict[str, MatchResult]:
    """Let the model play against each agent, on every side equally often."""
    names = args.evaluate_against or agent_names(game)
    agent = PolicyAgent(model)
    return {
        name: play_match(game, config, [agent, name], args.eval_games, args.seed) for name in names
    }


def main(args: Args) -> dict[str, MatchResult]:
    """Train, save and measure."""
    torch.set_num_threads(args.torch_threads or torch.get_num_threads())
    game = waiter_envs.load(args.game)
    config = game.config(preset=args.preset, **json.loads(args.variant))
    envs = make_envs(args, game, config)
    model = make_model(args, envs)
    folder = args.runs / (args.run_name or f"sb3_{args.game}_{args.preset}_{args.seed}")
    folder.mkdir(parents=True, exist_ok=True)
    model.learn(args.total_timesteps)
    model.save(folder / "model.zip")
    PolicyAgent(model).save(folder / FILE_NAME, game, config)
    results = evaluate(args, game, config, model)
    for name, result in results.items():
        record = result.agents[0].record
        low, high = record.interval
        print(f"{record.win_rate:.1%} ({low:.1%} to {high:.1%}) won against {name}")
    return results


if __name__ == "__main__":
    try:
        main(tyro.cli(Args))
    except (TypeError, ValueError) as error:
        sys.exit(f"error: {error}")
