"""The command in a process of its own: a real server, real connections, Ctrl-C."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect as connect_later
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.serve.conftest import Message

ROOT = Path(__file__).parents[2]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
CURL = re.compile(r"^\$ curl (.*?)\n```", re.DOTALL | re.MULTILINE)


REFUSED, AGAIN = "WARNING:  a client was refused:", "connect again later"
SERVE = (sys.executable, "-m", "houjuu", "serve", "--workers", "1", "--max-request-time", "900")


class Server:
    """`houjuu serve` in an empty folder."""

    def __init__(self, folder: Path, *options: str, files: int | None = None) -> None:
        self.folder = folder
        limit = () if files is None else ("sh", "-c", f'ulimit -n {files}; exec "$@"', "sh")
        self.process = subprocess.Popen(
            [*limit, *SERVE, "--port", "0", *options],
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # a group of processes, as in a shell
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("houjuu serve: http://127.0.0.1:"), self.process.communicate()
        self.address = urlsplit(line.split()[2]).netloc

    def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and body of an answer."""
        connection = HTTPConnection(self.address)
        connection.request("POST", path, body)
        response = connection.getresponse()
        return response.status, response.read()

    def end(self, number: int) -> tuple[int, str]:
        """Exit status and stderr after a signal to the whole group."""
        os.killpg(self.process.pid, number)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors

    def is_gone(self) -> bool:
        """Whether soon no process of the group exists."""
        for _ in range(100):
            try:
                os.killpg(self.process.pid, 0)
            except ProcessLookupError:
                return True
            time.sleep(0.1)
        return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of this file."""
    server = Server(
        tmp_path_factory.mktemp("serve"), "--max-message", "20000", "--max-sessions", "1"
    )
    yield server
    status, errors = server.end(signal.SIGINT)
    assert status == 0
    assert set(errors.splitlines()) <= {f"{REFUSED} 1 sessions are open, the limit: {AGAIN}"}


def test_no_upload_stays_on_disk(server: Server, log: bytes) -> None:
    """Nor after an error."""
    assert server.post("/v1/review?player=none", log)[0] == 200
    for body, status in ((b"<html/>", 422), (bytes(9 << 20), 413), (b"", 422)):
        answer_status, answer = server.post("/v1/review", body)
        assert answer_status == status
        assert json.loads(answer).keys() == {"error"}
    assert list(server.folder.rglob("*")) == []


def test_refusals_arrive_over_a_real_connection(server: Server) -> None:
    """Also the message that uvicorn itself refuses, which is four times as long."""
    url = f"ws://{server.address}/v1/live"
    with connect(url) as socket:
        with pytest.raises(InvalidStatus) as info:
            connect(url)
        refusal = info.value.response
        assert (refusal.status_code, refusal.headers["retry-after"]) == (503, "1")
        assert json.loads(refusal.body or b"")["error"].startswith("1 sessions are open, the limit")
        socket.send(" " * 20_000)
        socket.send('{"type": "tsumo"}')
        assert json.loads(socket.recv())["problem"]
        socket.send(" " * 20_001)
        reason = json.loads(socket.recv())["error"]
        assert reason == "the message is longer than 20,000 bytes, the limit"
        assert closed(socket) == (1009, reason)
    with connect(url) as socket:
        socket.send(" " * 80_001)
        assert closed(socket)[0] == 1009


def closed(socket: ClientConnection) -> tuple[int, str]:
    """The code and the reason with which a server closes a connection."""
    with pytest.raises(ConnectionClosed) as info:
        socket.recv()
    assert info.value.rcvd is not None
    return info.value.rcvd.code, info.value.rcvd.reason


def test_another_server_on_the_same_port(server: Server) -> None:
    port = server.address.rsplit(":", 1)[1]
    command = [sys.executable, "-m", "houjuu", "serve", "--port", port]
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 2
    assert second.stderr.startswith(f"houjuu: cannot listen on 127.0.0.1, port {port} (")


def test_python_examples_of_the_page(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    snippets = PYTHON.findall(page(server))
    assert len(snippets) == 1
    for code in snippets:
        exec(code, {})
        assert "%" in capsys.readouterr().out


def test_curl_examples_of_the_page(server: Server, tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    commands = CURL.findall(page(server))
    assert len(commands) == 2
    for command in commands:
        shell = f"curl --silent --show-error --fail {command}"
        done = subprocess.run(shell, shell=True, cwd=tmp_path, capture_output=True, check=True)
        answer = done.stdout or (tmp_path / "review.json").read_bytes()
        assert json.loads(answer)["model"] == "houjuu"


def page(server: Server) -> str:
    """docs/server.md with the address of a server."""
    return (ROOT / "docs" / "server.md").read_text().replace("127.0.0.1:8000", server.address)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_everything_without_a_traceback(
    tmp_path: Path, long_log: bytes, number: int
) -> None:
    """Even while a seat is connected and a review is at work."""
    server = Server(tmp_path)
    with connect(f"ws://{server.address}/v1/live?seat=0") as socket:
        answers: list[Any] = []
        Thread(target=_try, args=(answers, server, long_log), daemon=True).start()
        time.sleep(0.5)
        status, errors = server.end(number)
        assert status == 0
        assert not [one for one in errors.splitlines() if "the server is shutting down" not in one]
        with pytest.raises(ConnectionClosed):
            socket.recv()
    assert server.is_gone()


def _try(answers: list[Any], server: Server, log: bytes) -> None:
    try:
        answers.append(server.post("/v1/review?player=none", log))
    except OSError as error:
        answers.append(error)


@pytest.mark.slow
def test_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    server = Server(tmp_path)
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.communicate(timeout=30)
    assert server.is_gone()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with few files, which waits for headers for one second."""
    options = "--max-header-time", "1", "--max-idle", "20", "--max-sessions", "100"
    server = Server(tmp_path_factory.mktemp("hasty"), *options, files=400)
    yield server
    status, errors = server.end(signal.SIGINT)
    assert status == 0
    assert set(errors.splitlines()) <= {f"{REFUSED} 152 connections are open, the limit"}


