"""Load on `houjuu serve`: live seats at the pace of real games, then as many risks as possible.

The server and this client run on the same machine. Each seat follows a real game that hides the
other hands, begins in the middle of a round, and checks every answer against its own table.

Pace: a table discards every 2.2 s on average (half as much to half as much again), so that a seat
draws every 9 s: 12 draws in a round of 110 s, and a hanchan of 10 rounds in 20 minutes.
`--pace 10` makes all pauses ten times shorter.

`--reviews 10` asks beside the seats for a review every 10 s on average, each followed by requests
that the server refuses: a damaged log, another origin and an address that does not exist.

`--half-open 1400 --files 1024` keeps that many connections with half a request open beside the
seats, against a server that may have so many files.

`--burst 200` connects that many clients at once, before the seats: how many get a seat, a status of
HTTP, or nothing ("hung up"), and after how long.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import count, cycle, islice, repeat
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from tqdm import tqdm
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidStatus

import houjuu
from benchmarks import output
from benchmarks.bot import message_to_seat
from houjuu.estimators.loading import DEFAULT_MODEL
from houjuu.game.events import Game
from houjuu.game.tiles import mjai_name
from houjuu.live.overlay import meta
from houjuu.logs import mjai, mjlog

SECONDS_A_DISCARD = 2.2
SECONDS_BETWEEN_ROUNDS = 6.0
RAMP = 20.0  # unit: seconds, in which all seats connect
PATIENCE = 300.0  # unit: seconds; a later answer counts as lost
CLIENTS = 12  # that send risks at the same time
REOPEN = 10.0  # unit: seconds, at most, until a half-open connection is opened again
HALF_A_REQUEST = b"GET / HTTP/1.1\r\nHost: "
OWN_GAME = Path(__file__).parents[1] / "docs" / "game.mjlog"

Message = dict[str, Any]


@dataclass
class Stream:
    """The messages of a game for one seat, and the tiles of each expected answer."""

    seat: int
    messages: list[Message]
    tiles: list[set[str] | None]

    def starts(self) -> list[int]:
        """Indices of the messages after which a client may join: own discards, to no decision."""
        own = {"type": "dahai", "actor": self.seat}
        return [
            index
            for index, message in enumerate(self.messages)
            if own.items() <= message.items() and self.tiles[index] is None
        ]

    def since_deal(self, index: int) -> list[Message]:
        """The messages from the last ``start_kyoku`` through `index`."""
        types = [message["type"] for message in self.messages[:index]]
        return self.messages[index - 1 - types[::-1].index("start_kyoku") : index + 1]


@dataclass
class Tally:
    """The sum over all seats."""

    sent: int = 0
    expected: int = 0
    lost: int = 0
    wrong: int = 0
    reviews: int = 0
    late_reviews: int = 0  # which the server broke off
    refusals: int = 0
    times: list[float] = field(default_factory=list)  # unit: seconds
    lags: list[float] = field(default_factory=list)  # of the client itself
    memory: list[list[int]] = field(default_factory=list)  # of each process, unit: MB


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--seats", type=int, default=1000, help="live seats (%(default)s)")
    options.add_argument("--seconds", type=float, default=180, help="run time (%(default)s)")
    options.add_argument("--games", type=int, default=25, help="different games (%(default)s)")
    options.add_argument("--workers", type=int, default=2, help="of the server (%(default)s)")
    options.add_argument("--risks", type=int, default=3000, help="single risks (%(default)s)")
    options.add_argument("--model", default=DEFAULT_MODEL, help="as houjuu.load (%(default)s)")
    options.add_argument("--pace", type=float, default=1, help="divides all pauses (%(default)s)")
    options.add_argument("--reviews", type=float, help="seconds between reviews (default: none)")
    options.add_argument("--half-open", type=int, default=0, help="connections (%(default)s)")
    options.add_argument("--burst", type=int, default=200, help="clients at once (%(default)s)")
    options.add_argument("--files", type=int, help="that the server may have (as this process)")
    arguments = options.parse_args()
    streams = [
        stream_of(game, seat)
        for game in tqdm(list(games(arguments.shared, arguments.games)), "games")
        for seat in range(4)
    ]
    if arguments.burst:
        output.show([_burst(arguments)], as_json=arguments.json)
    output.show([_live(arguments, streams)], as_json=arguments.json)
    if arguments.risks:
        output.show([_risks(arguments, streams)], as_json=arguments.json)


def games(shared: Path, limit: int) -> Iterator[Game]:
    """Real games where there are any, else the project's own game."""
    path = shared / "tenhou" / "phoenix-hanchan.tar.xz"
    return islice(mjlog.read(path if path.exists() else OWN_GAME), limit)


