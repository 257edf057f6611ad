"""How much one learner gains against frozen others: an approximate best response, by PPO.

    python examples/best_response.py --game greasy_spoon --against heuristic
    python examples/best_response.py --game dessert --against runs/mine

It learns in one seat, drawn anew for each game; copies of `--against` sit in all others and never
change. In the end it plays each deal once in every seat: the share of games that its side wins,
less what is even, is a LOWER bound on how exploitable the others are. A longer run, or a better
learner, may find more. Writes `policy.npz` to `runs/<run name>/`, for `python -m waiter_envs
benchmark --exploiters`. Needs `pip install "waiter-envs[train]"`.
"""

from __future__ import annotations

import json
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

try:
    import torch
    import tyro
    from torch import nn
    from torch.nn.functional import mse_loss
except ImportError as error:
    raise ImportError(f'{error}: pip install "waiter-envs[train]"', name=error.name) from error

import waiter_envs
from waiter_envs import SingleAgentVectorEnv
from waiter_envs.agents.policies import FILE_NAME, save_policy
from waiter_envs.arena.shares import Hall, Share
from waiter_envs.core.workers import num_cores


@dataclass
class Args:
    """Train in one seat against frozen others, and say what that gains."""

    against: str = "heuristic"
    """who sits in all other seats: the name of an agent, or the path of a policy"""
    game: str = "greasy_spoon"
    """name of the game"""
    preset: str | None = None
    """ready variant of the game; "None": its first"""
    variant: str = "{}"
    """fields of the game's Config that change the preset, as JSON: '{"dishes": 6}'"""
    seed: int = 1
    """of the network, the tables and the evaluation"""
    torch_threads: int | None = None
    """threads of PyTorch; "None": one for each core"""

    total_timesteps: int = 1_000_000
    """decisions of the learner"""
    num_envs: int = 256
    """tables played at once"""
    num_steps: int = 32
    """decisions at each table between two updates"""
    update_epochs: int = 2
    """passes over the decisions of an update"""
    minibatch_size: int = 1024
    """decisions of a gradient step"""
    learning_rate: float = 1.5e-3
    """of Adam; falls to 0 by the end"""
    gamma: float = 0.999
    """discount from a decision to the next one"""
    gae_lambda: float = 0.95
    """lambda of generalised advantage estimation"""
    clip_coef: float = 0.2
    """how far the ratio of probabilities may move"""
    ent_coef: float = 0.005
    """weight of the entropy"""
    vf_coef: float = 0.5
    """weight of the value's loss"""
    max_grad_norm: float = 0.5
    """norm to which gradients are cut"""
    hidden: int = 256
    """size of the two hidden layers"""

    deals: int = 400
    """deals of the evaluation; each is played once in every seat"""
    run_name: str | None = None
    """folder of the run; "None": named after the game and whom it plays against"""
    runs: Path = Path("runs")
    """where the folders of all runs are"""


class Network(nn.Module):
    """Logits of all actions, and a value."""

    def __init__(self, features: int, actions: int, hidden: int) -> None:
        """Draw the weights."""
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()
        )
        self.actor, self.critic = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Any, torch.Tensor]:
        """Return the distribution of actions, and the value, `(n,)`."""
        view = self.trunk(seen.float())
        logits = self.actor(view).masked_fill(mask == 0, -torch.inf)
        policy = torch.distributions.Categorical(logits=logits, validate_args=False)
        return policy, self.critic(view).squeeze(1)


def entropy(policy: Any) -> torch.Tensor:
    """Return entropies of distributions in which some actions are illegal."""
    return -(policy.probs * policy.logits.clamp(min=-1e9)).sum(1)


