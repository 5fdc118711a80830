"""What holds for every page: the rules of axe, no word broken, nothing wider than the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="the player that values actions needs it")

from houjuu.util.languages import LANGUAGES
from tests.kit.browsers import BROKEN_WORDS, DRILL, INDEX, REVIEW, violations, visited

PHONE, LAPTOP = (390, 844), (1440, 844)
SCHEMES = ("light", "dark")
PAGES = [
    ("seats", REVIEW, PHONE, "light"),
    ("seats", REVIEW, LAPTOP, "dark"),
    ("mistake", REVIEW, PHONE, "dark"),
    ("mistake", REVIEW, LAPTOP, "light"),
    ("drills/drills", DRILL, PHONE, "dark"),
    ("drills/drills", DRILL, LAPTOP, "light"),
    ("few/index", INDEX, PHONE, "dark"),
    ("few/index", INDEX, LAPTOP, "light"),
    *(("many/index", INDEX, size, scheme) for size in (PHONE, LAPTOP) for scheme in SCHEMES),
]
"""Each page, what it shows once it has started, and the screens on which it is looked at."""
CELLS = ":is(.list, #compared, body:not(:has(#board))) :is(td, th)"
UNSEEN = """() => [...document.querySelectorAll("body:not(:has(#board)) a")].filter(
    (link) => !link.innerText.trim() || !link.offsetWidth).map((link) => link.href)"""
"""The links that nobody can see; those of a review that are hidden wait for their view."""
PARTED = """() => [...document.querySelectorAll("#tile .row:has(.symbol)")].filter((cell) => {
    const name = document.createRange();
    name.selectNode(cell.lastChild);
    return name.getBoundingClientRect().top >= cell.firstChild.getBoundingClientRect().bottom;
}).map((cell) => cell.textContent)"""
"""The names of opponents that stand on another line than their symbols."""


@pytest.mark.parametrize(("name", "ready", "size", "scheme"), PAGES)
def test_a_page_is_accessible_and_fits_in_every_language(
    browser: Any, pages: Path, name: str, ready: str, size: tuple[int, int], scheme: str
) -> None:
    width, height = size
    options: dict[str, Any] = {
        "viewport": {"width": width, "height": height},
        "color_scheme": scheme,
    }
    with visited(browser, (pages / f"{name}.html").as_uri(), ready, **options) as opened:
        for language in reversed(LANGUAGES):  # English, the first, is left for axe
            if ready == REVIEW:
                opened.select_option("#language", language)
            else:
                ending = "" if language == "en" else f".{language}"
                opened.goto((pages / f"{name}{ending}.html").as_uri())
                opened.wait_for_selector(ready)
            assert opened.evaluate("document.documentElement.scrollWidth") <= width, language
            for wrong in (UNSEEN, PARTED):
                assert opened.evaluate(wrong) == [], language
            assert opened.evaluate(BROKEN_WORDS, CELLS) == [], language
        if name == "mistake":
            assert opened.is_visible("#compared")
        if ready == DRILL:
            opened.locator(DRILL).first.click()  # with the answer
        assert not opened.locator("#cannot-start").is_visible()
        assert violations(opened) == []
