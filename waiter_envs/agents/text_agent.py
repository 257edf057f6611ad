"""`TextAgent`: plays what a function from text to text replies, such as a language model."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.core.checks import (
    check_bool,
    check_callable,
    check_int,
    check_seed,
    check_text,
)
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.games import game_of
from waiter_envs.core.prompts import Prompter

MOST_RETRIES = 1000


@dataclass
class ReplyCounts:
    """How replies were read, apart from how well they played."""

    decisions: int = 0
    """Decisions that were asked for."""
    replies: int = 0
    """Replies that were read."""
    illegal: int = 0
    """Replies that were refused."""
    fallbacks: int = 0
    """Decisions that were drawn, because every reply to them was refused."""


class TextAgent(Agent):
    """Makes an agent of any function from text to text.

    It is asked for one decision after the other, from one thread, with a prompt for each: rules,
    how to reply, what the seat sees, its legal actions. What happened since its last decision is
    not in it, for an agent is not told of what others do: it reads what the table shows, which is
    the last turn of every player in some games. `waiter_envs.interfaces.text.TextEnv` tells all of
    it. Nothing is remembered from prompt to prompt; a function may do so by itself.

    A reply that names no legal action is refused, with the reason, and asked for again, `retries`
    times. Then a legal action is drawn at random. Where a single action is legal, nobody is asked.
    What the function raises is passed on, and nothing has been played then.
    """

    def __init__(
        self,
        function: Callable[[str], str],
        game: Game | None = None,
        *,
        retries: int = 2,
        rules: bool = True,
        list_actions: bool = True,
        seed: int = 0,
    ) -> None:
        """Let `function` reply.

        Args:
            function: returns a reply to a prompt.
            game: what it plays; `None`: whichever game of this library it is asked about.
            retries: how often it is asked again after a reply that is refused.
            rules: the prompt has the rules.
            list_actions: the prompt has all legal actions; else some, as examples.
            seed: of the actions that are drawn.

        Raises:
            TypeError, ValueError: for an argument of the wrong type or out of range.
        """
        check_callable("function", function)
        check_bool("rules", rules)
        check_bool("list_actions", list_actions)
        self.function = function
        self.name = str(getattr(function, "__name__", type(function).__name__))
        self.retries = check_int("retries", retries, 0, MOST_RETRIES)
        self.counts = ReplyCounts()
        """What has been counted since it was made."""
        self._options = {"rules": rules, "list_actions": list_actions}
        self._game = None if game is None else check_game(game)
        self._prompters: dict[Any, Prompter] = {}  # by the fields of a table
        self._rng = np.random.default_rng(check_seed(seed))

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return a legal action for each decision, `(n,)` int32.

        Raises:
            ValueError: at tables of a game that is none of this library, if none was given.
        """
        rows = zip(decisions.state, decisions.player, decisions.action_mask, strict=True)
        actions = [self._decide(*row) for row in rows]
        return np.array(actions, np.int32)

    def _decide(self, table: np.void, player: int, mask: npt.NDArray[np.int8]) -> int:
        """Return the action for one decision."""
        legal = np.flatnonzero(mask).tolist()
        if len(legal) == 1:
            return int(legal[0])
        question = self._prompter(table).ask(table, int(player), legal)
        self.counts.decisions += 1
        prompt = question.prompt
        for left in reversed(range(self.retries + 1)):
            reading = question.read(self.function(prompt))
            self.counts.replies += 1
            if reading.action is not None:
                return reading.action
            self.counts.illegal += 1
            prompt = question.again(reading.reason, left)
        self.counts.fallbacks += 1
        return int(self._rng.choice(legal))

    def _prompter(self, table: np.void) -> Prompter:
        """Return what writes the prompts at a table."""
        fields = table.dtype.names
        if fields not in self._prompters:
            self._prompters[fields] = Prompter(self._game or game_of(table), **self._options)
        return self._prompters[fields]

    def snapshot(self) -> Any:
        """Return where the random stream is; counts go on, whatever is restored."""
        return self._rng.bit_generator.state

    def restore(self, snapshot: Any) -> None:
        """Go back to where the random stream was."""
        self._rng.bit_generator.state = snapshot


def import_function(name: str) -> Callable[[str], str]:
    """Return the function that `module:function` names.

    Raises:
        TypeError: if it is no function.
        ValueError: if there is none of that name.
    """
    module, _, attribute = check_text("name", name).partition(":")
    try:
        function = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise ValueError(
            f"text:{name}: must be text:module:function, of what can be imported ({error})"
        ) from error
    check_callable(f"text:{name}", function)
    return function  # type: ignore[no-any-return]
