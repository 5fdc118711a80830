"""Headless browsers, where they are installed: Chromium by playwright, Firefox by Marionette."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.kit.absent import leave_out, program

REVIEW, DRILL, INDEX = "body[data-position]", "#answers button", "h1"
"""What a page shows once it has started."""
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIREFOX = ("firefox-esr", "firefox")
_PATIENCE = 120_000  # unit: ms; on an idle machine a page takes a second


@contextmanager
def chromium() -> Iterator[Any]:
    """A new session of Chromium, patient on a busy machine; needs the program."""
    path = program(*CHROMIUM)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--disable-gpu"])
        with new_context(browser) as context:
            yield context
        browser.close()


@contextmanager
def new_context(browser: Any, **options: Any) -> Iterator[Any]:
    """A session of its own in a Chromium that runs, patient on a busy machine."""
    context = browser.new_context(**options)
    context.set_default_timeout(_PATIENCE)
    try:
        yield context
    finally:
        context.close()


@contextmanager
def visited(
    browser: Any,
    address: str,
    ready: str,
    *,
    expected: str = "(?!)",
    script: str = "",
    requests: list[str] | None = None,
    **options: Any,
) -> Iterator[Any]:
    """A page in a session of its own, once it shows an element; the script runs before its own.

    It must request nothing but its folder, and report nothing but what a pattern matches.
    """
    with new_context(browser, **options) as context:
        page, reports = context.new_page(), list[str]()
        requested = [] if requests is None else requests
        context.on("request", lambda request: requested.append(request.url))
        page.on("console", lambda message: reports.append(message.text))
        page.on("pageerror", lambda error: reports.append(str(error)))
        page.add_init_script(script)
        page.goto(address)
        page.wait_for_selector(ready)
        yield page
        folder = address.rpartition("/")[0] + "/"
        assert [url for url in requested if not url.startswith((folder, "blob:", "data:"))] == []
        assert [text for text in reports if not re.search(expected, text)] == []


def written(folder: Path, text: str) -> str:
    """The address of a page that is written to a folder."""
    file = folder / "review.html"
    file.write_text(text, encoding="utf-8")
    return file.as_uri()


DROP = """(files) => {
    const data = new DataTransfer();
    for (const [name, content] of files) data.items.add(new File([content], name));
    for (const type of ["dragover", "drop"])
        document.querySelector("main").dispatchEvent(
            new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
"""Drops files, each a name and a content, on a page."""


@contextmanager
def firefox(folder: Path) -> Iterator[Any]:
    """Firefox with touch events, its log in the folder; needs the program and its driver."""
    path = program(*FIREFOX)
    try:
        from marionette_driver import marionette as driver
    except ImportError as error:  # it needs telnetlib, which Python 3.13 lacks
        leave_out(f"the driver of Firefox cannot be imported: {error}")
    prefs = {"dom.w3c_touch_events.enabled": 1}
    log = str(folder / "gecko.log")
    # Port 0: any free one, since other workers of pytest have a Firefox too.
    browser = driver.Marionette(bin=path, port=0, headless=True, prefs=prefs, gecko_log=log)
    browser.start_session()
    try:
        yield browser
    finally:
        browser.delete_session()
        browser.cleanup()


def violations(page: Any) -> Any:
    """The rules of axe that a page in Chromium breaks."""
    from axe_playwright_python.sync_playwright import Axe

    rules = ("label-content-name-mismatch", "target-size")  # which it leaves out by default
    options = {"rules": {name: {"enabled": True} for name in rules}}
    return Axe().run(page, options=options).response["violations"]


def errors(browser: Any) -> Any:
    """The errors and warnings that Firefox has reported about files."""
    with browser.using_context("chrome"):
        return browser.execute_script(_ERRORS)


_ERRORS = """return Services.console.getMessageArray()
    .filter(one => one instanceof Ci.nsIScriptError && one.sourceName.startsWith("file:"))
    .map(String)"""

BROKEN_WORDS = """(selector) => {
  const broken = [];
  for (const cell of document.querySelectorAll(selector)) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement.closest(".clause")) continue; // a sentence
      for (const { index, 0: word } of text.data.matchAll(/[^\\s,（(、：:/-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.push(word);
      }
    }
  }
  return broken;
}"""
"""The words of some elements that are broken to letters: the letters of a line have one top."""
