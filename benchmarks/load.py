"""Load on `houjuu serve`: many live seats at the pace of real games, every answer checked.

The server and this client run on the same machine. First `--burst` clients connect at once: how
many get a seat, a refusal (503), or nothing ("hung up"), and after how long. Then each seat follows
a game that hides the other hands, from the middle of a round, and compares every answer with its
own table. A table discards every 2.2 s on average (half as much to half as much again), so that a
seat draws every 9 s; `--pace 10` makes all pauses ten times shorter.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import psutil
from tqdm import tqdm
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidStatus

import houjuu
from benchmarks import output
from benchmarks.output import message_to_seat
from houjuu.game.events import Game
from houjuu.game.tiles import mjai_name
from houjuu.logs import mjai, mjlog

PAUSES = {"dahai": 2.2, "hora": 2.2, "ryukyoku": 2.2, "start_kyoku": 6.0}
"""Seconds before a message, on average."""
RAMP = 20.0  # unit: seconds, in which all seats connect at the pace 1
PATIENCE = 300.0  # unit: seconds; a later answer counts as lost
OWN_GAME = Path(__file__).parents[1] / "docs" / "game.mjlog"
SEAT = "seat"

Message = dict[str, Any]
Stream = list[tuple[Message, set[str] | None]]
"""The messages of a game for one seat, each with the tiles of the answer to it, if there is one."""


@dataclass
class Tally:
    """The sum over all seats; times in seconds, memory of the main process in MB."""

    sent: int = 0
    lost: int = 0
    wrong: int = 0
    times: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("logs", nargs="?", default=OWN_GAME, help="mjlog (%(default)s)")
    options.add_argument("--seats", type=int, default=1000, help="live seats (%(default)s)")
    options.add_argument("--seconds", type=float, default=180, help="run time (%(default)s)")
    options.add_argument("--games", type=int, default=25, help="different games (%(default)s)")
    options.add_argument("--workers", type=int, default=2, help="of the server (%(default)s)")
    options.add_argument("--pace", type=float, default=1, help="divides all pauses (%(default)s)")
    options.add_argument("--burst", type=int, default=300, help="clients at once (%(default)s)")
    arguments = options.parse_args()
    games = islice(mjlog.read(arguments.logs), arguments.games)
    streams = [stream_of(game, seat) for game in tqdm(games, "games") for seat in range(4)]
    with server(arguments.workers, arguments.seats) as (address, process):
        burst = asyncio.run(connected_at_once(address, arguments.burst))
        seats = live(address, process, streams, arguments)
    output.show([burst], as_json=arguments.json)
    output.show([seats], as_json=arguments.json)


def stream_of(game: Game, seat: int) -> Stream:
    """The messages of a game as a server of mjai sends them to a seat, and the answers."""
    live = houjuu.Live(seat)
    stream: Stream = []
    answered = None
    for message in (message_to_seat(dict(one), seat) for one in mjai.messages(game)):
        live.hear(message)
        view = live.view if live.decision else None
        tiles = None
        if view is not None and view != answered:
            tiles = {mjai_name(tile, red_fives=view.rules.red_fives) for tile in view.hand}
        stream.append((message, tiles))
        answered = view or answered
    return stream


@contextmanager
def server(workers: int, sessions: int) -> Iterator[tuple[str, psutil.Process]]:
    """A server in processes of its own: host and port, and its main process."""
    command = [sys.executable, "-m", "houjuu", "serve", "--port", "0", "--workers", str(workers)]
    command += ["--max-sessions", str(sessions)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = urlsplit(process.stdout.readline().split()[2]).netloc
            yield address, psutil.Process(process.pid)
        finally:
            process.terminate()


async def connected_at_once(address: str, number: int) -> dict[str, Any]:
    """What clients get that all connect at once."""
    everybody = asyncio.Barrier(number)  # nobody leaves before all have connected
    ends: list[tuple[int | str, float]] = []

    async def one() -> None:
        start = time.perf_counter()
        socket, got = None, "hung up"
        try:
            url = f"ws://{address}/v1/live?seat=0"
            socket = await connect(url, compression=None, open_timeout=PATIENCE)
            got = SEAT
        except InvalidStatus as refusal:
            got = str(refusal.response.status_code)
        except (OSError, InvalidHandshake, TimeoutError):
            pass
        ends.append((got, time.perf_counter() - start))
        await everybody.wait()
        if socket is not None:
            await socket.close()

    await asyncio.gather(*(one() for _ in range(number)))
    counts = Counter(got for got, _ in ends)
    columns = {"seats": SEAT, "refused, 503": "503", "hung up": "hung up"}
    line = {"clients at once": number} | {name: counts[got] for name, got in columns.items()}
    return line | {"max s": max(seconds for _, seconds in ends)}


def live(
    address: str, process: psutil.Process, streams: list[Stream], arguments: Any
) -> dict[str, Any]:
    """The numbers of all seats; `arguments` are those of the command."""
    tally = Tally()
    asyncio.run(_all_seats(address, process, streams, arguments, tally))
    p50, p99, most = (1000 * np.percentile(tally.times, [50, 99, 100])).tolist()
    return {
        "seats": arguments.seats,
        "messages": tally.sent,
        "answers": len(tally.times),
        "lost": tally.lost,
        "wrong": tally.wrong,
        "median ms": p50,
        "p99 ms": p99,
        "max ms": most,
        "client's lag, p99 ms": 1000 * float(np.percentile(tally.lags, 99)),
        "main process, MB": f"{tally.memory[len(tally.memory) // 2]:.0f} to {tally.memory[-1]:.0f}",
    }


async def _all_seats(
    address: str, process: psutil.Process, streams: list[Stream], arguments: Any, tally: Tally
) -> None:
    rng = random.Random(1)
    ramp = RAMP / arguments.pace
    end = time.perf_counter() + ramp + arguments.seconds
    async with asyncio.TaskGroup() as group:
        watch = group.create_task(_watch(process, tally))
        seats = []
        for number in range(arguments.seats):
            stream = streams[number % len(streams)]  # four of each game, from seat 0
            url = f"ws://{address}/v1/live?seat={number % 4}"
            seat = _seat(url, stream, rng.random(), (end, arguments.pace), tally)
            seats.append(group.create_task(seat))
            await asyncio.sleep(ramp / arguments.seats)
        await asyncio.wait(seats)
        watch.cancel()


async def _watch(process: psutil.Process, tally: Tally) -> None:
    """Measure how late the client itself is, and the memory of the server."""
    while True:
        start = time.perf_counter()
        await asyncio.sleep(0.1)
        tally.lags.append(time.perf_counter() - start - 0.1)
        tally.memory.append(process.memory_info().rss / 2**20)


async def _seat(
    url: str, stream: Stream, seed: float, end_and_pace: tuple[float, float], tally: Tally
) -> None:
    """One seat: it joins after an own discard, and follows the game again and again to the end."""
    end, pace = end_and_pace
    rng = random.Random(seed)
    join = rng.choice(_starts(stream, int(url[-1])))
    deal = max(n for n in range(join) if stream[n][0]["type"] == "start_kyoku")
    async with connect(url, compression=None) as socket:
        await socket.send(json.dumps([message for message, _ in stream[deal : join + 1]]))
        for message, tiles in islice(cycle(stream), join + 1, None):
            pause = PAUSES.get(message["type"], 0.0) * rng.uniform(0.5, 1.5)
            await asyncio.sleep(pause / pace)
            if (start := time.perf_counter()) > end:
                return
            await socket.send(json.dumps(message))
            tally.sent += 1
            if tiles is not None:
                try:
                    answer = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
                except TimeoutError:
                    tally.lost += 1
                    continue
                tally.times.append(time.perf_counter() - start)
                tally.wrong += answer.get("tiles", {}).keys() != tiles


def _starts(stream: Stream, seat: int) -> list[int]:
    """Indices of the messages after which a client may join: own discards, to no decision."""
    own = {"type": "dahai", "actor": seat}.items()
    return [n for n, (one, tiles) in enumerate(stream) if own <= one.items() and tiles is None]


if __name__ == "__main__":
    main()
