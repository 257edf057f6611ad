"""What the tests of all games check of drawings."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.views import ids_in
from waiter_envs import make_agent
from waiter_envs.agents.agent import Decisions
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables
from waiter_envs.core.views import Told
from waiter_envs.drawing import font
from waiter_envs.drawing.layout import HEADERS
from waiter_envs.drawing.painter import marked

SVG = "{http://www.w3.org/2000/svg}"
FOLDER = Path(__file__).parent / "drawn"

_NUMBER = re.compile(r"-?\d*\.?\d+")
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_ARGUMENTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "a": 7, "z": 0}


class Moment(NamedTuple):
    """A table with the last action."""

    table: np.void
    before: tuple[np.void, int] | None

    def drawn(self, game: Game, viewer: int | None, **options: Any) -> tuple[str, Told | None]:
        """Return the drawing for a viewer, without its face, and what the viewer was told."""
        told = game.told(*self.before, viewer, self.table) if self.before else None
        return game.svg(self.table, viewer, last=told, font=False, **options), told


def moments(
    game: Game, every: int, agent: str = "random", seed: int = 1, **variant: Any
) -> list[Moment]:
    """Return the first position of a game, every so manyth one after it, and the last one."""
    tables = Tables.of(game, 1, seed, autoreset_mode="Disabled", **variant)
    player = make_agent(game, agent, seed)
    kept = [Moment(tables.state[0].copy(), None)]
    count = 0
    while not (tables.terminated[0] or tables.truncated[0]):
        action = player.act(Decisions.at(tables))
        before = (tables.state[0].copy(), int(action[0]))
        tables.step(action)
        count += 1
        latest = Moment(tables.state[0].copy(), before)
        if count % every == 0:
            kept.append(latest)
    return [*kept, latest]


def check_moments(game: Game, shown: list[Moment], undrawn: str = "(?!)") -> None:
    """Check the drawings of moments, for everybody and with all cards open, in both themes.

    Args:
        game: the game.
        shown: its moments.
        undrawn: ids that need not be drawn, as a regular expression.
    """
    for number, moment in enumerate(shown):
        for viewer in (None, *range(int(moment.table["num_players"]))):
            theme = ("light", "dark")[number % 2]
            for layout in HEADERS:
                svg, told = moment.drawn(game, viewer, theme=theme, layout=layout)
                assert svg == moment.drawn(game, viewer, theme=theme, layout=layout)[0]
                check_drawing(svg, game.view(moment.table, viewer), told, undrawn)
                assert (layout == "phone") == ('viewBox="0 0 376 ' in svg)


def check_drawing(svg: str, view: Any, told: Told | None, undrawn: str = "(?!)") -> None:
    """A drawing is XML without what it may not have; every id is drawn once, all in the picture."""
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    title = root.find(f"{SVG}title")
    assert title is not None
    assert view["headline"] in str(title.text)
    assert not re.search("<script|href|url|@import| id=", svg)
    things = [part for part in root.iter() if part.get("data-id")]
    drawn = [str(part.get("data-id")) for part in things]
    assert len(set(drawn)) == len(drawn)
    wanted = set(ids_in(view))
    assert set(drawn) <= wanted
    assert all(re.fullmatch(undrawn, name) for name in wanted - set(drawn))
    for part in things:
        name = str(part.get("data-id"))
        is_touched = told is not None and name in marked(told)
        assert part.get("class") == ("thing touched" if is_touched else "thing"), name
        assert (part.find(f"{SVG}path[@class='mark']") is not None) == is_touched, name
    check_bounds(root)


def check_bounds(root: ET.Element) -> None:
    """Nothing lies beyond the picture, and no text is too small."""
    _, _, width, height = (float(number) for number in str(root.get("viewBox")).split())
    for part, corners, scale in shapes(root, 0.0, 0.0, 1.0):
        for x, y in corners:
            assert -0.1 <= x <= width + 0.1, ET.tostring(part)
            assert -0.1 <= y <= height + 0.1, ET.tostring(part)
        if part.tag == f"{SVG}text":
            assert float(str(part.get("font-size"))) * scale >= font.SMALLEST


def shapes(
    part: ET.Element, x: float, y: float, scale: float
) -> Iterator[tuple[ET.Element, list[tuple[float, float]], float]]:
    """Yield each shape with points that bound it and its scale, as they are in the picture."""
    for moved in re.findall(r"(translate|scale)\(([^)]*)\)", part.get("transform", "")):
        numbers = [float(number) for number in moved[1].split()]
        if moved[0] == "translate":
            x, y = x + scale * numbers[0], y + scale * numbers[1]
        else:
            scale *= numbers[0]
    yield part, [(x + scale * px, y + scale * py) for px, py in _points(part)], scale
    for inner in part:
        yield from shapes(inner, x, y, scale)


def _points(part: ET.Element) -> list[tuple[float, float]]:
    """Return points that bound a shape."""

    def given(name: str) -> float:
        return float(part.get(name, 0))

    if part.tag == f"{SVG}rect":
        x, y = given("x"), given("y")
        return [(x, y), (x + given("width"), y + given("height"))]
    if part.tag == f"{SVG}circle":
        x, y, r = given("cx"), given("cy"), given("r")
        return [(x - r, y - r), (x + r, y + r)]
    if part.tag == f"{SVG}path":
        return list(_path_points(str(part.get("d"))))
    if part.tag == f"{SVG}text":
        size = given("font-size")
        wide = font.width(str(part.text), size, part.get("font-weight") == "600")
        share = {None: 0.0, "middle": 0.5, "end": 1.0}[part.get("text-anchor")]
        left = given("x") - share * wide
        return [(left, given("y") - 0.7 * size), (left + wide, given("y") + 0.2 * size)]
    return []


def _path_points(outline: str) -> Iterator[tuple[float, float]]:
    """Yield where a path goes; of curves their ends."""
    x = y = 0.0
    start = (0.0, 0.0)
    for command, rest in _COMMAND.findall(outline):
        kind, relative = command.lower(), command.islower()
        numbers = [float(number) for number in _NUMBER.findall(rest)]
        size = _ARGUMENTS[kind]
        assert len(numbers) % size == 0 if size else not numbers, outline
        for i in range(0, len(numbers), size) if size else [0]:
            there = numbers[i : i + size]
            if kind == "z":
                x, y = start
            elif kind == "h":
                x = there[0] + (x if relative else 0)
            elif kind == "v":
                y = there[0] + (y if relative else 0)
            else:
                x = there[-2] + (x if relative else 0)
                y = there[-1] + (y if relative else 0)
            if kind == "m" and i == 0:
                start = (x, y)
            yield x, y


def check_kept(name: str, svg: str) -> None:
    """A drawing is the one that is kept; where none is, it is written, and the test fails."""
    path = FOLDER / f"{name}.svg"
    written = svg.replace("><", ">\n<") + "\n"
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        path.write_text(written, "utf-8")
        raise AssertionError(f"{path.name} was not there: look at it, and keep it if it is good")
    assert path.read_text("utf-8") == written, f"delete {path.name} if it is to change"


def check_drawn_alike(game: Game, before: Any, after: Any, viewers: Any, number: int = 24) -> None:
    """Two deals that differ in what is hidden from a viewer are drawn alike; with open cards not.

    Args:
        game: the game.
        before: tables.
        after: the same tables, with something else where it is hidden from the viewer.
        viewers: of each table.
        number: tables that are looked at.
    """
    some = np.random.default_rng(4).permutation(len(viewers))[:number]
    differ = 0
    for i in some.tolist():
        viewer = int(viewers[i])
        drawn = [game.svg(table, viewer, font=False) for table in (before[i], after[i])]
        assert drawn[0] == drawn[1]
        opened = [game.svg(table, None, font=False) for table in (before[i], after[i])]
        differ += opened[0] != opened[1]
    assert differ > number / 2
