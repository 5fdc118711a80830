"""The page in a real browser: a user drops a log and reads the review."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houjuu.game.events import Game
from houjuu.logs import mjai
from tests.browser import chromium, new_context
from tests.serve.test_process import Server

pytestmark = pytest.mark.slow

DROP = """([name, content]) => {
    const files = new DataTransfer();
    files.items.add(new File([content], name));
    for (const type of ["dragover", "drop"])
        document.querySelector("main").dispatchEvent(
            new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that refuses logs over 500,000 bytes."""
    server = Server(tmp_path_factory.mktemp("serve"), "--max-log", "500000")
    yield f"http://{server.address}/"
    assert server.end(2) == (0, "")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One headless Chromium for all tests."""
    with chromium() as context:
        yield context.browser


@pytest.fixture
def opened(address: str, browser: Any) -> Iterator[Any]:
    """The page in a context of its own; it must request nothing from other hosts."""
    with new_context(browser) as context:
        page, requests, reports = context.new_page(), list[str](), list[str]()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: reports.append(message.text))
        page.on("pageerror", lambda error: reports.append(str(error)))
        page.goto(address)
        yield page
        assert all(url.startswith((address, f"blob:{address}", "data:")) for url in requests)
        assert [text for text in reports if "status of 422" not in text] == []


@pytest.fixture
def mjson(own_games: list[Game]) -> str:
    """A game as mjai."""
    return mjai.write(own_games[0])


def review_of(page: Any) -> Any:
    """The frame with the review."""
    page.wait_for_selector("iframe", timeout=120_000)
    frame = page.frame_locator("iframe")
    frame.locator(".hand-tile").first.wait_for(timeout=60_000)
    return frame


def test_a_dropped_log_is_reviewed(opened: Any, mjson: str) -> None:
    opened.select_option("#player", "none")
    opened.select_option("#seat", "1")
    opened.evaluate(DROP, ["game.mjson", mjson])
    frame = review_of(opened)
    assert "bot 1" in frame.locator("#players").inner_text()
    where = frame.locator("#where").inner_text()
    opened.keyboard.press("ArrowRight")  # the frame has the focus
    assert frame.locator("#where").inner_text() != where
    frame.locator("#lists a").first.click()
    assert "%" in frame.locator("#any").inner_text()
    with opened.expect_download() as download:
        opened.click("#save")
    assert download.value.suggested_filename == "game.html"
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert saved.startswith("<!doctype html>")


def test_the_keyboard_suffices(opened: Any, mjson: str) -> None:
    """Tab reaches every control; a chosen file is reviewed, and then another one can be chosen."""
    reached = []
    for _ in range(4):
        opened.keyboard.press("Tab")
        reached.append(opened.evaluate("document.activeElement.id || document.activeElement.type"))
    assert reached == ["file", "seat", "player", "submit"]
    opened.select_option("#player", "none")
    file = {"name": "game.mjson", "mimeType": "", "buffer": mjson.encode()}
    opened.set_input_files("#file", file)
    review_of(opened)
    opened.focus("#another")
    opened.keyboard.press("Enter")
    assert opened.locator("iframe").count() == 0
    assert opened.evaluate("document.activeElement.id") == "file"


def test_errors_are_shown(opened: Any) -> None:
    opened.evaluate(DROP, ["page.xml", "<html/>"])
    opened.wait_for_selector("#error:not(:empty)")
    assert (
        opened.inner_text("#error") == "page.xml: is not mjlog: the root is <html>, not <mjloggm>"
    )
    opened.evaluate(DROP, ["long.xml", " " * 500_001])
    assert opened.inner_text("#error") == "long.xml is longer than 500,000 bytes, the limit"
    assert opened.locator("iframe").count() == 0


def test_the_page_and_its_review_are_in_the_chosen_language(
    opened: Any, address: str, mjson: str
) -> None:
    opened.click("nav a[lang=ja]")
    opened.evaluate(DROP, ["long.xml", " " * 500_001])
    assert opened.inner_text("#error") == "long.xml は上限の500,000バイトを超えている"
    opened.select_option("#player", "none")
    opened.evaluate(DROP, ["game.mjson", mjson])
    assert review_of(opened).locator("html").get_attribute("lang") == "ja"


def test_a_name_in_the_log_runs_no_script(opened: Any, mjson: str) -> None:
    evil = "<img src=x onerror=document.title=1><script>document.title=2</script>"
    opened.select_option("#player", "none")
    opened.evaluate(DROP, ["game.mjson", mjson.replace("bot 0", evil)])
    frame = review_of(opened)
    assert "<script>" in frame.locator("#players").inner_text()


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(opened: Any, address: str, width: int, scheme: str) -> None:
    """The rules of axe (names, roles, contrast), and no horizontal scrolling."""
    from axe_playwright_python.sync_playwright import Axe

    opened.set_viewport_size({"width": width, "height": 844})
    opened.emulate_media(color_scheme=scheme)
    for path in ("", "docs", "?lang=ja", "docs?lang=zh"):
        opened.goto(address + path)
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        assert Axe().run(opened).response["violations"] == []
