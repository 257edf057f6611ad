"""PPO with action masks by self-play: one policy learns in every seat of any of the games.

    python examples/cleanrl_ppo_selfplay.py
    python examples/cleanrl_ppo_selfplay.py --preset double_duty --total-timesteps 20000000

Everything is in this one file, after the manner of CleanRL: copy it and change it. What differs
from PPO in an environment of one agent stands in `credit`: a player's transition runs from one of
its decisions to its next one, whatever the others do in between. Policies with a memory are learnt
by `cleanrl_ppo_recurrent.py`.

A run writes to `runs/<run name>/`: TensorBoard's log, `evaluation.csv`, `checkpoint.pt`, and the
policy alone, `policy.npz`, as an agent for `python -m waiter_envs match`. The same command
continues a run that was stopped, and on the same machine it ends as if it had never stopped.
"""

from __future__ import annotations

import csv
import dataclasses
import itertools
import json
import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

try:
    import torch
    import tyro
    from torch import nn
    from torch.utils.tensorboard import SummaryWriter
    from tqdm import tqdm
except ImportError as error:
    raise ImportError(f'{error}: pip install "waiter-envs[train]"', name=error.name) from error

import waiter_envs
from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.agents.make import agent_names
from waiter_envs.agents.policies import FILE_NAME, save_policy
from waiter_envs.arena.match import play_match
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables


@dataclass
class Args:
    """Train one policy by self-play, then measure it against other agents."""

    game: str = "hey_waiter"
    """name of the game"""
    preset: str | None = None
    """ready variant of the game; "None": its first"""
    variant: str = "{}"
    """fields of the game's Config that change the preset, as JSON: '{"dishes": 6}'"""
    seed: int = 1
    """of the network, the tables, the choices and the evaluations"""
    device: Literal["cpu", "cuda"] = "cpu"
    """where the network lives"""
    torch_threads: int | None = None
    """threads of PyTorch and of the tables; "None": one for each core"""

    total_timesteps: int = 2_000_000
    """decisions to learn from, of all players at all tables"""
    num_tables: int = 128
    """tables played at once"""
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
    """where the folders of all runs are"""
    fresh: bool = False
    """start over, though the run has a checkpoint"""
    checkpoint_seconds: float = 30.0
    """least time between two checkpoints"""


def fail(problem: str) -> NoReturn:
    """Leave the script with an error message."""
    sys.exit(f"error: {problem}")


# -- The policy --------------------------------------------------------------------------------


