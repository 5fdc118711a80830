"""The picture of a position: its tiles, numbers and texts, and the files of the command."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from houjuu import load
from houjuu.cli import main
from houjuu.game.position import position
from houjuu.game.table import View
from houjuu.game.tiles import KIND, format_tiles
from houjuu.review import board_svg, position_svg, risk_bar
from houjuu.review.board_svg import BACK
from houjuu.risk.deal_in import DealIn
from houjuu.util.languages import LANGUAGES, translate

NAMESPACE = {"s": "http://www.w3.org/2000/svg"}
RIVERS = {
    "self": "1z 9m 2z",
    "right": "9m 1z' 5p*",
    "across": "1z 9s~ 2s",
    "left": "9p 1p 3z",
}
HAND = "123m0678p1199s55z + 4p"
ARGUMENTS = [
    "--hand", HAND, "--dora", "3p", "--river", "self=1z 9m 2z", "--river", "right=9m 1z' 5p*",
    "--river", "across=1z 9s~ 2s", "--river", "left=9p 1p 3z", "--meld", "left=chi 7~89s",
]  # fmt: skip


@pytest.fixture(scope="module")
def view() -> View:
    return position(
        HAND, {name: tiles.replace("~", "") for name, tiles in RIVERS.items()}, dora="3p"
    )


@pytest.fixture(scope="module")
def risk(view: View) -> DealIn:
    return load().deal_in(view)


def picture(text: str) -> etree._Element:
    return etree.fromstring(text.encode())


def drawn_tiles(text: str) -> Counter[str]:
    names = picture(text).xpath("//s:g/s:use/@href", namespaces=NAMESPACE)
    drawn = [str(name).removeprefix("#t") for name in names]  # type: ignore[union-attr]
    return Counter(name for name in drawn if not name.startswith("#"))


def texts(text: str) -> list[str]:
    nodes = picture(text).xpath("//s:text", namespaces=NAMESPACE)
    return ["".join(map(str, node.itertext())) for node in nodes]  # type: ignore[union-attr]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tile_and_number_is_drawn(view: View, risk: DealIn, language: str) -> None:
    text = position_svg.svg(view, risk, translate(language), view.hand[0])
    drawn = drawn_tiles(text)
    expected = Counter(format_tiles([tile]) for tile in view.hand)
    expected += Counter(
        format_tiles([tile.tile]) for seat in view.seats for tile in seat.river
    ) + Counter(["3p"])
    assert drawn - Counter({BACK: 99}) == expected
    assert drawn[BACK] == 3 * 13 + 4
    shown = texts(text)
    for tile in view.hand:
        p = 100 * float(risk.any[KIND[tile]])
        assert (f"{p:.0f}%" if p >= 9.95 else f"{p:.1f}%") in shown
        assert f"{risk.points_of(tile):,.0f}" in shown
    tenpai = [translate(language)("position.tenpai", p=f"{100 * p:.0f}") for p in risk.tenpai]
    assert [line for line in shown if line in tenpai] == tenpai  # right, across, left
    assert translate(language)("page.tiles_left", n=view.tiles_left) in " ".join(shown)
    assert not re.search(r'(?:href|src)="(?!#)|url\(', text)


def test_marks(view: View, risk: DealIn) -> None:
    """The discard, the tsumogiri, the last discard, the dora and the riichi stick."""
    text = position_svg.svg(view, risk, translate("en"), view.hand[0])
    root = picture(text)

    def classes(name: str) -> int:
        groups = root.xpath(f"//s:g[contains(@class, '{name}')]", namespaces=NAMESPACE)
        return len(groups)  # type: ignore[arg-type]

    assert classes("discard") == 1
    assert classes("tsumogiri") == 1
    assert classes("last") == 1
    n_dora = sum(KIND[tile] in view.dora for tile in view.hand)
    assert len(root.findall(".//{*}path[@class='dora']")) == n_dora
    assert len(root.findall(".//{*}circle[@fill='#d1271c']")) == 1
    assert "discard" not in "".join(
        picture(position_svg.svg(view, risk, translate("en"))).xpath(
            "//s:g/@class", namespaces=NAMESPACE
        )  # type: ignore[arg-type]
    )


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg = tmp_path / "p.svg"
    arguments = ["danger", *ARGUMENTS[:-2], "--svg", str(svg), "--lang", "en"]
    arguments = [argument.replace("~", "") for argument in arguments]
    assert main(arguments) == 0
    assert "points" in capsys.readouterr().out
    assert texts(svg.read_text(encoding="utf-8"))
    assert main([*arguments, "--svg", str(tmp_path)]) == 2
    assert "cannot be written: it is a folder" in capsys.readouterr().err


def test_a_bar_has_the_level_and_the_colour_of_its_risk(view: View, risk: DealIn) -> None:
    root = picture(position_svg.svg(view, risk, translate("en")))
    bars = root.xpath("//s:rect[@stroke='#00000033']", namespaces=NAMESPACE)
    tiles = sorted(view.hand, key=lambda tile: (tile == view.drawn, tile))
    levels = [risk_bar.level(float(risk.any[KIND[tile]])) for tile in tiles]
    assert len(set(levels)) > 3
    assert [bar.get("fill") for bar in bars] == [risk_bar.LIGHT[level] for level in levels]  # type: ignore[union-attr]


def test_the_levels_of_risks() -> None:
    """A quarter of the full risk fills half of the bar; colours get darker, or on dark lighter."""
    assert [risk_bar.level(risk) for risk in (0, 0.075, 0.3, 1)] == [0, 50, 100, 100]
    for palette, sign in ((risk_bar.LIGHT, 1), (risk_bar.DARK, -1)):
        light = [
            sign * (0.2126 * r + 0.7152 * g + 0.0722 * b)
            for r, g, b in (bytes.fromhex(colour[1:]) for colour in palette)
        ]
        assert len(light) == risk_bar.LEVELS + 1
        assert light == sorted(light, reverse=True)
    assert (risk_bar.LIGHT[0], risk_bar.LIGHT[100]) == ("#fff3c4", "#6b0020")


def test_a_closed_kan_and_an_added_kan_lie_as_they_do_on_a_table() -> None:
    """The added tile lies on the called one, at the left end for a call from the left."""
    assert board_svg.meld_layout("ankan", 0) == {
        "width": 120,
        "places": [(None, 0, 0, False), (1, 30, 0, False), (2, 60, 0, False), (None, 90, 0, False)],
    }
    assert board_svg.meld_layout("kakan", 3) == {
        "width": 100,
        "places": [(2, 0, 10, True), (3, 0, -20, True), (0, 40, 0, False), (1, 70, 0, False)],
    }
    assert [index for index, *_ in board_svg.meld_layout("daiminkan", 1)["places"]] == [0, 1, 2, 3]


def test_a_turned_discard_shifts_those_after_it_in_its_row() -> None:
    places = list(board_svg.river_places(i == 1 for i in range(8)))
    assert places[:3] == [(-90, 94), (-60, 104), (-20, 94)]
    assert places[6:] == [(-90, 134), (-60, 134)]
    assert board_svg.board(8)["rivers"][1] == places
    assert board_svg.board(8)["rivers"][-1][2] == (-30, 94)
