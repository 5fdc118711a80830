"""Live seats over WebSocket."""

from __future__ import annotations

import json
import operator
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Timer
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from houjuu.hands.enumeration import tenpai_hands
from houjuu.serve import work
from houjuu.serve.pool import Pool, Worker
from tests.serve.conftest import SEAT, Message

NEW_HANDS = ("chi", "pon", "daiminkan", "ankan", "kakan", "dora")


def test_every_decision_is_answered_as_by_the_library(
    client: TestClient, messages: list[Message], answers: list[Message | None]
) -> None:
    """Each with the number of its message, and once more when the round is sent again."""
    with client.websocket_connect("/v1/live") as socket:
        for number, (message, answer) in enumerate(zip(messages, answers, strict=True), 1):
            socket.send_json(message)
            if answer is not None:
                assert socket.receive_json() == {**answer, "message": number}
        last = max(i for i, answer in enumerate(answers) if answer)
        for number in (1, 2):
            socket.send_json(messages[1 : last + 1])
            heard = socket.receive_json()
            assert heard.pop("message") == len(messages) + number
            assert heard == answers[last]


def received(socket: WebSocketTestSession) -> Message:
    """The next answer, without the number of its message."""
    answer: Message = socket.receive_json()
    assert answer.pop("message") > 0
    return answer


def answered(
    socket: WebSocketTestSession, messages: list[Message], answers: list[Message | None]
) -> None:
    """Each message has its answer, or none."""
    for message, answer in zip(messages, answers, strict=True):
        socket.send_json(message)
        if answer is not None:
            assert received(socket) == answer


def test_the_unseen_tiles_at_every_decision(
    client: TestClient, messages: list[Message], unseen_answers: list[Message | None]
) -> None:
    with client.websocket_connect("/v1/live?unseen=true") as socket:
        answered(socket, messages, unseen_answers)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("unseen=all", "query.unseen: input should be a valid boolean"),
        ("seet=0", "query.seet: extra inputs are not permitted"),
        ("seat=4", "query.seat: input should be less than or equal to 3"),
    ],
)
def test_a_wrong_parameter_is_refused_in_a_sentence(
    client: TestClient, query: str, sentence: str
) -> None:
    response = denied(client, query)
    assert response.status_code == 422
    assert response.json()["error"].startswith(sentence)


