"""What the games share: many tables at once, environments of one table, agents, a registry.

`import waiter_envs` is cheap: what stands behind a name is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from waiter_envs.registry import GAMES, load, make, register_all

if TYPE_CHECKING:
    from waiter_envs.aec import TableEnv
    from waiter_envs.agents import (
        Agent,
        Decisions,
        FunctionAgent,
        RandomAgent,
        RuleAgent,
        agent_names,
        make_agent,
    )
    from waiter_envs.game import Game
    from waiter_envs.gymnasium_env import SingleAgentEnv
    from waiter_envs.gymnasium_vector import SingleAgentVectorEnv
    from waiter_envs.tables import AutoresetMode, Tables

    __version__: str

__all__ = [
    "GAMES",
    "Agent",
    "AutoresetMode",
    "Decisions",
    "FunctionAgent",
    "Game",
    "RandomAgent",
    "RuleAgent",
    "SingleAgentEnv",
    "SingleAgentVectorEnv",
    "TableEnv",
    "Tables",
    "agent_names",
    "load",
    "make",
    "make_agent",
    "register_all",
]

_HOMES = {
    "Agent": "agents",
    "AutoresetMode": "tables",
    "Decisions": "agents",
    "FunctionAgent": "agents",
    "Game": "game",
    "RandomAgent": "agents",
    "RuleAgent": "agents",
    "SingleAgentEnv": "gymnasium_env",
    "SingleAgentVectorEnv": "gymnasium_vector",
    "TableEnv": "aec",
    "Tables": "tables",
    "agent_names": "agents",
    "make_agent": "agents",
}


def __getattr__(name: str) -> Any:
    """Import what stands behind a public name."""
    if name == "__version__":
        from importlib.metadata import version

        return version("waiter-envs")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names, imported yet or not."""
    return sorted({*globals(), *__all__, "__version__"})
