"""The server: who may ask, what is answered, and what is refused."""

from __future__ import annotations

import asyncio
import html.parser
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import waiter_envs
from waiter_envs.arena.records import Record
from waiter_envs.web import assets
from waiter_envs.web.guard import HEADERS, MOST_BYTES, Bucket
from waiter_envs.web.replay import Replay
from waiter_envs.web.server import BURST, MOST_LISTENERS, Room, make_app
from waiter_envs.web.sitting import Sitting

from .playing import asked, everybody, everything, play_on, sitting

HERE = "http://testserver"
POSTS = {"act": ("decision", "action"), "undo": ("decision",), "hint": ("decision",),
         "weigh": ("decision",),
         "new": ("game",), "again": ("game",)}  # fmt: skip
GETS = ("", "state", "frames/1", "open", "rules", "record", "replay")


class Page:
    """A browser at a seat."""

    def __init__(self, room: Room, player: int) -> None:
        self.room, self.player = room, player
        self.client = TestClient(make_app(room, ["testserver"]), HERE, follow_redirects=False)
        self.headers = {"Origin": HERE}

    def get(self, path: str, **options: Any) -> Any:
        """Ask for something."""
        return self.client.get(self.room.path(self.player) + path, **options)

    def post(self, path: str, content: Any, **headers: str) -> Any:
        """Ask to do something."""
        where = self.room.path(self.player) + path
        return self.client.post(where, json=content, headers={**self.headers, **headers})

    def state(self) -> Any:
        """Return how the game stands."""
        return self.get("state").json()


def page_of(name: str, *seats: str, player: int = 0) -> Page:
    """Return a page of a new sitting."""
    return Page(Room(sitting(name, *seats)), player)


@pytest.fixture
def page() -> Page:
    """Return the page of a person who plays Dessert against an agent."""
    return page_of("dessert")


@pytest.fixture
def rng() -> np.random.Generator:
    """Return a random stream."""
    return np.random.default_rng(2)


# -- Playing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_a_whole_game(name: str, rng: np.random.Generator) -> None:
    """By what the server answers alone; at the end all cards and the record may be had."""
    page = page_of(name)
    state = page.state()
    assert page.get("replay").status_code == 409
    while not state["over"]:
        assert page.get("open").status_code == page.get("record").status_code == 409
        decision = state["decision"]
        choice = decision["choices"][rng.integers(len(decision["choices"]))]
        answer = page.post("act", {"decision": decision["number"], "action": choice["action"]})
        assert answer.status_code == 200
        state = answer.json()
        assert state == page.state()
    assert state["decision"] is None
    table = page.room.sitting
    line = page.get("record").text
    assert line.endswith("\n")
    *_, last = Record.from_json(line).replay()
    assert table.game.position_to_dict(last.after) == table.game.position_to_dict(
        table.tables.state[0]
    )
    again = page.get("replay")
    assert again.text == Replay(Record.from_json(line)).html
    assert "sandbox allow-scripts" in again.headers["content-security-policy"]
    shown = page.get("open").json()
    assert shown["text"] == table.game.render(table.tables.state[0], None)
    assert page.post("again", {"game": 1}).json()["round"] == 2
    assert page.get("record").status_code == 409


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_every_frame_is_drawn(name: str, rng: np.random.Generator) -> None:
    """In both themes, as the person sees it; what is past is not shown again."""
    page = page_of(name)
    play_on(page.room.sitting, rng, 3)
    frames = page.state()["frames"]
    for frame in frames[-3:]:
        answers = [
            page.get(f"frames/{frame['number']}?theme={t}").json() for t in ("light", "dark")
        ]
        assert answers[0]["text"] == answers[1]["text"]
        assert answers[0]["svg"] != answers[1]["svg"]
        assert all(answer["svg"].startswith("<svg") for answer in answers)
        assert all("<script" not in a["svg"] and "style=" not in a["svg"] for a in answers)
    assert page.get(f"frames/{frames[0]['number'] - 1}").status_code == 404
    assert page.get(f"frames/{frames[-1]['number'] + 1}").status_code == 404


def test_a_hint(page: Page) -> None:
    state = page.state()
    given = page.post("hint", {"decision": state["decision"]["number"]}).json()
    assert given["agent"] == "heuristic"
    assert given["choice"] in state["decision"]["choices"]
    assert given["chances"] is None
    assert given["reason"] == "It follows rules, and tells no reasons."
    assert given["may_weigh"]
    assert page.state() == state


