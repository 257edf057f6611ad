"""What stands between the network and the pages: who may ask, how often, how much."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

MOST_BYTES = 1024
"""Of the body of a request."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What every answer carries, unless it has its own."""

PAGE_OF_ITS_OWN = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "sandbox allow-scripts"
)
"""The content policy of a page with everything inside: it may ask the server for nothing."""


class WithHeaders:
    """Adds `HEADERS` to every answer, errors too."""

    def __init__(self, app: Any) -> None:
        """Wrap an ASGI application."""
        self.app = app
        self.headers = [(n.lower().encode(), value.encode()) for n, value in HEADERS.items()]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = message["headers"]
                named = {name.lower() for name, _ in own}
                added = [header for header in self.headers if header[0] not in named]
                message = {**message, "headers": [*own, *added]}
            await send(message)

        await self.app(scope, receive, send_with_headers)


class Bucket:
    """So many requests at once, and so many a second."""

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin with a full bucket.

        Args:
            rate: requests a second.
            burst: requests at once.
            clock: tells the seconds.
        """
        self.rate, self.burst, self.clock = rate, burst, clock
        self.left, self.since = burst, clock()

    def take(self) -> bool:
        """Return whether one more request is within bounds, and count it."""
        now = self.clock()
        self.left = min(self.burst, self.left + (now - self.since) * self.rate)
        self.since = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


def check_origin(request: Request) -> None:
    """Refuse a request that another site's page makes a browser send.

    Raises:
        HTTPException: 403, unless its `Origin` is where it goes to.
    """
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    if request.headers.get("origin") != own:
        raise HTTPException(403, "requests come from the page itself")
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise HTTPException(403, "requests come from the page itself")


async def read_numbers(request: Request, *names: str) -> list[int]:
    """Return the integers that a request's body holds: a JSON object of just these names.

    Raises:
        HTTPException: 413, 415 or 400 if it is anything else.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "a request is JSON")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HTTPException(413, f"a request has at most {MOST_BYTES} bytes")
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise HTTPException(400, "a request is JSON") from None
    if not isinstance(content, dict) or content.keys() != set(names):
        raise HTTPException(400, f"a request has {', '.join(names)}")
    values = [content[name] for name in names]
    if not all(type(value) is int and 0 <= value < 2**31 for value in values):
        raise HTTPException(400, f"{', '.join(names)}: must be integers")
    return values
