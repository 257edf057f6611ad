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
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

try:
    import torch
    import tyro
    from torch import nn
    from torch.nn.functional import embedding_bag
    from torch.utils.tensorboard import SummaryWriter
    from tqdm import tqdm
except ImportError as error:
    raise ImportError(f'{error}: pip install "waiter-envs[train]"', name=error.name) from error

import waiter_envs
from waiter_envs.agents.agent import Agent, Decisions, Thoughts
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
    num_tables: int = 256
    """tables played at once"""
    num_steps: int = 32
    """decisions at each table between two updates"""
    update_epochs: int = 2
    """passes over the decisions of an update"""
    minibatch_size: int = 512
    """decisions of a gradient step"""
    learning_rate: float = 1.5e-3
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
    record: bool = False
    """write the games of evaluations to `evaluation.jsonl`, with what the policy thought"""

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


# -- Zeros and ones ----------------------------------------------------------------------------
#
# Nearly all of an observation and of a mask of actions is 0. Adding up the weights where the 1s are
# is several times as fast as multiplying, and so is looking at the legal actions alone.


class Ones:
    """Rows of 0s and 1s, told by the columns of the 1s, row after row."""

    def __init__(
        self, column: npt.NDArray[np.int64], start: npt.NDArray[np.int64], width: int
    ) -> None:
        """Let row i have its 1s in the columns `column[start[i] : start[i + 1]]` of `width`."""
        self.column = column
        self.start = start
        self.width = width

    @classmethod
    def of(cls, rows: npt.NDArray[np.int8]) -> Ones:
        """Find the 1s of `(rows, width)`."""
        width = rows.shape[1]
        place = np.flatnonzero(rows.view(np.bool_))
        first = np.arange(len(rows) + 1) * width
        start = np.searchsorted(place, first)
        return cls(place - np.repeat(first[:-1], np.diff(start)), start, width)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.start) - 1

    def __getitem__(self, rows: npt.NDArray[np.int64]) -> Ones:
        """Return some of the rows."""
        count = self.start[rows + 1] - self.start[rows]
        start = np.concatenate([[0], count.cumsum()])
        which = np.arange(start[-1]) + np.repeat(self.start[rows] - start[:-1], count)
        return Ones(self.column[which], start, self.width)

    @cached_property
    def row(self) -> npt.NDArray[np.int64]:
        """Return the row of each 1."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    @cached_property
    def by_column(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the 1s in the order of their columns, and where each column begins."""
        column = self.column.astype(np.min_scalar_type(self.width))  # short numbers sort faster
        start = np.bincount(self.column, minlength=self.width).cumsum()
        return np.argsort(column, kind="stable"), np.concatenate([[0], start])


def tensor(array: npt.NDArray[Any], like: torch.Tensor) -> torch.Tensor:
    """Return an array as a tensor, where `like` is."""
    return torch.from_numpy(array).to(like.device)


def add_up(
    vectors: torch.Tensor,
    which: npt.NDArray[np.int64],
    start: npt.NDArray[np.int64],
    factor: torch.Tensor | None = None,
) -> torch.Tensor:
    """Return for each i the sum of `vectors[which[start[i] : start[i + 1]]]`, times factors."""
    return embedding_bag(
        tensor(which, vectors),
        vectors.detach(),
        tensor(start, vectors),
        mode="sum",
        per_sample_weights=factor,
        include_last_offset=True,
    )


class RowsOfOnes(torch.autograd.Function):
    """`ones @ weight`."""

    @staticmethod
    def forward(ctx: Any, weight: torch.Tensor, ones: Ones) -> torch.Tensor:
        """Return `(rows, outputs)` for weights `(width, outputs)`."""
        ctx.ones = ones
        return add_up(weight, ones.column, ones.start)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:  # type: ignore[override]
        """Return the gradient of the weights."""
        order, start = ctx.ones.by_column
        return add_up(gradient, ctx.ones.row[order], start), None


class AtOnes(torch.autograd.Function):
    """`view @ weight.T`, but only where the 1s are."""

    @staticmethod
    def forward(ctx: Any, view: torch.Tensor, weight: torch.Tensor, ones: Ones) -> torch.Tensor:
        """Return a number for each 1, from `(rows, inputs)` and weights `(width, inputs)`."""
        ctx.save_for_backward(view, weight)
        ctx.ones = ones
        start, column = tensor(ones.start, view), tensor(ones.column, view)
        where = torch.sparse_csr_tensor(
            start, column, view.new_zeros(len(column)), (len(ones), ones.width)
        )
        return torch.sparse.sampled_addmm(where, view, weight.t()).values()

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, None]:  # type: ignore[override]
        """Return the gradients of the view and of the weights."""
        view, weight = ctx.saved_tensors
        ones = ctx.ones
        order, start = ones.by_column
        by_column = gradient.index_select(0, tensor(order, gradient))
        return (
            add_up(weight, ones.column, ones.start, gradient),
            add_up(view, ones.row[order], start, by_column),
            None,
        )


