"""The index of many games in Chromium: its limit, and its language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from houjuu.review.deciding import MISTAKES
from tests.kit.browsers import INDEX, visited


def test_the_limit_of_the_index(browser: Any, pages: Path) -> None:
    """In half of the games each mistake loses 1,000 points, in the others 500."""
    with visited(browser, (pages / "many/index.html").as_uri(), INDEX) as opened:
        row = f"[data-class={MISTAKES[0]}] td"
        measured = opened.locator(row).all_inner_texts()
        assert measured[:2] == ["1.0", "16.7%"]
        opened.locator("#limit").fill("550")
        assert opened.locator(row).all_inner_texts() == ["0.5", "8.3%", "", "", "83.3", "", ""]
        opened.locator("#limit").fill("100")
        assert opened.locator(row).all_inner_texts() == measured


def test_index_html_is_in_the_language_of_the_browser_until_a_link_chooses(
    browser: Any, pages: Path
) -> None:
    address = (pages / "few/index.html").as_uri()
    with visited(browser, address, "html[lang=ja]", locale="ja-JP") as opened:
        opened.get_by_text("English").click()
        opened.wait_for_selector("html[lang=en]")
        opened.reload()
        assert opened.locator("html").get_attribute("lang") == "en"
        opened.get_by_text("简体中文").click()
        opened.wait_for_selector("html[lang=zh]")
