"""The page without a server in a real browser: logs become reviews, and nothing leaves it."""

from __future__ import annotations

import json
import re
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
    log = lines(1, 120)
    opened.evaluate(DROP, [["game.mjson", log]])
    opened.locator("#seat option", has_text="bot 3").wait_for(state="attached")
    opened.check("#one_seat")
    opened.click("#form .primary")
    frame = review_of(opened)
    frame.locator(".hand-tile").first.wait_for()
    with opened.expect_download() as download:
        opened.click("#save")
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    game = logs.parse(log.encode(), "game.mjson", unfinished=True)
    assert digest(saved) == digest(rendering.render(game, [0])[0])

    opened.context.set_offline(True)
    opened.reload()
    opened.click("#position button")
    opened.wait_for_selector("#risks:not(:empty)")
    assert re.search(r"4p .* 8\.60% +713", opened.inner_text("#risks"))
    opened.fill("#position [name=hand]", "123")
    opened.click("#position button")
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
    opened.click("#form .primary")
    opened.wait_for_selector("#share[value]:not([value='0'])")
    opened.click("#cancel")
    opened.wait_for_selector("#work", state="hidden")
    assert opened.inner_text("#error") == ""
    opened.click("#form .primary")
    review_of(opened).locator(".hand-tile").first.wait_for()


def test_a_crash_is_reported_and_can_be_retried(opened: Any) -> None:
    broken = 'throw new Error("memory is full")'
    opened.route("**/worker.js", lambda route: route.fulfill(body=broken))
    opened.fill("#text", TENHOU6)
    opened.click("#form .primary")
    opened.wait_for_selector("#error:not(:empty)")
    assert "memory is full" in opened.inner_text("#error")
    opened.unroute("**/worker.js")
    opened.click("#form .primary")
    assert "bot 0" in review_of(opened).locator("main").inner_text()


def test_several_games_become_an_index_with_drills(opened: Any) -> None:
    opened.select_option("#player", "none")
    opened.evaluate(DROP, [["1.mjson", mjai.write(play(1))], ["bad.xml", "<html/>"]])
    opened.click("#form .primary")
    frame = review_of(opened)
    frame.get_by_text("bad.xml").first.wait_for()
    frame.locator("a[href^='games/']").first.click()
    frame.locator(".hand-tile").first.wait_for()
    with opened.expect_download() as download:
        opened.click("#save")
    assert download.value.suggested_filename == "reviews.zip"


def test_firefox_answers(address: str, tmp_path: Path) -> None:
    with firefox(tmp_path) as browser:
        browser.timeout.script = browser.timeout.implicit = 120
        browser.navigate(address)
        browser.find_element("css selector", "#position button").click()
        browser.find_element("css selector", "#risks:not(:empty)")
        text = browser.execute_script("return document.querySelector('#risks').textContent")
        assert re.search(r"4p .* 8\.60% +713", text)
