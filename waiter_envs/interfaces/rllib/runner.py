"""`TablesEnvRunner`: an env runner of RLlib that samples from many tables at once."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.vector.vector_multi_agent_env import VectorMultiAgentEnv
from ray.rllib.utils import metrics as keys

from waiter_envs.core.games import GAMES, load
from waiter_envs.core.tables import Tables
from waiter_envs.interfaces.rllib.envs import MultiAgentTable, agent_name
from waiter_envs.interfaces.rllib.rollout import Rollout

_ROWS = 32
"""Decisions at each table between two counts of the games that ended, if these are asked for."""


class TablesEnvRunner(MultiAgentEnvRunner):
    """Samples from `num_envs_per_env_runner` tables that are stepped together.

    It takes the place of RLlib's `MultiAgentEnvRunner` for the games of `waiter_envs.GAMES`, one
    agent for each player:

        config.environment("hey_waiter", env_config={"preset": "2_players"})
        config.env_runners(env_runner_cls=TablesEnvRunner, num_envs_per_env_runner=64)

    `sample` returns a `SingleAgentEpisode` for each player and game, not a `MultiAgentEpisode` for
    each game. Those of modules that are not trained (`policies_to_train`) are left out. Every
    episode holds whole transitions: a decision whose reward is not yet known goes into the next
    sample. One env step is one decision at one table.

    What it does not do: callbacks of single episodes and steps (`on_sample_end` is called).
    """

    env: VectorTables

    def __init__(self, config: Any, **kwargs: Any) -> None:
        """Open the tables.

        Args:
            config: of the algorithm.
            **kwargs: what RLlib gives to every env runner.

        Raises:
            ValueError: for a configuration that needs RLlib's own env runner.
        """
        if config.env not in GAMES:
            raise ValueError(f"env={config.env!r}: must be one of {', '.join(GAMES)}")
        if config.batch_mode != "truncate_episodes":
            raise ValueError(
                f"batch_mode={config.batch_mode!r}: TablesEnvRunner has only 'truncate_episodes'"
            )
        if config._env_to_module_connector or config._module_to_env_connector:
            raise ValueError("TablesEnvRunner runs no connectors: use RLlib's MultiAgentEnvRunner")
        super().__init__(config, **kwargs)
        if any(module.is_stateful() for _, module in self.module.items()):
            raise ValueError(
                "TablesEnvRunner keeps no states of modules: use RLlib's MultiAgentEnvRunner"
            )

    def make_env(self) -> None:
        """Open the tables; `sample` deals them."""
        self.env = VectorTables(
            self.config.env, self.config.num_envs_per_env_runner, self.config.env_config
        )
        self.num_envs = self.env.num_envs
        self._needs_initial_reset = True

    # -- sampling ----------------------------------------------------------------------------

    def _sample(
        self,
        *,
        num_timesteps: int | None = None,
        num_episodes: int | None = None,
        explore: bool,
        random_actions: bool = False,
        force_reset: bool = False,
    ) -> list[SingleAgentEpisode]:
        """Return at least so many steps, or what was played until so many games were over."""
        if force_reset or num_episodes is not None or self._needs_initial_reset:
            self._deal(self._seed if self._needs_initial_reset else None)
        self._needs_initial_reset = num_episodes is not None
        if num_timesteps is not None:
            return self._roll_out(math.ceil(num_timesteps / self.num_envs), explore, random_actions)
        episodes = []
        wanted = self._games_over + (num_episodes or 0)
        while self._games_over < wanted:
            episodes += self._roll_out(_ROWS, explore, random_actions)
        return episodes

    def _deal(self, seed: int | None) -> None:
        """Begin a new game at every table."""
        tables = self.env.tables
        tables.reset(seed)
        self._rollout: Rollout | None = None
        self._modules: list[str] = []
        self._games_over = 0
        self._samples = 0
        players = (tables.num_tables, tables.num_players)
        self._module_of = np.zeros(players, np.int64)
        self._received = np.zeros(players)
        self._decisions = np.zeros(players, np.int64)
        self._since = np.full(tables.num_tables, time.perf_counter())
        for table in range(tables.num_tables):
            self._seat(table)

    def _seat(self, table: int) -> None:
        """Ask the configuration which modules play the new game at a table."""
        episode = MultiAgentEpisode(agent_to_module_mapping_fn=self.config.policy_mapping_fn)
        for player in range(self.env.tables.num_players):
            name = episode.module_for(agent_name(player))
            if name not in self._modules:
                self._modules.append(name)
            self._module_of[table, player] = self._modules.index(name)

    def _roll_out(self, steps: int, explore: bool, random_actions: bool) -> list[Any]:
        """Play so many decisions at every table, and return the episodes."""
        tables = self.env.tables
        rollout = Rollout(tables, steps, self._rollout)
        every = np.arange(tables.num_tables)
        for step in range(steps):
            player = tables.current_player.astype(np.int64)
            module = self._module_of[every, player]
            rollout.decide(tables, module)
            self._decisions[every, player] += 1
            actions: npt.NDArray[Any] = (
                tables.sample_actions()
                if random_actions
                else self._choose(rollout, module, step, explore)
            )
            with self.metrics.log_time(keys.ENV_STEP_TIMER):
                rollout.step(tables, actions)
            self._received += tables.rewards
            for table in np.flatnonzero(tables.terminated | tables.truncated):
                self._end(int(table))
        self._log_steps(rollout)
        self._rollout = rollout
        self._samples += 1
        name = f"{self.worker_index or 0}-{self._samples}"
        wanted = {n for n, module in enumerate(self._modules) if self._is_trained(module)}
        return rollout.episodes(name, self._modules, wanted)

    def _choose(
        self, rollout: Rollout, module: npt.NDArray[np.int64], step: int, explore: bool
    ) -> npt.NDArray[np.int64]:
        """Return the modules' actions, and write down what they said."""
        actions = np.zeros(len(module), np.int64)
        for number in np.unique(module):
            which = np.flatnonzero(module == number)
            observation = {
                name: torch.from_numpy(bits).to(self._device)
                for name, bits in rollout.seen(which).items()
            }
            outputs = self._ask(self._modules[number], {Columns.OBS: observation}, step, explore)
            said = {name: values.cpu().numpy() for name, values in outputs.items()}
            actions[which] = said.pop(Columns.ACTIONS)
            rollout.add_outputs(int(number), which, said)
        return actions

    def _ask(
        self, name: str, batch: dict[str, Any], step: int, explore: bool
    ) -> dict[str, torch.Tensor]:
        """Return what a module says of a batch, with actions drawn if it does not say any."""
        module = self.module[name]
        runners = self.config.num_env_runners or 1
        with self.metrics.log_time(keys.RLMODULE_INFERENCE_TIMER):
            if explore:
                done = self.num_env_steps_sampled_lifetime // runners + step * self.num_envs
                outputs = module.forward_exploration(batch, t=done * runners)
                distribution = module.get_exploration_action_dist_cls()
            else:
                outputs = module.forward_inference(batch)
                distribution = module.get_inference_action_dist_cls()
        if Columns.ACTIONS not in outputs:
            drawn = distribution.from_logits(outputs[Columns.ACTION_DIST_INPUTS])
            if not explore:
                drawn = drawn.to_deterministic()
            outputs[Columns.ACTIONS] = drawn.sample()
            outputs[Columns.ACTION_LOGP] = drawn.logp(outputs[Columns.ACTIONS])
        return outputs

    def _is_trained(self, module: str) -> bool:
        trained = self.config.policies_to_train
        if trained is None:
            return True
        return bool(trained(module, None)) if callable(trained) else module in trained

    # -- metrics -----------------------------------------------------------------------------

    def _end(self, table: int) -> None:
        """Count a game that is over, and seat the players of the next one."""
        self._games_over += 1
        agents = self.env.table.possible_agents
        received = self._received[table].tolist()
        now = time.perf_counter()
        by_module: dict[str, float] = {}
        for number, reward in zip(self._module_of[table], received, strict=True):
            name = self._modules[number]
            by_module[name] = by_module.get(name, 0.0) + reward
        self._log_episode_metrics(
            int(self._decisions[table].sum()),
            sum(received),
            now - self._since[table],
            dict(zip(agents, received, strict=True)),
            by_module,
            dict(zip(agents, self._decisions[table].tolist(), strict=True)),
        )
        self.metrics.log_value(keys.NUM_EPISODES, 1, reduce="sum")
        self.metrics.log_value(keys.NUM_EPISODES_LIFETIME, 1, reduce="lifetime_sum")
        self._received[table] = 0.0
        self._decisions[table] = 0
        self._since[table] = now
        self._seat(table)

    def _log_steps(self, rollout: Rollout) -> None:
        """Count the decisions of a rollout as RLlib's env runners do."""
        player = rollout.player[rollout.num_players :]
        module = rollout.module[rollout.num_players :]
        log = self.metrics.log_value
        self._log_env_steps(self._metrics_num_env_steps_sampled, player.size)
        log(keys.NUM_ENV_STEPS_SAMPLED, player.size, reduce="sum")
        log(
            keys.NUM_ENV_STEPS_SAMPLED_LIFETIME,
            player.size,
            reduce="lifetime_sum",
            with_throughput=True,
        )
        for number, count in enumerate(np.bincount(player.ravel())):
            log((keys.NUM_AGENT_STEPS_SAMPLED, agent_name(number)), int(count), reduce="sum")
            lifetime = keys.NUM_AGENT_STEPS_SAMPLED_LIFETIME
            log((lifetime, agent_name(number)), int(count), reduce="lifetime_sum")
        for number, count in enumerate(np.bincount(module.ravel())):
            name = self._modules[number]
            log((keys.NUM_MODULE_STEPS_SAMPLED, name), int(count), reduce="sum")
            lifetime = keys.NUM_MODULE_STEPS_SAMPLED_LIFETIME
            log((lifetime, name), int(count), reduce="lifetime_sum")


class VectorTables(VectorMultiAgentEnv):
    """Many tables that are stepped together, as `TablesEnvRunner` plays them.

    RLlib reads the spaces; it steps nothing here.
    """

    tables: Tables
    """The tables."""

    def __init__(self, game: str, num_envs: int, env_config: Any) -> None:
        """Open `num_envs` tables."""
        super().__init__()
        self.tables = Tables.of(load(game), num_envs, num_threads=1, **env_config)
        self.num_envs = num_envs
        self.table = MultiAgentTable(game, env_config)
        self.envs = [self.table]
        self.single_observation_spaces = self.table.observation_spaces
        self.single_action_spaces = self.table.action_spaces
        self.single_observation_space = self.table.observation_space
        self.single_action_space = self.table.action_space
