"""The server behind the page to play on: addresses with secret tokens, JSON, server-sent events.

Needs the extra `play`: `pip install "waiter-envs[play]"`.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any

from waiter_envs.core.errors import ImpossiblePositionError
from waiter_envs.web import answers, assets
from waiter_envs.web.sitting import NotNow, Sitting

try:
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response, StreamingResponse
    from starlette.routing import Route

    from waiter_envs.web.guard import (
        PAGE_OF_ITS_OWN,
        Bucket,
        WithHeaders,
        check_origin,
        read_numbers,
    )
except ImportError as error:
    raise ImportError('Starlette is not installed: pip install "waiter-envs[play]"') from error

THEMES = ("light", "dark")
LAYOUTS = ("page", "phone")
MOST_LISTENERS = 8
"""Pages of one seat that are told of news at once."""
HEARTBEAT = 15.0
"""Seconds after which a page is sent a sign of life."""
RATE, BURST = 30.0, 200.0
"""Requests of one seat: a second, and at once. Strangers all together have as many."""


class Room:
    """A sitting and who may look at it: the tokens of its seats, and the pages that listen."""

    def __init__(self, sitting: Sitting, tokens: Iterable[str] | None = None) -> None:
        """Give every person's seat a secret token.

        Args:
            sitting: the game.
            tokens: one for each person; `None`: drawn.
        """
        self.sitting = sitting
        given = [secrets.token_urlsafe(24) for _ in sitting.people] if tokens is None else tokens
        self.tokens = dict(zip(sitting.people, given, strict=True))
        """The token of each person, by player."""
        self.lock = threading.Lock()
        self.listeners: dict[int, set[asyncio.Event]] = {player: set() for player in sitting.people}
        self.buckets = {player: Bucket(RATE, BURST) for player in sitting.people}
        self.strangers = Bucket(RATE, BURST)
        self.closed = False
        self.weighing = threading.Lock()
        """Held while a decision is played out: one at a time."""

    def player_of(self, token: str) -> int | None:
        """Return whose token it is, `None` if it is nobody's."""
        wanted = token.encode()
        found = None
        for player, known in self.tokens.items():
            if secrets.compare_digest(wanted, known.encode()):
                found = player
        return found

    def path(self, player: int) -> str:
        """Return the path of a seat's page."""
        return f"/s/{self.tokens[player]}/"

    async def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the sitting, one call after the other."""

        def locked() -> Any:
            with self.lock:
                return function(self.sitting, *arguments)

        return await run_in_threadpool(locked)

    def tell(self) -> None:
        """Wake the pages that listen; they look whether there is news for their seat."""
        for events in self.listeners.values():
            for event in events:
                event.set()

    def close(self) -> None:
        """Let the pages go."""
        self.closed = True
        self.tell()

    async def news(self, player: int) -> AsyncIterator[str]:
        """Yield the version of what a seat sees, now and whenever it changes, as an event."""
        event = asyncio.Event()
        self.listeners[player].add(event)
        told = None
        try:
            while not self.closed:
                event.clear()
                version = self.sitting.place(player).version
                if version != told:
                    told = version
                    yield f"data: {json.dumps({'version': version})}\n\n"
                    continue
                try:
                    await asyncio.wait_for(event.wait(), HEARTBEAT)
                except asyncio.TimeoutError:
                    yield ": \n\n"
        finally:
            self.listeners[player].discard(event)


Handler = Callable[[Room, int, Request], Awaitable[Response]]


def make_app(room: Room, hosts: Sequence[str]) -> WithHeaders:
    """Return the application that serves a room's pages.

    Args:
        room: who plays.
        hosts: names and addresses under which the server may be asked.
    """

    def seat(path: str, handler: Handler, method: str = "GET") -> Route:
        async def answer(request: Request) -> Response:
            player = room.player_of(request.path_params["token"])
            bucket = room.strangers if player is None else room.buckets[player]
            if not bucket.take():
                raise HTTPException(429, "too many requests", {"Retry-After": "1"})
            if player is None:
                raise HTTPException(404, "there is no such page")
            if method == "POST":
                check_origin(request)
            try:
                return await handler(room, player, request)
            except NotNow as error:
                raise HTTPException(409, str(error)) from None

        return Route(f"/s/{{token}}/{path}", answer, methods=[method])

    async def static(request: Request) -> Response:
        if not room.strangers.take():
            raise HTTPException(429, "too many requests", {"Retry-After": "1"})
        found = assets.static().get(request.path_params["name"])
        if found is None:
            raise HTTPException(404, "there is no such page")
        return Response(found[0], media_type=found[1])

    app = Starlette(
        routes=[
            Route("/static/{name}", static),
            seat("", _page),
            seat("state", _state),
            seat("frames/{number}", _frame),
            seat("open", _open),
            seat("rules", _rules),
            seat("record", _record),
            seat("replay", _replay),
            seat("events", _events),
            seat("act", _act, "POST"),
            seat("undo", _undo, "POST"),
            seat("hint", _hint, "POST"),
            seat("weigh", _weigh, "POST"),
            seat("new", _new, "POST"),
            seat("again", _again, "POST"),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
        ],
        exception_handlers={HTTPException: _refuse},
    )
    return WithHeaders(app)


async def _refuse(request: Request, error: Exception) -> Response:
    """Answer a request that is refused."""
    del request
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


# -- Looking -----------------------------------------------------------------------------------


async def _page(room: Room, player: int, request: Request) -> Response:
    del room, player, request
    return Response(assets.file("play.html"), media_type=assets.TYPES[".html"])


async def _state(room: Room, player: int, request: Request) -> Response:
    del request
    return JSONResponse(await room.ask(answers.state, player))


async def _frame(room: Room, player: int, request: Request) -> Response:
    theme, layout, number = _theme(request), _layout(request), request.path_params["number"]
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise HTTPException(404, "there is no such page")
    try:
        return JSONResponse(await room.ask(answers.picture, player, int(number), theme, layout))
    except NotNow as error:
        raise HTTPException(404, str(error)) from None


async def _open(room: Room, player: int, request: Request) -> Response:
    del player
    return JSONResponse(await room.ask(answers.open_picture, _theme(request), _layout(request)))


async def _rules(room: Room, player: int, request: Request) -> Response:
    del player, request
    return JSONResponse({"html": assets.rules(room.sitting.game)})


async def _record(room: Room, player: int, request: Request) -> Response:
    del player, request
    line = await room.ask(answers.record)
    name = f"{room.sitting.game.name}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(line, media_type="application/jsonl", headers=headers)


async def _replay(room: Room, player: int, request: Request) -> Response:
    del player, request
    page = await room.ask(answers.replay)
    headers = {"Content-Security-Policy": PAGE_OF_ITS_OWN}
    return Response(page, media_type=assets.TYPES[".html"], headers=headers)


async def _events(room: Room, player: int, request: Request) -> Response:
    del request
    if len(room.listeners[player]) >= MOST_LISTENERS:
        raise HTTPException(429, f"a seat has at most {MOST_LISTENERS} pages", {"Retry-After": "9"})
    return StreamingResponse(room.news(player), media_type="text/event-stream")


def _theme(request: Request) -> str:
    return _one_of(request, "theme", THEMES)


def _layout(request: Request) -> str:
    return _one_of(request, "layout", LAYOUTS)


def _one_of(request: Request, name: str, allowed: Sequence[str]) -> str:
    """Return what a query asks for; the first one if it says nothing."""
    wanted = request.query_params.get(name, allowed[0])
    if wanted not in allowed:
        raise HTTPException(400, f"{name}: must be one of {', '.join(allowed)}")
    return wanted


# -- Doing -------------------------------------------------------------------------------------


async def _act(room: Room, player: int, request: Request) -> Response:
    decision, action = await read_numbers(request, "decision", "action")
    return await _done(room, player, Sitting.act, decision, action)


async def _undo(room: Room, player: int, request: Request) -> Response:
    (decision,) = await read_numbers(request, "decision")
    return await _done(room, player, Sitting.undo, decision)


async def _hint(room: Room, player: int, request: Request) -> Response:
    (decision,) = await read_numbers(request, "decision")
    return JSONResponse(answers.hint(await room.ask(Sitting.hint, player, decision)))


async def _weigh(room: Room, player: int, request: Request) -> Response:
    (decision,) = await read_numbers(request, "decision")
    weighing = await room.ask(Sitting.weighing, player, decision)
    if not room.weighing.acquire(blocking=False):
        raise HTTPException(429, "another decision is being played out", {"Retry-After": "2"})
    try:
        found = await run_in_threadpool(weighing.run)
    except ImpossiblePositionError:
        found = None
    finally:
        room.weighing.release()
    if found is None:
        return JSONResponse({"action": None, "words": ""})
    return JSONResponse(await room.ask(answers.weighed, player, *found))


async def _new(room: Room, player: int, request: Request) -> Response:
    (game,) = await read_numbers(request, "game")
    return await _done(room, player, Sitting.new_game, game)


async def _again(room: Room, player: int, request: Request) -> Response:
    (game,) = await read_numbers(request, "game")
    return await _done(room, player, Sitting.same_deal, game)


async def _done(room: Room, player: int, do: Callable[..., None], *numbers: int) -> Response:
    """Do something, tell the pages, and answer how the game stands."""

    def carried_out(sitting: Sitting) -> Any:
        do(sitting, player, *numbers)
        return answers.state(sitting, player)

    stands = await room.ask(carried_out)
    room.tell()
    return JSONResponse(stands)
