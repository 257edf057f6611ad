"""A network learns from recorded games to play as a rule-based agent does (behaviour cloning).

    python examples/clone_heuristic.py
    python examples/clone_heuristic.py --game dessert --games 20000

Everything is in this one file, after the manner of CleanRL. The agent plays against itself, and
`play_match` records the games; `waiter_envs.records.load_chunks` makes arrays of them again, as the
players saw them, some games at a time: so files may be of any size. The network learns the actions
by cross-entropy over the legal ones. It is measured on games that it has not seen (how often its
likeliest action is the agent's), and at the table: against random players and the agent itself.

A run writes to `--folder`: `games.jsonl.gz`, which is kept and used again, `test.jsonl.gz`,
`result.json`, and the clone, `policy.npz`, an agent for `python -m waiter_envs match`.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import torch
    import tyro
    from torch import nn
    from tqdm import tqdm
except ImportError as error:
    raise ImportError(f'{error}: pip install "waiter-envs[train]"', name=error.name) from error

import waiter_envs
from waiter_envs import records
from waiter_envs.agents.policies import FILE_NAME, load_policy, save_policy
from waiter_envs.arena.match import play_match
from waiter_envs.core.game import Game
from waiter_envs.records import DataSet


@dataclass
class Args:
    """Clone an agent from its games."""

    game: str = "greasy_spoon"
    """name of the game"""
    preset: str | None = None
    """ready variant of the game; "None": its default"""
    agent: str = "heuristic"
    """who is cloned"""
    games: int = 100_000
    """games to learn from"""
    test_games: int = 1000
    """games to measure agreement on"""
    matches: int = 10_000
    """games against random players, and as many against the agent"""
    epochs: int = 1
    """passes over the games"""
    chunk: int = 2048
    """games in memory at once, whose decisions are shuffled"""
    minibatch_size: int = 1024
    """decisions of a gradient step"""
    learning_rate: float = 2e-3
    """of Adam; falls to 0 by the end"""
    hidden: tuple[int, ...] = (256, 256)
    """sizes of the hidden layers"""
    seed: int = 1
    """of the games, the network and the shuffling"""
    torch_threads: int = 1
    """threads of PyTorch"""
    folder: Path = Path("runs/clone")
    """where everything is written"""


class Network(nn.Module):
    """A multi-layer perceptron from what is seen to logits of all actions."""

    def __init__(self, features: int, actions: int, hidden: tuple[int, ...]) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for inputs, outputs in itertools.pairwise((features, *hidden)):
            layers += [nn.Linear(inputs, outputs), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.actor = nn.Linear(hidden[-1], actions)

    def forward(self, observation: torch.Tensor, action_mask: torch.Tensor) -> torch.Tensor:
        """Return logits, -inf where an action is illegal."""
        logits = self.actor(self.trunk(observation.float()))
        return logits.masked_fill(action_mask == 0, -torch.inf)  # type: ignore[no-any-return]


def record(game: Game, config: Any, args: Args, path: Path, games: int, seed: int) -> None:
    """Let the agent play against itself, unless the file is there."""
    if path.exists():
        print(f"{path} is there, and used as it is")
        return
    unfinished = path.with_name(f"unfinished-{path.name}")
    unfinished.unlink(missing_ok=True)
    with tqdm(total=games, unit="game", desc=f"record {path.name}") as bar:
        play_match(
            game,
            config,
            [args.agent],
            games,
            seed,
            record=unfinished,
            thoughts=False,
            progress=bar.update,
        )
    unfinished.rename(path)


def minibatches(data: DataSet, size: int, chance: np.random.Generator) -> Iterator[Any]:
    """Yield the decisions of a chunk, shuffled: observations, masks and actions."""
    order = chance.permutation(len(data.action))
    for rows in np.array_split(order, max(1, len(order) // size)):
        yield tuple(
            torch.from_numpy(column[rows])
            for column in (data.observation, data.action_mask, data.action.astype(np.int64))
        )


def learn(network: Network, path: Path, games: int, args: Args) -> int:
    """Learn from a file of games; return from how many decisions."""
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate)
    chance = np.random.default_rng(args.seed)
    decisions = done = 0
    with tqdm(total=games * args.epochs, unit="game", desc="learn") as bar:
        for _ in range(args.epochs):
            for data in records.load_chunks(path, args.chunk):
                for group in optimizer.param_groups:
                    group["lr"] = args.learning_rate * (1 - done / (games * args.epochs))
                for observation, action_mask, action in minibatches(
                    data, args.minibatch_size, chance
                ):
                    logits = network(observation, action_mask)
                    loss = nn.functional.cross_entropy(logits, action)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                in_chunk = len(np.unique(data.game))
                done += in_chunk
                decisions += len(data.action)
                bar.update(in_chunk)
                bar.set_postfix(loss=f"{loss.item():.3f}")
    return decisions


@torch.no_grad()
def agreement(network: Network, path: Path, args: Args) -> float:
    """Return the share of decisions where the likeliest action is the one that was played."""
    same: list[npt.NDArray[np.bool_]] = []
    for data in records.load_chunks(path, args.chunk):
        seen, mask = torch.from_numpy(data.observation), torch.from_numpy(data.action_mask)
        parts = zip(seen.split(4096), mask.split(4096), strict=True)
        chosen = torch.cat([network(*part).argmax(dim=1) for part in parts]).numpy()
        same.append(chosen == data.action)
    return float(np.concatenate(same).mean())


def matches(game: Game, config: Any, args: Args) -> dict[str, Any]:
    """Return how the clone does at the table."""
    clone = load_policy(args.folder, game)
    result: dict[str, Any] = {}
    for opponent in ("random", args.agent):
        played = play_match(game, config, [clone, opponent], args.matches, args.seed)
        won = played.agents[0].record
        low, high = won.interval
        result[f"against {opponent}"] = {"win_rate": won.win_rate, "interval": [low, high]}
        print(f"won against {opponent}: {won.win_rate:.1%} ({low:.1%} to {high:.1%})")
    return result


def check(args: Args) -> tuple[Game, Any]:
    """Return the game and its variant; leave the script if an argument is wrong."""
    for name in ("games", "test_games", "matches", "epochs", "chunk", "minibatch_size"):
        if getattr(args, name) < 1:
            sys.exit(f"error: --{name.replace('_', '-')}: must be at least 1")
    if not args.hidden or min(args.hidden) < 1 or not args.learning_rate > 0:
        sys.exit("error: --hidden and --learning-rate: must be above 0")
    try:
        game = waiter_envs.load(args.game)
        waiter_envs.make_agent(game, args.agent)
        return game, game.config(preset=args.preset)
    except (ValueError, TypeError) as error:
        sys.exit(f"error: {error}")


def main(args: Args) -> dict[str, Any]:
    """Record, learn, measure; return the figures."""
    game, config = check(args)
    args.folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.torch_threads)
    files = args.folder / "games.jsonl.gz", args.folder / "test.jsonl.gz"
    start = time.perf_counter()
    record(game, config, args, files[0], args.games, args.seed)
    record(game, config, args, files[1], args.test_games, args.seed + 1)
    recorded = time.perf_counter()
    network = Network(game.num_features(config), game.num_actions(config), args.hidden)
    before = agreement(network, files[1], args)
    decisions = learn(network, files[0], args.games, args)
    learnt = time.perf_counter()
    save_policy(args.folder / FILE_NAME, game, config, network.state_dict())
    result: dict[str, Any] = {
        "arguments": dataclasses.asdict(args),
        "decisions": decisions,
        "agreement": agreement(network, files[1], args),
        "agreement of the untrained network": before,
        "seconds to record": recorded - start,
        "seconds to learn": learnt - recorded,
    }
    print(f"{decisions:,} decisions, {learnt - start:.0f} s; plays the same action: ", end="")
    print(f"{result['agreement']:.1%} (untrained {before:.1%})")
    result |= matches(game, config, args)
    (args.folder / "result.json").write_text(json.dumps(result, indent=1, default=str))
    return result


if __name__ == "__main__":
    main(tyro.cli(Args))
