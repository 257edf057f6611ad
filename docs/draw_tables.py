"""Draws a table of each game for its page, with a number on every part that the page names.

    python docs/draw_tables.py

Needs the extra `render`. Writes `docs/images`.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import waiter_envs
from waiter_envs.agents.agent import Decisions
from waiter_envs.drawing import raster
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.svg import element, group

IMAGES = Path(__file__).parent / "images"
WIDTH = 1440


class Scene(NamedTuple):
    """Which position is drawn, and which of its things are numbered."""

    variant: dict[str, Any]
    until: Callable[[dict[str, Any]], bool]
    """Whether a view of the player to act is the one to draw."""
    things: tuple[str, ...]
    """Ids that get a number, from 1 on; `own` and `next` stand for the viewer and the player to
    its left."""


SCENES = {
    "hey_waiter": Scene(
        {},
        lambda view: view["turn"]["number"] > 20 and _has_cover(view),
        (
            *("next", "next-hand", "next-busboy-white", "next-stack-0", "next-stack-0-card"),
            *("draw", "discard", "cover-white", "own-stack-0", "own-busboy-white", "own-hand-0"),
        ),
    ),
    "greasy_spoon": Scene(
        {},
        lambda view: len(view["dish"]["parts"]) == 2 and _own(view)["backburner"]["count"] > 1,
        (
            *("next-draw", "next-backburner", "next-hand", "next-served", "dish"),
            *("own-draw", "own-backburner", "own-served", "own-hand"),
        ),
    ),
    "garcon": Scene(
        {"preset": "perfect"},
        lambda view: view["naming"] is not None and len(view["naming"]["said"]) > 0,
        (
            *("next", "next-open-0", "slot-0", "event-0", "naming", "menu-0", "order-pile"),
            *("order-discards", "own-open-0"),
        ),
    ),
    "dessert": Scene(
        {},
        lambda view: _is_theft(view) and len(view["waiting_room"]) > 1,
        (
            *("next", "next-hand", "serving", "waiting", "pile", "guest-pile", "dirty"),
            *("own-guest", "own-dessert"),
        ),
    ),
}


def _own(view: dict[str, Any]) -> Any:
    return view["players"][view["viewer"]]


def _has_cover(view: dict[str, Any]) -> bool:
    """Return whether a cover lies on a stack of the player to the viewer's left."""
    other = view["players"][(view["viewer"] + 1) % len(view["players"])]
    return any(stack["cover"] for stack in other["stacks"]) and len(_own(view)["stacks"]) > 1


def _is_theft(view: dict[str, Any]) -> bool:
    serving = view["serving"]
    if serving is None or serving["kind"] != "steal" or not serving["cards"]:
        return False
    other = view["players"][(view["viewer"] + 1) % len(view["players"])]
    return bool(_own(view)["guests"] and _own(view)["hand"]["cards"] and other["guests"])


def position(name: str, scene: Scene) -> tuple[str, dict[str, Any]]:
    """Play until a position is the one to draw; return its drawing and its view."""
    game = waiter_envs.load(name)
    for seed in range(1, 200):
        tables = waiter_envs.Tables.of(game, 1, seed, autoreset_mode="Disabled", **scene.variant)
        agent = waiter_envs.make_agent(game, "heuristic" if name != "greasy_spoon" else "random", 1)
        before = None
        while not (tables.terminated[0] or tables.truncated[0]):
            viewer = int(tables.current_player[0])
            table = tables.state[0].copy()
            view = game.view(table, viewer)
            if before is not None and scene.until(view):
                last = game.told(*before, viewer, table)
                return game.svg(table, viewer, last=last, font=False), view
            action = agent.act(Decisions.at(tables))
            before = (table, int(action[0]))
            tables.step(np.asarray(action))
    raise LookupError(f"no game of {name} comes to such a position")


def numbered(svg: str, view: dict[str, Any], things: tuple[str, ...]) -> str:
    """Return a drawing with numbers on things."""
    painter, marks = Painter("light"), []
    spots = dict(corners(ET.fromstring(svg), 0.0, 0.0, 1.0))
    for count, thing in enumerate(things, 1):
        x, y = spots[resolved(thing, view)]
        x, y = max(14.0, x), max(14.0, y)
        marks.append(painter.circle(x, y, 13, "#FFFFFF") + painter.circle(x, y, 11.5, "#2A2230"))
        marks.append(
            painter.text(x, y + 5, str(count), 14, fill="#FFFFFF", bold=True, anchor="middle")
        )
    return svg.replace("</svg>", f"{''.join(marks)}</svg>")


def resolved(thing: str, view: dict[str, Any]) -> str:
    """Return the id that a thing of a scene stands for."""
    viewer, players = view["viewer"], len(view["players"])
    if thing in ("own-guest", "own-dessert"):
        own = _own(view)
        return str((own["guests"] if thing == "own-guest" else own["hand"]["cards"])[0]["id"])
    if thing == "waiting":
        return str(view["waiting_room"][0]["id"])
    if thing == "serving":
        return str(view["serving"]["cards"][0]["id"])
    name = re.sub("^own", f"p{viewer}", thing)
    return re.sub("^next", f"p{(viewer + 1) % players}", name)


def corners(part: Any, x: float, y: float, scale: float) -> Any:
    """Yield the id of each thing in a drawing with a corner: upper left, of a mat upper right."""
    for kind, numbers in re.findall(r"(translate|scale)\(([^)]*)\)", part.get("transform", "")):
        values = [float(number) for number in numbers.split()]
        if kind == "translate":
            x, y = x + scale * values[0], y + scale * values[1]
        else:
            scale *= values[0]
    for inner in part:
        if inner.get("class") == "spot":
            left, top = float(inner.get("x", 0)), float(inner.get("y", 0))
            if re.fullmatch("p[0-9]+", part.get("data-id")):  # the name stands at the left
                left += float(inner.get("width")) - 20
            yield part.get("data-id"), (x + scale * left, y + scale * top)
        yield from corners(inner, x, y, scale)


def together(pictures: list[str]) -> str:
    """Return pictures of 960 by 640 two by two, as the README opens with."""
    placed = [
        group(picture[picture.index(">") + 1 : -len("</svg>")], x=980 * (n % 2), y=660 * (n // 2))
        for n, picture in enumerate(pictures)
    ]
    size = {"width": 1940, "height": 660 * -(-len(pictures) // 2) - 20}
    view_box = f"0 0 {size['width']} {size['height']}"
    return element("svg", *placed, xmlns="http://www.w3.org/2000/svg", viewBox=view_box, **size)


def main() -> None:
    """Draw them all."""
    IMAGES.mkdir(exist_ok=True)
    pictures = []
    for name, scene in SCENES.items():
        svg, view = position(name, scene)
        pictures.append(svg)
        picture = numbered(svg, view, scene.things)
        (IMAGES / f"{name}.png").write_bytes(raster.png(picture, WIDTH))
        print(f"docs/images/{name}.png")
    (IMAGES / "tables.png").write_bytes(raster.png(together(pictures), WIDTH))
    print("docs/images/tables.png")


if __name__ == "__main__":
    main()
