"""`python -m waiter_envs play` as a process: addresses, a real socket, and how it ends."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from waiter_envs.arena.record_files import read
from waiter_envs.cli import main
from waiter_envs.web.play import allowed_hosts, is_loopback, listen, own_address


def hear_interrupts() -> None:
    """Take SIGINT as usual, also where the tests themselves run in the background of a shell."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Process:
    """The command in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        """Start it, and wait until it has told where to go."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "waiter_envs", "play", *arguments, "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "BROWSER": "false"},
            preexec_fn=hear_interrupts,
        )
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if "Ctrl-C" in line:
                break
        self.addresses = re.findall(r"http://\S+", self.said)
        assert self.addresses, self.said

    def ask(self, path: str, content: Any = None, seat: int = 0) -> Any:
        """Return what the server answers, as JSON."""
        parts = urlsplit(self.addresses[seat])
        connection = http.client.HTTPConnection(parts.netloc, timeout=60)
        headers = {"Origin": f"http://{parts.netloc}", "Content-Type": "application/json"}
        body = None if content is None else json.dumps(content)
        connection.request("GET" if body is None else "POST", parts.path + path, body, headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        return json.loads(answer.read())

    def act(self, seat: int = 0) -> Any:
        """Do the last thing of the list, if the seat is asked."""
        decision = self.ask("state", seat=seat)["decision"]
        action = decision["choices"][-1]["action"]
        return self.ask("act", {"decision": decision["number"], "action": action}, seat)

    def stop(self, number: int) -> int:
        """End it by a signal; return its exit status."""
        self.process.send_signal(number)
        self.said += self.process.communicate(timeout=60)[0]
        return self.process.returncode


@pytest.fixture
def started() -> Iterator[list[Process]]:
    """Return a list of processes, which are ended after the test."""
    processes: list[Process] = []
    yield processes
    for one in processes:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_stopped_saves_the_record(
    number: int, started: list[Process], tmp_path: Path
) -> None:
    """At once, though a page is listening for news."""
    file = tmp_path / "games.jsonl"
    command = ("dessert", "--set", "players=2", "--seed", "4", "--record", str(file))
    started.append(Process(*command, "--seats", "me", "random"))
    (process,) = started
    parts = urlsplit(process.addresses[0])
    listening = http.client.HTTPConnection(parts.netloc, timeout=60)
    listening.request("GET", parts.path + "events")
    answer = listening.getresponse()
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    version = process.ask("state")["version"]
    assert answer.readline() == f'data: {{"version": {version}}}\n'.encode()
    assert answer.readline() == b"\n"
    for _ in range(3):
        version = process.act()["version"]
        assert answer.readline() == f'data: {{"version": {version}}}\n'.encode()
        assert answer.readline() == b"\n"
    began = time.monotonic()
    status = process.stop(number)
    assert time.monotonic() - began < 10
    assert status == (0 if number == signal.SIGINT else 128 + number)
    assert "Traceback" not in process.said
    (record,) = read(file)
    assert (record.game, record.end, record.start.seed) == ("dessert", "unfinished", 4)
    assert record.players == ("person", "random")
    assert len(record.actions) >= 3


def test_nothing_is_saved_if_nobody_did_anything(started: list[Process], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    started.append(Process("dessert", "--record", str(file)))
    assert started[0].ask("state")["round"] == 1  # it serves
    assert started[0].stop(signal.SIGINT) == 0
    assert list(read(file)) == []


def test_every_person_has_an_address(started: list[Process]) -> None:
    started.append(Process("dessert", "--seats", "me", "random", "me", "random"))
    (process,) = started
    assert len(set(process.addresses)) == 2
    assert [process.ask("state", seat=seat)["player"] for seat in (0, 1)] == [0, 2]
    assert "P0 person · P1 random · P2 person · P3 random" in process.said
    assert "encrypted" not in process.said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess"], "hey_waiter"),
        (["dessert", "--seats", "random"], "'me'"),
        (["dessert", "--seats", "me", "genius"], "heuristic"),
        (["dessert", "--hints", "genius"], "heuristic"),
        (["dessert", "--seats", *["me"] * 9], "9 seats"),
        (["dessert", "--seed", "-1"], "seed"),
        (["dessert", "--port", "70000"], "port"),
        (["dessert", "--host", "nowhere.invalid"], "host"),
        (["dessert", "--host", "203.0.113.7"], "host"),
        (["dessert", "--host", ""], "host"),
        (["dessert", "--record", "no/such/folder/games.jsonl"], "no/such/folder"),
    ],
)
def test_bad_input_is_told_in_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments, "--no-browser"]) == 2
    output = capsys.readouterr()
    assert says in output.err
    assert output.err.count("\n") == 1
    assert not output.out


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["play", "dessert", "--no-browser", "--port", str(port)]) == 2
    assert f"port={port}" in capsys.readouterr().err


def test_names_of_this_machine() -> None:
    """Under these it may be asked: a loopback address under no other."""
    assert allowed_hosts("127.0.0.1") == ["127.0.0.1", "::1", "[127.0.0.1]", "[::1]", "localhost"]
    assert "Localhost".lower() in allowed_hosts("localhost")
    assert allowed_hosts("192.0.2.9") == ["192.0.2.9", "[192.0.2.9]"]
    everywhere = allowed_hosts("0.0.0.0")
    assert {"localhost", "127.0.0.1", socket.gethostname().lower()} <= set(everywhere)
    assert "*" not in everywhere
    assert (own_address() or "127.0.0.1") in everywhere
    assert [is_loopback(h) for h in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "x")] == [
        True, True, True, False, False
    ]  # fmt: skip


def test_it_listens_here_only() -> None:
    with listen("127.0.0.1", 0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
