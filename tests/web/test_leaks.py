"""Nothing hidden leaks: whatever a seat asks for, it gets the same bytes however the rest is dealt.

The positions are those of the games' own leak tests: each is laid on the table twice, the second
time with all that the viewer cannot see dealt again, asked of others included.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import tests.dessert.test_leaks as dessert
import tests.garcon.test_leaks as garcon
import tests.greasy_spoon.test_leaks as greasy_spoon
import tests.hey_waiter.test_leaks as hey_waiter
import waiter_envs
from waiter_envs.web.server import Room, make_app
from waiter_envs.web.sitting import Sitting

DEALT_AGAIN: dict[tuple[str, str], Callable[[str], Any]] = {
    ("hey_waiter", "2_players"): hey_waiter.both_deals,
    ("hey_waiter", "secret_2v2"): hey_waiter.both_deals,
    ("greasy_spoon", "best_of_1"): greasy_spoon.both_deals,
    ("garcon", "rulebook"): garcon.both,
    ("garcon", "memory"): garcon.both,
    ("dessert", "standard"): dessert.both,
    ("dessert", "false_calls"): dessert.both,
}
"""What returns tables of a variant, positions, the same dealt again, and a viewer for each."""

NUMBER = 24
"""Positions that are tried of each variant."""
HERE = "http://testserver"
READ = ("", "state", "rules", "open", "record", "replay")
"""What a seat may ask for by its address."""


def answers(game: Any, config: Any, table: np.void, viewer: int) -> list[bytes]:
    """Return the bytes of all that a seat can get while it may not see all cards."""
    sitting = Sitting(game, config, ["me"] * config.num_players, seed=1)
    sitting.set_up(table)
    room = Room(sitting, [f"token-{player}" for player in sitting.people])
    client = TestClient(make_app(room, ["testserver"]), HERE)
    where = room.path(viewer)
    got = []

    def keep(answer: Any) -> None:
        got.append(f"{answer.status_code} {answer.headers}".encode() + answer.content)

    first = sitting.place(viewer).frames[0].number
    frames = [
        f"frames/{first + i}?theme={theme}" for i in (-1, 0, 1) for theme in ("light", "dark")
    ]
    for path in (*READ, *frames):
        keep(client.get(where + path))
    number, asked = sitting.place(viewer).asked, sitting.is_asked(viewer)
    wishes = {
        "hint": {"decision": number},
        "weigh": {"decision": number},
        "undo": {"decision": number},
        "new": {"game": sitting.round},
        "again": {"game": sitting.round},
    }
    if not asked:  # what it does when it is asked may well turn up a card
        wishes["act"] = {"decision": number, "action": 0}
    for path, content in wishes.items():
        keep(client.post(where + path, json=content, headers={"Origin": HERE}))
    keep(client.post(where + "act", json={"decision": number, "action": 10**6},
                     headers={"Origin": HERE}))  # fmt: skip
    keep(client.get(where + "state"))
    got.append(asyncio.run(first_news(room, viewer)).encode())
    return got


async def first_news(room: Room, player: int) -> str:
    """Return the first event that a page is sent."""
    news = room.news(player)
    event = await anext(news)
    await news.aclose()  # type: ignore[attr-defined]
    return event


@pytest.mark.parametrize(("name", "variant"), DEALT_AGAIN)
def test_no_answer_leaks(name: str, variant: str) -> None:
    game = waiter_envs.load(name)
    dealt, before, after, viewers = DEALT_AGAIN[name, variant](variant)
    live = np.flatnonzero(~(before["terminated"] | before["truncated"]))
    rng = np.random.default_rng(11)
    acting = viewers == before["current_player"]
    some = [
        *rng.permutation(live[acting[live]])[: NUMBER // 3],
        *rng.permutation(live[~acting[live]])[: NUMBER - NUMBER // 3],
    ]
    differ = hints = 0
    for place in some:
        one, other, viewer = before[place], after[place], int(viewers[place])
        differ += game.position_to_dict(one) != game.position_to_dict(other)
        here, there = (answers(game, dealt.config, table, viewer) for table in (one, other))
        assert here == there
        statuses = [answer.split(b" ")[0] for answer in here]
        assert statuses[:6] == [b"200", b"200", b"200", b"409", b"409", b"409"]
        hints += statuses[12] == b"200"
    assert differ > NUMBER // 2
    assert hints == NUMBER // 3


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_answers_show_what_is_seen(name: str) -> None:
    """The counter-check: to a viewer who sees something else the answers are others."""
    variant = next(v for n, v in DEALT_AGAIN if n == name)
    game = waiter_envs.load(name)
    dealt, before, _, viewers = DEALT_AGAIN[name, variant](variant)
    live = np.flatnonzero(~(before["terminated"] | before["truncated"]))[:4]
    for place in live:
        viewer = int(viewers[place])
        other = (viewer + 1) % dealt.num_players
        here, there = (answers(game, dealt.config, before[place], v) for v in (viewer, other))
        assert here[1] != there[1]
        assert here[8] != there[8]