def test_clients_that_connect_at_once_are_served_or_refused(tmp_path: Path) -> None:
    """None is hung up, and the log has why."""
    server = Server(tmp_path, "--max-sessions", "150")
    url = f"ws://{server.address}/v1/live?seat=0"

    async def status() -> int:
        try:
            async with connect_later(url, open_timeout=60):
                await asyncio.sleep(5)
                return 101
        except InvalidStatus as refusal:
            return refusal.response.status_code

    async def statuses(number: int) -> Counter[int]:
        return Counter(await asyncio.gather(*(status() for _ in range(number))))

    assert asyncio.run(statuses(400)) == {101: 150, 503: 250}
    code, errors = server.end(signal.SIGINT)
    assert (code, errors.count(REFUSED)) in ((0, 5), (0, 10))


def open_sockets(server: Server, number: int) -> list[socket.socket]:
    """Connections that send half of their headers."""
    host, port = server.address.split(":")
    sockets = []
    for _ in range(number):
        sockets.append(socket.create_connection((host, int(port)), timeout=10))
        with suppress(OSError):  # the server may have closed it
            sockets[-1].send(b"GET / HTTP/1.1\r\nHost: ")
    return sockets


def test_headers_have_a_time_limit(hasty: Server) -> None:
    """Of the first request, and of the next one."""
    start = time.monotonic()
    (connection,) = open_sockets(hasty, 1)
    assert connection.recv(1) == b""
    assert 0.9 < time.monotonic() - start < 5
    (connection,) = open_sockets(hasty, 1)
    connection.sendall(b"localhost\r\n\r\n")
    assert connection.recv(1 << 20).startswith(b"HTTP/1.1 200 OK")
    connection.settimeout(0.5)
    with suppress(TimeoutError):
        while connection.recv(1 << 20):
            pass
    connection.settimeout(10)
    connection.send(b"G")
    assert connection.recv(1) == b""


def test_long_headers_are_refused(hasty: Server) -> None:
    (connection,) = open_sockets(hasty, 1)
    connection.sendall(b"x" * 20_000)
    assert connection.recv(100).startswith(b"HTTP/1.1 400")


def test_half_open_connections_stop_no_seat(
    hasty: Server, messages: list[Message], answers: list[Message | None]
) -> None:
    """600 of them, although the process may have 400 files; nor does anything fill the log."""
    with connect(f"ws://{hasty.address}/v1/live") as seat:
        sockets = open_sockets(hasty, 600)
        for message, answer in zip(messages, answers, strict=True):
            seat.send(json.dumps(message))
            if answer is not None:
                heard = json.loads(seat.recv(timeout=10))
                assert {key: heard[key] for key in answer} == answer
        with connect(f"ws://{hasty.address}/v1/live"):
            assert hasty.post("/v1/risk", b"{")[0] == 422
        for half_open in sockets:
            half_open.close()


def test_few_files_lower_the_number_of_seats(tmp_path: Path) -> None:
    server = Server(tmp_path, files=400)
    _, errors = server.end(signal.SIGINT)
    assert "at most 144 live seats, because the process may have 400 files" in errors


def test_mistakes_of_clients_are_not_logged(hasty: Server) -> None:
    """An upload that is broken off, a text that is not UTF-8: the fixture checks the log."""
    host, port = hasty.address.split(":")
    for path in ("/v1/risk", "/v1/review"):
        with socket.create_connection((host, int(port))) as upload:
            upload.sendall(f"POST {path} HTTP/1.1\r\nHost: {hasty.address}\r\n".encode())
            upload.sendall(b"Content-Length: 100\r\n\r\n{")
            time.sleep(0.2)
    with connect(f"ws://{hasty.address}/v1/live") as seat:
        seat.send(b"\xff", text=True)
        assert closed(seat)[0] == 1007