class Network(nn.Module):
    """A multi-layer perceptron with a head for the policy and one for the value."""

    def __init__(self, features: int, actions: int, hidden: tuple[int, ...]) -> None:
        super().__init__()
        sizes = (features, *hidden)
        layers: list[nn.Module] = []
        for inputs, outputs in itertools.pairwise(sizes):
            layers += [linear(inputs, outputs, 2**0.5), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.actor = linear(sizes[-1], actions, 0.01)
        self.critic = linear(sizes[-1], 1, 1.0)

    def forward(
        self, observation: torch.Tensor, action_mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits `(n, actions)`, -1e8 where masked, and values `(n,)`."""
        view = self.trunk(observation.float())
        logits = self.actor(view).masked_fill(action_mask == 0, -1e8)
        return logits, self.critic(view).squeeze(-1)

    def value(self, observation: torch.Tensor) -> torch.Tensor:
        """Return values."""
        return self.critic(self.trunk(observation.float())).squeeze(-1)


def linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """Return a linear layer with orthogonal weights."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def draw(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Draw an action from each row of logits on the CPU; a masked one is never drawn."""
    cumulative = logits.softmax(-1).cumsum(-1)
    point = torch.rand(len(cumulative), 1, generator=generator) * cumulative[:, -1:]
    return (cumulative <= point).sum(-1)


class PolicyAgent(Agent):
    """The policy as an agent that can sit at any table of its variant."""

    def __init__(
        self, network: Network, device: str = "cpu", greedy: bool = True, seed: int = 0
    ) -> None:
        """Let `network` play: the likeliest action, or one drawn with a random stream."""
        self.network = network
        self.device = device
        self.greedy = greedy
        self.generator = torch.Generator().manual_seed(seed)

    @torch.no_grad()
    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return an action for each decision."""
        observation = torch.tensor(decisions.observation, device=self.device)
        action_mask = torch.tensor(decisions.action_mask, device=self.device)
        logits = self.network(observation, action_mask)[0].cpu()
        action = logits.argmax(-1) if self.greedy else draw(logits, self.generator)
        return action.numpy().astype(np.int32)


# -- Credit ------------------------------------------------------------------------------------


class Credit(NamedTuple):
    """What `credit` finds out about each decision."""

    advantage: npt.NDArray[np.float32]
    """`(rows, tables)`: 0 where the transition is still open."""
    closed: npt.NDArray[np.bool_]
    """`(rows, tables)`: whether the transition ended, by a next decision or with the game."""
    owed: npt.NDArray[np.float32]
    """`(tables, players)`: what each player has received since its open decision."""


def credit(
    player: npt.NDArray[np.int8],
    value: npt.NDArray[np.float32],
    reward: npt.NDArray[np.float32],
    ended: npt.NDArray[np.bool_],
    final_value: npt.NDArray[np.float32],
    gamma: float,
    gae_lambda: float,
) -> Credit:
    """Estimate the advantage of every decision (GAE), each player's apart from the others'.

    A transition runs from a player's decision to the same player's next one at the same table in
    the same game, or to the end of that game, whoever makes the last move. Its reward is the sum
    of what the player receives meanwhile. Where neither has come yet it stays open: it is to be
    carried over to the next rollout, and decisions before it bootstrap from its value.

    Args:
        player: `(rows, tables)`: who decided, in the order of play; -1 where nobody did.
        value: `(rows, tables)`: value of the decider's view.
        reward: `(rows, tables, players)`: what each player received for the step.
        ended: `(rows, tables)`: whether the step ended the game.
        final_value: `(rows, tables, players)`: value of each player's view of the last position
            where the game was truncated, else 0. Cutting a game short is no result, so it must
            not look like a draw: stalling would beat losing.
        gamma: discount from a decision to the next one.
        gae_lambda: weight of longer estimates.

    Returns:
        See `Credit`.
    """
    rows, tables = player.shape
    advantage = np.zeros((rows, tables), np.float32)
    closed = np.zeros((rows, tables), np.bool_)
    # Of the decision of each player at each table that comes next in time:
    next_known = np.zeros(reward.shape[1:], np.bool_)
    next_value = np.zeros(reward.shape[1:], np.float32)
    next_advantage = np.zeros(reward.shape[1:], np.float32)
    received = np.zeros(reward.shape[1:], np.float32)  # from here on until then
    owed = np.zeros(reward.shape[1:], np.float32)
    for row in reversed(range(rows)):
        over = ended[row]
        next_known[over] = True
        next_value[over] = final_value[row, over]
        next_advantage[over] = 0.0
        received[over] = 0.0
        received += reward[row]
        table = np.flatnonzero(player[row] >= 0)
        one = table, player[row, table]  # the decider at each table
        known = next_known[one]
        error = received[one] + gamma * next_value[one] - value[row, table]
        estimate = np.where(known, error + gamma * gae_lambda * next_advantage[one], 0.0)
        advantage[row, table] = estimate
        closed[row, table] = known
        next_known[one] = True
        next_value[one] = value[row, table]
        next_advantage[one] = estimate
        owed[one] = np.where(known, owed[one], received[one])
        received[one] = 0.0
    return Credit(advantage, closed, owed)


# -- Experience --------------------------------------------------------------------------------


class Experience:
    """The decisions of a rollout in the order of play: arrays of `(rows, tables, ...)`.

    The first rows, one for each player, hold the open decisions of the last rollout.
    """

    def __init__(self, tables: Tables, num_steps: int) -> None:
        """Make room for `num_steps` decisions at every table."""
        self.num_players = tables.num_players
        self.num_steps = num_steps
        rows = (self.num_players + num_steps, tables.num_tables)
        self.observation = np.zeros((*rows, tables.num_features), np.int8)
        self.action_mask = np.zeros((*rows, tables.num_actions), np.int8)
        self.action = np.zeros(rows, np.int64)
        self.log_probability = np.zeros(rows, np.float32)
        self.value = np.zeros(rows, np.float32)
        self.player = np.full(rows, -1, np.int8)
        self.reward = np.zeros((*rows, self.num_players), np.float32)
        self.ended = np.zeros(rows, np.bool_)
        self.final_value = np.zeros((*rows, self.num_players), np.float32)

    def credit(self, gamma: float, gae_lambda: float) -> Credit:
        """Return the advantage of every decision."""
        return credit(
            self.player,
            self.value,
            self.reward,
            self.ended,
            self.final_value,
            gamma,
            gae_lambda,
        )

    def carry_over(self, closed: npt.NDArray[np.bool_], owed: npt.NDArray[np.float32]) -> None:
        """Move each player's open decision to the player's row at the top."""
        row, table = np.nonzero((self.player >= 0) & ~closed)
        player = self.player[row, table]
        columns: list[npt.NDArray[Any]] = [
            self.observation,
            self.action_mask,
            self.action,
            self.log_probability,
            self.value,
        ]
        kept = [column[row, table] for column in columns]
        for column, values in zip(columns, kept, strict=True):
            column[player, table] = values
        self.player[: self.num_players] = -1
        self.player[player, table] = player
        self.reward[: self.num_players] = 0.0
        self.reward[player, table, player] = owed[table, player]

    def open_decisions(self) -> dict[str, torch.Tensor]:
        """Return copies of the rows that hold open decisions."""
        return {
            name: torch.from_numpy(self.top(column).copy())
            for name, column in vars(self).items()
            if isinstance(column, np.ndarray)
        }

    def restore(self, open_decisions: dict[str, torch.Tensor]) -> None:
        """Put back what `open_decisions` returned."""
        for name, rows in open_decisions.items():
            self.top(getattr(self, name))[:] = rows.numpy()

    def top(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the rows of a column that hold open decisions."""
        return column[: self.num_players]


class Clock:
    """Adds up the wall time of the parts of a run."""

    def __init__(self) -> None:
        """Start the clock."""
        self.parts: dict[str, float] = {}
        self.start = time.perf_counter()

    @contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        """Count the time spent inside towards `part`."""
        start = time.perf_counter()
        yield
        self.parts[part] = self.parts.get(part, 0.0) + time.perf_counter() - start

    def total(self) -> float:
        """Return the seconds since the start."""
        return time.perf_counter() - self.start

    def add(self, total: float, parts: dict[str, float]) -> None:
        """Count the time of an earlier session too."""
        self.start -= total
        for part, seconds in parts.items():
            self.parts[part] = self.parts.get(part, 0.0) + seconds


@torch.no_grad()
def play(
    tables: Tables, network: Network, experience: Experience, device: str, clock: Clock
) -> tuple[int, int]:
    """Fill `experience`; return how many games ended, and how many of these were cut."""
    ended = cut = 0
    for row in range(experience.num_players, experience.num_players + experience.num_steps):
        with clock("policy"):
            experience.observation[row] = tables.observation
            experience.action_mask[row] = tables.action_mask
            experience.player[row] = tables.current_player
            observation = torch.from_numpy(experience.observation[row]).to(device)
            action_mask = torch.from_numpy(experience.action_mask[row]).to(device)
            logits, value = network(observation, action_mask)
            logits = logits.cpu()
            action = draw(logits)
            log_probability = logits.log_softmax(-1).gather(1, action[:, None])[:, 0]
            experience.action[row] = action
            experience.log_probability[row] = log_probability
            experience.value[row] = value.cpu()
        with clock("environment"):
            tables.step(experience.action[row])
        with clock("policy"):
            experience.reward[row] = tables.rewards
            experience.ended[row] = tables.terminated | tables.truncated
            experience.final_value[row] = 0.0
            if tables.truncated.any():
                views = torch.from_numpy(tables.final_observation(tables.truncated))
                values = network.value(views.flatten(0, 1).to(device)).cpu()
                experience.final_value[row, tables.truncated] = values.view(-1, tables.num_players)
            ended += int(experience.ended[row].sum())
            cut += int(tables.truncated.sum())
    return ended, cut


# -- Learning ----------------------------------------------------------------------------------


def learn(
    network: Network,
    optimizer: torch.optim.Optimizer,
    experience: Experience,
    credits: Credit,
    args: Args,
) -> dict[str, float]:
    """Update the network by PPO on all closed decisions; return what to log."""
    chosen = torch.from_numpy(np.flatnonzero(credits.closed))
    if len(chosen) == 0:  # a rollout so short that nobody has decided twice
        return {}
    observations, masks = flat(experience.observation), flat(experience.action_mask)
    actions = flat(experience.action)
    old_log_probabilities = flat(experience.log_probability)
    advantages = flat(credits.advantage)
    returns = advantages + flat(experience.value)
    columns = observations, masks, actions, old_log_probabilities, advantages, returns
    minibatches = max(1, round(len(chosen) / args.minibatch_size))
    for _ in range(args.update_epochs):
        for batch in chosen[torch.randperm(len(chosen))].tensor_split(minibatches):
            observation, mask, action, old_log_probability, advantage, target = (
                column[batch].to(args.device) for column in columns
            )
            logits, value = network(observation, mask)
            log_probabilities = logits.log_softmax(-1)
            log_probability = log_probabilities.gather(1, action[:, None])[:, 0]
            log_ratio = log_probability - old_log_probability
            ratio = log_ratio.exp()
            advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
            clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
            policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
            value_loss = 0.5 * (value - target).square().mean()
            entropy = -(log_probabilities.exp() * log_probabilities).sum(-1).mean()
            loss = policy_loss + args.vf_coef * value_loss - args.ent_coef * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), args.max_grad_norm)
            optimizer.step()
    unexplained = advantages[chosen].var() / returns[chosen].var()
    return {
        "losses/policy_loss": policy_loss.item(),
        "losses/value_loss": value_loss.item(),
        "losses/entropy": entropy.item(),
        "losses/approx_kl": (ratio - 1 - log_ratio).mean().item(),
        "losses/clipfrac": ((ratio - 1).abs() > args.clip_coef).float().mean().item(),
        "losses/explained_variance": 1 - unexplained.item(),
    }


