"""`MaskedModule`: the policy of RLlib's PPO, with actions masked."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from gymnasium.spaces import Dict
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns

MASKED = -1e8
"""Logit of an action that is not legal."""


class MaskedModule(DefaultPPOTorchRLModule):
    """RLlib's PPO module with a value head, for observations that carry an action mask.

    Observations are `{"observation": ..., "action_mask": ...}`, as PettingZoo has them and as all
    environments of this library give them. The network is RLlib's own for `observation`, and
    `model_config` (`DefaultModelConfig`) says which: `fcnet_hiddens`, `use_lstm` and so on.
    """

    def __init__(
        self, *, observation_space: Any = None, model_config: Any = None, **kwargs: Any
    ) -> None:
        """Build the network.

        Args:
            observation_space: a `Dict` of `observation` and `action_mask`.
            model_config: what the network looks like, a `DefaultModelConfig` or a dict.
            **kwargs: what else RLlib gives to every module.

        Raises:
            ValueError: for another observation space.
        """
        names = {"observation", "action_mask"}
        if not isinstance(observation_space, Dict) or not names <= set(observation_space.spaces):
            raise ValueError(
                f"observation_space={observation_space}: must be a Dict of `observation` and "
                "`action_mask`, and no connector may flatten it"
            )
        if dataclasses.is_dataclass(model_config):
            model_config = dataclasses.asdict(model_config)  # type: ignore[arg-type]
        super().__init__(
            observation_space=observation_space["observation"],
            model_config=model_config,
            **kwargs,
        )
        self.observation_space = observation_space

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return self._masked(super()._forward(_unmasked(batch), **kwargs), batch)

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return self._masked(super()._forward_train(_unmasked(batch), **kwargs), batch)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Return the value of each observation, of the same shape as the batch."""
        return super().compute_values(_unmasked(batch), embeddings)

    def _masked(self, output: dict[str, Any], batch: dict[str, Any]) -> dict[str, Any]:
        illegal = batch[Columns.OBS]["action_mask"] == 0
        logits = output[Columns.ACTION_DIST_INPUTS]
        return {**output, Columns.ACTION_DIST_INPUTS: logits.masked_fill(illegal, MASKED)}


def _unmasked(batch: dict[str, Any]) -> dict[str, Any]:
    """Return the batch as the network takes it, with numbers for bits and without masks."""
    return {**batch, Columns.OBS: batch[Columns.OBS]["observation"].float()}
