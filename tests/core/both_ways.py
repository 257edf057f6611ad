"""Plays every game and writes down all that anybody sees: once compiled, once as plain Python.

`python -m tests.core.both_ways FILE` pickles it; `test_interpreted` plays in its own process and
in one whose compiler is off, and compares.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np

import waiter_envs
from tests.playing import bits
from tests.samples import samples
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.make import agent_names, make_agent
from waiter_envs.interfaces.gymnasium_vector import SingleAgentVectorEnv

DECISIONS = 300
LEARNER_STEPS = 40


def play(name: str) -> dict[str, list[Any]]:
    """Return what is seen at each decision, by kind; actions are random and end short games."""
    game = waiter_envs.load(name)
    config = game.config(**samples(name).short)
    dealt, worlds = (waiter_envs.Tables(game, config, 2, seed=5) for _ in range(2))
    agents = {agent: make_agent(game, agent, seed=3) for agent in agent_names(game)}
    told: dict[str, list[Any]] = {}

    def tell(kind: str, what: Any) -> None:
        told.setdefault(kind, []).append(np.copy(what) if isinstance(what, np.ndarray) else what)

    for _ in range(DECISIONS // dealt.num_tables):
        table, actions = dealt.state[0], dealt.sample_actions()
        tell("state", bits(dealt.state))
        tell("observation", dealt.observation)
        tell("action_mask", dealt.action_mask)
        tell("current_player", dealt.current_player)
        tell("full_observation", dealt.full_observation())
        if game.resample is not None:
            worlds.state = dealt.state
            worlds.resample(len(told["state"]) % dealt.num_players, seed=len(told["state"]))
            tell("resampled", bits(worlds.state))
        tell("position", game.position_to_dict(table))
        tell("render", game.render(table, int(dealt.current_player[0])))
        text = game.action_to_text(table, int(actions[0]))
        tell("text", text)
        tell("action", game.text_to_action(table, text))
        decisions = Decisions.at(dealt)
        for agent, player in agents.items():
            tell(f"choice of {agent}", player.act(decisions))
        dealt.step(actions)
        tell("rewards", dealt.rewards)
        tell("terminated", dealt.terminated)
        tell("truncated", dealt.truncated)
        tell("final_state", bits(dealt.final_state))
        for player in agents.values():
            player.reset(np.flatnonzero(dealt.terminated | dealt.truncated))
    for agent in agent_names(game):
        learners = SingleAgentVectorEnv(game, 2, opponents=agent, config=config)
        seen, _ = learners.reset(seed=7)
        for _ in range(LEARNER_STEPS):
            seen, *payments, _ = learners.step(seen["action_mask"].argmax(axis=1))
            tell(f"learner among {agent}", [*map(np.copy, seen.values()), *map(np.copy, payments)])
    return told


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(pickle.dumps({name: play(name) for name in waiter_envs.GAMES}))