def test_a_hint_is_weighed(page: Page) -> None:
    """The agent's choice and another action, played out; nothing changes, and one at a time."""
    state = page.state()
    wanted = {"decision": state["decision"]["number"]}
    given = page.post("hint", wanted).json()
    weighed = page.post("weigh", wanted).json()
    assert weighed["action"] == given["choice"]["action"]
    assert re.fullmatch(
        r"Played out \d+ times, in deals that agree with what you see, it was paid "
        r"[+-]\d\.\d\d on average, and \u201c.+\u201d [+-]\d\.\d\d\.",
        weighed["words"],
    )
    assert page.post("weigh", wanted).json() == weighed
    assert page.state() == state
    with page.room.weighing:
        assert page.post("weigh", wanted).status_code == 429


def test_undo(page: Page) -> None:
    first = page.state()
    number = first["decision"]["number"]
    choice = first["decision"]["choices"][-1]
    second = page.post("act", {"decision": number, "action": choice["action"]}).json()
    assert second["may"]["undo"]
    third = page.post("undo", {"decision": second["decision"]["number"]}).json()
    assert third["decision"]["choices"] == first["decision"]["choices"]
    assert third["log"] == first["log"]
    assert not third["may"]["undo"]


def test_two_answers_to_one_decision(page: Page) -> None:
    """A double click, or two tabs: the second is refused and changes nothing."""
    decision = page.state()["decision"]
    content = {"decision": decision["number"], "action": decision["choices"][0]["action"]}
    assert page.post("act", content).status_code == 200
    before = everything(page.room.sitting)
    refused = page.post("act", content)
    assert refused.status_code == 409
    assert "already" in refused.json()["error"]
    assert everything(page.room.sitting) == before


def test_equal_cards_are_told() -> None:
    """So that a page may take any of them for the one that an action names."""
    page = page_of("hey_waiter", *everybody("hey_waiter"))
    table = page.room.sitting
    for player in table.people:
        hand = table.place(player).frames[-1].view["players"][player]["hand"]["cards"]
        cards = {card["id"]: card["card"] for card in hand}
        state = Page(page.room, player).state()
        if not state["decision"]:
            continue
        for ids in state["decision"]["alike"]:
            assert len(ids) == list(cards.values()).count(cards[ids[0]]) > 1
            assert len({cards[one] for one in ids}) == 1


# -- Seats -------------------------------------------------------------------------------------


def test_every_seat_has_an_address_of_its_own(rng: np.random.Generator) -> None:
    room = Room(sitting("dessert", "me", "me"))
    assert len(set(room.tokens.values())) == 2
    assert all(len(token) >= 32 for token in room.tokens.values())
    pages = [Page(room, player) for player in room.sitting.people]
    play_on(room.sitting, rng, 5)
    states = [page.state() for page in pages]
    assert [state["player"] for state in states] == [0, 1]
    assert [state["decision"] is not None for state in states].count(True) == 1
    waiting = pages[1 - asked(room.sitting)]
    other = states[asked(room.sitting)]["decision"]
    content = {"decision": other["number"], "action": other["choices"][0]["action"]}
    before = everything(room.sitting)
    assert waiting.post("act", content).status_code == 409
    assert everything(room.sitting) == before


@pytest.mark.parametrize("token", ["", "x", "%00", "..%2f..", "ü", "a" * 5000, "0", "None"])
def test_strangers_find_nothing(page: Page, token: str) -> None:
    """Nor does anybody find out whether there is a seat at all."""
    other = TestClient(make_app(page.room, ["testserver"]), HERE)
    before = everything(page.room.sitting)
    for path in GETS:
        assert other.get(f"/s/{token}/{path}").status_code == 404
    for path in POSTS:
        assert other.post(f"/s/{token}/{path}", json={}).status_code == 404
    assert everything(page.room.sitting) == before


@pytest.mark.parametrize(
    "path", ["/", "/s", "/s/", "/static/", "/static/../sitting.py", "/static/%2e%2e/sitting.py",
             "/static/play.html", "/static/nothing.js", "/record", "/state", "/favicon.ico"]
)  # fmt: skip
def test_there_is_nothing_else(page: Page, path: str) -> None:
    assert page.client.get(path).status_code == 404


# -- Junk --------------------------------------------------------------------------------------

