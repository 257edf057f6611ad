"""Decisions as text for language models: rules, what a seat sees, what it was told, its actions.

All of it comes from `Game.view` and `Game.told` of that seat, so nothing hidden is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from waiter_envs.core.game import Game
from waiter_envs.core.replies import Reading, read_reply
from waiter_envs.core.rules_page import rules_text
from waiter_envs.core.views import Told

_ANSWER = (
    "Reply with one legal action. Its text must be the last line of your reply, with nothing else "
    "in that line, or stand in <action>...</action>."
)


class Question(NamedTuple):
    """A decision of one seat, as text."""

    prompt: str
    legal: dict[str, int]
    """The legal actions: text to index."""

    def read(self, reply: object) -> Reading:
        """Return the action that a reply names; see `read_reply`."""
        return read_reply(reply, self.legal)

    def again(self, reason: str, left: int) -> str:
        """Return the prompt after a reply was refused.

        Args:
            reason: why.
            left: how many replies more are read before an action is drawn.
        """
        more = f"{left} more {'reply is' if left == 1 else 'replies are'} read"
        return (
            f"{self.prompt}\n\n# Your last reply was refused\n\n"
            f"Because {reason}. {more}; then an action is drawn for you."
        )


class Prompter:
    """Writes the prompts of one game."""

    def __init__(self, game: Game, *, rules: bool = True, list_actions: bool = True) -> None:
        """Choose what prompts hold.

        Args:
            game: the game.
            rules: its rules, in each prompt.
            list_actions: all legal actions; else one of each kind, as examples.
        """
        self.game, self.list_actions = game, list_actions
        self._rules = rules_text(game) if rules else ""

    def ask(
        self,
        table: np.void,
        player: int,
        actions: Sequence[int],
        happened: Sequence[Told] | None = None,
    ) -> Question:
        """Return the decision of `player`, who is to act at `table`.

        Args:
            table: a record.
            player: the player to act.
            actions: those that are legal.
            happened: what the player was told since its last decision; `None`: is not known.
        """
        told = [self.game.told(table, action, player) for action in actions]
        described = [(each["text"], each["words"]) for each in told if each is not None]
        legal = dict(zip((text for text, _ in described), actions, strict=True))
        sections = [*self._about(table, player), *_happened(happened), *self._seen(table, player)]
        return Question("\n\n".join([*sections, *self._actions(legal, described)]), legal)

    def end(self, table: np.void, player: int, happened: Sequence[Told]) -> str:
        """Return what a player is shown when the game is over."""
        sections = [*_happened(happened), *self._seen(table, player), "The game is over."]
        return "\n\n".join(sections)

    def _about(self, table: np.void, player: int) -> list[str]:
        others = [f"P{i}" for i in range(int(table["num_players"])) if i != player]
        lines = [f"You play {self.game.title} as P{player}. With you play {', '.join(others)}."]
        if self._rules:
            lines.append(f"# Rules\n\n{self._rules}")
        return [*lines, f"# How to reply\n\n{_ANSWER}"]

    def _seen(self, table: np.void, player: int) -> list[str]:
        return [f"# What you see\n\n{self.game.render(table, player)}"]

    def _actions(self, legal: dict[str, int], described: Sequence[tuple[str, str]]) -> list[str]:
        """Return the legal actions with what they mean, or one of each kind."""
        meanings = dict(described)
        if self.list_actions:
            title, texts = f"# Your {len(legal)} legal actions", list(legal)
        else:
            title = f"# Your actions: {len(legal)} are legal, some of them"
            texts = _one_of_each(legal)
        return ["\n".join([title, "", *(f"{text}    ({meanings[text]})" for text in texts)])]


def _one_of_each(texts: Iterable[str]) -> list[str]:
    """Return the first text of each kind: of all that begin with the same word."""
    return list({text.split()[0]: text for text in reversed(list(texts))}.values())[::-1]


def _happened(told: Sequence[Told] | None) -> list[str]:
    """Return what happened since the last decision."""
    if told is None:
        return []
    lines = [f"P{each['player']} {each['words']}    ({each['text']})" for each in told]
    return ["\n".join(["# Since your last decision", "", *(lines or ["Nothing."])])]
