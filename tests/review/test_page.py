"""The review page in headless Chromium."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houjuu.game.tiles import parse_kind
from houjuu.review.review_data import discarded_tile, discards
from tests.kit.browsers import REVIEW, visited
from tests.review.page_data import OTHER_SEAT, SEAT, Data


@pytest.fixture(scope="module")
def opened(browser: Any, pages: Path) -> Iterator[Any]:
    """The page of both seats, one for all tests."""
    with visited(browser, (pages / "seats.html").as_uri(), REVIEW) as opened:
        yield opened


def position(opened: Any) -> tuple[int, int]:
    round, turn = opened.evaluate("document.body.dataset.position").split(".")
    return int(round), int(turn) - 1


def all_positions(data: Data) -> list[tuple[int, int]]:
    return [(i, j) for i, r in enumerate(data["rounds"]) for j in range(len(r["decisions"]))]


STEPS = """(count) => Array.from({ length: count }, (_, step) => {
    const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
    press(step ? "ArrowRight" : "Home");
    const text = (id) => document.getElementById(id).innerText;
    return [document.body.dataset.position, document.querySelectorAll(".hand-tile").length,
        document.querySelector(".hand-tile.discarded").dataset.tile, text("any"), text("points"),
        document.querySelectorAll(".hand-tile.ron").length];
})"""
"""Steps through some decisions, and returns what the page shows of each."""


def test_stepping(opened: Any, data: Data) -> None:
    """Step through every decision by key: the page shows the numbers of the data."""
    positions = all_positions(data)
    assert len(positions) > 50
    steps = opened.evaluate(STEPS, len(positions))
    for (i, j), shown in zip(positions, steps, strict=True):
        decision = data["rounds"][i]["decisions"][j]
        tile = decision["hand"][decision["discard_index"]]
        risk = decision["risks"][tile]
        assert shown == [
            f"{i}.{j + 1}",
            len(decision["hand"]),
            tile,
            f"{100 * risk['deal_in']:.2f}%",
            f"{math.floor(risk['points'] + 0.5):,}",
            bool(decision["rons"]),
        ]
    opened.keyboard.press("ArrowRight")
    assert position(opened) == positions[-1]
    opened.keyboard.press("ArrowLeft")
    assert position(opened) == positions[-2]


def test_the_wall_and_where_the_tiles_were(opened: Any, data: Data) -> None:
    """The expected copies of the data, and with open hands all unseen tiles, each once."""
    opened.keyboard.press("Home")
    decision = data["rounds"][0]["decisions"][0]
    copies = decision["unseen"]["copies"]
    shown = opened.locator(".strip small").all_inner_texts()
    expected = decision["unseen"]["wall"]
    assert shown == [f"{one:.1f}" if n else "–" for one, n in zip(expected, copies, strict=True)]
    assert not opened.locator("#wall b").count()
    opened.keyboard.press("h")
    in_wall = [int(text) for text in opened.locator(".strip b").all_inner_texts()]
    hands = [plain for hand in decision["opponent_hands"] for plain in map(kind_of, hand)]
    truth = [n - hands.count(kind) for kind, n in enumerate(copies) if n]
    assert in_wall == truth
    rows = opened.locator("#wall .useful").all()
    for row, hand, likeliest in zip(
        rows, decision["opponent_hands"], decision["unseen"]["hands"], strict=True
    ):
        kinds = [*map(kind_of, hand)]
        in_hand = [kinds.count(parse_kind(name)) for name in likeliest]
        assert [int(text) for text in row.locator("b").all_inner_texts()] == in_hand
    opened.keyboard.press("h")
    assert not opened.locator("#wall b").count()


def kind_of(tile: str) -> int:
    return parse_kind(tile.replace("0", "5"))


def most_dangerous(data: Data) -> list[tuple[int, int]]:
    """The discards, the highest risk first."""

    def descending(at: tuple[int, int]) -> float:
        decision = data["rounds"][at[0]]["decisions"][at[1]]
        return -float(decision["risks"][discarded_tile(decision)]["deal_in"])

    return sorted(all_positions(data), key=descending)


def test_the_worst_come_first(opened: Any, data: Data) -> None:
    links = opened.locator("#lists section").first.locator("a").all()
    listed = [link.get_attribute("href") for link in links]
    assert listed == [f"#{SEAT}.{i}.{j + 1}" for i, j in most_dangerous(data)[:10]]


def test_every_tile_shows_its_numbers(opened: Any, data: Data) -> None:
    i, j = most_dangerous(data)[0]
    decision = data["rounds"][i]["decisions"][j]
    opened.locator(f'#lists a[href="#{SEAT}.{i}.{j + 1}"]').first.click()
    opened.wait_for_selector(f"body[data-position='{i}.{j + 1}']")
    assert len(decision["hand"]) > 1
    for index, tile in enumerate(decision["hand"]):
        opened.locator(".hand-tile").nth(index).click()
        risk = decision["risks"][tile]
        assert opened.inner_text("#any") == f"{100 * risk['deal_in']:.2f}%"
        rows = opened.locator("#tile > table tbody tr").all_inner_texts()
        for row, p in zip(rows, risk["by_opponent"], strict=True):
            assert f"{100 * p:.2f}%" in row


def test_keys(opened: Any, data: Data) -> None:
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowDown")
    assert position(opened)[1] == 0
    assert position(opened)[0] > 0
    opened.keyboard.press("x")
    i, j = position(opened)
    assert data["rounds"][i]["decisions"][j]["rons"]
    assert "It dealt in." in opened.inner_text("#live")
    opened.keyboard.press("3")
    assert opened.locator(".hand-tile").nth(2).get_attribute("aria-pressed") == "true"
    backs = opened.locator("#board use[href='#tb']").count()
    opened.keyboard.press("h")
    assert opened.locator("#board use[href='#tb']").count() < backs
    opened.keyboard.press("?")
    assert opened.locator("#help").is_visible()
    opened.keyboard.press("Escape")
    assert not opened.locator("#help").is_visible()


KEPT_WORDS = {"bot", "houjuu", "first", "tile", "selfplay", "English"}
"""Names of players, of the game and of the project, and a language in the menu."""


def test_languages_switch(opened: Any) -> None:
    assert opened.evaluate("document.documentElement.lang") == "en"
    for language, tag, heading in (("ja", "ja", "放銃"), ("zh", "zh-Hans", "放铳")):
        opened.select_option("#language", language)
        assert opened.evaluate("document.documentElement.lang") == tag
        assert heading in opened.inner_text("#totals")
        shown = opened.inner_text("main") + opened.inner_text("header")
        words = set(re.findall(r"[A-Za-z]{3,}", shown)) - KEPT_WORDS
        assert not words
    opened.select_option("#language", "en")
    assert "dealt in" in opened.inner_text("#totals")


def test_seats_switch_and_mistakes_are_listed(opened: Any) -> None:
    opened.keyboard.press("Home")
    opened.locator("#seats button").nth(1).click()
    assert opened.evaluate("document.body.dataset.seat") == str(OTHER_SEAT)
    assert position(opened) == (0, 0)
    opened.keyboard.press("m")
    assert position(opened) == (0, 0)  # the loss is below the limit
    opened.locator("#limit").fill("0")
    opened.keyboard.press("m")
    assert position(opened) == (1, 2)
    assert "−2 points" in opened.inner_text("#verdict")
    assert opened.inner_text("#skim .mistakes h2").startswith("Mistakes")
    opened.keyboard.press("s")
    assert opened.evaluate("document.body.dataset.seat") == str(SEAT)
    for hidden in ("#choices", "#next-mistake"):
        assert not opened.locator(hidden).is_visible()
    assert opened.locator("#next").is_visible()
    assert "deals in" in opened.inner_text("#verdict .price")


def test_no_answer_of_another_engine_is_no_disagreement(opened: Any) -> None:
    """Shares are of what it answered, which stands beside; the reason is in every language."""
    opened.evaluate(f"location.hash = '#{OTHER_SEAT}.1.3'")
    opened.wait_for_selector("#beside:not([hidden])")
    for language, no, ended in (
        ("en", "no legal answer", "it ended with 9"),
        ("ja", "合法な応答なし", "終了コード9で終わりました"),
        ("zh", "无合法应答", "以退出码9结束"),
    ):
        opened.select_option("#language", language)
        rows = opened.locator("#beside tbody tr").all()
        cells = [row.locator("th, td").all_inner_texts() for row in rows]
        assert [row[2:] for row in cells] == [
            ["100.0%", "0.0%", "100.0%"],
            ["0.0%", "–", "–"],
            ["–"] * 3,
        ]
        answer, *_ = cells[0][1].splitlines()
        assert [answer.split()[-1], cells[1][1]] == ["◆", no]
        assert "75.0% · 0.50" in cells[0][1]
        assert cells[0][1].endswith("−1.25")
        texts = opened.locator("#beside p").all_inner_texts()
        assert texts[0].startswith("engine 0")
        assert texts[-1] == f"engine 1: {no}: {ended}"
    assert opened.locator("#beside td .faint").first.get_attribute("title") == "it ended with 9"
    opened.select_option("#language", "en")
    opened.keyboard.press("s")


def test_mistakes_by_what_another_engine_does(opened: Any) -> None:
    """Its riichi is the advised one: a mistake for both."""
    opened.evaluate(f"location.hash = '#{OTHER_SEAT}.1.1'")
    opened.wait_for_selector("#filter")
    opened.locator("#limit").fill("0")
    options = opened.locator("#filter option").all_inner_texts()
    assert [text[-3:] for text in options] == ["(1)", "(1)", "(1)", "(0)"]
    for name, n_rows in (("unexplained", 0), ("both", 1)):
        opened.select_option("#filter", name)
        assert opened.locator("#skim tbody tr").count() == n_rows
        assert opened.locator("#next-mistake").is_visible() == bool(n_rows)
    opened.select_option("#filter", "all")
    opened.locator("#filter").blur()
    opened.keyboard.press("s")


def test_addresses(opened: Any) -> None:
    opened.keyboard.press("Home")
    opened.evaluate(f"location.hash = '#{OTHER_SEAT}.1.2'")
    opened.wait_for_selector("body[data-position='1.2']")
    assert opened.evaluate("document.body.dataset.seat") == str(OTHER_SEAT)
    for wrong in ("#99.1", "#1.2.99", "#5.0.1", "#%E0%A4", "#nothing"):
        opened.evaluate(f"location.hash = '{wrong}'")
        opened.wait_for_selector("#message:not([hidden])")
        assert position(opened) == (1, 1)
        opened.keyboard.press("ArrowRight")
        opened.keyboard.press("ArrowLeft")
        assert not opened.locator("#message").is_visible()
    opened.keyboard.press("s")


def test_a_new_address_comes_before_that_of_the_last_step(opened: Any) -> None:
    """The page writes its address 200 ms after a step; one that was entered since then counts."""
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowRight")
    entered = f"#{opened.evaluate('document.body.dataset.seat')}.1.2"
    opened.evaluate(f"location.hash = '{entered}'")
    opened.wait_for_selector("body[data-position='1.2']")
    opened.wait_for_timeout(300)
    assert opened.evaluate("location.hash") == entered
    opened.evaluate("location.hash = '#99.1'; history.replaceState(null, '', '#1.2')")
    opened.wait_for_selector("#message:not([hidden])")
    opened.keyboard.press("Home")


def test_the_message_of_a_wrong_address_is_translated(opened: Any) -> None:
    opened.evaluate("location.hash = '#99.1'")
    opened.wait_for_selector("#message:not([hidden])")
    opened.select_option("#language", "ja")
    assert opened.inner_text("#message").isascii() is False
    opened.select_option("#language", "en")
    assert opened.inner_text("#message").startswith("There is no decision")
    opened.keyboard.press("Home")
    assert not opened.locator("#message").is_visible()


def test_luck_and_skill(opened: Any, data: Data) -> None:
    """Deal-ins by round and in all."""
    rows = opened.locator("section.luck tbody tr").all_inner_texts()
    assert len(rows) == 1 + sum(any(discards([round])) for round in data["rounds"])
    risks = [one["risks"][discarded_tile(one)]["deal_in"] for one in discards(data["rounds"])]
    n_rons = sum(bool(one["rons"]) for one in discards(data["rounds"]))
    expected, actual = rows[-1].split("\t")[1:]
    assert (expected, actual) == (f"{sum(risks):.2f}", str(n_rons))
    assert opened.locator("#totals dd").first.inner_text().split()[:2] == [actual, expected]
    odds = reduce(np.convolve, ([1 - risk, risk] for risk in risks), np.ones(1))
    low, high = (int(np.argmax(np.cumsum(odds) >= share)) for share in (0.025, 0.975))
    assert f"95% interval of these discards, {low} to {high}" in opened.inner_text("section.luck")
    assert "luck" not in opened.inner_text("section.luck thead")


STEP_BY_TOUCH = """([from, to]) => {
    const board = document.getElementById("board");
    const touch = ([clientX, clientY]) =>
        new Touch({ identifier: 1, target: board, clientX, clientY });
    const send = (type, at, touches) => board.dispatchEvent(
        new TouchEvent(type, { touches, changedTouches: [touch(at)], bubbles: true }));
    send("touchstart", from, [touch(from)]);
    send("touchend", to, []);
}"""


def test_swipe_and_wheel_step(opened: Any) -> None:
    opened.keyboard.press("Home")
    opened.evaluate(STEP_BY_TOUCH, [[300, 200], [200, 210]])
    assert position(opened) == (0, 1)
    opened.evaluate(STEP_BY_TOUCH, [[200, 200], [300, 210]])
    assert position(opened) == (0, 0)
    for end in ([310, 100], [290, 210]):  # mostly downwards; too short
        opened.evaluate(STEP_BY_TOUCH, [[300, 200], end])
        assert position(opened) == (0, 0)
    opened.hover("#board")
    opened.mouse.wheel(0, 100)
    opened.wait_for_selector("body[data-position='0.2']")


def test_reasons_have_a_tooltip_and_an_entry(opened: Any, data: Data) -> None:
    i, j = most_dangerous(data)[0]
    opened.evaluate("location.hash = ''")  # an address that stands there changes nothing
    opened.evaluate(f"location.hash = '#{SEAT}.{i}.{j + 1}'")
    opened.wait_for_selector(f"body[data-position='{i}.{j + 1}']")
    reason = opened.locator("button.reason").first
    name, entry = reason.inner_text(), reason.get_attribute("title")
    reason.click()
    assert opened.locator("#help").is_visible()
    assert opened.evaluate("document.activeElement.textContent") == name
    assert entry in opened.inner_text("#help")
    opened.keyboard.press("Escape")


@pytest.mark.parametrize(("width", "height"), [(1400, 844), (820, 844), (390, 844), (844, 390)])
def test_everything_fits(opened: Any, data: Data, width: int, height: int) -> None:
    """At every decision: the tiles fit the board, the hand the page; a phone has whole lists."""
    opened.set_viewport_size({"width": width, "height": height})
    opened.keyboard.press("Home")
    assert opened.evaluate(OUTSIDE, len(all_positions(data))) == []
    assert position(opened) == all_positions(data)[-1]
    if width == 390:
        assert opened.evaluate(WIDE_LISTS) == []


WIDE_LISTS = """[...document.querySelectorAll(".list")]
    .filter((list) => list.scrollWidth > list.clientWidth).map((list) => list.className)"""
OUTSIDE = """(count) => {
    const outside = [];
    const within = (inner, outer) => {
        const [small, large] = [inner, outer].map((node) => node.getBoundingClientRect());
        return small.left >= large.left - 1 && small.right <= large.right + 1
            && small.top >= large.top - 1 && small.bottom <= large.bottom + 1;
    };
    const key = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    for (let i = 0; i < count; i++, key()) {
        const pieces = [...document.querySelectorAll("#board .piece")];
        const handTiles = [...document.querySelectorAll("#tiles > *")];
        if (!pieces.every((piece) => within(piece, document.getElementById("board")))
            || !handTiles.every((tile) => within(tile, document.getElementById("hand")))
            || ![...document.querySelectorAll(".bar button")].every(
                (button) => !button.offsetWidth || within(button, button.closest(".bar")))
            || document.documentElement.scrollWidth > innerWidth)
            outside.push(document.body.dataset.position);
    }
    return outside;
}"""


def test_risk_is_readable_without_colour(opened: Any) -> None:
    """The colour scale is monotonic in brightness, for readers with colour blindness."""
    opened.set_viewport_size({"width": 1400, "height": 900})
    opened.emulate_media(color_scheme="light")
    opened.keyboard.press("x")
    levels = opened.evaluate(
        """[...document.querySelectorAll(".hand-tile")].map((tile) => [
            parseFloat(tile.querySelector(".level i").style.height),
            getComputedStyle(tile.querySelector(".level i")).backgroundColor.match(/\\d+/g)])"""
    )
    ordered = sorted(
        (p, np.dot([int(part) for part in rgb[:3]], [0.2126, 0.7152, 0.0722])) for p, rgb in levels
    )
    brightness = [light for _, light in ordered]
    assert len(brightness) > 1
    assert brightness == sorted(brightness, reverse=True)
