"""The page without a server in a real browser: logs become reviews, and nothing leaves it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from houjuu import logs
from houjuu.arena.selfplay import play
from houjuu.logs import mjai
from houjuu.review import rendering
from houjuu.util.errors import LogError
from tests.kit.browsers import DROP, firefox, visited
from tests.kit.tenhou6 import CALLED_TWICE, log_of
from tests.review.page_data import page_data

pytestmark = pytest.mark.slow

TENHOU6 = json.dumps(log_of(CALLED_TWICE) | {"name": [f"bot {i}" for i in range(4)]})


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(page: Path) -> Iterator[str]:
    """A plain server of files, as sites have."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=page))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def opened(address: str, browser: Any) -> Iterator[Any]:
    """The page, once its script listens; it may load Python once, then from the cache."""
    requests, ready = list[str](), "body:not([inert]) main"
    offline = "ERR_INTERNET_DISCONNECTED"
    with visited(browser, address, ready, expected=offline, requests=requests) as tab:
        yield tab
        assert sum(url.endswith(".wasm") for url in requests) <= 1


def lines(seed: int, n: int) -> str:
    """The first messages of a game of bots."""
    return "".join(mjai.write(play(seed)).splitlines(keepends=True)[:n])


def review_of(tab: Any) -> Any:
    tab.wait_for_selector("iframe, #error:not(:empty)")
    assert tab.inner_text("#error") == ""
    return tab.frame_locator("iframe")


def digest(page: str) -> list[Any]:
    """The rounds in the data of a page, to four digits."""
    text = json.dumps([review["rounds"] for review in page_data(page)["reviews"]])
    rounds: list[Any] = json.loads(text, parse_float=lambda number: round(float(number), 4))
    return rounds


def test_a_dropped_log_and_a_visit_without_a_network(opened: Any) -> None:
    log = lines(1, 148)  # a round with its end, so that an address can contain it
    opened.evaluate(DROP, [["game.mjson", log]])
    opened.click("#you button")
    frame = review_of(opened)
    frame.locator(".hand-tile").first.wait_for()
    link = opened.evaluate("document.querySelector('iframe').name")
    with opened.expect_download() as download:
        opened.click("#save")
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    game = logs.parse(log.encode(), "game.mjson", unfinished=True)
    assert digest(saved) == digest(rendering.render(game, [0])[0])

    assert link.startswith(opened.url.partition("#")[0] + "#json=")
    opened.context.set_offline(True)
    opened.goto(f"{link}0.E1.0.3")
    opened.reload()
    review_of(opened).locator("#where", has_text="turn 3 of").wait_for()
    opened.click("#another")
    opened.click("#position .primary")
    answered = review_of(opened).locator(".hand-tile[data-tile='4p'] .num").first
    assert answered.inner_text().startswith("8.6")
    opened.click("#another")
    opened.fill("#position [name=hand]", "123")
    opened.click("#position .primary")
    opened.wait_for_selector("#position-error:not(:empty)")
    assert "123" in opened.inner_text("#position-error")


def test_a_bad_file_and_a_stop(opened: Any) -> None:
    """The sentence is that of the command; a stop leaves no error, and the next start works."""
    opened.evaluate(DROP, [["page.xml", "<html/>"]])
    opened.wait_for_selector("#error:not(:empty)")
    with pytest.raises(LogError) as refused:
        logs.parse(b"<html/>", "page.xml")
    assert opened.inner_text("#error") == str(refused.value)
    opened.fill("#text", lines(0, 200))
    opened.click("#you button")
    opened.wait_for_selector("#share[value]:not([value='0'])")
    opened.click("#cancel")
    opened.wait_for_selector("#work", state="hidden")
    assert opened.inner_text("#error") == ""
    opened.click("#you button")
    review_of(opened).locator(".hand-tile").first.wait_for()


def test_a_crash_is_reported_and_can_be_retried(opened: Any) -> None:
    broken = 'throw new Error("memory is full")'
    opened.route("**/worker.js", lambda route: route.fulfill(body=broken))
    opened.fill("#text", TENHOU6)
    opened.wait_for_selector("#error:not(:empty)")
    assert "memory is full" in opened.inner_text("#error")
    opened.unroute("**/worker.js")
    opened.click("#form .primary")
    opened.click("#you button")
    assert "bot 0" in review_of(opened).locator("main").inner_text()


def test_several_games_become_an_index_with_drills(opened: Any) -> None:
    opened.select_option("#player", "none")
    opened.select_option("#room", "general")
    games = [[f"{seed}.mjson", mjai.write(play(seed))] for seed in (1, 2)]
    opened.evaluate(DROP, [*games, ["bad.xml", "<html/>"]])
    opened.locator("#you button", has_text="bot 1 · games: 2").click()
    frame = review_of(opened)
    frame.get_by_text("bad.xml").first.wait_for()
    frame.locator("a[href^='games/']").first.click()
    frame.locator(".hand-tile").first.wait_for()
    assert "general room" in frame.locator("body").text_content()
    with opened.expect_download() as download:
        opened.click("#save")
    assert download.value.suggested_filename == "reviews.zip"


def test_one_file_opens_by_a_double_click(page: Path, browser: Any) -> None:
    """Offline: a game, another player, several games; it asks nobody for anything."""
    file = (page.parent / "houjuu.html").as_uri()
    with visited(browser, file, "body:not([inert]) main", offline=True) as tab:
        assert not tab.locator("#waiting").count()
        tab.evaluate(DROP, [["game.mjson", lines(1, 60)]])
        for button in ("#you button", "#others button >> nth=2"):
            tab.click(button)
            review_of(tab).locator(".hand-tile").first.wait_for()
        assert tab.inner_text("#bar-error") == ""
        tab.click("#another")
        tab.select_option("#player", "none")
        tab.evaluate(DROP, [[f"{seed}.mjson", mjai.write(play(seed))] for seed in (1, 2)])
        tab.click("#you button")
        frame = review_of(tab)
        frame.locator("a[href^='games/']").first.click()
        frame.locator(".hand-tile").first.wait_for()


@pytest.mark.parametrize("kind", ["hosted", "one file"])
def test_firefox_answers(address: str, page: Path, tmp_path: Path, kind: str) -> None:
    with firefox(tmp_path) as browser:
        browser.timeout.script = browser.timeout.implicit = 240
        one_file = (page.parent / "houjuu.html").as_uri()
        browser.navigate(address if kind == "hosted" else one_file)
        browser.find_element("css selector", "#position .primary").click()
        browser.switch_to_frame(browser.find_element("css selector", "iframe"))
        tile = browser.find_element("css selector", ".hand-tile[data-tile='4p'] .num")
        assert browser.execute_script("return arguments[0].textContent", [tile]) == "8.6%"


def test_a_page_that_cannot_run_is_never_blank(page: Path, browser: Any) -> None:
    """Without scripts, and where the host forbids its script."""
    file = (page.parent / "houjuu.html").as_uri()
    with visited(browser, file, "#waiting", java_script_enabled=False) as tab:
        assert "最新のChrome" in tab.inner_text("body")
