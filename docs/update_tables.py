"""Writes what the documentation repeats of the code: `python docs/update_tables.py`.

Each table stands between `<!-- table: NAME -->` and `<!-- end -->` on a game's page, each file of
the minimal game between `<!-- file: PATH -->` and `<!-- end -->` on the page that walks through it.
A test compares.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import waiter_envs
from waiter_envs.core.game import Game

DOCS = Path(__file__).resolve().parent


def markdown_table(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a Markdown table."""
    head = list(header)
    lines = [head, ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def variants(game: Game) -> str:
    """Return the fields of `Config`, their meaning as its docstring has it, and defaults."""
    text = str(game.config_class.__doc__).split("Args:")[1].split("\n\n")[0]
    meanings = dict(re.findall(r"^ +(\w+): ((?:.|\n {9,})+)", text, flags=re.MULTILINE))
    return markdown_table(
        ("field", "meaning", "default"),
        (
            (f"`{field.name}`", " ".join(meanings[field.name].split()), f"`{field.default}`")
            for field in dataclasses.fields(game.config_class)
            if field.init
        ),
    )


def presets(game: Game) -> str:
    """Return the presets and the fields in which each differs from the defaults."""
    fields = [field for field in dataclasses.fields(game.config_class) if field.init]
    rows = []
    for name, config in game.presets.items():
        changes = [
            f"`{field.name}={getattr(config, field.name)}`"
            for field in fields
            if getattr(config, field.name) != field.default
        ]
        default = " (default)" if name == game.default_preset else ""
        sizes = f"{game.num_features(config)} / {game.num_actions(config)}"
        rows.append((f"`{name}`{default}", ", ".join(changes), sizes))
    return markdown_table(("preset", "fields that differ", "features / actions"), rows)


def actions(game: Game) -> str:
    """Return the blocks of the default game's action space."""
    blocks = game.action_blocks(game.config_class())
    rows = [(f"`{b.name}`", b.start, b.size, b.meaning) for b in blocks]
    total = game.num_actions(game.config_class())
    return markdown_table(("block", "first", "size", "arguments"), [*rows, ("", "", total, "")])


def _field_table(fields: list[Any]) -> str:
    rows = [(f"`{f.name}`", f.start, f.size, f.meaning) for f in fields]
    total = sum(f.size for f in fields)
    return markdown_table(("field", "first", "length", "meaning"), [*rows, ("", "", total, "")])


def observation(game: Game) -> str:
    """Return the fields of the default game's observation."""
    return _field_table(game.observation_fields(game.config_class()))


def hidden(game: Game) -> str:
    """Return the fields that the perfect-information view of the default game adds."""
    return _field_table(game.hidden_fields(game.config_class()))


TABLES: dict[str, Callable[[Game], str]] = {
    function.__name__: function for function in (variants, presets, actions, observation, hidden)
}


def updated(game: Game, page: str) -> str:
    """Return a page with its tables as the code has them."""

    def fresh(match: re.Match[str]) -> str:
        return f"<!-- table: {match[1]} -->\n{TABLES[match[1]](game)}\n<!-- end -->"

    return re.sub(r"<!-- table: (\w+) -->\n(?:.*\n)*?<!-- end -->", fresh, page)


def with_files(page: str) -> str:
    """Return a page with the files that it shows as they are."""

    def fresh(match: re.Match[str]) -> str:
        code = (DOCS.parent / match[1]).read_text()
        return f"<!-- file: {match[1]} -->\n```py\n{code}```\n<!-- end -->"

    return re.sub(r"<!-- file: (.+) -->\n(?:.*\n)*?<!-- end -->", fresh, page)


def main() -> None:
    """Update the page of every game, and the walk-through."""
    for name in waiter_envs.GAMES:
        path = DOCS / f"{name}.md"
        path.write_text(updated(waiter_envs.load(name), path.read_text()))
    walk_through = DOCS / "adding_a_game.md"
    walk_through.write_text(with_files(walk_through.read_text()))


if __name__ == "__main__":
    main()
