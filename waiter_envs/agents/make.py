"""Agents by name, by path, or of a function."""

from __future__ import annotations

import os

from waiter_envs.agents.agent import Agent
from waiter_envs.agents.function_agent import ActionFunction, FunctionAgent
from waiter_envs.agents.policies import load_policy
from waiter_envs.agents.random_agent import RandomAgent
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.agents.search import SearchAgent
from waiter_envs.agents.search_options import parse_options
from waiter_envs.agents.text_agent import TextAgent, import_function
from waiter_envs.core.checks import check_seed, shown
from waiter_envs.core.game import Game, check_game

TEXT = "text:"
"""How the name of a function from text to text begins: `text:module:function`."""

AgentLike = str | os.PathLike[str] | Agent | ActionFunction
"""Whatever `make_agent` takes: a name, the path of a saved policy, an agent or a function."""


def agent_names(game: Game) -> tuple[str, ...]:
    """Return the names of a game's quick agents; `make_agent` knows `search` besides."""
    return ("random", *check_game(game).heuristics)


def make_agent(game: Game, agent: AgentLike, seed: int = 0) -> Agent:
    """Return an agent from its name, from a plain function, or as it is.

    Args:
        game: the game that it plays.
        agent: one of `agent_names(game)`, the path of a saved policy (`load_policy`), a
            function, or an agent; or `search`, which may have options (`SearchOptions`):
            `search:ms=50,rollout=random`; or `text:module:function`, a function from text to text
            (`TextAgent`).
        seed: of an agent that draws.

    Raises:
        ValueError: for an unknown name, the text lists those that exist; for a path where no
            policy of this game lies; for an option that a search does not have or take; for a
            function that is not there.
        TypeError: for anything else.
    """
    check_game(game)
    seed = check_seed(seed)
    if isinstance(agent, Agent):
        return agent
    if isinstance(agent, str) and agent == "random":
        return RandomAgent(seed)
    if isinstance(agent, str) and agent in game.heuristics:
        return RuleAgent(game, agent, seed)
    if isinstance(agent, str) and agent.partition(":")[0] == SearchAgent.name:
        return SearchAgent(game, seed, **parse_options(agent.partition(":")[2]))
    if isinstance(agent, str) and agent.startswith(TEXT):
        return TextAgent(import_function(agent[len(TEXT) :]), game, seed=seed)
    if isinstance(agent, os.PathLike) or (isinstance(agent, str) and os.path.exists(agent)):
        return load_policy(agent, game)
    if isinstance(agent, str):
        names = ", ".join(agent_names(game))
        raise ValueError(
            f"unknown agent {shown(agent)} for {game.name}; there are {names}, "
            f"{SearchAgent.name}, {TEXT}module:function, and paths of saved policies"
        )
    if callable(agent):
        return FunctionAgent(agent)
    raise TypeError(f"agent={shown(agent)}: must be a name, an Agent or a function")


def name_of(agent: AgentLike) -> str:
    """Return what to call an agent in results and records."""
    if isinstance(agent, (str, os.PathLike)):
        return os.fspath(agent)
    return str(getattr(agent, "name", getattr(agent, "__name__", type(agent).__name__)))
