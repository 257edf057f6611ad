"""`PolicyAgent`: a policy that RLlib trained, as an agent that sits at any table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium.spaces import Dict, Discrete
from ray.rllib.core.columns import Columns

from waiter_envs.agents import Agent, Decisions
from waiter_envs.game import Game
from waiter_envs.rllib.module import MaskedModule
from waiter_envs.spaces import bits


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

    def save(self, path: str | Path, game: Game) -> None:
        """Write the policy, which plays `game`, to a file that `load` reads."""
        space: Any = self.module.observation_space
        stored = {
            "game": game.name,
            "version": game.version,
            "features": space["observation"].shape[0],
            "actions": space["action_mask"].shape[0],
            "model": self.module.model_config,
            "inference_only": bool(self.module.inference_only),
            "weights": self.module.state_dict(),
        }
        torch.save(stored, path)

    @classmethod
    def load(cls, path: str | Path, game: Game, **options: Any) -> PolicyAgent:
        """Return the policy that `save` wrote, running no code from the file.

        Args:
            path: the file.
            game: the game that it is to play.
            **options: those of the constructor.

        Raises:
            OSError: if there is no such file.
            ValueError: if the file is damaged, holds something else, or plays another game.
        """
        with Path(path).open("rb") as file:
            try:
                stored = torch.load(file, map_location="cpu", weights_only=True)
                found = stored["game"], stored["version"]
                module = cls._module(stored)
            except Exception as error:
                raise ValueError(f"{path} is damaged, or holds no policy ({error!r})") from error
        if found != (game.name, game.version):
            raise ValueError(
                f"{path} plays {found[0]} version {found[1]}, "
                f"not {game.name} version {game.version}"
            )
        return cls(module, **options)

    @staticmethod
    def _module(stored: dict[str, Any]) -> MaskedModule:
        """Return the module that `save` described."""
        features, actions = bits(stored["features"]), bits(stored["actions"])
        module = MaskedModule(
            observation_space=Dict({"observation": features, "action_mask": actions}),
            action_space=Discrete(stored["actions"]),
            model_config=stored["model"],
            inference_only=stored["inference_only"],
        )
        module.load_state_dict(stored["weights"])
        return module
