"""Who sits where: people and agents, by the names that the command line takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from waiter_envs.agents.agent import Agent
from waiter_envs.agents.make import agent_names, make_agent
from waiter_envs.agents.policies import FILE_NAME, SavedPolicy
from waiter_envs.core.checks import check_seed, shown
from waiter_envs.core.game import Game, check_game

PERSON = "me"
"""The name of a seat at which a person plays."""

_SEEDS = 2**64


def fill(game: Game, names: Sequence[str], players: int) -> tuple[str, ...]:
    """Return a name for each player: the last agent named also takes the places left over.

    Raises:
        TypeError: if `names` are no names.
        ValueError: if there are too many, or nobody plays.
    """
    if isinstance(names, (str, bytes)) or not isinstance(names, Sequence):
        raise TypeError(f"seats={shown(names)}: must be a list of names")
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"seats={shown(names)}: must be {PERSON!r}, names of agents, or paths")
    if len(names) > players:
        raise ValueError(f"{len(names)} seats, but this variant has {players} players")
    if PERSON not in names:
        raise ValueError(f"seats={shown(names)}: nobody plays; one of them must be {PERSON!r}")
    agents = [name for name in names if name != PERSON] or [best_agent(game)]
    return (*names, *[agents[-1]] * (players - len(names)))


def best_agent(game: Game) -> str:
    """Return the name of the agent that plays if none is named: the first rule-based one."""
    return (*check_game(game).heuristics, "random")[0]


def make_agents(game: Game, config: Any, names: Sequence[str], seed: int) -> list[Agent | None]:
    """Return the agent at each seat, `None` where a person sits.

    Args:
        game: the game.
        config: its variant.
        names: of all seats; see `fill`.
        seed: of random agents; each seat has its own.

    Raises:
        ValueError: for an unknown agent, or a policy that has learnt a variant of other sizes.
    """
    seed = check_seed(seed)
    return [
        None if name == PERSON else make_fitting(game, config, name, (seed + place) % _SEEDS)
        for place, name in enumerate(names)
    ]


def make_fitting(game: Game, config: Any, name: str, seed: int) -> Agent:
    """Return an agent that can play a variant.

    Raises:
        ValueError: if there is none of that name, or it has learnt a variant of other sizes.
    """
    try:
        agent = make_agent(game, name, seed)
    except ValueError as error:
        if name in agent_names(game) or Path(name).exists():
            raise
        raise ValueError(f"{error}; {PERSON!r} is you") from None
    if isinstance(agent, SavedPolicy):
        variant = int(game.blank_table(config)["variant"][0])
        agent.check_variant(game.num_features(config), game.num_actions(config), variant)
    return agent


def label(name: str) -> str:
    """Return what a seat is called: of a path its last part that says something."""
    if name == PERSON:
        return "person"
    path = Path(name)
    return path.parent.name or path.stem if path.name == FILE_NAME else path.name
