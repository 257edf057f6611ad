"""A recorded game as one page: what stands in it, and what does not."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import waiter_envs
from waiter_envs import records
from waiter_envs.arena.match import play_match
from waiter_envs.web.reel import reel_of
from waiter_envs.web.replay import Replay
from waiter_envs.web.theme import PAGE

GAMES = tuple(waiter_envs.GAMES)


def recorded(name: str, path: Path, **fields: Any) -> records.Record:
    """Return the record of a game between rule-based agents."""
    game = waiter_envs.load(name)
    file = path / f"{name}.jsonl"
    play_match(game, game.config(**fields), ["heuristic"], 1, 3, record=file)
    return next(iter(records.read(file)))


@pytest.fixture(scope="module", params=GAMES)
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A game of each kind."""
    short = {} if request.param == "greasy_spoon" else {"max_turns": 14}
    return recorded(request.param, tmp_path_factory.mktemp("records"), **short)


def unpacked(page: str) -> dict[str, Any]:
    """Return the reel that stands in a page."""
    (packed,) = re.findall(r'id="reel">([^<]+)<', page)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def drawn(reel: dict[str, Any], viewer: str, layout: str = "page") -> list[str]:
    """Return the drawings that a viewer is shown."""
    return [
        "".join(
            reel["pieces"][piece]
            for part in reel["drawings"][shot]
            for piece in reel["parts"][part]
        )
        for shot in reel["shots"][layout][viewer]
    ]


def test_every_place_is_drawn_as_the_game_draws_it(record: records.Record) -> None:
    """The pieces of a drawing, one behind the other, are the drawing."""
    game = waiter_envs.load(record.game)
    reel = reel_of(record)
    steps = list(record.replay())
    for viewer in (None, *range(record.config.num_players)):
        for layout in ("page", "phone"):
            pictures = drawn(reel, "all" if viewer is None else str(viewer), layout)
            assert len(pictures) == len(steps) + 1
            last = None
            for step, picture in zip(steps, pictures, strict=False):
                view = game.view(step.table, viewer)
                options = {"theme": PAGE, "font": False, "layout": layout}
                assert picture == game.draw_view(view, last=last, **options)
                last = game.told(step.table, step.action, viewer, step.after) or last


def test_a_page_for_one_seat_has_what_this_seat_sees_and_nothing_else(
    record: records.Record,
) -> None:
    """It is made of its own views: every drawing, word and place is one of them."""
    game = waiter_envs.load(record.game)
    whole = reel_of(record)
    for seat in range(record.config.num_players):
        reel = unpacked(Replay(record, seat).html)
        shots = reel["shots"]
        assert list(shots) == ["page", "phone"]
        assert list(shots["page"]) == list(shots["phone"]) == [str(seat)]
        assert list(reel["told"]) == list(reel["thoughts"]) == [str(seat)]
        for layout in shots:
            assert set(drawn(reel, str(seat), layout)) <= set(drawn(whole, str(seat), layout))
        for kept, whole_of in (("parts", "drawings"), ("pieces", "parts")):
            used = {number for numbers in reel[whole_of] for number in numbers}
            assert used == set(range(len(reel[kept])))
        shown = {shot for by_viewer in shots.values() for shot in by_viewer[str(seat)]}
        assert shown == set(range(len(reel["drawings"])))
        told = [
            game.told(step.table, step.action, seat, step.after)
            for step in record.replay()
            if game.told(step.table, step.action, seat) is not None
        ]
        assert reel["told"][str(seat)] == told
        assert len(reel["places"]) == len(told) + 1
        views = [game.view(step.table, seat) for step in record.replay()]
        known = {(view["to_act"], view["headline"]) for view in views}
        for place in reel["places"][:-1]:
            assert (place["to_act"], place["headline"]) in known


def test_thoughts_are_for_whoever_had_them(record: records.Record) -> None:
    """A seat reads its own thoughts, and opinions on its own decisions."""
    chances = [records.Thought({action: 1.0}, 0.25, 0.001) for action in record.actions]
    thoughtful = records.Record(**{**vars(record), "thoughts": tuple(chances)})
    steps = list(thoughtful.replay())
    whole = unpacked(Replay(thoughtful, analyse=["heuristic", "random"]).html)
    assert all(thought["value"] == 0.25 for thought in whole["thoughts"]["all"])
    assert all(thought["chances"][0][2] for thought in whole["thoughts"]["all"])
    assert list(whole["opinions"]) == ["heuristic", "random"]
    agreed = [opinion["agrees"] for opinion in whole["opinions"]["heuristic"]]
    assert np.mean(agreed) > 0.9  # it played like this
    assert not all(opinion["agrees"] for opinion in whole["opinions"]["random"])
    for seat in range(record.config.num_players):
        assert [t is not None for t in whole["thoughts"][str(seat)]] == [
            step.player == seat for step in steps
        ]
        own = unpacked(Replay(thoughtful, seat, ["random"]).html)
        here = [place["to_act"] == seat for place in own["places"][:-1]]
        assert [t is not None for t in own["thoughts"][str(seat)]] == here
        assert [o is not None for o in own["opinions"]["random"]] == here


def test_a_page_fetches_nothing(record: records.Record) -> None:
    """There is no address in it but names of namespaces."""
    page = Replay(record).html
    text = page + json.dumps(unpacked(page))
    assert set(re.findall(r"https?://[\w./-]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in text
    assert not re.search(r'(src|href)="(?!#)', text)
    assert len(page) < 1_000_000


def test_a_page_shows_itself_in_a_notebook(record: records.Record, tmp_path: Path) -> None:
    """What is saved is what is shown; it is the same whenever it is made."""
    replay = Replay(record)
    replay.save(tmp_path / "game.html")
    assert (tmp_path / "game.html").read_text("utf-8") == replay.html == Replay(record).html
    assert "<iframe srcdoc=" in replay._repr_html_()
    assert "<html" not in replay._repr_html_()


def test_names_are_escaped(record: records.Record) -> None:
    """Whatever players are called, it is text."""
    name = "</script><script>alert(1)</script>"
    named = records.Record(**{**vars(record), "players": (name,) * len(record.players)})
    page = Replay(named).html
    assert "alert(1)" not in page
    assert unpacked(page)["names"] == [name] * len(record.players)


def test_what_cannot_be_shown_is_refused(record: records.Record, tmp_path: Path) -> None:
    """Seats, agents and records are checked."""
    players = record.config.num_players
    for seat in (players, -1):
        with pytest.raises(ValueError, match="seat="):
            Replay(record, seat)
    for seat in ("1", 1.5, True):
        with pytest.raises(TypeError, match="seat="):
            Replay(record, seat)  # type: ignore[arg-type]
    for analyse in ("heuristic", 3, None):
        with pytest.raises(TypeError, match="analyse="):
            Replay(record, analyse=analyse)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two agents 'heuristic'"):
        Replay(record, analyse=["heuristic", "heuristic"])
    with pytest.raises(ValueError, match="nobody"):
        Replay(record, analyse=["nobody"])
    with pytest.raises(TypeError, match="record="):
        Replay(vars(record))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="path="):
        Replay(record).save(None)  # type: ignore[arg-type]
    empty = records.Record(**{**vars(record), "actions": (), "texts": None, "thoughts": None})
    with pytest.raises(ValueError, match="no decision"):
        Replay(empty)
