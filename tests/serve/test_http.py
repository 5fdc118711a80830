"""Risks, reviews and refusals over HTTP."""

from __future__ import annotations

import gzip
import inspect
import io
import json
import logging
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from fastapi.testclient import TestClient
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import JSONResponse
from starlette.testclient import WebSocketDenialResponse

import houjuu
from houjuu.cli import main
from houjuu.game.events import Game
from houjuu.logs import mjai, mjlog
from houjuu.serve import server
from houjuu.serve.pool import Pool
from houjuu.serve.refusals import TrustedOrigins, trusted_hosts
from houjuu.serve.server import MOST_LINES, LineLimit
from houjuu.serve.settings import ServerLimits, ServerSettings
from tests.kit.tenhou6 import CALLED_TWICE, log_of
from tests.serve.conftest import POSITION, SEAT, Message

REVIEW_SCHEMA = Path(__file__).parents[2] / "docs" / "review.schema.json"


def error(response: Any, status: int) -> str:
    """The sentence of a refusal."""
    assert response.status_code == status, response.text
    (text,) = response.json().values()
    assert response.json().keys() == {"error"}
    assert "\n" not in text
    return str(text)


def test_the_unseen_tiles_in_a_position(client: TestClient) -> None:
    answer = client.post("/v1/risk?unseen=true", json=POSITION).json()
    unseen = houjuu.load().unseen(houjuu.position(**POSITION))
    assert answer.pop("unseen") == json.loads(json.dumps(unseen.to_dict()))
    assert answer == client.post("/v1/risk?unseen=false", json=POSITION).json()


def test_the_hands_in_a_position(client: TestClient) -> None:
    answer = client.post("/v1/hands?deals=4&seed=9", json=POSITION).json()
    hands = houjuu.load().hands(houjuu.position(**POSITION))
    assert answer == json.loads(json.dumps(hands.to_dict(4, 9)))
    assert len(answer["deals"]) == 4
    assert all(1 <= len(shapes) <= 3 for shapes in answer["shapes"])


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/v1/risk?unseen=all", "query.unseen: input should be a valid boolean"),
        ("/v1/meta?unseen=all", "query.unseen: input should be a valid boolean"),
        ("/v1/hands?deals=513", "query.deals: input should be less than or equal to 512"),
        ("/v1/risk?seet=0", "query.seet: extra inputs are not permitted"),
        ("/v1/meta?seet=0", "query.seet: extra inputs are not permitted"),
        ("/v1/review?seet=0", "query.seet: extra inputs are not permitted"),
        ("/v1/review?seat=4", "query.seat: input should be less than or equal to 3"),
    ],
)
def test_a_wrong_parameter_is_refused(client: TestClient, address: str, sentence: str) -> None:
    assert error(client.post(address, json=POSITION), 422).startswith(sentence)


@pytest.mark.parametrize(
    "change",
    [
        {"round": "E1.999999999999999999"},
        {"round": "E1." + "9" * 4999},
        {"riichi_sticks": 10**18},
        {"riichi_sticks": float("nan")},
        {"scores": [10**300, 0, 0, 0]},
        {"scores": [float("inf"), 0, 0, 0]},
        {"riichi": {"right": -(10**9)}},
        {"seat": 10**4000},
        {"seat": 1.5},
        {"rules": {"flags": 10**30}},
    ],
)
def test_absurd_numbers_are_refused(client: TestClient, change: dict[str, Any]) -> None:
    error(client.post("/v1/risk", content=json.dumps(POSITION | change)), 422)


@pytest.mark.parametrize("key", ["honba", "kyotaku", "kyoku", "oya", "scores"])
@pytest.mark.parametrize(
    "number",
    [10**4000, -1, 1.5, float("nan"), True, "9" * 5000],
    ids=["huge", "negative", "fraction", "NaN", "true", "text"],
)
def test_absurd_numbers_in_messages_are_refused(
    client: TestClient, messages: list[Message], key: str, number: Any
) -> None:
    value = [number, 0, 0, 0] if key == "scores" else number
    if (key, number) == ("scores", -1):
        value = [-(10**7), 0, 0, 0]
    changed = [messages[0], messages[1] | {key: value}, *messages[2:]]
    response = client.post("/v1/meta", content=json.dumps(changed))
    assert response.status_code == 422 or not response.json()["in_step"], response.text


