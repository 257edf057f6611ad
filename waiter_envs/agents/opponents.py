"""`Opponents`: who plays at many tables, compiled where that is possible."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent
from waiter_envs.agents.make import AgentLike, make_agent
from waiter_envs.agents.policies import SavedPolicy
from waiter_envs.agents.random_agent import RandomAgent
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.core import learner, network, playing
from waiter_envs.core.game import Game
from waiter_envs.core.revival import OwnsArrays
from waiter_envs.core.tables import Tables

_STREAMS = 3
"""Purpose of the random streams of player 0; the other players' follow."""

_ALL = slice(None)


class Opponents(OwnsArrays):
    """The opponents of the learner, or of each other, at each of many tables.

    Random and rule-based agents and trained policies are compiled into the loop over tables. They
    play with random streams and memories that are kept here, by table and player: of a `RuleAgent`
    that was handed in only the name and the options count, of a `SavedPolicy` the weights, and
    whether it is greedy. All other agents are asked from Python, in batches, policies with a memory
    among them.
    """

    def __init__(self, opponents: Sequence[AgentLike], tables: Tables) -> None:
        """Find the agents.

        Args:
            opponents: one for each opponent of the learner, in the order of the players, or in any
                order: whatever `make_agent` takes.
            tables: where they play.

        Raises:
            TypeError, ValueError: for an unknown agent, or a policy of another variant.
        """
        self._game = game = tables.game
        blank = tables.blank
        rules: list[tuple[str, dict[str, Any]]] = []
        policies: list[SavedPolicy] = []
        self.agents: list[Agent] = []
        """Those that are asked from Python, each once."""
        self.kinds = np.zeros(len(opponents), np.int16)
        """Of each opponent, `(opponents,)`: see `learner.play_to_learner`."""
        made: dict[int, Agent] = {}
        for number, opponent in enumerate(opponents):
            agent = made.setdefault(id(opponent), make_agent(game, opponent))
            if type(agent) is RandomAgent:
                self.kinds[number] = learner.RANDOM
            elif type(agent) is RuleAgent:
                self.kinds[number] = 1 + _place(rules, (agent.name, agent.options))
            elif type(agent) is SavedPolicy and agent.compiled:
                agent.check_variant(
                    tables.num_features, tables.num_actions, int(blank["variant"][0])
                )
                self.kinds[number] = learner.POLICY + _place(policies, agent)
            else:
                self.kinds[number] = -1 - _place(self.agents, agent)
        self._heuristics = tuple(name for name, _ in rules)
        self._table_dtype = blank.dtype
        self.blank_memories: tuple[npt.NDArray[Any], ...] = tuple(
            _blank_memory(game, name, options, blank.dtype) for name, options in rules
        )
        shape = tables.num_tables, tables.num_players
        self.memories: tuple[npt.NDArray[Any], ...] = tuple(
            np.repeat(blank, math.prod(shape)).reshape(shape) for blank in self.blank_memories
        )
        self._networks: tuple[network.Network, ...] = ()
        if policies:
            self._networks = (network.join([policy.network for policy in policies]),)

    def seed(
        self,
        drawn: Callable[[int], npt.NDArray[np.uint64]],
        which: npt.NDArray[np.bool_],
        streams: npt.NDArray[np.uint64],
    ) -> None:
        """Start the random streams of the compiled opponents anew at some tables.

        Args:
            drawn: `drawn(purpose)`: a stream for each table, `(num_tables, 2)`.
            which: `(num_tables,)` bool.
            streams: those of agents without a memory, `(num_tables, players, 2)`.
        """
        for player in range(streams.shape[1]):
            streams[which, player] = drawn(_STREAMS + player)[which]
        self.start_memories(streams, which)

    def start_memories(
        self, streams: npt.NDArray[np.uint64], which: npt.NDArray[np.bool_] | slice = _ALL
    ) -> None:
        """Give the memories of the compiled opponents the random streams of their players."""
        for memory in self.memories:
            if memory.dtype.names:
                memory["rng"][which] = streams[which]

    @property
    def memory_arguments(self) -> tuple[Any, ...]:
        """`memories` and `blank_memories`, as the loops take them."""
        return (*self.memories, *self._networks), self.blank_memories

    def kernel(self, template: Callable[..., None] = learner.play_to_learner) -> Any:
        """Return a loop over tables, compiled with these opponents."""
        choose, forget = playing.composed(self._game, self._heuristics, bool(self._networks))
        return self._game.kernel(template, self._table_dtype, choose_opponent=choose, forget=forget)


def _place(items: list[Any], item: Any) -> int:
    """Return the place of an item in a list, where it is put if it is not there."""
    if item not in items:
        items.append(item)
    return items.index(item)


def _blank_memory(
    game: Game, name: str, options: dict[str, Any], table_dtype: np.dtype[np.void]
) -> npt.NDArray[Any]:
    """Return an array of one empty memory; for an agent without one, of a number nobody reads."""
    blank_memory = game.heuristics[name].blank_memory
    if blank_memory is None:
        return np.zeros(1, np.int8)
    return blank_memory(table_dtype, **options)
