"""The page in a real browser: a user drops a log and reads the review."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from houjuu.game.events import Game
from houjuu.logs import mjai
from tests.kit.browsers import DROP, violations, visited
from tests.kit.reports import report_text
from tests.kit.tenhou6 import CALLED_TWICE, log_of
from tests.serve.conftest import POSITION
from tests.serve.test_process import Server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that refuses logs over 500,000 bytes."""
    server = Server(tmp_path_factory.mktemp("serve"), "--max-log", "500000")
    yield f"http://{server.address}/"
    assert server.end(2) == (0, "")


@pytest.fixture
def opened(address: str, browser: Any) -> Iterator[Any]:
    failed = "WebSocket connection to .* failed"
    with visited(browser, address, "body:not([inert]) main", expected=failed) as page:
        yield page


def violations_of_schemes(page: Any) -> list[Any]:
    """The rules of axe that a page breaks in light or in dark colours."""
    broken = []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        broken += violations(page)
    return broken


@pytest.fixture
def mjson(game: Game) -> str:
    """Some rounds as mjai."""
    return mjai.write(game)


def review_of(page: Any) -> Any:
    """The frame with the review."""
    page.wait_for_selector("iframe", timeout=120_000)
    frame = page.frame_locator("iframe")
    frame.locator(".hand-tile").first.wait_for(timeout=60_000)
    return frame


def named(page: Any) -> list[str]:
    """The players that can be chosen once the log is read."""
    page.locator("#you button").first.wait_for()
    return list(page.locator("#you button").all_inner_texts())


def test_a_dropped_log_is_reviewed(opened: Any, mjson: str) -> None:
    """The player who is chosen, then another one; the first is not reviewed again."""
    opened.select_option("#player", "none")
    opened.evaluate(DROP, [["game.mjson", mjson]])
    assert named(opened)[:2] == ["bot 0 (East at first)", "bot 1 (South at first)"]
    assert violations_of_schemes(opened) == []
    opened.locator("#you button").nth(1).click()
    frame = review_of(opened)
    assert "bot 1" in frame.locator("#players b").inner_text()
    assert frame.locator("#seats button").count() == 1
    where = frame.locator("#where").inner_text()
    opened.keyboard.press("ArrowRight")  # the frame has the focus
    assert frame.locator("#where").inner_text() != where
    frame.locator("#lists a").first.click()
    assert "%" in frame.locator("#any").inner_text()
    assert violations_of_schemes(opened) == []
    for seat in (3, 1):
        opened.locator("#others button").nth(seat).click()
        frame.locator("#players b", has_text=f"bot {seat}").wait_for()
        assert opened.locator("#others [aria-pressed=true]").all_inner_texts() == [
            opened.locator("#others button").nth(seat).inner_text()
        ]
    with opened.expect_download() as download:
        opened.click("#save")
    assert download.value.suggested_filename == "game.html"
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert saved.startswith("<!doctype html>")
    assert "postMessage" not in saved


def test_a_report_opens_at_its_seat(opened: Any) -> None:
    opened.evaluate(DROP, [["game.json", report_text(2)]])
    frame = review_of(opened)
    assert frame.locator("#beside").inner_text().count("Mortal")
    assert opened.locator("#others [aria-pressed=true]").count() == 1


@pytest.mark.parametrize("kind", ["mjai", "address", "JSON"])
def test_a_pasted_log_is_reviewed(opened: Any, mjson: str, kind: str) -> None:
    """It replaces a chosen file, and a hand that the log hides cannot be chosen."""
    tenhou6 = json.dumps(log_of(CALLED_TWICE) | {"name": [f"bot {i}" for i in range(4)]})
    lines = mjson.splitlines()[:40]
    lines[1] = json.dumps(hidden(json.loads(lines[1]), 3))
    text = {"mjai": "\r\n".join(lines), "address": f"tenhou.net/6/#json={quote(tenhou6)}"}
    file = {"name": "page.xml", "mimeType": "", "buffer": b"<html/>"}
    opened.set_input_files("#file", file)
    opened.wait_for_selector("#error:not(:empty)")
    opened.fill("#text", f" \n{text.get(kind, tenhou6)}\n")
    names = named(opened)
    assert opened.inner_text("#error") == ""
    if kind == "mjai":
        assert names[3] == "bot 3 (hand not in the log)"
        assert opened.locator("#you button:disabled").count() == 1
    opened.select_option("#player", "none")
    opened.click("#you button")
    assert "bot 0" in review_of(opened).locator("main").inner_text()
    assert opened.inner_text("#name") == "pasted log"


