"""The socket of the page: its calls, their progress and end, and what it refuses."""

from __future__ import annotations

import asyncio
import html
import re
from contextlib import nullcontext
from ctypes import c_double
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

import houjuu
from houjuu import position
from houjuu.cli import main
from houjuu.game.events import Game
from houjuu.logs import mjai
from houjuu.serve import front, pages
from houjuu.serve.front import Front
from houjuu.serve.pool import Pool
from houjuu.serve.schema import Call
from houjuu.serve.settings import ServerLimits
from houjuu.serve.work import seats_to_review
from houjuu.util.languages import LANGUAGES, translate
from houjuu.util.names import shown_name
from tests.review.page_data import page_data
from tests.serve.conftest import POSITION


def answers(client: TestClient, function: str, log: bytes = b"", **values: Any) -> list[Any]:
    """The steps of a call, and its end; the log in two pieces."""
    middle = len(log) // 2
    with client.websocket_connect("/page") as socket:
        socket.send_json({"function": function, "size": len(log), **values})
        for piece in filter(None, (log[:middle], log[middle:])):
            socket.send_bytes(piece)
        received = [socket.receive_json()]
        while "step" in received[-1]:
            received.append(socket.receive_json())
        assert socket.receive()["type"] == "websocket.close"
    return received


def refused(client: TestClient, function: str, log: bytes = b"", **values: Any) -> str:
    """The sentence with which a call ends."""
    *_, last = answers(client, function, log, **values)
    assert last.keys() == {"error"}
    assert "\n" not in last["error"]
    return str(last["error"])