def test_the_risk_after_messages(
    client: TestClient,
    messages: list[Message],
    answers: list[Message | None],
    unseen_answers: list[Message | None],
) -> None:
    """Whether they are an array or lines, the answer is that of the library."""
    index = max(i for i, answer in enumerate(answers) if answer)
    lines = "\n".join(map(json.dumps, messages[: index + 1]))
    for body in (json.dumps(messages[: index + 1]), lines):
        assert client.post("/v1/meta", content=body).json() == answers[index]
        unseen = client.post("/v1/meta?unseen=true", content=body)
        assert unseen.json() == unseen_answers[index]
    without_seat = json.dumps([messages[0] | {"id": None}, *messages[1 : index + 1]])
    response = client.post(f"/v1/meta?seat={SEAT}", content=without_seat)
    assert response.json() == answers[index]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("risk", "", "no body"),
        ("risk", "{", "is not JSON"),
        ("risk", '{"hand": "1m"}', "dora: field required"),
        ("risk", json.dumps(POSITION | {"dora": 3}), "dora: input should be a valid string"),
        ("risk", json.dumps(POSITION | {"doras": "3p"}), "doras: extra inputs are not permitted"),
        ("risk", json.dumps(POSITION | {"hand": "11111m"}), "5"),
        ("risk", "[1]", "is not a position, a JSON object; send messages of mjai to /v1/meta"),
        ("risk", '[{"type":"tsumo"}]', "send messages of mjai to /v1/meta"),
        ("risk", '{"type":"tsumo"}\n{"type":"tsumo"}', "send messages of mjai to /v1/meta"),
        ("meta", "", "no body"),
        ("meta", "{", "is not JSON"),
        ("meta", '[{"type":"tsumo"}]', "has no pai"),
        ("meta", '[{"type":"start_game"}]', "seat is unknown"),
        ("meta", json.dumps(POSITION), "it has no type"),
    ],
)
def test_an_invalid_body_is_refused(client: TestClient, path: str, body: str, words: str) -> None:
    assert words in error(client.post(f"/v1/{path}", content=body), 422)


def formats(game: Game) -> Iterator[tuple[str, bytes]]:
    """Yield a game in each format: the name of the file, and its content."""
    plain = mjlog.write(game)
    yield "game.mjson", mjai.write(game).encode()
    yield "game.gz", gzip.compress(plain)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("inner.mjlog", plain)
    yield "game.zip", archive.getvalue()
    yield "address", json.dumps(log_of(CALLED_TWICE)).encode()


@pytest.mark.deep
def test_a_review_of_every_format(client: TestClient, game: Game) -> None:
    for name, content in formats(game):
        data = reviewed(client, f"seat=1&name={name}", content)
        assert data["seat"] == 1
        assert len(data["rounds"]) == (1 if name == "address" else game.rounds)


