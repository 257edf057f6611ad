"""A recorded game as one HTML file, with everything inside."""

from __future__ import annotations

import base64
import gzip
import html
import json
import string
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from waiter_envs.agents.agent import Agent
from waiter_envs.agents.make import AgentLike, make_agent, name_of
from waiter_envs.arena.records import Record
from waiter_envs.core.checks import check_path, shown
from waiter_envs.core.games import load
from waiter_envs.drawing.font import font_face
from waiter_envs.web.reel import Reel, reel_of
from waiter_envs.web.theme import style_sheet

_HEIGHT = 640
"""Of the frame in a notebook, in pixels."""


class Replay:
    """A recorded game to look at: a page that opens anywhere, and fetches nothing.

    In a notebook it shows itself. `html` is the page, `save` writes it.
    """

    def __init__(
        self, record: Record, seat: int | None = None, analyse: Sequence[AgentLike] = ()
    ) -> None:
        """Play the game again, and draw it.

        Args:
            record: of the game.
            seat: the player whose view it is for: the page then holds nothing that this player may
                not know. `None`: everybody's, and all cards open.
            analyse: agents that say of each decision what they would have done.

        Raises:
            TypeError, ValueError: for what is no record, seat or agent; `RecordError` if the record
                does not fit.
        """
        if not isinstance(record, Record):
            raise TypeError(f"record={shown(record)}: must be a Record")
        if isinstance(analyse, (str, bytes)) or not isinstance(analyse, Sequence):
            raise TypeError(f"analyse={shown(analyse)}: must be a list of agents")
        self.record = record
        self.seat = seat
        self.html = page(reel_of(record, seat, _judges(record, analyse)))

    def save(self, path: str | Path) -> None:
        """Write the page to a file.

        Raises:
            TypeError: if `path` is none.
            OSError: if it cannot be written.
        """
        Path(check_path(path)).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        """Return the page in a frame, for notebooks."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="{_HEIGHT}" '
            'sandbox="allow-scripts" style="border:0" title="Replay"></iframe>'
        )


def _judges(record: Record, analyse: Sequence[AgentLike]) -> Mapping[str, Agent]:
    """Return agents by name, each name once."""
    game = load(record.game)
    judges: dict[str, Agent] = {}
    for agent in analyse:
        name = name_of(agent)
        if name in judges:
            raise ValueError(f"analyse: there are two agents {name!r}")
        judges[name] = make_agent(game, agent)
    return judges


def page(reel: Reel) -> str:
    """Return the page that shows a reel."""
    text = json.dumps(reel, ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")
    style = "\n".join([font_face(), style_sheet(), _file("replay.css")])
    return string.Template(_file("replay.html")).substitute(
        title=html.escape(str(reel["title"])),
        style=style,
        reel=packed,
        script=_file("travel.js").replace("export ", "") + _file("replay.js"),
    )


def _file(name: str) -> Any:
    return (resources.files("waiter_envs.web") / "static" / name).read_text("utf-8")
