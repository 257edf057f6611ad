"""`python -m waiter_envs play`: a table to play at in a browser, served from this machine."""

from __future__ import annotations

import ipaddress
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from waiter_envs.arena.record_files import Writer
from waiter_envs.core.checks import check_int, check_text, shown
from waiter_envs.core.game import Game
from waiter_envs.web.server import Room, make_app
from waiter_envs.web.sitting import Sitting

import uvicorn  # isort: skip  # behind `server`, which names the extra

LOOPBACK = "127.0.0.1"
_NAMES = ("localhost", LOOPBACK, "[::1]", "::1")
_MOST_CONNECTIONS = 256
_SECONDS_TO_LEAVE = 1


def play(
    game: Game,
    config: Any,
    seats: Sequence[str],
    seed: int | None = None,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    browser: bool = True,
    record: Path | str | None = None,
    adviser: str | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve a table until the process is told to stop; then write what was played.

    Args:
        game: the game.
        config: its variant.
        seats: who plays; see `Sitting`.
        seed: of the first deal.
        host: the address to listen at.
        port: and the port; 0: one that is free.
        browser: open the first person's page.
        record: a file to which each game is appended when it is over, given up or broken off.
        adviser: the agent that gives hints.
        say: is called with lines that tell people where to go.

    Raises:
        TypeError, ValueError: for a wrong argument.
        OSError: if the address cannot be used, or the record not be written.
    """
    check_text("host", host)
    check_int("port", port, 0, 65535)
    listening = listen(host, port)
    writer = None
    before = signal.signal(signal.SIGTERM, _leave) if _in_main_thread() else None
    try:
        writer = None if record is None else Writer(record)
        keep = None if writer is None else (lambda one: writer.write([one]))
        sitting = Sitting(game, config, seats, seed, adviser=adviser, keep=keep)
        serve(sitting, listening, host, browser, say)
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
        if writer is not None:
            writer.close()
        if before is not None:
            signal.signal(signal.SIGTERM, before)


def serve(
    sitting: Sitting,
    listening: socket.socket,
    host: str,
    browser: bool,
    say: Callable[[str], None],
) -> None:
    """Serve a sitting at a socket until the process is told to stop, then keep its game."""
    room = Room(sitting)
    server = Server(room, host, listening)
    say(f"{sitting.game.title}: {' · '.join(_seats(sitting))}")
    for player in sitting.people:
        say(f"  P{player} plays at {server.address(player)}")
    if not is_loopback(host):
        say("  Whoever has an address plays at its seat, and nothing is encrypted on the way.")
    say("  Ctrl-C ends it.")
    if browser:
        server.when_ready = lambda: _open(server.address(sitting.people[0]))
    try:
        server.run(sockets=[listening])
    finally:
        with room.lock:
            sitting.close()


class Server(uvicorn.Server):
    """uvicorn, which opens a browser when it is ready, and lets pages go when it shall stop."""

    def __init__(self, room: Room, host: str, listening: socket.socket) -> None:
        """Serve a room at a socket that listens already."""
        self.room, self.host = room, host
        self.port = listening.getsockname()[1]
        self.when_ready: Callable[[], None] | None = None
        super().__init__(
            uvicorn.Config(
                make_app(room, allowed_hosts(host)),
                log_level="warning",
                access_log=False,
                lifespan="off",
                ws="none",
                server_header=False,
                date_header=False,
                proxy_headers=False,
                limit_concurrency=_MOST_CONNECTIONS,
                timeout_graceful_shutdown=_SECONDS_TO_LEAVE,
            )
        )

    def address(self, player: int) -> str:
        """Return where a person plays."""
        name = LOOPBACK if is_unspecified(self.host) else self.host
        if is_unspecified(self.host) and not self.host.count(":"):
            name = own_address() or LOOPBACK
        where = f"[{name}]" if ":" in name else name
        return f"http://{where}:{self.port}{self.room.path(player)}"

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        if self.when_ready is not None:
            threading.Thread(target=self.when_ready, daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let the pages go that listen, then stop."""
        self.room.close()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        OSError: if it cannot; the text names the address.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen()  # who asks from now on waits until the server is ready
        except OSError:
            listening.close()
            raise
    except (OSError, UnicodeError) as error:
        raise OSError(f"cannot listen at host={shown(host)}, port={port}: {error}") from None
    return listening


def allowed_hosts(host: str) -> list[str]:
    """Return the names under which a server at an address may be asked for."""
    hosts = {*_NAMES, host, f"[{host}]"} if is_loopback(host) else {host, f"[{host}]"}
    if is_unspecified(host):
        hosts |= {*_NAMES, socket.gethostname(), socket.getfqdn(), own_address() or LOOPBACK}
    return sorted(name.lower() for name in hosts)


def own_address() -> str | None:
    """Return the address under which others reach this machine, `None` if nobody does."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
        except OSError:
            return None
        return str(probe.getsockname()[0])


def is_loopback(host: str) -> bool:
    """Return whether only this machine can ask there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_unspecified(host: str) -> bool:
    """Return whether an address means all of this machine's."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _seats(sitting: Sitting) -> list[str]:
    return [f"P{player} {name}" for player, name in enumerate(sitting.names)]


def _open(address: str) -> None:
    """Open a page; a machine without a browser has the address on its console."""
    try:
        webbrowser.open(address)
    except (webbrowser.Error, OSError) as error:
        print(f"no browser: {error}", file=sys.stderr)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _leave(number: int, frame: Any) -> NoReturn:
    """Leave as Python does, so that what was begun is finished."""
    raise SystemExit(128 + number)
