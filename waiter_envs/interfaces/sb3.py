"""Stable-Baselines3: its `VecEnv` around many tables, and its policies as agents.

Needs the extra `sb3`: `pip install "waiter-envs[sb3]"`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent, Decisions, Thoughts
from waiter_envs.agents.policies import save_policy, weights_of
from waiter_envs.core.game import Game
from waiter_envs.core.tables import AutoresetMode
from waiter_envs.interfaces.gymnasium_vector import SingleAgentVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError(
        'Stable-Baselines3 is not installed: pip install "waiter-envs[sb3]"'
    ) from error

Indices = None | int | Iterable[int]

_PER_TABLE = ("action_masks", "render")
"""Methods of the vector environment that answer for all tables at once."""


class TablesVecEnv(VecEnv):
    """Many tables, at each of which a learner plays against agents, as SB3 wants them.

    The whole batch is stepped at once. `env_method("action_masks")` and `get_attr("action_masks")`
    answer as those of single environments do, so `sb3_contrib.MaskablePPO` takes it as it is.
    A game that is over is dealt again in the same step: its last observation is in the info's
    `terminal_observation`, and `TimeLimit.truncated` tells whether it was cut.
    """

    def __init__(self, envs: SingleAgentVectorEnv) -> None:
        """Wrap tables.

        Args:
            envs: made with `autoreset_mode="SameStep"`; observations may be flat
                (`MlpPolicy`) or not (`MultiInputPolicy`).

        Raises:
            TypeError: if `envs` is none of ours.
            ValueError: for another autoreset mode, or if it hands out views.
        """
        if not isinstance(envs, SingleAgentVectorEnv):
            raise TypeError(f"envs={envs!r}: must be a SingleAgentVectorEnv")
        if envs.autoreset_mode != AutoresetMode.SAME_STEP or not envs.copy:
            raise ValueError('envs must be made with autoreset_mode="SameStep" and copy=True')
        self.envs = envs
        self._actions: npt.NDArray[Any] | None = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        """Deal all tables, with the seed that `seed` was last given since, and return what is seen.

        Options that `set_options` was given mean nothing here.
        """
        observation, info = self.envs.reset(seed=self._seeds[0])
        self.reset_infos = [{"action_mask": mask} for mask in info["action_mask"]]
        self._reset_seeds()
        self._reset_options()
        return observation

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the actions of the step that `step_wait` plays."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions, and return observations, rewards, ends and infos."""
        observation, reward, terminated, truncated, info = self.envs.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = terminated | truncated
        illegal = info.get("final_info", {}).get("illegal_action", np.zeros_like(ended))
        for table in np.flatnonzero(ended):
            infos[table] = {
                "terminal_observation": info["final_obs"][table],
                "TimeLimit.truncated": bool(truncated[table]),
            }
            if illegal[table]:
                infos[table]["illegal_action"] = True
        return observation, reward, ended, infos

    def close(self) -> None:
        """Close the tables."""
        self.envs.close()

    # -- the tables one by one ---------------------------------------------------------------

    def has_attr(self, attr_name: str) -> bool:
        """Return whether the tables have an attribute or method."""
        return hasattr(self.envs, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute for each table: its own of `seat` and `table`, else the common one.

        Raises:
            AttributeError: if there is none of that name.
        """
        value = getattr(self.envs, attr_name)
        tables = self._numbers(indices)
        if attr_name in _PER_TABLE:
            return [functools.partial(self._call, attr_name, table) for table in tables]
        if attr_name in ("seat", "table"):
            return list(value[tables])
        return [value] * len(tables)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Refuse: the tables have no attributes of their own to be set.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(f"{attr_name} cannot be set: tables share their attributes")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Return what a method answers for each table: `action_masks` or `render`.

        Raises:
            AttributeError: for any other method.
        """
        if method_name not in _PER_TABLE:
            raise AttributeError(
                f"tables have no method {method_name!r} of their own; "
                f"there are {', '.join(_PER_TABLE)}"
            )
        tables = self._numbers(indices)
        if method_name == "render":
            if self.render_mode == "human":
                self.envs.render()
            return self.envs._render_tables(tables)
        masks = self.envs.action_masks(*method_args, **method_kwargs)
        return [masks[table] for table in tables]

    def get_images(self) -> list[Any]:
        """Return the first tables as pixels, each `(height, width, 3)` uint8, for `render`."""
        return list(self.envs.render() or ())

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """Return for each table that it is not wrapped."""
        del wrapper_class
        return [False] * len(self._numbers(indices))

    def _call(self, method_name: str, table: int) -> Any:
        return self.env_method(method_name, indices=table)[0]

    def _numbers(self, indices: Indices) -> list[int]:
        return [int(table) for table in self._get_indices(indices)]


class PolicyAgent(Agent):
    """A model of `sb3_contrib.MaskablePPO` as an agent that can sit at any table of its variant."""

    def __init__(self, model: Any, deterministic: bool = True) -> None:
        """Let `model` play: the likeliest action, or one drawn with PyTorch's random numbers."""
        self.model = model
        self.deterministic = deterministic

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return an action for each decision, `(n,)` int32."""
        observation: Any = decisions.observation
        if hasattr(self.model.observation_space, "spaces"):
            observation = {"observation": observation, "action_mask": decisions.action_mask}
        actions, _ = self.model.predict(
            observation,
            deterministic=self.deterministic,
            action_masks=decisions.action_mask.astype(np.bool_),
        )
        return np.asarray(actions, np.int32)

    def think(self, decisions: Decisions) -> tuple[npt.NDArray[np.int32], Thoughts | None]:
        """Return an action for each decision, the probabilities of all, and the model's values."""
        import torch

        policy = self.model.policy
        observation: Any = decisions.observation
        if hasattr(self.model.observation_space, "spaces"):
            observation = {"observation": observation, "action_mask": decisions.action_mask}
        seen, _ = policy.obs_to_tensor(observation)
        with torch.no_grad():
            chances = policy.get_distribution(
                seen, action_masks=decisions.action_mask.astype(np.bool_)
            ).distribution.probs
            values = policy.predict_values(seen)
        legal = np.where(decisions.action_mask, chances.cpu().numpy(), 0.0)
        return self.act(decisions), Thoughts(legal, values.cpu().numpy()[:, 0])

    def save(self, path: str | Path, game: Game, config: Any) -> None:
        """Write the policy to a file that `waiter_envs.agents.policies.load_policy` reads.

        Args:
            path: of the file, usually `policy.npz`.
            game: the game that it plays.
            config: the variant that it has learnt.

        Raises:
            ValueError: if the policy is no stack of dense layers with ReLU or Tanh on flat
                observations.
        """
        if hasattr(self.model.observation_space, "spaces"):
            raise ValueError("only policies on flat observations can be saved")
        policy = self.model.policy
        layers = [*policy.mlp_extractor.policy_net, policy.action_net]
        save_policy(path, game, config, *weights_of(layers))
