"""`Opponents`: who plays around the learners of many tables, compiled where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent
from waiter_envs.agents.make import AgentLike, make_agent
from waiter_envs.agents.random_agent import RandomAgent
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.core import learner
from waiter_envs.core.game import Game
from waiter_envs.core.revival import OwnsArrays

_STREAMS = 3
"""Purpose of the random streams of player 0; the other players' follow."""


class Opponents(OwnsArrays):
    """The opponents of the learner at each of many tables.

    Random and rule-based agents are compiled into the loop over tables. They play with random
    streams and memories that are kept here, by table and player: of a `RuleAgent` that was handed
    in only the name and the options count. All other agents are asked from Python, in batches.
    """

    def __init__(
        self, game: Game, opponents: Sequence[AgentLike], num_tables: int, blank: Any
    ) -> None:
        """Find the agents.

        Args:
            game: the game that is played.
            opponents: one for each opponent, in the order of the players: whatever `make_agent`
                takes.
            num_tables: at how many tables.
            blank: a blank table of the variant.

        Raises:
            TypeError, ValueError: for an unknown agent.
        """
        self._game = game
        rules: list[tuple[str, dict[str, Any]]] = []
        self.agents: list[Agent] = []
        """Those that are asked from Python, each once."""
        self.kinds = np.zeros(len(opponents), np.int8)
        """Of each opponent, `(opponents,)`: see `learner.play_to_learner`."""
        made: dict[int, Agent] = {}
        for number, opponent in enumerate(opponents):
            agent = made.setdefault(id(opponent), make_agent(game, opponent))
            if type(agent) is RandomAgent:
                self.kinds[number] = learner.RANDOM
            elif type(agent) is RuleAgent:
                self.kinds[number] = 1 + _place(rules, (agent.name, agent.options))
            else:
                self.kinds[number] = -1 - _place(self.agents, agent)
        self._heuristics = tuple(name for name, _ in rules)
        self._table_dtype = blank.dtype
        self.blank_memories: tuple[npt.NDArray[Any], ...] = tuple(
            _blank_memory(game, name, options, blank.dtype) for name, options in rules
        )
        num_players = len(opponents) + 1
        self.memories: tuple[npt.NDArray[Any], ...] = tuple(
            np.repeat(blank, num_tables * num_players).reshape(num_tables, num_players)
            for blank in self.blank_memories
        )

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
            streams: those of the random ones, `(num_tables, players, 2)`.
        """
        for player in range(streams.shape[1]):
            stream = drawn(_STREAMS + player)[which]
            streams[which, player] = stream
            for memory in self.memories:
                if memory.dtype.names:
                    memory["rng"][which, player] = stream

    def kernel(self) -> Callable[..., None]:
        """Return `learner.play_to_learner`, compiled with these opponents."""
        choose, forget = _functions(self._game, self._heuristics)
        return self._game.kernel(  # type: ignore[no-any-return]
            learner.play_to_learner, self._table_dtype, choose_opponent=choose, forget=forget
        )


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


_compiled: dict[tuple[str, tuple[str, ...]], tuple[Any, Any]] = {}


def _functions(game: Game, heuristics: tuple[str, ...]) -> tuple[Any, Any]:
    """Return `choose_opponent` and `forget`, the same ones whenever they are asked for."""
    key = game.name, heuristics
    if key not in _compiled:
        _compiled[key] = learner.compose([game.heuristics[name] for name in heuristics])
        _compiled[key][0].__name__ = "_".join(["opponents", *heuristics])
    return _compiled[key]
