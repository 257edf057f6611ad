"""`TextEnv`: one seat at a table of any game for a language model: prompts out, replies in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from waiter_envs.agents.make import AgentLike
from waiter_envs.agents.text_agent import MOST_RETRIES, ReplyCounts
from waiter_envs.core.checks import check_bool, check_int
from waiter_envs.core.game import Game
from waiter_envs.core.prompts import Prompter
from waiter_envs.core.views import Told
from waiter_envs.interfaces.gymnasium_env import SingleAgentEnv


class TextEnv:
    """One seat at a table, among agents, as text.

    `reset` returns a prompt: the rules in short, how to reply, what has happened since the seat's
    last decision as it was told of it, what it sees, and its legal actions. `step` takes a reply.
    Every prompt stands alone, without the ones before it, except that what a player is to keep in
    mind by itself (the orders of Garçon) is not shown again.

    A reply names an action in its last line, or in the last `<action>...</action>`. One that names
    no legal action is refused: the next prompt is the same with the reason, the reward is 0, and
    the table has not moved. The seat may reply `retries` times more; if all of these are refused,
    too, a legal action is drawn at random in its place, and the game goes on. An illegal reply
    costs no reward: it is counted in `info`, apart from the strength of play.

    The same seed and the same replies give the same prompts, rewards and infos, letter by letter,
    as far as opponents given as objects do the same.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        seat: int | None = None,
        opponents: AgentLike | Sequence[AgentLike] = "random",
        retries: int = 2,
        rules: bool = True,
        list_actions: bool = True,
        config: Any = None,
        preset: str | None = None,
        **fields: Any,
    ) -> None:
        """Open a table; `reset` deals it.

        Args:
            game: the game's name, or its binding.
            seat: the number of the player; `None`: drawn anew for each game.
            opponents: the agent of all others, or one for each of them in the order of the
                players: whatever `make_agent` takes.
            retries: how often a reply may follow one that is refused.
            rules: prompts have the rules.
            list_actions: prompts have all legal actions; else some, as examples.
            config: a variant of the game.
            preset: the name of a variant.
            **fields: fields of the game's `Config`.

        Raises:
            TypeError, ValueError: for an argument of the wrong type or out of range.
        """
        check_bool("rules", rules)
        check_bool("list_actions", list_actions)
        self.retries = check_int("retries", retries, 0, MOST_RETRIES)
        self._env = _Listening(
            game, seat=seat, opponents=opponents, config=config, preset=preset, **fields
        )
        self.game, self.config = self._env.game, self._env.config
        self._prompter = Prompter(self.game, rules=rules, list_actions=list_actions)
        self._rng = np.random.default_rng()
        self._done = True
        self.counts = ReplyCounts()
        """What has been counted in this game."""

    @property
    def seat(self) -> int:
        """The number of the player."""
        return self._env.seat

    @property
    def table(self) -> np.void:
        """A copy of the table record, hidden cards and all; not for whoever replies."""
        return self._env.table

    def reset(self, seed: int | None = None) -> str:
        """Deal a game and return the prompt of the first decision.

        Args:
            seed: starts every random stream again; `None` goes on with the present ones.

        Raises:
            TypeError, ValueError: for a bad seed.
        """
        self._env.reset(seed=seed)
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.counts = ReplyCounts()
        self._done = False
        return self._ask()

    def step(self, reply: Any) -> tuple[str, float, bool, dict[str, Any]]:
        """Read a reply, and play on to the seat's next decision if it names a legal action.

        Args:
            reply: a text. What is no text is refused like any other illegal reply.

        Returns:
            The next prompt, the reward since the last decision, whether the game is over, and
            `info`:

            * `action`: the text of what was played, `None` after a refusal;
            * `refused`: why the reply was, `None` if it was not;
            * `fallback`: whether the action was drawn in the seat's place;
            * `truncated`: whether the game was cut at the turn limit;
            * `seat`, and of this game `decisions`, `replies`, `illegal` and `fallbacks`.

        Raises:
            ResetNeeded: if no game is in progress.
        """
        if self._done:
            raise ResetNeeded("no game is in progress: call `reset`")
        reading = self._question.read(reply)
        action, refused = reading.action, reading.reason or None
        self.counts.replies += 1
        fallback = False
        if action is None:
            self.counts.illegal += 1
            self._refusals += 1
            if self._refusals <= self.retries:
                left = self.retries + 1 - self._refusals
                prompt = self._question.again(reading.reason, left)
                return prompt, 0.0, False, self._info(None, refused)
            fallback = True
            self.counts.fallbacks += 1
            action = int(self._rng.choice(list(self._question.legal.values())))
        text = next(text for text, index in self._question.legal.items() if index == action)
        self._env.heard.clear()
        _, reward, terminated, truncated, _ = self._env.step(action)
        self._done = terminated or truncated
        prompt = self._end() if self._done else self._ask()
        info = self._info(text, refused, fallback=fallback, truncated=truncated)
        return prompt, reward, self._done, info

    def _ask(self) -> str:
        """Return the prompt of the next decision."""
        legal = np.flatnonzero(self._env.action_masks()).tolist()
        self._question = self._prompter.ask(self.table, self.seat, legal, self._env.heard)
        self._refusals = 0
        self.counts.decisions += 1
        return self._question.prompt

    def _end(self) -> str:
        """Return what the seat is shown when the game is over."""
        return self._prompter.end(self.table, self.seat, self._env.heard)

    def _info(
        self,
        action: str | None,
        refused: str | None,
        *,
        fallback: bool = False,
        truncated: bool = False,
    ) -> dict[str, Any]:
        told = {"action": action, "refused": refused, "fallback": fallback, "truncated": truncated}
        return {**told, "seat": self.seat, **vars(self.counts)}


class _Listening(SingleAgentEnv):
    """A table that notes what its learner is told of every action."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.heard: list[Told] = []
        super().__init__(*args, **options)

    def _deal(self, seed: int | None) -> None:
        self.heard.clear()
        super()._deal(seed)

    def _step(self, actions: npt.NDArray[np.int32]) -> None:
        told = self.game.told(self.table, int(actions[0]), self.seat)
        if told is not None:
            self.heard.append(told)
        super()._step(actions)
