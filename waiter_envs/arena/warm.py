"""Compiles what a variant needs before anybody waits for it, as while an image is built."""

from __future__ import annotations

from typing import Any

import numpy as np

from waiter_envs.agents.make import agent_names
from waiter_envs.arena.match import play_match
from waiter_envs.arena.playback import Playback
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables
from waiter_envs.interfaces.gymnasium_vector import SingleAgentVectorEnv


def warm(game: Game, config: Any) -> None:
    """Use everything that is compiled for a variant once; the compile cache keeps it.

    Opponents of one kind are meant: a learner among several kinds of rule-based agents compiles
    once more.
    """
    tables = Tables(game, config, 1, seed=0)
    tables.observe(tables.current_player)
    tables.full_observation()
    tables.step(tables.sample_actions())
    table = tables.state[0]
    action = int(np.flatnonzero(tables.action_mask[0])[0])
    game.text_to_action(table, game.action_to_text(table, action))
    Playback(game, config, 1).describe(np.array([action], np.int32))
    for agent in agent_names(game):
        tables.playout(agent, 1)
    searching = ["search:simulations=16"] if game.resample else []
    for agent in (*agent_names(game), *searching):
        play_match(game, config, [agent], 1, seed=0, num_tables=1)
        SingleAgentVectorEnv(game, opponents=agent, config=config).reset(seed=0)
