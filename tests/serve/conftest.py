"""A game as logs and as the stream of a seat; servers with one worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from fastapi.testclient import TestClient

from houjuu import Live
from houjuu.game.events import Deal, Game
from houjuu.live.overlay import meta
from houjuu.logs import mjai, mjlog
from houjuu.serve.app import create
from houjuu.serve.settings import ServerLimits, ServerSettings
from tests.kit.dialects import masked

SEAT = 2
ROUNDS = 3
HOSTS = ("testserver",)  # of TestClient

Message = dict[str, Any]
POSITION: dict[str, Any] = {
    "hand": "123m067p1199s555z + 4p",
    "rivers": {"self": "9m", "right": "1z 9p", "across": "9s 4z", "left": "2z 8m"},
    "dora": "3p",
    "seat": 3,
}


@pytest.fixture(scope="session")
def game(own_games: list[Game]) -> Game:
    """The first rounds of a game: the server need not review all of it in every test."""
    deals = [i for i, event in enumerate(own_games[0]) if isinstance(event, Deal)]
    return replace(own_games[0], events=own_games[0].events[: deals[ROUNDS]])


@pytest.fixture(scope="session")
def log(game: Game) -> bytes:
    """The rounds as mjlog."""
    return mjlog.write(game)


@pytest.fixture(scope="session")
def long_log(own_games: list[Game]) -> bytes:
    """All of the game as mjlog, for a server that is at work for seconds."""
    return mjlog.write(own_games[0])


@pytest.fixture(scope="session")
def messages(own_games: list[Game]) -> list[Message]:
    """The messages of the longest round and the next deal, as `SEAT` gets them."""
    stream = [masked(message, SEAT) for message in mjai.messages(own_games[0])]
    deals = [i for i, message in enumerate(stream) if message["type"] == "start_kyoku"]
    start, end = max(pairwise(deals), key=lambda pair: pair[1] - pair[0])
    return [{**stream[0], "id": SEAT}, *stream[start : end + 1]]


@pytest.fixture(scope="session")
def answers(messages: list[Message]) -> list[Message | None]:
    """The `meta` at each decision, and None after the other messages."""
    live, expected, last = Live(), list[Message | None](), None
    for message in messages:
        live.hear(message)
        decides = live.decision is not None and live.view != last
        last = live.view if decides else last
        expected.append(json.loads(json.dumps(meta(live))) if decides else None)
    assert sum(answer is not None for answer in expected) > 10
    return expected


@pytest.fixture(scope="session")
def unseen_answers(messages: list[Message], answers: list[Message | None]) -> list[Message | None]:
    """The `answers` with the unseen tiles."""
    live, expected = Live(), list[Message | None]()
    for message, answer in zip(messages, answers, strict=True):
        live.hear(message)
        if answer is None:
            expected.append(None)
            continue
        shown = json.loads(json.dumps(meta(live, unseen=True)))
        assert shown == answer | {"unseen": shown["unseen"]}
        expected.append(shown)
    return expected


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """A server with the default limits."""
    settings = ServerSettings(workers=1, hosts=HOSTS, limits=ServerLimits(request_time=900))
    with TestClient(create(settings)) as client:
        yield client


@pytest.fixture(scope="session")
def strict() -> Iterator[TestClient]:
    """A server with narrow limits; pages of https://example.org may use it."""
    limits = ServerLimits(
        log=1000, message=500, sessions=2, session_time=0.7, pending=2, request_time=1
    )
    origins = ("https://example.org",)
    settings = ServerSettings(workers=1, hosts=HOSTS, origins=origins, limits=limits)
    with TestClient(create(settings)) as client:
        yield client
