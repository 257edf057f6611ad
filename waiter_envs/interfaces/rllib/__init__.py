"""RLlib on Ray: every game by its name, a policy that respects action masks, and fast sampling.

Importing this module registers every game of `waiter_envs.GAMES` with RLlib: `"hey_waiter"` with
one agent for each player, `"hey_waiter_single_agent"` with one learner among opponents. What an
environment is made with stands in `env_config`: fields of the game's `Config` (or `config`, or
`preset`); for one learner also `opponents` and `seat`.

How far sampling is vectorised in an env runner (`num_envs_per_env_runner` tables each):

* `TablesEnvRunner` (`config.env_runners(env_runner_cls=TablesEnvRunner)`): all tables of an env
  runner are one `Tables`. A step is one compiled call and one forward pass for each policy, and
  episodes are cut out of whole arrays when the rollout is over. Needs policies without a state of
  their own, and no custom connectors.
* RLlib's own `MultiAgentEnvRunner`: batches the forward pass, but knows no vector environment of
  several agents; it steps one `MultiAgentTable` after another and writes down every step of every
  agent in Python. Use it for custom connectors and for recurrent policies; these need
  `batch_mode="complete_episodes"`, because RLlib loses the state of a player whose last decision
  lies before the cut between two samples.
* One learner: RLlib takes any vector environment (`gym_env_vectorize_mode="vector_entry_point"`),
  and gets what `gymnasium.make_vec` makes of the game. RLlib writes down every step of every table
  in Python all the same.
"""

from __future__ import annotations

try:
    import ray.rllib  # noqa: F401
    import torch  # noqa: F401
except ImportError as error:
    raise ImportError(
        f'{error}. RLlib is an extra: pip install "waiter-envs[rllib]"', name=error.name
    ) from error

from waiter_envs.interfaces.rllib.envs import MultiAgentTable, register_all, single_agent_env
from waiter_envs.interfaces.rllib.league import Seating
from waiter_envs.interfaces.rllib.module import MaskedModule
from waiter_envs.interfaces.rllib.policy import PolicyAgent
from waiter_envs.interfaces.rllib.runner import TablesEnvRunner

__all__ = [
    "MaskedModule",
    "MultiAgentTable",
    "PolicyAgent",
    "Seating",
    "TablesEnvRunner",
    "register_all",
    "single_agent_env",
]

register_all()
