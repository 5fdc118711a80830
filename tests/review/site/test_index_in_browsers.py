"""The index of many games in headless browsers: what axe finds, and what a narrow screen shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houjuu.game.events import Game
from houjuu.review.alternatives import KINDS
from houjuu.review.deciding import MISTAKES
from houjuu.review.site.game_record import GamePage, GameRecord
from houjuu.review.site.index import index
from houjuu.util.errors import Error
from tests.browser import BROKEN_WORDS, chromium, errors, firefox, new_context, violations
from tests.review.page_data import reviewed_records

FEW, MANY = 3, 24  # unit: games; few have no trends and no comparison
SHOWN = """() => [...document.querySelectorAll("a")].filter(
    (link) => !link.innerText.trim() || !link.offsetWidth).map((link) => link.href)"""
"""The links that nobody can see."""


@pytest.fixture(scope="module")
def files(own_games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The indices of few and of many games, in every language; the first game has no date."""
    records = reviewed_records(own_games[0], 1) * MANY
    pages = [GamePage(_dated(record, i), f"games/{i}.html") for i, record in enumerate(records)]
    files = []
    for n_games in (FEW, MANY):
        folder = tmp_path_factory.mktemp("index")
        problems = [Error("a.xml: is not mjlog")]
        written = index("bot 0", pages[:n_games], problems, "houjuu", "en", follows=True)
        for name, text in written.items():
            (folder / name).write_text(text, encoding="utf-8")
            files.append(folder / name)
    return files


def _dated(record: GameRecord, number: int) -> GameRecord:
    """A record with a date of its own, decisions of all kinds, and luck."""
    lost = 500 if number % 2 else 1000
    choices = [
        {"kind": kind, "agrees": number % 3 > 0, "value_lost": lost, "mistake": mistake}
        for kind, mistake in zip(KINDS, MISTAKES, strict=False)
    ]
    luck = {"expected": -100, "lost": 1000, "choices": 6, "balance": 900 * (number % 2)}
    more = {"id": f"game {number}", "date": f"2024-01-{number:02}" if number else None}
    return GameRecord.from_dict({**record.to_dict(), **more, "choices": choices, "lucks": [luck]})


@pytest.fixture(scope="module")
def opened(files: list[Path]) -> Iterator[Any]:
    """A page of Chromium, which may report nothing and request nothing but the files."""
    with chromium() as browser:
        opened, reports = browser.new_page(), list[str]()
        opened.on("console", lambda message: reports.append(message.text))
        opened.on("pageerror", lambda error: reports.append(str(error)))
        opened.on("request", lambda request: reports.append(request.url))
        yield opened
        assert set(reports) <= {file.as_uri() for file in files}


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_index_is_accessible(opened: Any, files: list[Path], width: int, scheme: str) -> None:
    """The rules of axe, no horizontal scrolling of the page, every link seen, no word broken."""
    opened.set_viewport_size({"width": width, "height": 844})
    opened.emulate_media(color_scheme=scheme)
    for file in files:
        opened.goto(file.as_uri())
        assert opened.evaluate("document.documentElement.scrollWidth") <= width, file
        assert opened.evaluate(SHOWN) == [], file
        assert opened.evaluate(BROKEN_WORDS, ":is(td, th)") == [], file
    assert violations(opened) == []  # the index of many games has all sections of the other


def test_the_limit_of_the_index(opened: Any, files: list[Path]) -> None:
    """In half of the games each mistake loses 1,000 points, in the others 500."""
    opened.goto(next(file for file in files[3:] if file.name == "index.html").as_uri())
    row = f"[data-class={MISTAKES[0]}] td"
    measured = opened.locator(row).all_inner_texts()
    assert measured[:2] == ["1.0", "16.7% ±\N{NO-BREAK SPACE}–"]
    opened.locator("#limit").fill("550")
    assert opened.locator(row).all_inner_texts() == ["0.5", "8.3%", "", "", "83.3", "", ""]
    opened.locator("#limit").fill("100")
    assert opened.locator(row).all_inner_texts() == measured


def test_index_html_is_in_the_language_of_the_browser_until_a_link_chooses(
    opened: Any, files: list[Path]
) -> None:
    with new_context(opened.context.browser, locale="ja-JP") as context:
        page = context.new_page()
        page.goto(next(file for file in files if file.name == "index.html").as_uri())
        page.wait_for_selector("html[lang=ja]")
        page.get_by_text("English").click()
        page.wait_for_selector("html[lang=en]")
        page.reload()
        assert page.locator("html").get_attribute("lang") == "en"
        page.get_by_text("简体中文").click()
        page.wait_for_selector("html[lang=zh]")


def test_firefox_reports_no_error(files: list[Path]) -> None:
    with firefox(files[0].parent) as browser:
        for file in files:
            browser.navigate(file.as_uri())
            assert browser.find_element("tag name", "h1").text.startswith("houjuu")
        assert errors(browser) == []
