"""Entrants: agents that play deals, whose luck is that of a deal, a seat and a name."""

from __future__ import annotations

import copy
import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent, Decisions, RememberingAgent
from waiter_envs.agents.make import AgentLike, make_agent, name_of
from waiter_envs.agents.policies import FILE_NAME, SavedPolicy
from waiter_envs.agents.random_agent import RandomAgent
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.agents.search import SearchAgent
from waiter_envs.core import kernels, rng
from waiter_envs.core.checks import shown
from waiter_envs.core.game import Game

_OURS = (RandomAgent, RuleAgent, SavedPolicy, SearchAgent)
"""Agents of which copies play side by side, each with a seed of its own."""


class _RandomAgent(RememberingAgent):
    """Plays any legal action; what it draws depends on the seed, the table and the player."""

    seed = 0

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""
        memory, here = self.memories(decisions), (decisions.table, decisions.player)
        streams = memory[here]
        actions = np.empty(len(streams), np.int32)
        action_mask = np.ascontiguousarray(decisions.action_mask, np.int8)
        kernels.sample(action_mask, streams, 0, len(streams), actions)
        memory[here] = streams
        return actions

    def blank_memories(self, tables: int, players: int) -> npt.NDArray[np.uint64]:
        """Return a random stream for each table and player, `(tables, players, 2)`."""
        streams = [rng.streams(self.seed, tables, player) for player in range(players)]
        return np.stack(streams, axis=1)


@dataclass(frozen=True)
class Entrant:
    """An agent that plays under a name."""

    name: str
    digest: str | None
    """Of the files that it is made of; `None`: there are none."""
    agent: Agent

    @property
    def parallel(self) -> bool:
        """Whether copies of it play side by side."""
        return isinstance(self.agent, (*_OURS, _RandomAgent))

    def seated(self, seed: int, first: int) -> Agent:
        """Return the agent for tables that nobody has played at yet.

        Args:
            seed: of all that is played.
            first: number of the deal at table 0.
        """
        if not self.parallel:
            self.agent.reset()
            return self.agent
        agent = copy.copy(self.agent)
        words = f"{seed}/{first}/{self.name}".encode()
        agent.seed = int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "little")  # type: ignore[attr-defined]
        agent.restore(None)
        if isinstance(agent, SearchAgent):
            agent.num_threads, agent.pace = 1, agent.pace.copy()
        return agent

    def to_dict(self) -> dict[str, Any]:
        """Return what results keep of it, in plain JSON types."""
        return {"name": self.name, "digest": self.digest}


def enter(game: Game, config: Any, agents: Sequence[AgentLike]) -> list[Entrant]:
    """Return the agents that are to play a variant, ready to play.

    Raises:
        TypeError, ValueError: for no list of agents, an unknown one, one of another game or a
            policy of other sizes, or two of one name.
    """
    if isinstance(agents, (str, bytes)) or not isinstance(agents, Sequence):
        raise TypeError(f"agents={shown(agents)}: must be a list of agents")
    names = [name_of(agent) for agent in agents]
    check_different(names)
    return [
        Entrant(name, _digest(agent), _made(game, config, agent))
        for name, agent in zip(names, agents, strict=True)
    ]


def check_different(names: Sequence[str]) -> None:
    """Refuse two agents of one name.

    Raises:
        ValueError: if there are.
    """
    twice = sorted({name for name in names if list(names).count(name) > 1})
    if twice:
        raise ValueError(f"two agents are called {', '.join(map(shown, twice))}: names must differ")


def _made(game: Game, config: Any, agent: AgentLike) -> Agent:
    made = make_agent(game, agent)
    if isinstance(made, RandomAgent):
        return _RandomAgent()
    if isinstance(made, (RuleAgent, SearchAgent)) and made.game is not game:
        raise ValueError(f"agent {made.name} plays {made.game.name}, not {game.name}")
    if isinstance(made, SavedPolicy):
        learnt = made.header.get("game", game.name)
        if learnt != game.name:
            raise ValueError(f"policy {name_of(agent)} plays {learnt}, not {game.name}")
        variant = int(game.blank_table(config)["variant"][0])
        made = copy.copy(made)
        try:
            made.check_variant(game.num_features(config), game.num_actions(config), variant)
        except ValueError as error:
            raise ValueError(f"{name_of(agent)}: {error}") from None
    return made


def _digest(agent: AgentLike) -> str | None:
    """Return a digest of the files that a name or a path leads to."""
    if not isinstance(agent, (str, os.PathLike)):
        return None
    parts = {os.fspath(agent), *re.split(r"[:,=]", os.fspath(agent))}
    files = sorted(file for part in parts if part and (file := _file(part)).is_file())
    if not files:
        return None
    found = hashlib.sha256()
    for file in files:
        found.update(file.read_bytes())
    return found.hexdigest()[:16]


def _file(path: str) -> Path:
    return Path(path) / FILE_NAME if Path(path).is_dir() else Path(path)
