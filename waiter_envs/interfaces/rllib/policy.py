"""`PolicyAgent`: a policy that RLlib trained, as an agent that sits at any table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from ray.rllib.core.columns import Columns

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.agents.policies import save_policy, weights_of
from waiter_envs.core.game import Game
from waiter_envs.interfaces.rllib.module import MaskedModule


class PolicyAgent(Agent):
    """A `MaskedModule` as an agent that can sit at any table of its variant."""

    name = "policy"

    def __init__(self, module: MaskedModule, *, greedy: bool = True, seed: int = 0) -> None:
        """Let `module` play.

        Args:
            module: the policy, without a state of its own.
            greedy: choose the likeliest action; else draw one.
            seed: of the draws.

        Raises:
            ValueError: for a recurrent policy.
        """
        if module.is_stateful():
            raise ValueError("a recurrent policy cannot play as a PolicyAgent")
        self.module = module
        self.greedy = greedy
        self.generator = torch.Generator().manual_seed(seed)

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""
        seen = {
            "observation": torch.tensor(decisions.observation),
            "action_mask": torch.tensor(decisions.action_mask),
        }
        logits = self.module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
        if self.greedy:
            action = logits.argmax(-1)
        else:
            action = torch.multinomial(logits.softmax(-1), 1, generator=self.generator)[:, 0]
        return action.numpy().astype(np.int32)

    def save(self, path: str | Path, game: Game, config: Any) -> None:
        """Write the policy to a file that `waiter_envs.agents.policies.load_policy` reads.

        Args:
            path: of the file, usually `policy.npz`.
            game: the game that it plays.
            config: the variant that it has learnt.

        Raises:
            ValueError: if the module is no stack of dense layers with ReLU or Tanh.
        """
        encoder = self.module.encoder
        actor = getattr(encoder, "actor_encoder", None) or encoder.encoder
        layers = [
            layer
            for part in (actor, self.module.pi)
            for layer in part.modules()
            if not list(layer.children())
        ]
        save_policy(path, game, config, *weights_of(layers))
