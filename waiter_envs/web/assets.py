"""What pages are made of: files of the package, the face, rules and drawings of the games."""

from __future__ import annotations

import functools
import pkgutil

import numpy as np

from waiter_envs.core.game import Game
from waiter_envs.core.rules_page import rules_html
from waiter_envs.core.views import Told
from waiter_envs.drawing import font

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Media types by the end of a file's name."""

STATIC = (
    "base.css",
    "choosing.js",
    "icon.svg",
    "play.css",
    "play.js",
    "server.js",
    "table.js",
    "theme.js",
    "travel.js",
)
"""Files that every page may ask for."""

FONTS = tuple(f"waiter-sans-{style}.woff2" for style in font.WEIGHTS)


def file(name: str) -> bytes:
    """Return a file of `static/`, which may lie in an archive."""
    content = pkgutil.get_data("waiter_envs.web", f"static/{name}")
    assert content is not None
    return content


@functools.cache
def static() -> dict[str, tuple[bytes, str]]:
    """Return content and media type of all that pages ask for, by name."""
    files = {name: file(name) for name in STATIC}
    files |= {name: font.data(name).read_bytes() for name in FONTS}
    return {name: (content, TYPES[name[name.rindex(".") :]]) for name, content in files.items()}


def rules(game: Game) -> str:
    """Return a game's rules as a piece of HTML; a sentence if its package has none."""
    return rules_html(game) or "<p>This game comes without a page of rules.</p>"


def draw(
    game: Game, table: np.void, viewer: int | None, told: Told | None, theme: str, layout: str
) -> str:
    """Return what a viewer sees of a table as SVG, without its face, which the page has."""
    return game.svg(table, viewer, last=told, theme=theme, font=False, layout=layout)
