"""A game's rules in our words: one short page in its package, as HTML for pages and as plain text.

They stand in `data/rules.html`. What concerns the page to play on alone is in a section of its own,
`ON_THE_PAGE`, which the text leaves out.
"""

from __future__ import annotations

import pkgutil
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waiter_envs.core.game import Game

ON_THE_PAGE = "On this page"
"""The heading of what concerns the page to play on alone; it is the last section."""


def rules_html(game: Game) -> str | None:
    """Return a game's rules as a piece of HTML; `None` if its package has none."""
    package = game.config_class.__module__.split(".")[0]
    try:
        content = pkgutil.get_data(package, "data/rules.html")
    except OSError:
        return None
    return content.decode() if content else None


def rules_text(game: Game) -> str:
    """Return a game's rules as plain text, a paragraph a line; empty if its package has none."""
    html = rules_html(game)
    if html is None:
        return ""
    reader = _Reader()
    reader.feed(html.split(f"<h3>{ON_THE_PAGE}</h3>")[0])
    reader.close()
    return "".join(reader.parts).strip()


class _Reader(HTMLParser):
    """Writes headings, paragraphs, lists and tables as lines."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._first_cell = True

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Begin a line, or go on with one."""
        if tag == "h3":
            self.parts.append("\n\n")
        elif tag in ("p", "tr"):
            self.parts.append("\n")
            self._first_cell = True
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in ("td", "th"):
            self.parts.append("" if self._first_cell else " | ")
            self._first_cell = False

    def handle_data(self, data: str) -> None:
        """Write a text, without the line breaks of the source."""
        self.parts.append(re.sub(r"\s+", " ", data) if data.strip() else " " * (data == " "))
