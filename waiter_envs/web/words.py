"""Sentences about players, said to the one they are about."""

from __future__ import annotations

import re

_IRREGULAR = {"has": "have", "passes": "pass", "is": "are"}
_FURTHER = (
    "completes", "discards", "does", "draws", "freshens", "has", "is", "moves", "passes", "puts",
    "serves", "sets", "takes", "turns", "uses",
)  # fmt: skip
"""Verbs that may follow the first one of a sentence."""

_LATER_VERB = re.compile(rf"(?<=\band )({'|'.join(_FURTHER)})\b|(?<=\bor )({'|'.join(_FURTHER)})\b")


def to_you(words: str) -> str:
    """Return what a player does, such as `takes its card`, as it is told it: `take your card`.

    Args:
        words: in plain language, beginning with the verb; see `Game.told`.
    """
    verb, blank, rest = words.partition(" ")
    rest = _LATER_VERB.sub(lambda found: _plain(found[0]), rest)
    listed = re.compile(rf"(?<=, )({'|'.join(_FURTHER)})\b")
    rest = listed.sub(lambda found: _plain(found[0]), rest)
    rest = re.sub(r"\bits own\b", "your own", rest)
    rest = re.sub(r"\bits\b", "your", rest)
    rest = re.sub(r"\bit has\b", "you have", rest)
    return _plain(verb) + blank + rest


def _plain(verb: str) -> str:
    """Return a verb of the third person as it is for `you`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    return verb[:-2] if verb.endswith(("sses", "shes", "ches")) else verb.removesuffix("s")


def headline_to(player: int, headline: str) -> str:
    """Return a headline such as `P0 takes an order` as player 0 is told it: `You take an order`."""
    name = f"P{player}"
    if headline.startswith(f"{name} "):
        return f"You {to_you(headline.removeprefix(f'{name} '))}"
    if headline.startswith(f"{name}: "):
        question = headline.removeprefix(f"{name}: ")
        return question[:1].upper() + question[1:]
    return headline
