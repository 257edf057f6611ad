"""`RuleAgent`: plays by rules of thumb that a game's package brings."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Decisions, RememberingAgent
from waiter_envs.core import kernels, rng
from waiter_envs.core.checks import check_seed, check_text, shown
from waiter_envs.core.game import Game, Heuristic, check_game


class RuleAgent(RememberingAgent):
    """A rule-based agent of a game, compiled like its rules."""

    def __init__(self, game: Game, name: str, seed: int = 0, **options: Any) -> None:
        """Take the agent `name` of `game.heuristics`.

        Args:
            game: the game that it plays.
            name: of the agent.
            seed: of the random streams of its memories.
            **options: of the agent, if it has any (how fast it forgets).

        Raises:
            ValueError: if there is none of that name; the text lists those that exist.
            TypeError, ValueError: for an option that it does not have, or a wrong value of one.
        """
        if check_text("name", name) not in check_game(game).heuristics:
            raise ValueError(
                f"unknown rule-based agent {shown(name)} for {game.name}; "
                f"there are {', '.join(game.heuristics)}"
            )
        self.game = game
        self.name = name
        self.seed = check_seed(seed)
        self.options = options
        self._table_dtype = game.table_dtype(game.config())  # of the tables it is asked at
        blank_memory = self.heuristic.blank_memory
        if blank_memory is not None:  # a wrong option is refused here
            blank_memory(self._table_dtype, **options)
        elif options:
            raise TypeError(f"agent {name!r} of {game.name} has no options, but got {options}")

    @property
    def heuristic(self) -> Heuristic:
        """The agent's rules, found by name: a pickled agent carries no compiled code."""
        return self.game.heuristics[self.name]

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32."""
        count = len(decisions.state)
        actions = np.empty(count, np.int32)
        state = np.ascontiguousarray(decisions.state)
        action_mask = np.ascontiguousarray(decisions.action_mask, np.int8)
        choose = self.heuristic.choose
        if self.heuristic.blank_memory is None:
            kernel = self.game.kernel(kernels.choose_actions, state.dtype, choose=choose)
            kernel(state, action_mask, 0, count, actions)
            return actions
        self._table_dtype = state.dtype
        memory = self.memories(decisions)
        here = decisions.table, decisions.player
        mine = memory[here]
        kernel = self.game.kernel(kernels.choose_remembering, state.dtype, choose=choose)
        kernel(state, action_mask, mine, 0, count, actions)
        memory[here] = mine
        return actions

    def blank_memories(self, tables: int, players: int) -> npt.NDArray[np.void]:
        """Return what is remembered before the first decisions, `(tables, players)` structured."""
        assert self.heuristic.blank_memory is not None
        blank = self.heuristic.blank_memory(self._table_dtype, **self.options)
        memory = np.repeat(blank, tables * players).reshape(tables, players)
        for player in range(players):
            memory["rng"][:, player] = rng.streams(self.seed, tables, player)
        return memory