def test_a_review_is_the_page_of_the_command(
    client: TestClient, log: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every player, in the language of the page, after steps in each player."""
    monkeypatch.setattr(front, "_TICK", 0.02)  # a step in every player of a short log
    file, page = tmp_path / "game.mjlog", tmp_path / "page.html"
    file.write_bytes(log)
    options = ("--player", "none", "--seat", "1", "-o", str(page), "--jobs", "1", "--lang", "ja")
    assert main(["review", str(file), *options]) == 0
    values = {"name": file.name, "player": "none", "seat": "1", "language": "ja"}
    *steps, last = answers(client, "review", log, **values)
    assert last["result"]["first"] == "review.html"
    shown = page_data(last["result"]["pages"]["review.html"])
    assert shown == page_data(page.read_text(encoding="utf-8"))
    assert shown["language"] == "ja"
    shares = [step["step"]["share"] for step in steps]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert {int(4 * share) for share in shares} >= {0, 1, 2, 3}
    assert any(share * 4 % 1 for share in shares)


def test_an_error_ends_a_review(client: TestClient, own_games: list[Game]) -> None:
    lines = "\n".join(mjai.write(own_games[0]).splitlines()[:3]).encode()
    *steps, last = answers(client, "review", lines, seat=3, player="none")
    assert steps
    assert last == {"error": "log: seat 3 makes no discard"}


def test_the_players_of_a_log(client: TestClient, own_games: list[Game]) -> None:
    lines = mjai.write(own_games[0]).splitlines()[:40]
    text = lines[0].replace("{", '{"id": 3, ', 1).replace("bot 1", "<b>\u202e")
    (answer,) = answers(client, "players", "\n".join([text, *lines[1:]]).encode())
    names = ["bot 0", shown_name("<b>\u202e"), "bot 2", "bot 3"]
    assert answer == {"result": {"names": names, "seats": [3, 0, 1, 2], "own": 3}}


def test_a_position_is_answered_as_a_review(client: TestClient) -> None:
    """The advised action comes first, with the risks of the estimator; nothing else is known."""
    (answer,) = answers(client, "position", position=POSITION, language="ja")
    shown = page_data(answer["result"]["pages"]["review.html"])
    assert shown["language"] == "ja"
    ((review,), (round,)) = shown["reviews"], shown["reviews"][0]["rounds"]
    ((decision,), (choice,)) = round["decisions"], review["choices"]
    assert (choice["chosen"], choice["agrees"], choice["value_lost"]) == (0, True, 0)
    sums = [one["value"] + one["preference"] for one in choice["actions"]]
    assert sums == sorted(sums, reverse=True)
    assert choice["why"]["ja"]
    assert decision["opponent_hands"] == [None] * 3
    (risk,) = houjuu.load().deal_in_many([position(**POSITION)])
    assert decision["risks"]["4p"]["deal_in"] == pytest.approx(risk["4p"].probability, abs=1e-5)
    assert "leaves nothing to choose" in refused(
        client, "position", position={**POSITION, "hand": "123m067p1199s555z"}
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"function": "position"}, "hand: field required"),
        ({"function": "position", "position": {**POSITION, "model": "x"}}, "model: extra inputs"),
        ({"function": "position", "position": {**POSITION, "hand": "11111m"}}, "5"),
        ({"function": "open"}, "function: input should be 'players', 'review' or 'position'"),
        ({"function": "players", "path": "/etc/passwd"}, "path: extra inputs are not permitted"),
        ({"function": "players", "name": "x" * 201}, "name: string should have at most 200"),
        ({"function": "players", "size": -1}, "size: input should be greater than or equal to 0"),
        ({"function": "review", "seat": 4}, "seat: input should be less than or equal to 3"),
        ({"function": "review", "language": "xx"}, "language: input should be 'en', 'ja' or 'zh'"),
    ],
)
def test_an_invalid_call_is_refused(client: TestClient, call: dict[str, Any], words: str) -> None:
    assert words in refused(client, **call)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 10_000])
def test_a_call_is_a_json_object(client: TestClient, text: str) -> None:
    with client.websocket_connect("/page") as socket:
        socket.send_text(text)
        assert socket.receive_json()["error"].startswith("the body is not ")


def test_an_invalid_log_is_refused(client: TestClient, log: bytes) -> None:
    refusal = refused(client, "players", b"<html/>", name="x.xml")
    assert refusal == "x.xml: is not mjlog: the root is <html>, not <mjloggm>"
    chinese = refused(client, "players", b"no", language="zh")
    assert chinese.startswith("log: 既不是 mjlog 也不是 JSON；")
    assert "no player 'x'" in refused(client, "review", log, player="x")


def test_a_long_or_slow_log_is_refused(strict: TestClient) -> None:
    """A long one before it is sent."""
    long = "the body is longer than 1,000 bytes, the limit"
    assert refused(strict, "players", size=1001) == long
    assert refused(strict, "players", b"<", size=2).startswith(
        "the body did not arrive within 1 seconds, the limit"
    )


def test_pages_wait_in_the_queue_of_all_requests(strict: TestClient) -> None:
    """A call that has not arrived counts; its end frees the place."""
    with strict.websocket_connect("/page"), strict.websocket_connect("/page"):
        assert refused(strict, "position").startswith("2 requests are pending, the limit")
    assert refused(strict, "position") == "hand: field required"


@pytest.mark.parametrize("is_at_work", [True, False])
def test_a_client_that_leaves_frees_its_turn(is_at_work: bool) -> None:
    """A seat at work goes on, because its process cannot stop; one that waits does not begin."""
    pool, ended = QueuedPool(), []

    async def leave() -> None:
        calls = Front(pool, ServerLimits())  # type: ignore[arg-type]
        received = calls.answers(Call(function="review"), b"log")
        assert await anext(received) == {"step": {"share": 0.125 if is_at_work else 0}}
        await asyncio.sleep(0)
        (task,) = calls._tasks
        await received.aclose()
        await asyncio.sleep(0)
        ended.append(task.cancelled())

    pool.at_work = is_at_work
    asyncio.run(leave())
    assert ended == [not is_at_work]


class QueuedPool:
    """A pool with one review that does not end."""

    slot = staticmethod(nullcontext)
    at_work = False

    async def review(self, function: object, *_: object) -> list[int]:
        if function is seats_to_review:
            return [0, 1, 2, 3]
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

    def share(self, number: int) -> float | None:
        return 0.5 if self.at_work else None


def test_the_share_is_that_of_the_call_at_work() -> None:
    pool = Pool.__new__(Pool)  # without processes
    pool._reviewer = SimpleNamespace(progress=c_double(7.25))  # type: ignore[assignment]
    assert [pool.share(number) for number in (6, 7, 8)] == [None, 0.25, None]


BROWSER = Path(__file__).parents[2] / "web" / "backend.js"


@pytest.mark.parametrize("backend", [None, BROWSER])
def test_the_page_loads_its_own_files_alone(backend: Path | None) -> None:
    """Its script is in it; only the page without a server may compile what it loads."""
    text = html.unescape(pages.front(1000, backend) if backend else pages.front(1000))
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', text)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert ("wasm-unsafe-eval" in policy) == ("worker-src" in rules) == (backend is not None)
    assert "unsafe-inline" not in rules["script-src"]
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//|@import|url\(""", text)


def test_the_server_shows_the_page(client: TestClient) -> None:
    response = client.get("/?lang=ja")
    assert response.text == pages.front(8 << 20)
    assert response.headers["content-security-policy"] == "frame-ancestors 'none'"


def test_a_page_that_cannot_run_is_a_sentence_in_three_languages() -> None:
    """Outside of what a script unpacks, so that it stands there without scripts."""
    text = re.sub(r"(?s)<template\b.*?</template>|<script\b.*?</script>", "", pages.front(1000))
    for language in LANGUAGES:
        t = translate(language)
        assert f'<p lang="{t.tag}">{t("app.waiting")}</p>' in text


def test_all_texts_of_the_page_are_translated() -> None:
    """Latin words are those of programs."""
    bodies = re.split(r"<template lang=", pages.front(1000))[1:]
    assert len(bodies) == len(LANGUAGES)
    for body in bodies[1:]:
        text = body.partition(">")[2].partition("</template>")[0]
        shown = re.sub(r"(?s)<nav\b.*?</nav>|<.*?>", " ", text)
        words = {"houjuu", "mjlog", "mjai", "tenhou", "net", "json", "JSON", "Mortal", "reviewer"}
        assert set(re.findall("[A-Za-z]{3,}", shown)) <= words