def hidden(deal: dict[str, Any], seat: int) -> dict[str, Any]:
    """A deal without the hand of a seat."""
    hands = [["?"] * 13 if i == seat else hand for i, hand in enumerate(deal["tehais"])]
    return {**deal, "tehais": hands}


def test_the_progress_of_a_review(opened: Any, mjson: str) -> None:
    """The bar has no value until the first step, and the review can be cancelled.

    Here the steps come when the test sends them.
    """
    calls: list[Any] = []
    opened.route_web_socket("**/page", lambda socket: calls.append(socket))  # noqa: PLW0108
    opened.reload()
    opened.fill("#text", mjson)
    names = {"names": [*"ABCD"], "seats": [0, 1, 2, 3]}
    called(opened, calls, 1).send(json.dumps({"result": names}))
    opened.click("#you button")
    assert opened.evaluate("document.activeElement.id") == "cancel"
    assert opened.locator("#share").get_attribute("value") is None
    assert re.fullmatch(r"\d+ s", opened.inner_text("#time"))
    assert violations_of_schemes(opened) == []
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
    called(opened, calls, 2).send(json.dumps({"step": {"share": 0.2599}}))
    opened.locator("#share[value='25']").wait_for()
    opened.locator("#time", has_text="25%, ").wait_for()
    assert opened.inner_text("#status") == "Reviewing pasted log …"
    assert violations_of_schemes(opened) == []
    opened.keyboard.press("Enter")
    opened.locator("#work").wait_for(state="hidden")
    assert opened.inner_text("#status") == opened.inner_text("#error") == ""
    assert opened.evaluate("document.activeElement.textContent").startswith("A ")


def called(page: Any, calls: list[Any], n: int) -> Any:
    """The last of so many calls, once it comes."""
    while len(calls) < n:
        page.wait_for_timeout(20)
    return calls[-1]


@pytest.mark.parametrize(("motion", "name"), [("reduce", "none"), ("no-preference", "pass")])
def test_the_bar_moves_only_where_motion_is_wanted(opened: Any, motion: str, name: str) -> None:
    opened.emulate_media(reduced_motion=motion)
    assert opened.evaluate("getComputedStyle(document.getElementById('share')).animationName") == (
        name
    )


def test_the_keyboard_suffices(opened: Any, mjson: str) -> None:
    """Tab reaches every control; after a review another log can be chosen, on any screen."""
    opened.set_viewport_size({"width": 844, "height": 390})
    reached = []
    for _ in range(5):
        opened.keyboard.press("Tab")
        reached.append(opened.evaluate("document.activeElement.id || document.activeElement.type"))
    assert reached == ["file", "text", "player", "room", "submit"]
    opened.keyboard.press("Enter")
    assert opened.inner_text("#error") == "Choose a file or paste a log first."
    assert opened.evaluate("document.activeElement.id") == "text"
    opened.select_option("#player", "none")
    file = {"name": "game.mjson", "mimeType": "", "buffer": mjson.encode()}
    opened.set_input_files("#file", file)
    named(opened)
    opened.focus("#text")
    opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    review_of(opened)
    assert opened.locator("#another").is_visible()
    opened.focus("#another")
    opened.keyboard.press("Enter")
    assert opened.locator("iframe").count() == 0
    assert opened.evaluate("document.activeElement.id") == "file"
    assert opened.input_value("#file") == ""
    assert not opened.is_visible("#who")


def test_errors_are_shown(opened: Any) -> None:
    opened.evaluate(DROP, [["page.xml", "<html/>"]])
    opened.wait_for_selector("#error:not(:empty)")
    assert (
        opened.inner_text("#error") == "page.xml: is not mjlog: the root is <html>, not <mjloggm>"
    )
    opened.fill("#position [name=hand]", "123")
    opened.click("#position .primary")
    opened.locator("#position-error", has_text="123").wait_for()
    opened.route_web_socket("**/page", lambda socket: socket.close())
    opened.reload()
    opened.fill("#text", "{}")
    opened.locator("#error", has_text="The server does not answer").wait_for()
    assert opened.locator("iframe").count() == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "begins with <mjloggm"),
        ("https://example.org/report.html", "does not download"),
        ("https://game.mahjongsoul.com/?paipu=1-2_a3", "link of Mahjong Soul"),
        (
            "http://tenhou.net/0/?log=2024041213gm-00a9-0000-ae3d8958&tw=2",
            "Open https://tenhou.net/0/log/?2024041213gm-00a9-0000-ae3d8958, then paste",
        ),
    ],
)
def test_a_text_that_is_no_log_is_answered_by_the_page(opened: Any, text: str, words: str) -> None:
    opened.route_web_socket("**/page", lambda socket: pytest.fail(str(socket)))
    opened.reload()
    opened.fill("#text", text)
    opened.locator("#error", has_text=words).wait_for()


