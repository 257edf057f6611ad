"""The rule-based agents: strength, what they remember, and what they must not know."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from garcon_env import GAME, Config, tables
from garcon_env.agents import CHANCES, HEURISTICS, blank_memory
from waiter_envs.agents import Agent, Decisions, RandomAgent, RuleAgent, agent_names
from waiter_envs.tables import Tables

from .playing import VARIANTS, named, play, seated, study, waiter

PLAIN = VARIANTS["rulebook"]
LONG = VARIANTS["long"]
MEMORY = VARIANTS["memory"]
FIVE = "coffee + lemonade + soup + omelette + pancakes"
THREE = "coffee + salad + fruit tart"


def choice(dealt: Tables, agent: Agent) -> str:
    """Return what an agent does at the only table."""
    return GAME.action_to_text(dealt.state[0], int(agent.act(Decisions.at(dealt))[0]))


def sharing(
    config: Config, agents: list[Agent], number: int = 400, seed: int = 0, games: int = 1
) -> npt.NDArray[np.float64]:
    """Play games with agent i in seat (i + table) mod 4; return each one's share of the wins.

    A draw is shared by nobody, and not counted.
    """
    dealt = tables(number, seed, config=config, autoreset_mode="Disabled")
    wins = np.zeros(len(agents))
    for _ in range(games):
        dealt.reset()
        for agent in agents:
            agent.reset()
        while not (over := dealt.terminated | dealt.truncated).all():
            actions = np.zeros(number, np.int64)
            acting = (dealt.current_player - np.arange(number)) % len(agents)
            live = step_mask(dealt)
            for i, agent in enumerate(agents):
                which = np.flatnonzero((acting == i) & ~over)
                if len(which):
                    actions[which] = agent.act(Decisions.at(dealt, which))
            advance(dealt, actions, live)
        winner = dealt.state["winner"]
        decided = np.flatnonzero(winner >= 0)
        seats = (winner[decided] - decided) % len(agents)
        wins += np.bincount(seats, minlength=len(agents))
    return wins / wins.sum()


def step_mask(dealt: Tables) -> npt.NDArray[np.bool_]:
    """Return which tables still play."""
    return ~(dealt.terminated | dealt.truncated)