def test_a_review_is_the_line_of_the_command(
    client: TestClient, log: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the schema of the docs."""
    file = tmp_path / "game.mjlog"
    file.write_bytes(log)
    assert main(["review", str(file), "--json", "--player", "none", "--seat", "1"]) == 0
    data = reviewed(client, "seat=1&name=game.mjlog", log)
    assert data == json.loads(capsys.readouterr().out)
    jsonschema.validate(data, json.loads(REVIEW_SCHEMA.read_text(encoding="utf-8")))


def test_a_review_of_a_game_in_progress(client: TestClient, own_games: list[Game]) -> None:
    """A stream shows the seat to review."""
    lines = mjai.write(own_games[0]).splitlines()[:40]
    lines[0] = lines[0].replace("{", '{"id": 3, ', 1)
    data = reviewed(client, "name=game.mjson", "\n".join(lines).encode())
    assert data["seat"] == 3
    assert len(data["rounds"]) == 1


def reviewed(client: TestClient, query: str, content: bytes) -> Any:
    """The data of a review."""
    response = client.post(f"/v1/review?player=none&{query}", content=content)
    assert response.status_code == 200, response.text
    return response.json()


def test_an_invalid_log_is_refused(client: TestClient, log: bytes) -> None:
    assert "no body" in error(client.post("/v1/review"), 422)
    refused = client.post("/v1/review?name=x.xml", content=b"<html/>")
    assert error(refused, 422) == "x.xml: is not mjlog: the root is <html>, not <mjloggm>"
    chinese = client.post("/v1/review", content=b"no", headers={"accept-language": "zh-Hans"})
    assert error(chinese, 422).startswith("log: 既不是 mjlog 也不是 JSON；")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("1.mjlog", log)
        file.writestr("2.mjlog", log)
    refused = client.post("/v1/review", content=archive.getvalue())
    assert error(refused, 422) == "log: contains more than one game"
    database = b"SQLite format 3\0" + bytes(100)
    assert "is a database" in error(client.post("/v1/review", content=database), 422)
    assert "no player 'x'" in error(client.post("/v1/review?player=x", content=log), 422)


def test_unknown_addresses_are_refused(client: TestClient) -> None:
    assert "GET /nowhere: Not Found" in error(client.get("/nowhere"), 404)
    assert "GET /v1/risk: Method Not Allowed" in error(client.get("/v1/risk"), 405)


def test_long_bodies_are_refused(strict: TestClient) -> None:
    for path, limit in (("/v1/risk", "500"), ("/v1/meta", "500"), ("/v1/review", "1,000")):
        for size in (1001, 100_000):
            refused = strict.post(path, content=b" " * size)
            assert f"longer than {limit} bytes" in error(refused, 413)
            parts = iter([b" " * 100] * (size // 100 + 1))  # of unknown length
            assert f"longer than {limit} bytes" in error(strict.post(path, content=parts), 413)
    assert error(strict.post("/v1/risk", content=b"{" + b" " * 499), 422)


def test_a_long_queue_is_refused() -> None:
    pool = Pool.__new__(Pool)  # without processes
    pool._limits, pool._n_pending = ServerLimits(pending=2), 0
    with pool.slot(), pool.slot():
        with pytest.raises(houjuu.Error, match="2 requests are pending, the limit"), pool.slot():
            pass
        assert pool._n_pending == 2
    assert pool._n_pending == 0


def test_long_work_is_ended(strict: TestClient) -> None:
    """With its process, which is replaced once; the request behind it gets an error too."""
    pool: Pool = strict.app.state.pool  # type: ignore[attr-defined]
    assert strict.portal is not None
    portal = strict.portal
    running = [portal.start_task_soon(pool.run, time.sleep, 10) for _ in range(3)]
    for task in running:
        with pytest.raises(houjuu.Error, match=r"longer than 1 seconds|has ended"):
            task.result(timeout=60)
    assert "has no pai" in error(strict.post("/v1/meta", content='[{"type":"tsumo"}]'), 422)
    with pytest.raises(houjuu.Error, match="took longer than 1 seconds, the limit"):
        portal.call(pool.review, time.sleep, 10)
    assert "is not mjlog" in error(strict.post("/v1/review", content=b"<html/>"), 422)


@pytest.mark.parametrize("path", ["/", "/openapi.json", "/health"])
def test_pages_of_other_origins_are_refused(
    client: TestClient, strict: TestClient, path: str
) -> None:
    for caller, origin, status in (
        (client, "https://example.org", 403),
        (client, "null", 403),
        (client, "http://[", 403),
        (client, "http://testserver:81", 403),
        (client, "ftp://testserver", 403),
        (client, "http://testserver", 200),
        (strict, "https://example.org", 200),
        (strict, "https://example.com", 403),
    ):
        response = caller.get(path, headers={"origin": origin})
        assert response.status_code == status, (origin, response.text)
        if status == 403:
            assert f"pages of {origin} may not use this server" in error(response, 403)
        shared = response.headers.get("access-control-allow-origin")
        assert shared == (origin if caller is strict and status == 200 else None)


@pytest.mark.parametrize("path", ["/v1/risk", "/v1/meta", "/v1/review"])
def test_a_form_of_another_page_makes_no_work(client: TestClient, path: str) -> None:
    """A browser sends text/plain without asking first."""
    headers = {"origin": "https://example.org", "content-type": "text/plain"}
    assert "may not use" in error(client.post(path, content="{}", headers=headers), 403)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("LocalHost", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("my.host:80", 200),
        ("evil.example", 400),
        ("localhost.evil.example", 400),
        ("evil@localhost", 400),
        ("localhost:80@evil.example", 400),
        ("[::2]", 400),
        ("", 400),
    ],
)
def test_other_hosts_are_refused(host: str, status: int) -> None:
    """A name that a page has pointed at this server (DNS rebinding)."""
    hosts = trusted_hosts(["My.Host"])
    app = TrustedHostMiddleware(TrustedOrigins(JSONResponse({})), hosts, www_redirect=False)
    response = TestClient(app).get("/", headers={"host": host, "origin": f"http://{host}"})
    assert response.status_code == status


def test_the_host_of_a_live_seat_is_checked(client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDenialResponse) as info,
        client.websocket_connect("/v1/live", headers={"host": "evil.example"}),
    ):
        pass
    assert info.value.status_code == 400


def test_the_server_reports_its_health(client: TestClient) -> None:
    about = {"houjuu": houjuu.__version__, "model": "houjuu"}
    assert client.get("/health").json() == {"status": "ok", **about}


def test_repeated_lines_of_the_log_are_counted() -> None:
    times = [0.0]
    limit = LineLimit(lambda: times[-1])

    def lines(text: str, n: int) -> list[str]:
        records = [logging.makeLogRecord({"msg": text, "args": ()}) for _ in range(n)]
        return [record.getMessage() for record in records if limit.filter(record)]

    assert len(lines("full", 9)) == len(lines("slow", 9)) == MOST_LINES
    assert lines("Invalid HTTP request received.", 1) == []
    times.append(60)
    assert lines("full", 2) == ["full\n(4 more of these were not logged)", "full"]


def test_settings_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--workers", "0"]) == 2
    assert "0 workers" in capsys.readouterr().err
    assert main(["serve", "--max-sessions", "-1"]) == 2
    assert "sessions is -1" in capsys.readouterr().err
    assert main(["serve", "--model", "nobody"]) == 2
    assert "no model 'nobody'" in capsys.readouterr().err
    assert main(["serve", "--port", "99999"]) == 2
    assert "cannot listen on 127.0.0.1, port 99999" in capsys.readouterr().err


def test_options_become_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(server, "run", lambda *arguments: calls.append(arguments[:3]))
    assert main(["serve"]) == 0
    options = ["--cors", "https://a.b", "*", "--max-session-time", "9.5", "--allowed-host", "c.d"]
    assert main(["serve", *options]) == 0
    assert calls == [
        ("127.0.0.1", 8000, ServerSettings()),
        (
            "127.0.0.1",
            8000,
            ServerSettings(
                origins=("https://a.b", "*"),
                hosts=("c.d",),
                limits=ServerLimits(session_time=9.5),
            ),
        ),
    ]


def test_the_description_lists_all_arguments_of_a_position(client: TestClient) -> None:
    description = client.get("/openapi.json").json()
    assert set(description["paths"]) == {"/v1/risk", "/v1/meta", "/v1/review", "/v1/hands"}
    body = description["paths"]["/v1/risk"]["post"]["requestBody"]["content"]["application/json"]
    assert body["schema"] == {"$ref": "#/components/schemas/Position"}
    position = description["components"]["schemas"]["Position"]
    arguments = inspect.signature(houjuu.position).parameters.values()
    assert [*position["properties"]] == [one.name for one in arguments]
    assert position["required"] == [one.name for one in arguments if one.default is one.empty]
    assert position["additionalProperties"] is False