def test_a_worker_builds_hands_before_a_decision(
    client: TestClient,
    messages: list[Message],
    answers: list[Message | None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At calls and at doras, if it is idle; the process that follows all tables builds none."""
    functions: list[object] = []
    run = Worker.run

    async def recorded(self: Worker, function: Callable[..., Any], *arguments: Any) -> Any:
        functions.append(function)
        return await run(self, function, *arguments)

    monkeypatch.setattr(Worker, "run", recorded)
    tenpai_hands.cache_clear()
    with client.websocket_connect("/v1/live") as socket:
        answered(socket, messages, answers)
    news = [message["type"] in NEW_HANDS for message in messages]
    n_unasked = sum(map(operator.gt, news, [answer is not None for answer in answers]))
    assert 0 < functions.count(work.prepare) <= n_unasked
    assert functions.count(work.seat_meta) == sum(answer is not None for answer in answers)
    assert tenpai_hands.cache_info().misses == 0


def test_the_seat_may_be_a_parameter(
    client: TestClient, messages: list[Message], answers: list[Message | None]
) -> None:
    """A client that connects again sends the rules and the messages since the deal at once."""
    index = max(i for i, answer in enumerate(answers) if answer)
    with client.websocket_connect(f"/v1/live?seat={SEAT}") as socket:
        without_seat = messages[0] | {"id": None}
        socket.send_bytes(json.dumps([without_seat, *messages[1 : index + 1]]).encode())
        assert received(socket) == answers[index]
    with client.websocket_connect("/v1/live") as socket:
        socket.send_json(messages[1 : index + 1])
        assert "the own seat is unknown" in socket.receive_json()["error"]


def test_a_lost_message_is_reported_once(
    client: TestClient, messages: list[Message], answers: list[Message | None]
) -> None:
    """Then there is silence until the next deal."""
    draws = [i for i, message in enumerate(messages) if message["type"] == "tsumo"]
    with client.websocket_connect("/v1/live") as socket:
        for message in messages[: draws[0]]:
            socket.send_json(message)
        socket.send_json(messages[draws[0] + 1])  # its draw is lost
        answer = socket.receive_json()
        assert answer["in_step"] is False
        assert answer["problem"]
        assert answer["seat"] == SEAT
        for message in messages[draws[0] + 1 :]:
            socket.send_json(message)
        answered(socket, messages, answers)


def test_other_messages_are_not_answered_twice(
    client: TestClient, messages: list[Message], answers: list[Message | None]
) -> None:
    index = next(i for i, answer in enumerate(answers) if answer)
    with client.websocket_connect("/v1/live") as socket:
        answered(socket, messages[: index + 1], answers[: index + 1])
        socket.send_json({"type": "chat", "text": "hi"})
        answered(socket, messages[index + 1 :], answers[index + 1 :])


def closed(socket: WebSocketTestSession) -> tuple[str, int]:
    """The error that a server sends before it closes the connection, and the code."""
    text = socket.receive_json()["error"]
    with pytest.raises(WebSocketDisconnect) as info:
        socket.receive_json()
    assert info.value.reason == text
    return text, info.value.code


def test_long_sessions_are_ended(strict: TestClient) -> None:
    start = time.monotonic()
    with strict.websocket_connect("/v1/live") as socket:
        text, code = closed(socket)
    assert text.startswith("the session has lasted 0.7 seconds, the limit")
    assert code == 1008
    assert time.monotonic() - start >= 0.7


def denied(client: TestClient, query: str = "", **headers: str) -> Any:
    with (
        pytest.raises(WebSocketDenialResponse) as info,
        client.websocket_connect(f"/v1/live?{query}", headers=headers),
    ):
        pass
    return info.value


def test_pages_of_other_origins_are_refused(client: TestClient, strict: TestClient) -> None:
    """A browser sends no preflight for a WebSocket, so the server must check the origin."""
    response = denied(client, origin="https://example.org")
    assert response.status_code == 403
    assert "https://example.org may not use this server" in response.json()["error"]
    assert denied(strict, origin="https://example.com").status_code == 403
    for server, origin in ((client, "http://testserver"), (strict, "https://example.org")):
        with server.websocket_connect("/v1/live", headers={"origin": origin}):
            pass


def pids(client: TestClient) -> list[int]:
    pool: Pool = client.app.state.pool  # type: ignore[attr-defined]
    assert client.portal is not None
    return [client.portal.call(worker.pid) for worker in pool.workers]


def test_a_seat_survives_its_worker(
    client: TestClient, messages: list[Message], answers: list[Message | None]
) -> None:
    """A request at work gets an error; all later ones get the right answer."""
    decisions = [i for i, answer in enumerate(answers) if answer]
    with client.websocket_connect("/v1/live") as socket:
        (before,) = pids(client)
        n_errors = 0
        for index, (message, answer) in enumerate(zip(messages, answers, strict=True)):
            if index == decisions[3]:
                os.kill(before, signal.SIGSTOP)  # the next request is at work when it dies
            socket.send_json(message)
            if index == decisions[3]:
                time.sleep(0.2)
                os.kill(before, signal.SIGKILL)
            if answer is not None:
                heard = received(socket)
                if heard != answer:
                    assert "worker process of this request has ended" in heard["error"]
                    n_errors += 1
        assert n_errors == 1
        assert pids(client) != [before]


def test_a_long_review_delays_no_seat(
    client: TestClient, messages: list[Message], answers: list[Message | None]
) -> None:
    """A review does not proceed while a seat gets all its answers."""
    pool: Pool = client.app.state.pool  # type: ignore[attr-defined]
    assert client.portal is not None
    reviewer = client.portal.call(pool._reviewer.pid)
    os.kill(reviewer, signal.SIGSTOP)
    with ThreadPoolExecutor() as threads:
        review = threads.submit(client.post, "/v1/review?player=none", content=b"<html/>")
        try:
            with client.websocket_connect("/v1/live") as socket:
                answered(socket, messages, answers)
            assert not review.done()
        finally:
            os.kill(reviewer, signal.SIGCONT)
        assert review.result(timeout=60).status_code == 422


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(client: TestClient, log: bytes) -> None:
    """An idle one without an error; the request that it works on gets one."""
    pool: Pool = client.app.state.pool  # type: ignore[attr-defined]
    (before,) = pids(client)
    os.kill(before, signal.SIGKILL)
    time.sleep(0.5)
    assert client.post("/v1/meta", content='[{"type":"tsumo"}]').status_code == 422
    assert pids(client) != [before]
    assert client.portal is not None
    reviewer = client.portal.call(pool._reviewer.pid)
    os.kill(reviewer, signal.SIGSTOP)
    Timer(0.3, os.kill, (reviewer, signal.SIGKILL)).start()
    response = client.post("/v1/review?player=none", content=log)
    assert response.status_code == 500
    assert "send it again" in response.json()["error"]
    assert client.post("/v1/review?player=none", content=log).status_code == 200