def stream_of(game: Game, seat: int) -> Stream:
    """The messages of a game as a server of mjai sends them to a seat."""
    live = houjuu.Live(seat)
    messages = [message_to_seat(dict(message), seat) for message in mjai.messages(game)]
    tiles = []
    answered = None
    for message in messages:
        live.hear(message)
        view = live.view if live.decision else None
        tiles.append(_names(view) if view and view != answered else None)
        answered = view or answered
    return Stream(seat, messages, tiles)


def _names(view: houjuu.View) -> set[str]:
    return {mjai_name(tile, red_fives=view.rules.red_fives) for tile in view.hand}


@contextmanager
def server(
    workers: int, sessions: int, model: str, files: int | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server in processes of its own: host and port, and its main process."""
    command = [] if files is None else ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh"]
    command += [sys.executable, "-m", "houjuu", "serve", "--port", "0"]
    command += ["--workers", str(workers), "--max-sessions", str(sessions)]
    command += ["--model", model]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield urlsplit(process.stdout.readline().split()[2]).netloc, process
        finally:
            process.terminate()


def _live(arguments: argparse.Namespace, streams: list[Stream]) -> dict[str, Any]:
    tally = Tally()
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    begin = time.perf_counter()
    with server(arguments.workers, arguments.seats, arguments.model, arguments.files) as (
        address,
        process,
    ):
        gc.disable()  # a collection of all streams would delay the client itself
        asyncio.run(_all_seats(address, process.pid, arguments, streams, tally))
        gc.enable()
    seconds = time.perf_counter() - begin
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start
    middle = tally.memory[len(tally.memory) // 2]
    p50, p99 = (1000 * np.percentile(tally.times, [50, 99])).tolist()
    return {
        "seats": arguments.seats,
        "messages": tally.sent,
        "answers": len(tally.times),
        "lost": tally.lost,
        "wrong": tally.wrong,
        "median ms": p50,
        "p99 ms": p99,
        "max ms": 1000 * max(tally.times),
        "client's lag, p99 ms": 1000 * float(np.percentile(tally.lags, 99)),
        "its lag, max ms": 1000 * max(tally.lags),
        "answers a second": len(tally.times) / arguments.seconds,
        "reviews": tally.reviews,
        "late reviews": tally.late_reviews,
        "refusals": tally.refusals,
        "server's cores": cpu / seconds,
        "MB in the middle": sum(middle),
        "MB at the end": sum(tally.memory[-1]),
        "main process": f"{middle[0]} to {tally.memory[-1][0]}",
    }


def _burst(arguments: argparse.Namespace) -> dict[str, Any]:
    """What clients get that all connect at once."""
    with server(arguments.workers, arguments.seats, arguments.model, arguments.files) as (
        address,
        _,
    ):
        ends = asyncio.run(_connected(address, arguments.burst))
    statuses = Counter(status for status, _ in ends)
    return {
        "clients at once": len(ends),
        "seats": statuses[HTTPStatus.SWITCHING_PROTOCOLS],
        "refused, 503": statuses[HTTPStatus.SERVICE_UNAVAILABLE],
        "hung up": statuses[None],
        "max s": max(seconds for _, seconds in ends),
    }


async def _connected(address: str, number: int) -> list[tuple[int | None, float]]:
    """The status of each of many connections, None without one, and its time in seconds."""
    done = asyncio.Barrier(number)  # nobody leaves before all have connected

    async def one() -> tuple[int | None, float]:
        start = time.perf_counter()
        status: int | None = None
        with suppress(OSError, InvalidHandshake, TimeoutError):
            try:
                url = f"ws://{address}/v1/live?seat=0"
                socket = await connect(url, compression=None, open_timeout=PATIENCE)
                status = HTTPStatus.SWITCHING_PROTOCOLS
            except InvalidStatus as refusal:
                status = refusal.response.status_code
        seconds = time.perf_counter() - start
        await done.wait()
        if status == HTTPStatus.SWITCHING_PROTOCOLS:
            await socket.close()
        return status, seconds

    return await asyncio.gather(*(one() for _ in range(number)))


def _memory(pid: int) -> list[int]:
    """Resident memory of a process and of its children, unit: MB."""
    command = ["ps", "-o", "rss=", "-p", str(pid), "--ppid", str(pid)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [size // 1024 for size in map(int, listed.split())]


async def _all_seats(
    address: str,
    pid: int,
    arguments: argparse.Namespace,
    streams: list[Stream],
    tally: Tally,
) -> None:
    rng = random.Random(1)
    end = time.perf_counter() + RAMP + arguments.seconds
    async with asyncio.TaskGroup() as group:
        watches = [
            group.create_task(_watch_lag(tally)),
            group.create_task(_watch_memory(pid, arguments.seconds, tally)),
            *(group.create_task(_half_open(address)) for _ in range(arguments.half_open)),
            *(
                [group.create_task(_reviews(address, arguments, tally))]
                if arguments.reviews
                else []
            ),
        ]
        seats = []
        for index in range(arguments.seats):
            stream = streams[index % len(streams)]
            join = rng.choice(stream.starts())
            seat = _seat(address, stream, join, (end, arguments.pace), tally)
            seats.append(group.create_task(seat))
            await asyncio.sleep(RAMP / arguments.seats)
        await asyncio.wait(seats)
        for watch in watches:
            watch.cancel()


async def _half_open(address: str) -> None:
    """Keep a connection with half a request open, again after the server has closed it."""
    host, _, port = address.partition(":")
    while True:
        await asyncio.sleep(random.uniform(0, REOPEN))
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(HALF_A_REQUEST)
            await reader.read()
            writer.close()


async def _reviews(address: str, arguments: argparse.Namespace, tally: Tally) -> None:
    """Reviews of different games, and requests that the server must refuse."""
    logs = [mjlog.write(game) for game in games(arguments.shared, arguments.games)]
    rng = random.Random(3)
    for log in cycle(logs):
        await asyncio.sleep(arguments.reviews * rng.uniform(0.5, 1.5))
        status = await asyncio.to_thread(_status, address, "/v1/review?seat=0", log, {})
        tally.reviews += status == HTTPStatus.OK
        tally.late_reviews += status == HTTPStatus.GATEWAY_TIMEOUT
        tally.refusals += await asyncio.to_thread(_refusals, address, log, rng)


def _refusals(address: str, log: bytes, rng: random.Random) -> int:
    """Send requests that the server must refuse; their number."""
    damaged = bytearray(log)
    damaged[rng.randrange(len(log)) :] = b"<"
    requests: list[tuple[str, bytes, dict[str, str]]] = [
        ("/v1/review?seat=0", bytes(damaged), {}),
        ("/v1/review", log, {"Origin": "http://example.com"}),
        ("/v1/risk", b'{"hand": "1m"}', {}),
        (f"/{rng.getrandbits(64):x}", b"", {}),
    ]
    for path, body, headers in requests:
        status = _status(address, path, body, headers)
        if status < HTTPStatus.BAD_REQUEST or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise RuntimeError(f"{path} was answered with the status {status}")
    return len(requests)


def _status(address: str, path: str, body: bytes, headers: dict[str, str]) -> int:
    connection = HTTPConnection(address, timeout=PATIENCE)
    try:
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


async def _watch_memory(pid: int, seconds: float, tally: Tally) -> None:
    """Measure the memory of the server twenty times."""
    while True:
        await asyncio.sleep(seconds / 20)
        tally.memory.append(await asyncio.to_thread(_memory, pid))


async def _watch_lag(tally: Tally) -> None:
    """Measure how late the client itself is."""
    while True:
        start = time.perf_counter()
        await asyncio.sleep(0.05)
        tally.lags.append(time.perf_counter() - start - 0.05)


async def _seat(
    address: str, stream: Stream, join: int, end_and_pace: tuple[float, float], tally: Tally
) -> None:
    """One seat: it joins after a message, and follows the game, again and again, to the end."""
    end, pace = end_and_pace
    rng = random.Random(join)
    async with connect(f"ws://{address}/v1/live?seat={stream.seat}", compression=None) as socket:
        await socket.send(json.dumps(stream.since_deal(join)))
        for index in count(join + 1):
            message = stream.messages[index % len(stream.messages)]
            tiles = stream.tiles[index % len(stream.tiles)]
            await asyncio.sleep(_pause(message, rng) / pace)
            if time.perf_counter() > end:
                return
            start = time.perf_counter()
            await socket.send(json.dumps(message))
            tally.sent += 1
            if tiles is not None:
                tally.expected += 1
                try:
                    answer = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                except TimeoutError:
                    tally.lost += 1
                    continue
                tally.times.append(time.perf_counter() - start)
                tally.wrong += answer.get("tiles", {}).keys() != tiles


def _pause(message: Message, rng: random.Random) -> float:
    """Time before a message, unit: seconds."""
    match message["type"]:
        case "dahai" | "hora" | "ryukyoku":
            return SECONDS_A_DISCARD * rng.uniform(0.5, 1.5)
        case "start_kyoku":
            return SECONDS_BETWEEN_ROUNDS
    return 0.0


def _risks(arguments: argparse.Namespace, streams: list[Stream]) -> dict[str, Any]:
    """Single risks a second, each for all messages of a round: the library, then the server."""
    decisions = [(s, i) for s in streams for i, tiles in enumerate(s.tiles) if tiles and i > 1]
    chosen = random.Random(2).sample(decisions, min(arguments.risks, len(decisions)))
    queries = [(stream.seat, json.dumps(stream.since_deal(index))) for stream, index in chosen]
    estimator = houjuu.load(arguments.model)
    start = time.perf_counter()
    for seat, messages in queries[: len(queries) // 4]:
        live = houjuu.Live(seat, estimator)
        live.hear(messages)
        json.dumps(meta(live))
    bare = (len(queries) // 4) / (time.perf_counter() - start)
    with (
        server(arguments.workers, 1, arguments.model) as (address, _),
        ThreadPoolExecutor(CLIENTS) as pool,
    ):
        start = time.perf_counter()
        refused = sum(
            pool.map(_post, repeat(address), (queries[i::CLIENTS] for i in range(CLIENTS)))
        )
        seconds = time.perf_counter() - start
    rate = (len(queries) - refused) / seconds
    return {
        "risks": len(queries),
        "refused": refused,
        "library, one process: risks a second": bare,
        f"server, {arguments.workers} workers: risks a second": rate,
        "ratio": rate / bare,
    }


def _post(address: str, queries: list[tuple[int, str]]) -> int:
    """Send risks one after the other; the number that the server refused."""
    connection = HTTPConnection(address)
    refused = 0
    for seat, messages in queries:
        connection.request("POST", f"/v1/meta?seat={seat}", messages)
        response = connection.getresponse()
        response.read()
        refused += response.status != 200
    return refused


if __name__ == "__main__":
    main()