BODIES: list[bytes] = [
    b"", b"{", b"null", b"[]", b"1", b'"act"', b"{}", b"\xff\xfe", b"[" * 900, b"NaN",
    b'{"decision": 0}', b'{"game": 1, "x": 2}', b'{"decision": 1e999, "action": 0}',
    b'{"decision": 99999999, "action": 0}', b'{"game": 99999999}', b'{"decision": 99999999}',
    b'{"decision": ' + b"9" * 900 + b"}",
]  # fmt: skip
VALUES: list[Any] = [None, True, -1, 1.0, 1.5, "1", [1], {}, 2**31, 2**63, 2**70]


@pytest.mark.parametrize("path", POSTS)
def test_junk_changes_nothing(page: Page, path: str) -> None:
    """Bodies of every kind are refused with 4xx."""
    names = POSTS[path]
    good = {"decision": page.state()["decision"]["number"], "game": 1, "action": 0}
    bodies = list(BODIES)
    for name in names:
        bodies += [json.dumps({**{n: good[n] for n in names}, name: v}).encode() for v in VALUES]
    before = everything(page.room.sitting)
    where = page.room.path(0) + path
    headers = {"Origin": HERE, "Content-Type": "application/json"}
    for body in bodies:
        page.room.buckets[0].left = BURST
        answer = page.client.post(where, content=body, headers=headers)
        assert 400 <= answer.status_code < 500, body
        assert answer.json()["error"]
        assert everything(page.room.sitting) == before, body


@pytest.mark.parametrize("path", GETS)
def test_junk_in_addresses(page: Page, path: str) -> None:
    before = everything(page.room.sitting)
    for query in ("theme=", "theme=red", "theme=%00", "theme=light%0d%0a", f"theme={'x' * 999}"):
        assert page.get(f"{path}?{query}").status_code in (200, 400, 404, 409)
    for method in ("PUT", "DELETE", "PATCH", "POST", "OPTIONS"):
        answer = page.client.request(method, page.room.path(0) + path, headers={"Origin": HERE})
        assert answer.status_code == 405
    assert everything(page.room.sitting) == before


@pytest.mark.parametrize("number", ["-1", "0", "x", "1.0", "9" * 30, "9" * 5000, "1/2", "%00"])
def test_frames_that_there_are_not(page: Page, number: str) -> None:
    assert page.get(f"frames/{number}").status_code == 404


def test_a_theme_that_there_is_not(page: Page) -> None:
    number = page.state()["frames"][-1]["number"]
    assert page.get(f"frames/{number}?theme=red").status_code == 400


def test_bodies_are_bounded(page: Page) -> None:
    """Also those that do not say how long they are."""
    where, before = page.room.path(0) + "act", everything(page.room.sitting)
    headers = {"Origin": HERE, "Content-Type": "application/json"}

    def chunks() -> Iterator[bytes]:
        for _ in range(1000):
            yield b" " * 1000

    for content in (b" " * (MOST_BYTES + 1), chunks()):
        assert page.client.post(where, content=content, headers=headers).status_code == 413
    assert everything(page.room.sitting) == before


def test_bodies_are_json(page: Page) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = page.client.post(
            page.room.path(0) + "new",
            content=b'{"game": 1}',
            headers={"Origin": HERE, "Content-Type": kind},
        )
        assert answer.status_code == 415
    assert page.room.sitting.round == 1


# -- Other sites -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", POSTS)
def test_other_sites_can_do_nothing(page: Page, path: str) -> None:
    """A browser says whose page sends a request."""
    before = everything(page.room.sitting)
    content = {name: 1 for name in POSTS[path]}
    for origin in ("http://evil.example", "https://testserver", f"{HERE}:81", "null", "", HERE * 2):
        assert page.post(path, content, Origin=origin).status_code == 403
    assert page.post(path, content, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    answer = page.client.post(page.room.path(0) + path, json=content)
    assert answer.status_code == 403
    assert everything(page.room.sitting) == before


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "", "127.0.0.1", "["])
def test_other_names_are_refused(page: Page, host: str) -> None:
    """So that no other name can be made to mean this machine."""
    for path in (page.room.path(0), f"{page.room.path(0)}state", "/static/play.js"):
        assert page.client.get(path, headers={"Host": host}).status_code == 400


