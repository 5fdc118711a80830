"""The page of a game: its numbers, and how it behaves in a browser."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houjuu import load
from houjuu.cli import main
from houjuu.errors import Error
from houjuu.estimator import Estimator
from houjuu.events import Deal, Discard, Draw, Game, Win
from houjuu.logs import mjai, mjlog
from houjuu.review import command
from houjuu.review.page import page
from houjuu.review.reviewed import decisions, made, reviewed
from houjuu.table import Table, View
from houjuu.tiles import format_tiles
from tests.tenhou6 import CALLED_TWICE, log_of

SEAT = 1
ROUNDED = 6e-5  # of a number with five significant digits

Data = dict[str, Any]


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    return load()


@pytest.fixture(scope="module")
def game(own_games: list[Game]) -> Game:
    return max(own_games, key=lambda of: sum(dealt_in(of, seat=SEAT)))


def dealt_in(game: Game, seat: int) -> Iterator[int]:
    """Yield what each discard of a seat that was won on cost."""
    for event in game:
        if isinstance(event, Win) and event.source == seat != event.seat and event.deltas:
            yield -event.deltas[seat]


@pytest.fixture(scope="module")
def data(game: Game, estimator: Estimator) -> Data:
    return reviewed(game, SEAT, estimator, lambda view: view.hand[0])


def asked(game: Game, data: Data) -> Iterator[tuple[Data, View]]:
    """Yield every decision with its view, from a table of our own."""
    table, told = Table(game.rules), decisions(data["rounds"])
    for event in game:
        if isinstance(event, Discard) and event.seat == SEAT:
            decision = next(told)
            assert decision["hand"][decision["discarded"]] == format_tiles([event.tile])
            yield decision, table.view(SEAT)
        table.apply(event)
    assert next(told, None) is None


def check_numbers(game: Game, data: Data, estimator: Estimator) -> None:
    for decision, view in asked(game, data):
        risk = estimator.deal_in(view)
        assert decision["tenpai"] == pytest.approx(risk.tenpai, rel=ROUNDED)
        for tile in view.hand:
            told, kind = decision["risks"][format_tiles([tile])], tile // 4
            assert told["any"] == pytest.approx(risk.any[kind], rel=ROUNDED)
            assert told["by"] == pytest.approx(risk.by_opponent[:, kind], rel=ROUNDED)
            assert told["lost"] == pytest.approx(risk.points_of(tile), rel=ROUNDED)
            assert sum(told["lost_by"]) == pytest.approx(told["lost"], rel=3 * ROUNDED)


def test_numbers_are_the_estimators(game: Game, data: Data, estimator: Estimator) -> None:
    check_numbers(game, data, estimator)


@pytest.mark.real_logs
def test_numbers_of_real_games(real_games: list[Game], estimator: Estimator) -> None:
    for game in real_games[::30]:
        check_numbers(game, reviewed(game, SEAT, estimator), estimator)


def test_reasons_add_up(data: Data) -> None:
    """But for those too light to be told."""
    for decision in decisions(data["rounds"]):
        for tile, risk in decision["risks"].items():
            for p, (ways, why) in zip(
                risk["by"], decision["why"][tile.replace("0", "5")], strict=True
            ):
                assert sum(part for _, part in why) == pytest.approx(p, abs=0.003)
                assert sum(part for _, part in ways) <= p * (1 + ROUNDED) + 1e-9
        for p, why in zip(decision["tenpai"], decision["why_tenpai"], strict=True):
            assert not why or sum(part for _, part in why) == pytest.approx(p, abs=0.003)


def test_the_table_is_the_views(game: Game, data: Data) -> None:
    for decision, view in asked(game, data):
        seats = (view.seats[SEAT], *view.opponents)
        for shown, seat in zip(decision["seats"], seats, strict=True):
            assert [tile[:2] for tile in shown["river"]] == [
                format_tiles([discard.tile]) for discard in seat.river
            ]
            assert [tile.count("'") for tile in shown["river"]] == [d.tsumogiri for d in seat.river]
            assert [m["kind"] for m in shown["melds"]] == [m.kind.value for m in seat.melds]
            for told, meld in zip(shown["melds"], seat.melds, strict=True):
                assert sorted(told["held"] + told["apart"]) == sorted(
                    format_tiles([tile]) for tile in meld.tiles
                )
        assert sorted(decision["hand"]) == sorted(format_tiles([tile]) for tile in view.hand)
        if view.drawn is not None:
            assert decision["hand"][-1] == format_tiles([view.drawn])
        assert [len(hand) for hand in decision["hidden"]] == [s.concealed for s in view.opponents]


def test_what_dealt_in(game: Game, data: Data) -> None:
    told = [ron["lost"] for decision in decisions(data["rounds"]) for ron in decision["rons"]]
    assert told == list(dealt_in(game, SEAT))
    assert told, "the game was chosen for it"


def test_the_worst_come_first(data: Data) -> None:
    for of, by in (("dangerous", "any"), ("costly", "lost")):
        found = [made(data["rounds"][i]["decisions"][j])[by] for i, j in data[of]]
        everything = sorted((made(of)[by] for of in decisions(data["rounds"])), reverse=True)
        assert found == everything[: len(found)]


def held(text: str) -> Data:
    """The data of a page."""
    found = re.search(r'<script id="game" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: Data = json.loads(found[1])
    return data


def test_the_page_holds_the_data_and_needs_nothing(data: Data) -> None:
    text = page(data, None)
    assert held(text) == json.loads(json.dumps({**data, "player": None}))
    assert not re.findall(r'(?:src|href)="(?!#|data:,)|url\(|@import', text)
    assert text == page(data, None)
    assert len(text.encode()) < 3e6


def test_a_name_cannot_end_the_script(data: Data) -> None:
    text = page({**data, "names": ["</script><script>alert(1)</script>", "<b>", "C", "D"]}, None)
    assert text.count("</script>") == 2
    assert "<b>," not in text


def test_discards_that_are_legal(own_games: list[Game]) -> None:
    """After every draw and call riichienv says the same."""
    riichienv = pytest.importorskip("riichienv", reason="it is the referee")
    from houjuu.review.advice import allowed

    called = 0
    for game in own_games:
        env = riichienv.RiichiEnv(game_mode="4p-red-half", rule=riichienv.GameRule.default_tenhou())
        table, reader = Table(), mjai.Reader()
        for message in mjai.messages(game):
            event = reader.event(message)
            seen = env.observe_event(dict(message), SEAT)
            if event is not None:
                table.apply(event)
            legal = [] if seen is None else seen.legal_actions()
            tiles = {a.tile // 4 for a in legal if a.action_type == riichienv.ActionType.DISCARD}
            view = table.view(SEAT) if tiles else None
            if view is not None and view.seats[SEAT].declared == view.seats[SEAT].in_riichi:
                assert {tile // 4 for tile in allowed(view)} == tiles
                called += view.drawn is None
    assert called


def test_the_command_reads_every_format(
    own_games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.mjlog").write_bytes(mjlog.write(own_games[0]))
    (tmp_path / "game.mjson").write_text(mjai.write(own_games[0]))
    (tmp_path / "game.json").write_text(json.dumps(log_of(CALLED_TWICE)))
    for name in ("game.mjlog", "game.mjson", "game.json"):
        told = ["review", str(tmp_path / name), "-o", str(tmp_path / f"{name}.html")]
        told += ["--player", "none"]
        assert main(told) == 0
        assert "in seat 0" in capsys.readouterr().out
    pages = [(tmp_path / f"game.{of}.html").read_text() for of in ("mjlog", "mjson")]
    assert held(pages[0])["rounds"] == held(pages[1])["rounds"]
    assert main([*told, "--seat", "2"]) == 2
    assert "seat 2 discards nothing" in capsys.readouterr().err
    assert main(["review", str(tmp_path / "game.mjson"), "-o", "/nowhere/x.html"]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["review", str(tmp_path / "game.mjson"), "--player", "nobody"]) == 2
    assert "no player 'nobody'" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.part"))


def test_whose_log_it_is(own_games: list[Game], tmp_path: Path, estimator: Estimator) -> None:
    """As a server tells it to seat 2, whose hand alone it shows."""
    hidden = [
        event if not isinstance(event, Draw) or event.seat == 2 else Draw(event.seat, None)
        for event in (
            Deal(**{**as_dict(e), "hands": (None, None, e.hands[2], None)})
            if isinstance(e, Deal)
            else e
            for e in own_games[0]
        )
    ]
    game = Game("live", own_games[0].rules, own_games[0].players, tuple(hidden))
    text = mjai.write(game)
    for start in ('{"type": "start_game", "id": 2', '{"type": "start_game"'):
        file = tmp_path / "live.mjson"
        file.write_text(text.replace('{"type": "start_game"', start, 1))
        assert command.own_seat(file, game) == 2
    assert next(decisions(reviewed(game, 2, estimator)["rounds"]))["hidden"] == [None] * 3
    with pytest.raises(Error, match="does not show the hand of seat 0"):
        reviewed(game, 0, estimator)


def as_dict(deal: Deal) -> Data:
    return {name: getattr(deal, name) for name in Deal.__slots__}


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="module")
def opened(data: Data, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page in headless Chromium, which may reach nothing but the file."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip("no Chromium is installed here")
    from playwright.sync_api import sync_playwright

    file = tmp_path_factory.mktemp("page") / "review.html"
    file.write_text(page(data, "first tile"), encoding="utf-8")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=["--disable-gpu"])
        opened, heard = chromium.new_page(), list[str]()
        opened.on("console", lambda message: heard.append(message.text))
        opened.on("pageerror", lambda problem: heard.append(str(problem)))
        opened.on("request", lambda request: heard.append(request.url))
        opened.goto(file.as_uri())
        yield opened
        assert heard == [file.as_uri()]
        chromium.close()


def at(opened: Any) -> tuple[int, int]:
    round, turn = opened.evaluate("document.body.dataset.at").split(".")
    return int(round), int(turn) - 1


def places_of(data: Data) -> list[tuple[int, int]]:
    return [(i, j) for i, r in enumerate(data["rounds"]) for j in range(len(r["decisions"]))]


def test_stepping(opened: Any, data: Data) -> None:
    """Through every decision by key; what is shown is what the data say."""
    places = places_of(data)
    opened.keyboard.press("Home")
    for place in places:
        assert at(opened) == place
        decision = data["rounds"][place[0]]["decisions"][place[1]]
        assert opened.locator(".held").count() == len(decision["hand"])
        assert (
            opened.locator(".held.cut").get_attribute("data-tile")
            == decision["hand"][decision["discarded"]]
        )
        assert opened.inner_text("#any") == f"{100 * made(decision)['any']:.2f}%"
        assert opened.inner_text("#lost") == f"{made(decision)['lost']:,.0f}"
        dealt = bool(decision["rons"])
        assert opened.locator(".held.ron").count() == dealt
        opened.keyboard.press("ArrowRight")
    assert at(opened) == places[-1]
    opened.keyboard.press("ArrowLeft")
    assert at(opened) == places[-2]


def test_every_tile_tells_its_numbers(opened: Any, data: Data) -> None:
    i, j = data["dangerous"][0]
    decision = data["rounds"][i]["decisions"][j]
    opened.locator(f'#lists a[href="#{i}.{j + 1}"]').first.click()
    assert at(opened) == (i, j)
    for place, tile in enumerate(decision["hand"]):
        opened.locator(".held").nth(place).click()
        risk = decision["risks"][tile]
        assert opened.inner_text("#any") == f"{100 * risk['any']:.2f}%"
        rows = opened.locator("#tile > table tbody tr").all_inner_texts()
        for row, p in zip(rows, risk["by"], strict=True):
            assert f"{100 * p:.2f}%" in row


def test_keys(opened: Any, data: Data) -> None:
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowDown")
    assert at(opened)[1] == 0
    assert at(opened)[0] > 0
    opened.keyboard.press("x")
    i, j = at(opened)
    assert data["rounds"][i]["decisions"][j]["rons"]
    assert "It dealt in." in opened.inner_text("#live")
    opened.keyboard.press("3")
    assert opened.locator(".held").nth(2).get_attribute("aria-pressed") == "true"
    backs = opened.locator("#board use[href='#tb']").count()
    opened.keyboard.press("h")
    assert opened.locator("#board use[href='#tb']").count() < backs
    opened.keyboard.press("?")
    assert opened.locator("#help").is_visible()
    opened.keyboard.press("Escape")
    assert not opened.locator("#help").is_visible()


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(opened: Any, width: int, scheme: str) -> None:
    """By the rules of axe: names, roles, contrast; and it fits the width."""
    from axe_playwright_python.sync_playwright import Axe

    opened.set_viewport_size({"width": width, "height": 844})
    opened.emulate_media(color_scheme=scheme)
    assert Axe().run(opened).response["violations"] == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1400, 820, 390])
def test_everything_fits(opened: Any, data: Data, width: int) -> None:
    """At every decision: the tiles on the board, the hand in the page."""
    opened.set_viewport_size({"width": width, "height": 844})
    opened.keyboard.press("Home")
    assert opened.evaluate(OUTSIDE, len(places_of(data))) == []
    assert at(opened) == places_of(data)[-1]


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
        const held = [...document.querySelectorAll("#tiles > *")];
        if (!pieces.every((piece) => within(piece, document.getElementById("board")))
            || !held.every((tile) => within(tile, document.getElementById("hand")))
            || ![...document.querySelectorAll(".bar button")].every(
                (button) => !button.offsetWidth || within(button, button.closest(".bar")))
            || document.documentElement.scrollWidth > innerWidth)
            outside.push(document.body.dataset.at);
    }
    return outside;
}"""


def test_danger_is_told_by_brightness(opened: Any) -> None:
    """The scale has one direction without hue, so whoever is blind to colours can read it."""
    opened.set_viewport_size({"width": 1400, "height": 900})
    opened.emulate_media(color_scheme="light")
    opened.keyboard.press("x")
    levels = opened.evaluate(
        """[...document.querySelectorAll(".held")].map((held) => [
            parseFloat(held.querySelector(".level i").style.height),
            getComputedStyle(held.querySelector(".level i")).backgroundColor.match(/\\d+/g)])"""
    )
    ordered = sorted(
        (p, np.dot([int(part) for part in rgb[:3]], [0.2126, 0.7152, 0.0722])) for p, rgb in levels
    )
    brightness = [light for _, light in ordered]
    assert brightness == sorted(brightness, reverse=True)
