"""The page in Chromium on screens from a phone to a desktop, and where it cannot start."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

pytest.importorskip("riichienv", reason="the player that values actions needs it")

from houjuu.review.deciding import MISTAKES
from houjuu.review.page import page
from houjuu.review.page_types import Review, ReviewedChoice
from houjuu.review.prices import LIMIT
from houjuu.review.verdict import chosen_action
from houjuu.util.languages import LANGUAGES, translate
from tests.kit.browsers import visited, written
from tests.review.page_data import DOCS_SEAT

PHONE, SIDEWAYS, TABLET, LAPTOP = (390, 844), (844, 390), (820, 1180), (1280, 720)
SIZES = [PHONE, SIDEWAYS, TABLET, LAPTOP]


def position(opened: Any) -> str:
    return str(opened.evaluate("document.body.dataset.position"))


# ---- the first screen ----

HIDDEN = """(selectors) => selectors.filter((selector) => {
  const node = document.querySelector(selector);
  const { left, right, top, bottom } = node.getBoundingClientRect();
  const points = [0.02, 0.5, 0.98].flatMap((x) => [0.02, 0.5, 0.98].map((y) =>
    [left + x * (right - left), top + y * (bottom - top)]));
  const outside = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
  const covered = points.some(([x, y]) => {
    const seen = document.elementFromPoint(x, y);
    return seen && !node.contains(seen) && !seen.contains(node);
  });
  return outside || covered || !node.getClientRects().length;
})"""
"""Elements that are outside of the screen, not shown, or partly covered by another one."""

FIRST = ["#board", "#tiles", "#where", "#verdict", "#verdict .price"]
BUTTONS = ["#previous", "#next", "#previous-mistake", "#next-mistake"]


@pytest.mark.parametrize("size", SIZES)
def test_the_first_screen(opened: Any, size: tuple[int, int]) -> None:
    """Board, hand, verdict, price and all buttons that step, in every language."""
    opened.set_viewport_size({"width": size[0], "height": size[1]})
    for language in LANGUAGES:
        opened.select_option("#language", language)
        opened.evaluate("scrollTo(0, 0)")
        assert opened.evaluate(HIDDEN, [*FIRST, *BUTTONS]) == [], language


def test_the_bar_covers_no_river(opened: Any) -> None:
    opened.set_viewport_size({"width": SIDEWAYS[0], "height": SIDEWAYS[1]})
    opened.keyboard.press("End")
    assert opened.locator("#board .piece").count() > 60
    covered = opened.evaluate(
        """() => { const bar = document.querySelector(".bar").getBoundingClientRect();
        return [...document.querySelectorAll("#board .piece")].some((piece) => {
            const { right, bottom } = piece.getBoundingClientRect();
            return bottom > innerHeight || (right > bar.left && bottom > bar.top); }); }"""
    )
    assert not covered


@pytest.mark.parametrize(
    ("language", "words"), [("en", "riichi |"), ("ja", "|切りリーチ"), ("zh", "打|立直")]
)
def test_the_tile_of_an_action_stands_where_its_name_would(
    opened: Any, docs_review: Review, language: str, words: str
) -> None:
    riichi = (one for one in docs_review["choices"] if chosen_action(one)["verb"] == "riichi")
    address = place_of(next(riichi))
    opened.evaluate("(address) => location.hash = address", address)
    opened.wait_for_selector(f"body[data-position='{address}']")
    opened.select_option("#language", language)
    before, tile, after = opened.locator("#verdict .discarded b").evaluate(
        "(verb) => [...verb.childNodes].map((one) => one.outerHTML ?? one.data)"
    )
    assert f"{before}|{after}" == words
    assert "<svg" in tile


# ---- the link and the picture of a position, the links over the page ----


def test_the_link_of_a_position(opened: Any) -> None:
    """A file has no address that others can open: it copies words. The page around it has one."""
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened.keyboard.press("End")
    shown = position(opened)
    assert "file:" not in copied(opened, "position copied as text")
    opened.keyboard.press("Home")
    assert opened.inner_text("#copy") == "copy as text"
    opened.keyboard.press("End")
    opened.evaluate("void (navigator.clipboard.writeText = () => Promise.reject())")
    assert copied(opened, "position copied as text").startswith("houjuu: ")
    opened.evaluate("delete navigator.clipboard.writeText")
    opened.evaluate("window.name = 'https://example.org/app/#json=%7B%7D&at='")
    link = copied(opened, "link copied")
    assert link.startswith("https://example.org/app/#json=%7B%7D&at=")
    opened.keyboard.press("Home")
    opened.evaluate(f"location.hash = '{link.partition('&at=')[2]}'")
    opened.wait_for_selector(f"body[data-position='{shown}']")


def copied(opened: Any, answer: str) -> str:
    """What the button copies, once it answers."""
    opened.click("#copy")
    opened.locator("#copy", has_text=answer).wait_for()
    return str(opened.evaluate("navigator.clipboard.readText()"))


def test_the_picture_of_a_position(opened: Any, docs_review: Review) -> None:
    """A file alone: it has the drawing of each of its tiles, and those of the hand last."""
    with opened.expect_download() as download:
        opened.click("#save")
    round, number = map(int, position(opened).split("."))
    decision = docs_review["rounds"][round]["decisions"][number - 1]
    assert download.value.suggested_filename == f"houjuu-{DOCS_SEAT}.{round}.{number}.svg"
    picture = etree.parse(download.value.path())
    table, *tiles = picture.iterfind("./{*}g")
    assert table.get("id") == "board"
    used = [use.get("href", "")[2:] for tile in tiles for use in tile.iter("{*}use")]
    melds = [
        tile for meld in decision["seats"][0]["melds"] for tile in meld["own"] + meld["called"]
    ]
    assert used[: len(decision["hand"])] == decision["hand"]
    assert sorted(used) == sorted([*decision["hand"], *melds])
    drawn = {node.get("id") for node in picture.iter("{*}*")}
    assert {use.get("href", "")[1:] for use in picture.iter("{*}use")} <= drawn
    assert "--felt" in str(picture.findtext("./{*}style"))


def test_bars_show_the_value_of_each_discard(opened: Any, docs_review: Review) -> None:
    """With the preference, less that of the advised action, which none is above; `b`: the risks."""
    choice = next(one for one in docs_review["choices"] if one["kind"] == "discard")
    opened.evaluate(f"location.hash = '{choice['round']}.{choice['step'] + 1}'")
    opened.wait_for_selector(f"body[data-position='{choice['round']}.{choice['step'] + 1}']")
    worths: dict[str, int] = {}
    for one in choice["actions"]:
        worths.setdefault(one["tiles"][0], one["value"] + one["preference"])
    most = max(worths.values())
    heights = []
    for node in opened.locator(".hand-tile").all():
        worth = worths[node.get_attribute("data-tile")] - most
        size = f"{abs(worth):,}" if abs(worth) < 1000 else f"{abs(worth) / 1000:.1f}k"
        assert node.locator(".worth").inner_text() == ("−" if worth else "") + size
        heights.append((worth, node.locator(".level b").evaluate("one => one.clientHeight")))
    assert [height for _, height in sorted(heights)] == sorted(height for _, height in heights)
    assert not opened.locator(".level i").first.is_visible()
    opened.keyboard.press("b")
    assert opened.locator(".level i").first.is_visible()
    assert not opened.locator(".worth").first.is_visible()


def test_the_lists_are_three_steps_from_the_top(opened: Any) -> None:
    for key in ("Tab", "Tab", "Enter", "Tab"):
        opened.keyboard.press(key)
    assert opened.evaluate("document.activeElement.closest('#skim') !== null")
    assert not opened.locator("#message").is_visible()


# ---- from mistake to mistake ----


def mistakes(data: Review) -> list[str]:
    """The positions of the mistakes in the order of the game."""
    return [place_of(choice) for choice in data["choices"] if choice["value_lost"] > 0]


def place_of(choice: ReviewedChoice) -> str:
    """The position of a choice, as the address has it."""
    return f"{choice['round']}.{choice['step'] + 1}"


def test_buttons_step_through_the_mistakes(opened: Any, docs_review: Review) -> None:
    """Forwards to the first again, and back; the keys do the same."""
    assert not opened.is_visible("#clean")
    opened.locator("#limit").fill("0")
    expected = mistakes(docs_review)
    assert len(expected) > 1
    opened.keyboard.press("Home")
    assert position(opened) not in expected
    assert opened.evaluate(PRESSED, ["next-mistake", len(expected) + 1]) == [*expected, expected[0]]
    assert opened.evaluate(PRESSED, ["previous-mistake", len(expected)]) == expected[::-1]
    opened.click("#next-mistake")
    assert position(opened) == expected[1]
    opened.click("#previous-mistake")
    opened.keyboard.press("m")
    assert position(opened) == expected[1]
    opened.keyboard.press("Shift+M")
    assert position(opened) == expected[0]


def test_a_game_without_a_certain_mistake_opens_with_that_sentence(
    browser: Any, docs_review: Review, tmp_path: Path
) -> None:
    """At the first decision alone, in every language."""
    review = deepcopy(docs_review)
    for choice in review["choices"]:
        choice |= {"value_lost": 0, "grade": None, "mistake": None}
    address = written(tmp_path, page([review], "rank"))
    with visited(browser, address, "#clean:not([hidden])") as opened:
        assert opened.locator("#lists .mistakes").count() == 0
        for language in LANGUAGES:
            opened.select_option("#language", language)
            text = opened.inner_text("#clean")
            assert text.startswith(translate(language)("page.no_mistake", n=LIMIT))
            assert text in opened.text_content("#live")
        opened.keyboard.press("End")
        assert not opened.is_visible("#clean")


PRESSED = """([id, times]) => Array.from({ length: times }, () => {
    document.getElementById(id).click();
    return document.body.dataset.position;
})"""
"""The positions after each of some presses of a button."""


@pytest.mark.parametrize(("size", "by"), [(PHONE, "click"), (SIDEWAYS, "click"), (LAPTOP, "Enter")])
def test_a_mistake_of_the_list_brings_the_table(
    opened: Any, size: tuple[int, int], by: str
) -> None:
    """The focus stays on the link, a second time too, when the address is the same."""
    opened.set_viewport_size({"width": size[0], "height": size[1]})
    link = opened.locator(".mistakes a").nth(1)
    address = link.get_attribute("href")
    for _ in range(2):
        link.scroll_into_view_if_needed()
        link.click() if by == "click" else link.press("Enter")
        opened.wait_for_selector(f"body[data-position='{address.partition('.')[2]}']")
        opened.wait_for_function("() => document.activeElement.hash === location.hash")
        assert opened.evaluate(HIDDEN, ["#board", "#verdict"]) == []
        assert opened.evaluate("document.activeElement.getAttribute('href')") == address


# ---- what the page says of the data ----


def test_the_sentence_is_that_of_the_data(opened: Any, docs_review: Review) -> None:
    """In every language, with the class of a mistake; hidden where there is none."""
    seat = docs_review["seat"]
    explained = [one for one in docs_review["choices"] if one["why"] is not None]
    for choice in [*explained[::9], *[one for one in docs_review["choices"] if not one["why"]][:2]]:
        address = f"{choice['round']}.{choice['step'] + 1}"
        opened.evaluate(f"location.hash = '{seat}.{address}'")
        opened.wait_for_selector(f"body[data-position='{address}']")
        assert opened.is_visible("#why") == (choice["why"] is not None)
        for language, text in (choice["why"] or {}).items():
            opened.select_option("#language", language)
            name = (
                translate(language)(f"page.class.{choice['mistake']}") if choice["mistake"] else ""
            )
            assert opened.inner_text("#why") == (f"{name} · {text}" if name else text)


def test_the_course_has_the_mistakes_on_it(opened: Any, docs_review: Review) -> None:
    """A mark for each, at the value of its decision; a click shows the decision."""
    opened.locator("#limit").fill("0")
    losing = sorted(docs_review["choices"], key=lambda one: -one["value_lost"])
    losing = [one for one in losing if one["value_lost"] > 0]
    line = opened.get_attribute(".course polyline", "points").split()
    assert len(line) == len(docs_review["choices"])
    marks = opened.locator(".course .mark")
    assert marks.count() == len(losing)
    for number, choice in enumerate(losing[:3]):
        mark = marks.nth(number)
        address = f"{mark.get_attribute('cx')},{mark.get_attribute('cy')}"
        assert address == line[docs_review["choices"].index(choice)]
        mark.dispatch_event("click")
        assert position(opened) == f"{choice['round']}.{choice['step'] + 1}"
    radii = [float(mark.get_attribute("r")) for mark in marks.all()]
    assert radii == sorted(radii, reverse=True)


def test_the_classes_are_counted(opened: Any, docs_review: Review) -> None:
    opened.locator("#limit").fill("0")
    rows = opened.locator(".classes tbody tr")
    counts = {}
    for row in rows.all():
        name, n, _, lost, _ = row.locator("td").all_inner_texts()
        counts[name] = (int(n), int(lost.replace(",", "")))
    for mistake in MISTAKES:
        lost = [one["value_lost"] for one in docs_review["choices"] if one["mistake"] == mistake]
        assert counts[translate("en")(f"page.class.{mistake}")] == (len(lost), sum(lost))
    assert sum(n for n, _ in counts.values()) == sum(
        one["value_lost"] > 0 for one in docs_review["choices"]
    )


def test_the_columns_of_a_list_are_named(opened: Any) -> None:
    """The style chooses columns by class, so a cell has the classes of its heading."""
    mixed = opened.evaluate(
        """() => [...document.querySelectorAll(".list table, #compared table, #tile table")]
        .filter((table) => table.tHead).flatMap((table) =>
            [...table.tBodies[0].rows].filter((row) => [...row.cells].some(
                (cell, i) => cell.className !== table.rows[0].cells[i].className)))
        .map((row) => row.textContent)"""
    )
    assert mixed == []
    style = (Path(__file__).parents[2] / "houjuu/review/page.css").read_text(encoding="utf-8")
    assert "nth-child" not in style


# ---- a script that cannot start ----

FAULTS = {
    "without DecompressionStream": "delete window.DecompressionStream",
    "with an exception": "Document.prototype.createElementNS = () => { throw new Error('no SVG') }",
    "without modules": "delete HTMLScriptElement.prototype.noModule",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_page_that_cannot_start_says_so(browser: Any, pages: Path, fault: str) -> None:
    address = (pages / "mistake.html").as_uri()
    with visited(browser, address, "#cannot-start", expected="", script=FAULTS[fault]) as opened:
        shown = opened.inner_text("body")
        assert all(translate(language)("page.cannot_start") in shown for language in LANGUAGES)
        assert not opened.locator("main").is_visible()


def test_damaged_data_are_reported(browser: Any, pages: Path, tmp_path: Path) -> None:
    text = (pages / "mistake.html").read_text(encoding="utf-8")
    head, mark, tail = text.partition('<script id="game" type="text/plain">')
    damaged = written(tmp_path, f"{head}{mark}AAAA{tail[4:]}")
    with visited(browser, damaged, "#cannot-start", expected="") as opened:
        assert opened.inner_text("#problem")


def test_without_scripts(browser: Any, pages: Path) -> None:
    address = (pages / "mistake.html").as_uri()
    with visited(browser, address, "body", java_script_enabled=False) as opened:
        shown = opened.locator("body").inner_text()
        assert all(translate(language)("page.noscript") in shown for language in LANGUAGES)
        assert not opened.locator("main").is_visible()