def test_every_answer_has_the_headers(page: Page) -> None:
    """Errors too."""
    answers = [
        page.get(""),
        page.get("state"),
        page.client.get("/static/play.js"),
        page.client.get("/nowhere"),
        page.client.get("/static/play.js", headers={"Host": "evil.example"}),
        page.client.put(page.room.path(0)),
        page.post("act", {}),
        page.post("act", {"decision": 1, "action": 10_000}),
    ]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [200, 200, 200, 404, 400, 405, 400, 409]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value


class _Inline(html.parser.HTMLParser):
    """Finds what a content security policy would not let through."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Look at an element."""
        names = dict(attrs)
        self.found += [name for name in names if name.startswith("on") or name == "style"]
        if tag == "style" or (tag == "script" and "src" not in names):
            self.found.append(tag)
        self.addresses += [names[name] for name in ("src", "href") if name in names]


def test_the_page_keeps_to_its_policy(page: Page) -> None:
    """No script and no style stands in it, and all that it asks for is served here."""
    parsed = _Inline()
    parsed.feed(page.get("").text)
    assert parsed.found == []
    assert len(parsed.addresses) > 4
    for address in parsed.addresses:
        assert page.client.get(address).status_code == 200, address
    for name, (content, _) in assets.static().items():
        assert page.client.get(f"/static/{name}").content == content
        assert b"://" not in content.replace(b"http://www.w3.org/2000/svg", b"") or name[-1] == "2"


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_every_game_has_rules(name: str) -> None:
    """A page of plain elements that closes what it opens."""
    text = page_of(name).get("rules").json()["html"]
    assert len(text) > 1500
    open_: list[str] = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: Any) -> None:
            assert tag in {"p", "ul", "ol", "li", "h3", "b", "em", "kbd",
                           "table", "thead", "tbody", "tr", "th", "td"}  # fmt: skip
            assert not attrs
            open_.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_.pop() == tag

    Reader().feed(text)
    assert not open_


# -- How often ---------------------------------------------------------------------------------


def test_buckets() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 3, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.4
    assert not bucket.take()
    now[0] = 1.0
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now[0] = 1000.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_requests_are_bounded() -> None:
    """Of each seat by itself, and of strangers, who take nothing from those who play."""
    room = Room(sitting("dessert", "me", "me"))
    for bucket in (room.strangers, *room.buckets.values()):
        bucket.rate = 0.0
    first, second = (Page(room, player) for player in (0, 1))
    statuses = [first.get("frames/0").status_code for _ in range(int(BURST) + 1)]
    assert statuses == [404] * int(BURST) + [429]
    before = everything(room.sitting)
    answer = first.post("act", {"decision": 1, "action": 0})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    assert everything(room.sitting) == before
    statuses = [first.client.get("/s/x/").status_code for _ in range(int(BURST) + 1)]
    assert statuses[-1] == 429
    assert second.get("state").status_code == 200


# -- News --------------------------------------------------------------------------------------


def test_pages_are_told_of_news(rng: np.random.Generator) -> None:
    """Of every version of what their seat sees, at once, until the server stops."""
    room = Room(sitting("hey_waiter", "me", "me"))

    async def listen() -> list[list[int]]:
        heard: list[list[int]] = [[], []]

        async def one(player: int) -> None:
            async for event in room.news(player):
                assert event.startswith("data: ")
                assert event.endswith("\n\n")
                heard[player].append(json.loads(event.removeprefix("data: "))["version"])

        tasks = [asyncio.create_task(one(player)) for player in (0, 1)]
        await asyncio.sleep(0.05)
        for _ in range(4):
            await room.ask(lambda table: play_on(table, rng, 1))
            room.tell()
            await asyncio.sleep(0.05)
        room.close()
        await asyncio.wait_for(asyncio.gather(*tasks), 5)
        return heard

    heard = asyncio.run(listen())
    for player in (0, 1):
        assert heard[player] == sorted(set(heard[player]))
        assert heard[player][-1] == room.sitting.place(player).version
        assert len(heard[player]) == 5
        assert not room.listeners[player]


def test_a_seat_has_so_many_pages(page: Page) -> None:
    events = [asyncio.Event() for _ in range(MOST_LISTENERS)]
    page.room.listeners[0].update(events)
    assert page.get("events").status_code == 429


def test_a_room_without_people_cannot_be() -> None:
    with pytest.raises(ValueError, match="nobody plays"):
        Room(Sitting(waiter_envs.load("dessert"), None, ["random"]))