def flat(array: npt.NDArray[Any]) -> torch.Tensor:
    """Return a view of `(rows, tables, ...)` as a tensor of `(rows * tables, ...)`."""
    rows, tables = array.shape[:2]
    return torch.from_numpy(array.reshape(rows * tables, *array.shape[2:]))


# -- Checkpoints -------------------------------------------------------------------------------


FIXED = (
    "hidden", "seed", "num_tables", "num_steps", "update_epochs", "minibatch_size", "learning_rate",
    "gamma", "gae_lambda", "clip_coef", "ent_coef", "vf_coef", "max_grad_norm",
)  # fmt: skip
"""Arguments that stay the same when a run is continued."""


def identity(game: Game, config: Any, args: Args) -> dict[str, Any]:
    """Return what a checkpoint has in common with every run that may continue it."""
    fields = [field.name for field in dataclasses.fields(config) if field.compare]
    return {
        "game": game.name,
        "version of the game": game.version,
        "variant": json.dumps({name: getattr(config, name) for name in fields}, default=repr),
        "features": game.num_features(config),
        "actions": game.num_actions(config),
        "bytes of a table": game.table_dtype(config).itemsize,
        **{name: getattr(args, name) for name in FIXED},
    }


def save_checkpoint(path: Path, checkpoint: dict[str, Any]) -> None:
    """Write a checkpoint whole or not at all."""
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        torch.save(checkpoint, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Read a checkpoint, running no code from it; leave the script if it is damaged."""
    try:
        checkpoint: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        checkpoint["identity"], checkpoint["network"]
    except Exception as error:
        fail(f"{path} is damaged, or no checkpoint of this script ({error!r})")
    return checkpoint


def check_identity(path: Path, found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Leave the script if a checkpoint is another game's, variant's, network's or script's."""
    for name in {**expected, **found}:
        if found.get(name) != expected.get(name):
            fail(
                f"{path} is of another run: its {name} is {found.get(name)}, and this run's is "
                f"{expected.get(name)}. Choose another --run-name, or start over with --fresh"
            )


# -- The run -----------------------------------------------------------------------------------


class Run:
    """A run: what it holds, how it learns, what it writes."""

    def __init__(self, args: Args) -> None:
        """Set up a run, or take it up where its last checkpoint left it."""
        self.args = args
        self.clock = Clock()
        self.game, self.config = variant(args)
        self.opponents = opponents(args, self.game)
        name = args.run_name or f"{args.game}__{args.preset}__seed{args.seed}"
        self.folder = args.runs / name
        self.checkpoint = self.folder / "checkpoint.pt"
        self.identity = identity(self.game, self.config, args)
        self.folder.mkdir(parents=True, exist_ok=True)
        if args.fresh:
            for old in (self.checkpoint, *self.folder.glob("events.out.tfevents.*")):
                old.unlink(missing_ok=True)
        checkpoint = None
        if self.checkpoint.exists():
            checkpoint = read_checkpoint(self.checkpoint)
            check_identity(self.checkpoint, checkpoint["identity"], self.identity)

        threads = args.torch_threads or torch.get_num_threads()
        torch.set_num_threads(threads)
        torch.manual_seed(args.seed)
        with self.clock("compilation"):
            self.tables = Tables(
                self.game, self.config, args.num_tables, args.seed, num_threads=threads
            )
        self.network = Network(self.tables.num_features, self.tables.num_actions, args.hidden)
        self.network.to(args.device)
        self.experience = Experience(self.tables, args.num_steps)
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=args.learning_rate, eps=1e-5
        )
        self.step = 0
        self.steps = args.num_tables * args.num_steps
        self.total = math.ceil(args.total_timesteps / self.steps) * self.steps
        self.evaluations: list[dict[str, Any]] = []
        if checkpoint:
            self.restore(checkpoint)
            print(f"continues {self.checkpoint} at step {self.step:,} (--fresh starts over)")
        self.writer = SummaryWriter(str(self.folder), purge_step=self.step + 1)
        arguments = "".join(f"    {name}: {value}\n" for name, value in vars(args).items())
        self.writer.add_text("arguments", arguments, self.step)

    def save(self) -> None:
        """Write a checkpoint of everything that the rest of the run depends on."""
        save_checkpoint(
            self.checkpoint,
            {
                "identity": self.identity,
                "step": self.step,
                "network": self.network.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "random": torch.get_rng_state(),
                "tables": torch.from_numpy(self.tables.state.view(np.uint8).copy()),
                "open": self.experience.open_decisions(),
                "seconds": self.clock.total(),
                "parts": self.clock.parts,
                "evaluations": self.evaluations,
            },
        )
        weights = {name: array.cpu() for name, array in self.network.state_dict().items()}
        save_policy(self.folder / FILE_NAME, self.game, self.config, weights)

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Take up the run where a checkpoint left it."""
        self.step = checkpoint["step"]
        self.network.load_state_dict(checkpoint["network"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
        torch.set_rng_state(checkpoint["random"])
        self.tables.state = checkpoint["tables"].numpy().view(self.tables.state.dtype)
        self.experience.restore(checkpoint["open"])
        self.clock.add(checkpoint["seconds"], checkpoint["parts"])
        self.evaluations = checkpoint["evaluations"]

    def train(self) -> None:
        """Play and learn until the steps are done."""
        args = self.args
        saved = time.monotonic()
        with tqdm(total=self.total, initial=self.step, unit="step", unit_scale=True) as bar:
            if self.step == 0:
                bar.write(self.summary(self.evaluate(args.eval_games)))
            while self.step < self.total:
                before = self.step
                self.update()
                bar.update(self.step - before)
                due = self.step // args.eval_interval > before // args.eval_interval
                if due and self.step < self.total:
                    bar.write(self.summary(self.evaluate(args.eval_games)))
                if time.monotonic() - saved >= args.checkpoint_seconds:
                    self.save()
                    saved = time.monotonic()
        self.save()

    def update(self) -> None:
        """Play `num_steps` decisions at every table and learn from them."""
        args = self.args
        start = time.perf_counter()
        learning_rate = args.learning_rate * (1 - self.step / self.total)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        ended, cut = play(self.tables, self.network, self.experience, args.device, self.clock)
        with self.clock("learning"):
            credits = self.experience.credit(args.gamma, args.gae_lambda)
            log = learn(self.network, self.optimizer, self.experience, credits, args)
            self.experience.carry_over(credits.closed, credits.owed)
        self.step += self.steps
        log["charts/SPS"] = self.steps / (time.perf_counter() - start)
        log["charts/learning_rate"] = learning_rate
        if ended:
            log["games/decisions_per_game"] = self.steps / ended
            log["games/truncated"] = cut / ended
        for tag, number in log.items():
            self.writer.add_scalar(tag, number, self.step)

    def evaluate(self, games: int) -> list[dict[str, Any]]:
        """Play against every opponent, write the results down, and return them."""
        with self.clock("evaluation"):
            results = [self.match(opponent, games) for opponent in self.opponents]
        self.evaluations += results
        for row in results:
            self.writer.add_scalar(f"win_rate/{row['opponent']}", row["win_rate"], self.step)
        self.write_table()
        return results

    def match(self, opponent: str, games: int) -> dict[str, Any]:
        """Play against an opponent, on every side equally often; return a row of the table."""
        agent = PolicyAgent(self.network, self.args.device, self.args.greedy, self.args.seed)
        result = play_match(self.game, self.config, [agent, opponent], games, self.args.seed)
        record = result.agents[0].record
        return {
            "step": self.step,
            "seconds": round(self.clock.total(), 1),
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
        """Return one line that tells how often the policy won."""
        line = f"{self.step:>12,} steps, {self.clock.total():.0f} s"
        for row in results:
            interval = f"{row['low']:.0%} to {row['high']:.0%}"
            line += f", {row['win_rate']:.1%} ({interval}) won against {row['opponent']}"
        return line

    def write_table(self) -> None:
        """Write all evaluations to `evaluation.csv`."""
        if self.evaluations:
            with (self.folder / "evaluation.csv").open("w", newline="") as file:
                table = csv.DictWriter(file, list(self.evaluations[0]))
                table.writeheader()
                table.writerows(self.evaluations)

    def report(self) -> None:
        """Evaluate at length, and print the result and where the time went."""
        results = self.evaluate(self.args.final_games)
        total = self.clock.total()
        print(f"\n{self.game.title}, {self.args.preset}: ", end="")
        print(f"{self.step:,} decisions, {total:.0f} s")
        print(f"{'opponent':<12}{'games':>7}{'won':>8}  95 % interval{'drawn':>9}{'lost':>8}")
        for row in results:
            drawn, lost = row["draws"] / row["games"], row["losses"] / row["games"]
            interval = f"{row['low']:.1%} to {row['high']:.1%}"
            print(f"{row['opponent']:<12}{row['games']:>7}{row['win_rate']:>8.1%}", end="")
            print(f"  {interval:<14}{drawn:>8.1%}{lost:>8.1%}")
        parts = [f"{part} {seconds / total:.1%}" for part, seconds in self.clock.parts.items()]
        print(f"time: {', '.join(parts)}")


# -- Command line ------------------------------------------------------------------------------


LEAST = {
    0: (
        "seed", "learning_rate", "ent_coef", "vf_coef", "max_grad_norm", "clip_coef",
        "checkpoint_seconds",
    ),
    1: (
        "total_timesteps", "num_tables", "num_steps", "update_epochs", "minibatch_size",
        "eval_interval", "eval_games", "final_games",
    ),
}  # fmt: skip
"""Arguments that must be at least so much."""


def check(args: Args) -> None:
    """Leave the script if an argument is out of range."""
    for low, names in LEAST.items():
        for name in names:
            if not getattr(args, name) >= low:
                fail(f"--{option(name)} {getattr(args, name)}: must be at least {low}")
    for name in ("gamma", "gae_lambda"):
        if not 0 <= getattr(args, name) <= 1:
            fail(f"--{option(name)} {getattr(args, name)}: must be from 0 to 1")
    if args.torch_threads is not None and args.torch_threads < 1:
        fail(f"--torch-threads {args.torch_threads}: must be at least 1, or None")
    if not args.hidden or min(args.hidden) < 1:
        fail(f"--hidden {args.hidden}: give the size of each hidden layer, at least 1")
    folder = args.run_name
    if folder is not None and (folder in ("", "..") or Path(folder).name != folder):
        fail(f"--run-name {folder}: must be the name of a folder, not a path")
    if args.device == "cuda" and not torch.cuda.is_available():
        fail("--device cuda: PyTorch finds no CUDA device here; use --device cpu")


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
        run.writer.close()


if __name__ == "__main__":
    main(tyro.cli(Args))