def learn(args: Args, envs: SingleAgentVectorEnv, network: Network) -> None:
    """Train the network: PPO, as CleanRL writes it."""
    optimizer = torch.optim.Adam(network.parameters(), args.learning_rate, eps=1e-5)
    shape = args.num_steps, args.num_envs
    now, _ = envs.reset(seed=args.seed)
    seen = torch.zeros((*shape, now["observation"].shape[1]), dtype=torch.int8)
    masks = torch.zeros((*shape, now["action_mask"].shape[1]), dtype=torch.int8)
    chosen = torch.zeros(shape, dtype=torch.int64)
    log_probs, values, rewards, dones = (torch.zeros(shape) for _ in range(4))
    updates = max(1, args.total_timesteps // (args.num_steps * args.num_envs))
    start, won, played = time.perf_counter(), 0, 0
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - update / updates)
        for step in range(args.num_steps):
            seen[step] = torch.as_tensor(now["observation"])
            masks[step] = torch.as_tensor(now["action_mask"])
            with torch.no_grad():
                policy, values[step] = network(seen[step], masks[step])
                chosen[step] = policy.sample()
                log_probs[step] = policy.log_prob(chosen[step])
            now, reward, terminated, truncated, _ = envs.step(chosen[step].numpy())
            rewards[step] = torch.as_tensor(reward)
            dones[step] = torch.as_tensor(terminated | truncated)
            won += int((reward > 0).sum())
            played += int((terminated | truncated).sum())

        with torch.no_grad():
            following = network(*(torch.as_tensor(now[k]) for k in ("observation", "action_mask")))[
                1
            ]
            advantages, carried = torch.zeros(shape), torch.zeros(args.num_envs)
            for step in reversed(range(args.num_steps)):
                goes_on = 1.0 - dones[step]
                delta = rewards[step] + args.gamma * following * goes_on - values[step]
                carried = delta + args.gamma * args.gae_lambda * goes_on * carried
                advantages[step], following = carried, values[step]
            returns = advantages + values

        flat = [array.flatten(0, 1) for array in (seen, masks, chosen, log_probs)]
        gains, targets = advantages.flatten(), returns.flatten()
        for _ in range(args.update_epochs):
            for rows in torch.randperm(len(gains)).split(args.minibatch_size):
                observation, mask, action, old = (array[rows] for array in flat)
                policy, value = network(observation, mask)
                ratio = (policy.log_prob(action) - old).exp()
                gain = gains[rows]
                gain = (gain - gain.mean()) / (gain.std(correction=0) + 1e-8)
                clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
                loss = (
                    -torch.min(ratio * gain, clipped * gain).mean()
                    - args.ent_coef * entropy(policy).mean()
                    + args.vf_coef * mse_loss(value, targets[rows])
                )
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), args.max_grad_norm)
                optimizer.step()

        if (update + 1) % 10 == 0 or update + 1 == updates:
            decisions = (update + 1) * args.num_steps * args.num_envs
            pace = decisions / (time.perf_counter() - start)
            print(f"{decisions:,} decisions, {pace:,.0f} a second, {won / max(1, played):.1%} won")
            won, played = 0, 0


def run_name(args: Args) -> str:
    """Return the name of the folder of a run, which tells against whom it was."""
    who = re.sub(r"[^\w.=-]+", "-", args.against)
    variant = re.sub(r"\W+", "-", f"{args.preset} {args.variant}").strip("-")
    return args.run_name or f"best_response__{args.game}__{variant}__{who}__{args.seed}"


def main(args: Args) -> Share:
    """Train, save and measure; return what the learner gains over an even share."""
    threads = args.torch_threads or num_cores()
    torch.set_num_threads(threads)
    torch.manual_seed(args.seed)
    game = waiter_envs.load(args.game)
    config = game.config(preset=args.preset, **json.loads(args.variant))
    envs = SingleAgentVectorEnv(
        game, args.num_envs, opponents=args.against, autoreset_mode="SameStep", config=config
    )
    hall = Hall(game, config, args.deals, args.seed, threads)
    network = Network(game.num_features(config), game.num_actions(config), args.hidden)
    learn(args, envs, network)

    path = args.runs / run_name(args) / FILE_NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    save_policy(path, game, config, {k: v.numpy() for k, v in network.state_dict().items()})
    share = hall.seat(str(path), args.against).share
    gain = share.less(hall.even)
    print(f"{path}: won {share.value:.1%} of {share.games} games against {args.against}")
    print(
        f"exploitable by at least {100 * gain.value:+.1f} points over the even {hall.even:.0%} "
        f"(95% interval {100 * gain.low:+.1f} to {100 * gain.high:+.1f})"
    )
    return gain


if __name__ == "__main__":
    try:
        main(tyro.cli(Args))
    except (TypeError, ValueError) as error:
        sys.exit(f"error: {error}")
