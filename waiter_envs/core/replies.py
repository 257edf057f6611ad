"""Reading what a language model replies: which action it names, or why none was found.

Lenient in form, strict in meaning: case, spaces, quotes and punctuation around an action do not
count, but a reply is never guessed at. What does not name one legal action is refused.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

from waiter_envs.core.checks import shown

READ = 4000
"""Characters of a reply that are read, from its end."""

_QUOTED = 80
"""Characters of a reply that a refusal repeats."""

_TAG = re.compile(r"<\s*action\s*>(.*?)<\s*/\s*action\s*>", re.IGNORECASE | re.DOTALL)
_LABEL = re.compile(
    r"^(?:my |the )?(?:final )?(?:action|answer|move)(?: is)?\s*[:=]\s*", re.IGNORECASE
)


class Reading(NamedTuple):
    """What was read in a reply."""

    action: int | None
    """The index of the action that it names; `None`: refused."""
    reason: str
    """Why it is refused; empty if it is not."""


def read_reply(reply: Any, legal: Mapping[str, int]) -> Reading:
    """Return the legal action that a reply names.

    The last `<action>...</action>` counts, else the last line that is not empty. Before the action
    there may be `Action:`, around it quotes, marks and punctuation.

    Args:
        reply: whatever came back; what is no text is refused.
        legal: the legal actions: text to index.
    """
    if not isinstance(reply, str):
        return Reading(None, f"it is no text but {type(reply).__name__}")
    end = reply[-READ:]
    tags = _TAG.findall(end)
    lines = [line for line in end.splitlines() if plain(line)]
    named = tags[-1] if tags else lines[-1] if lines else ""
    if not plain(named):
        return Reading(None, "it is empty")
    for text in (named.strip(), _LABEL.sub("", named.strip(" \t*_`>#-"))):
        found = _find(text, legal)
        if found is not None:
            return Reading(found, "")
    return Reading(None, _refusal(named, legal))


def plain(text: str) -> str:
    """Return a text without case, and without spaces, quotes and punctuation around it."""
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    inside = [i for i, letter in enumerate(text) if letter.isalnum()]
    return text[inside[0] : inside[-1] + 1] if inside else ""


def _find(text: str, legal: Mapping[str, int]) -> int | None:
    """Return the action of a text: the very text, or the only one that is the same when plain."""
    if text in legal:
        return legal[text]
    wanted = plain(text)
    alike = [action for name, action in legal.items() if plain(name) == wanted]
    return alike[0] if len(alike) == 1 else None


def _refusal(named: str, legal: Mapping[str, int]) -> str:
    """Return why the last line or tag of a reply is refused."""
    words = plain(named)
    inside = [name for name in legal if re.search(rf"\b{re.escape(plain(name))}\b", words)]
    quoted = shown(" ".join(named.split())[:_QUOTED])
    if len(inside) > 1:
        return f"{quoted} is not one action and nothing else, it names several"
    if inside:
        return f"{quoted} is not an action and nothing else; {shown(inside[0])} would be one"
    close = difflib.get_close_matches(named[:_QUOTED], legal, 3, 0.0)
    return f"{quoted} is no action that is legal now; closest are {', '.join(map(shown, close))}"
