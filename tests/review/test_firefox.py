"""The review page in headless Firefox: steps, keys, swipe, languages, seats, addresses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsers import errors, firefox
from tests.review.page_data import OTHER_SEAT, SEAT, Data

KEYS = {"END": "\ue010", "HOME": "\ue011", "ARROW_LEFT": "\ue012"}
KEYS |= {"ARROW_RIGHT": "\ue014", "ARROW_DOWN": "\ue015"}
"""The key values of WebDriver."""

REQUESTS = "return performance.getEntriesByType('resource').map(one => one.name)"
CHOOSE = """const menu = document.getElementById("language");
    menu.value = arguments[0];
    menu.dispatchEvent(new Event("change"))"""
SHOWN = """const [done] = arguments;
    const look = () => document.body.dataset.position ? done() : setTimeout(look, 50);
    look();"""
FOLLOW = """const [hash, done] = arguments;
    addEventListener("hashchange", () => done(), { once: true });
    location.hash = hash;"""
SWIPE = """const [from, to] = arguments;
    const board = document.getElementById("board");
    const touch = clientX => new Touch({ identifier: 1, target: board, clientX, clientY: 100 });
    const send = (type, at, touches) => board.dispatchEvent(
        new TouchEvent(type, { touches, changedTouches: [touch(at)], bubbles: true }));
    send("touchstart", from, [touch(from)]);
    send("touchend", to, []);"""


class Page:
    """The opened page."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser

    def run(self, script: str, *arguments: Any) -> Any:
        """The result of a script in the page."""
        return self._browser.execute_script(script, arguments, sandbox=None)

    def run_until_done(self, script: str, *arguments: Any) -> Any:
        """The result that a script hands to its last argument."""
        return self._browser.execute_async_script(script, arguments, sandbox=None)

    def press(self, *keys: str) -> None:
        """Press keys: characters, or names of `KEYS`."""
        for key in keys:
            text = key if len(key) == 1 else KEYS[key]
            self._browser.find_element("tag name", "body").send_keys(text)

    @property
    def position(self) -> tuple[str, str]:
        """The seat and the position that the page shows."""
        seat, position = self.run(
            "const { seat, position } = document.body.dataset; return [seat, position]"
        )
        return seat, position

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))


@pytest.fixture(scope="module")
def opened(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page; no script may fail, nor one of the indices, and it requests nothing else."""
    with firefox(tmp_path_factory.mktemp("firefox")) as browser:
        for file in pages.glob("*/index*.html"):
            browser.navigate(file.as_uri())
            assert browser.find_element("tag name", "h1").text.startswith("houjuu")
        browser.navigate((pages / "seats.html").as_uri())
        page = Page(browser)
        page.run_until_done(SHOWN)  # it unpacks its data first
        yield page
        assert page.run(REQUESTS) == []
        assert errors(browser) == []


def test_steps_and_keys(opened: Page, data: Data) -> None:
    opened.press("HOME")
    assert opened.position == (str(SEAT), "0.1")
    opened.press("ARROW_RIGHT", "ARROW_RIGHT")
    assert opened.position == (str(SEAT), "0.3")
    opened.press("ARROW_LEFT", "ARROW_DOWN")
    assert opened.position == (str(SEAT), "1.1")
    opened.press("END", "ARROW_RIGHT")
    last = len(data["rounds"]) - 1
    assert opened.position == (str(SEAT), f"{last}.{len(data['rounds'][last]['decisions'])}")
    opened.press("a")
    assert "across" in opened.text("#tile .reasons h2").lower()


def test_swipe(opened: Page) -> None:
    opened.press("HOME")
    opened.run(SWIPE, 300, 200)
    assert opened.position == (str(SEAT), "0.2")
    opened.run(SWIPE, 200, 300)
    assert opened.position == (str(SEAT), "0.1")


def test_seats_mistakes_and_addresses(opened: Page) -> None:
    opened.run("document.getElementById('limit').value = 0")
    opened.run("document.getElementById('limit').dispatchEvent(new Event('input'))")
    opened.press("HOME", "s", "m")
    assert opened.position == (str(OTHER_SEAT), "1.3")
    opened.press("s")
    assert opened.position[0] == str(SEAT)
    opened.run_until_done(FOLLOW, f"#{OTHER_SEAT}.0.2")
    assert opened.position == (str(OTHER_SEAT), "0.2")
    opened.run_until_done(FOLLOW, "#99.1")
    assert "99.1" in opened.text("#message")
    opened.press("HOME", "s")
    assert opened.position == (str(SEAT), "0.1")


def test_languages(opened: Page) -> None:
    for language, heading in (("ja", "放銃"), ("zh", "放铳"), ("en", "dealt in")):
        opened.run(CHOOSE, language)
        assert heading in opened.text("#totals")