warnings.filterwarnings("ignore", "Sparse (CSR tensor support|invariant checks)")  # of PyTorch


class FirstLayer(nn.Linear):
    """A linear layer for rows of 0s and 1s."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs)
        # The weights of an input lie side by side; the shape stays that of any linear layer.
        self.weight = nn.Parameter(self.weight.detach().t().contiguous().t())

    def forward(self, ones: Ones) -> torch.Tensor:
        """Return `(rows, outputs)`."""
        return RowsOfOnes.apply(self.weight.t(), ones) + self.bias


def log_softmax(logits: torch.Tensor, legal: Ones) -> torch.Tensor:
    """Return log-probabilities of the legal actions, of whose logits `logits` is made."""
    row = tensor(legal.row, logits)
    logits = logits - largest(logits.detach(), legal).index_select(0, row)
    total = logits.new_zeros(len(legal)).index_add(0, row, logits.exp())
    return logits - total.log().index_select(0, row)


def largest(numbers: torch.Tensor, legal: Ones) -> torch.Tensor:
    """Return the largest number of each row."""
    least = numbers.new_full((len(legal),), -torch.inf)
    return least.scatter_reduce(0, tensor(legal.row, numbers), numbers, "amax")


# -- The policy --------------------------------------------------------------------------------


class Network(nn.Module):
    """A multi-layer perceptron with a head for the policy and one for the value."""

    def __init__(self, features: int, actions: int, hidden: tuple[int, ...]) -> None:
        super().__init__()
        layers: list[nn.Module] = [prepared(FirstLayer(features, hidden[0]), 2**0.5), nn.ReLU()]
        for inputs, outputs in itertools.pairwise(hidden):
            layers += [prepared(nn.Linear(inputs, outputs), 2**0.5), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.actor = prepared(nn.Linear(hidden[-1], actions), 0.01)
        self.critic = prepared(nn.Linear(hidden[-1], 1), 1.0)

    def forward(self, seen: Ones, legal: Ones) -> tuple[torch.Tensor, torch.Tensor]:
        """Return log-probabilities of the legal actions, row after row, and values `(n,)`."""
        view = self.trunk(seen)
        return self.policy(view, legal), self.critic(view).squeeze(-1)

    def policy(self, view: torch.Tensor, legal: Ones) -> torch.Tensor:
        """Return log-probabilities of the legal actions, row after row."""
        logits = AtOnes.apply(view, self.actor.weight, legal)
        bias = self.actor.bias.index_select(0, tensor(legal.column, view))
        return log_softmax(logits + bias, legal)

    def value(self, seen: Ones) -> torch.Tensor:
        """Return values."""
        return self.critic(self.trunk(seen)).squeeze(-1)


Layer = TypeVar("Layer", bound=nn.Linear)


def prepared(layer: Layer, gain: float) -> Layer:
    """Return a linear layer after giving it orthogonal weights."""
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def likeliest(log_probabilities: torch.Tensor, legal: Ones) -> torch.Tensor:
    """Return which of the legal actions is the likeliest in each row."""
    top = largest(log_probabilities, legal)[torch.from_numpy(legal.row)]
    found = (log_probabilities == top).nonzero()[:, 0]
    return found[torch.searchsorted(found, torch.from_numpy(legal.start[:-1]))]


def draw(
    log_probabilities: torch.Tensor, legal: Ones, generator: torch.Generator | None = None
) -> torch.Tensor:
    """Draw one of the legal actions in each row, on the CPU; return which.

    The likeliest after adding Gumbel noise is such a draw.
    """
    noise = torch.empty_like(log_probabilities).exponential_(generator=generator)
    return likeliest(log_probabilities - noise.log(), legal)


class PolicyAgent(Agent):
    """The policy as an agent that can sit at any table of its variant."""

    name = "policy"

    def __init__(
        self, network: Network, device: str = "cpu", greedy: bool = True, seed: int = 0
    ) -> None:
        """Let `network` play: the likeliest action, or one drawn with a random stream."""
        self.network = network
        self.device = device
        self.greedy = greedy
        self.generator = torch.Generator().manual_seed(seed)

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return an action for each decision."""
        return self.think(decisions)[0]

    @torch.no_grad()
    def think(self, decisions: Decisions) -> tuple[npt.NDArray[np.int32], Thoughts]:
        """Return an action for each decision, with the probabilities of all, and the values."""
        seen, legal = Ones.of(decisions.observation), Ones.of(decisions.action_mask)
        log_probabilities, value = (out.cpu() for out in self.network(seen, legal))
        if self.greedy:
            chosen = likeliest(log_probabilities, legal)
        else:
            chosen = draw(log_probabilities, legal, self.generator)
        chances = np.zeros(decisions.action_mask.shape, np.float32)
        chances[legal.row, legal.column] = log_probabilities.exp()
        return legal.column[chosen.numpy()].astype(np.int32), Thoughts(chances, value.numpy())


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
def play(tables: Tables, network: Network, experience: Experience, clock: Clock) -> tuple[int, int]:
    """Fill `experience`; return how many games ended, and how many of these were cut."""
    ended = cut = 0
    for row in range(experience.num_players, experience.num_players + experience.num_steps):
        with clock("policy"):
            experience.observation[row] = tables.observation
            experience.action_mask[row] = tables.action_mask
            experience.player[row] = tables.current_player
            seen = Ones.of(experience.observation[row])
            legal = Ones.of(experience.action_mask[row])
            log_probabilities, value = network(seen, legal)
            log_probabilities = log_probabilities.cpu()
            chosen = draw(log_probabilities, legal)
            experience.action[row] = legal.column[chosen]
            experience.log_probability[row] = log_probabilities[chosen]
            experience.value[row] = value.cpu()
        with clock("environment"):
            tables.step(experience.action[row])
        with clock("policy"):
            experience.reward[row] = tables.rewards
            experience.ended[row] = tables.terminated | tables.truncated
            experience.final_value[row] = 0.0
            if tables.truncated.any():
                views = tables.final_observation(tables.truncated)
                values = network.value(Ones.of(views.reshape(-1, views.shape[-1]))).cpu()
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
    closed = np.flatnonzero(credits.closed)
    if len(closed) == 0:  # a rollout so short that nobody has decided twice
        return {}
    seen_then = Ones.of(flat(experience.observation))
    legal_then = Ones.of(flat(experience.action_mask))
    advantages = flat(credits.advantage)
    returns = advantages + flat(experience.value)
    columns = flat(experience.log_probability), advantages, returns
    shuffled = closed[torch.randperm(len(closed)).numpy()]
    batches = np.array_split(shuffled, max(1, round(len(closed) / args.minibatch_size)))
    minibatches = [(batch, seen_then[batch], legal_then[batch]) for batch in batches]
    for _ in range(args.update_epochs):
        for batch, seen, legal in minibatches:
            log_probabilities, value = network(seen, legal)
            taken = legal.column == flat(experience.action)[batch][legal.row]
            taken = tensor(np.flatnonzero(taken), value)
            log_probability = log_probabilities.index_select(0, taken)
            old_log_probability, advantage, target = (
                tensor(column[batch], value) for column in columns
            )
            log_ratio = log_probability - old_log_probability
            ratio = log_ratio.exp()
            advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
            clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
            policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
            value_loss = 0.5 * (value - target).square().mean()
            entropy = -(log_probabilities.exp() * log_probabilities).sum() / len(batch)
            loss = policy_loss + args.vf_coef * value_loss - args.ent_coef * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), args.max_grad_norm)
            optimizer.step()
    unexplained = advantages[closed].var() / returns[closed].var()
    return {
        "losses/policy_loss": policy_loss.item(),
        "losses/value_loss": value_loss.item(),
        "losses/entropy": entropy.item(),
        "losses/approx_kl": (ratio - 1 - log_ratio).mean().item(),
        "losses/clipfrac": ((ratio - 1).abs() > args.clip_coef).float().mean().item(),
        "losses/explained_variance": float(1 - unexplained),
    }


def flat(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a view of `(rows, tables, ...)` as `(rows * tables, ...)`."""
    rows, tables = array.shape[:2]
    return array.reshape(rows * tables, *array.shape[2:])


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
            patterns = ("checkpoint.pt", "evaluation.jsonl", "events.out.tfevents.*")
            for old in itertools.chain.from_iterable(map(self.folder.glob, patterns)):
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
            self.network.parameters(), lr=args.learning_rate, eps=1e-5, fused=True
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
        for weights, state in self.optimizer.state.items():
            for name in ("exp_avg", "exp_avg_sq"):  # laid out as the weights are
                state[name] = torch.empty_like(weights).copy_(state[name])
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
        ended, cut = play(self.tables, self.network, self.experience, self.clock)
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
        agent.name = f"policy after {self.step}"
        path = self.folder / "evaluation.jsonl" if self.args.record else None
        players = [agent, opponent]
        seed = self.args.seed
        result = play_match(self.game, self.config, players, games, seed, record=path)
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