def test_a_position_by_hand_is_shown_as_a_review(opened: Any) -> None:
    opened.select_option("#table", "general")
    opened.click("#position .primary")
    frame = review_of(opened)
    assert frame.locator("#why").inner_text()
    assert "general room" in frame.locator("body").text_content()
    assert not frame.locator("#clean").is_visible()
    assert "0" in frame.locator(".hand-tile .worth").all_inner_texts()
    assert violations_of_schemes(opened) == []


def test_a_position_by_tiles_an_address_or_json(opened: Any) -> None:
    hand, melds = (opened.locator(f"#position [name={name}]").first for name in ("hand", "melds"))
    hand.fill("https://tenhou.net/2/?q=123m067p1199s")
    opened.fill("#position [name=rivers][data-seat=left]", "2z~ 8m")
    opened.fill("#position [name=melds][data-seat=right]", "8888s")
    opened.fill("#position [name=dora]", "3p1m")
    for field, tiles in ((hand, ["4p"]), (melds, ["2z", "2z", "2z", "0m", ""])):
        field.click()
        for tile in tiles:
            opened.click(f"#position [data-tile='{tile}']")
    assert melds.input_value() == "2z2z2z"
    opened.click("#position .primary")
    frame = review_of(opened)
    assert frame.locator("#tiles .meld").get_attribute("aria-label").startswith("pon")
    assert frame.locator(".hand-tile").count() == 11
    assert "ankan 8888s" in frame.locator("#description").text_content()
    opened.click("#another")
    hand.fill(json.dumps({**POSITION, "scores": [1000, 2000, 3000, 94000]}))
    opened.click("#position .primary")
    assert "94,000" in review_of(opened).locator("#board").text_content()


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_the_page_and_its_review_are_in_the_chosen_language(
    opened: Any, address: str, language: str
) -> None:
    """Here on a phone, with a game in the address of the page."""
    opened.set_viewport_size({"width": 360, "height": 740})
    opened.click(f"nav a[lang^={language}]")
    opened.wait_for_selector(f"html[lang^={language}] body:not([inert]) main")
    assert violations_of_schemes(opened) == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= 360
    errors = {
        "en": ("long.xml is longer than 500,000 B, the limit", "does not download"),
        "ja": ("long.xmlは上限の500,000 Bを超えています", "houjuu はダウンロードしません"),
        "zh": ("long.xml超过上限500,000 B", "houjuu 不下载"),
    }
    opened.evaluate(DROP, [["long.xml", " " * 500_001]])
    assert opened.inner_text("#error") == errors[language][0]
    opened.fill("#text", "https://mjai.ekyu.moe/report/0123.html")
    opened.locator("#error", has_text=errors[language][1]).wait_for()
    tenhou6 = json.dumps(log_of(CALLED_TWICE) | {"name": [f"bot {i}" for i in range(4)]})
    opened.goto(f"{address}?lang={language}#json={quote(tenhou6)}&at=0.E1.0.2")
    opened.reload()  # with a position, nobody is asked
    frame = review_of(opened)
    assert frame.locator("html").get_attribute("lang").startswith(language)
    assert frame.locator("body").get_attribute("data-seat") == "0"
    assert re.search("2( of|/)", frame.locator("#where").inner_text())


def test_a_name_in_the_log_runs_no_script(opened: Any, mjson: str) -> None:
    evil = "<img src=x onerror=document.title=1><script>document.title=2</script>"
    opened.select_option("#player", "none")
    opened.evaluate(DROP, [["game.mjson", mjson.replace("bot 0", evil)]])
    assert named(opened)[0].startswith("<img")
    opened.click("#you button")
    frame = review_of(opened)
    assert "<script>" in frame.locator("#players").inner_text()
