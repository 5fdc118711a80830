"""Figures in docs/sources.md: those of the code, of the real run and of other pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.puyo.game import PLACEMENTS, ROOM
from houjuu.estimators.kurita_hoki.riichi_waits import CONDITIONS
from houjuu.hands.wait_types import FORM
from houjuu.player.hand_value.yaku_targets import TARGET_YAKU
from houjuu.util import parameters
from tests import test_figures as figures
from tests.hands import shapes
from tests.hands.test_shapes import COUNTS

ROOT = Path(__file__).parents[1]
PAGE = "docs/sources.md"

PAGES = {
    "Kurita & Hoki 2017": ("accuracy", "choices", "speed"),
    "小林聡, 牌の危険度計算アルゴリズム(3)": ("matches", "player"),
    "小林聡, 麻雀の打牌選択アルゴリズム(1)": ("matches",),
    "デジタル麻雀の理論, 役の評価関数": ("yaku",),
    "KMIソフトウェア, 深読み": ("reading-ahead",),
}
"""The pages that also have the figures of a section."""

_NUMBER = re.compile(r"\d[\d,]*\.?\d*|\.\d+")


def _numbers(text: str) -> set[str]:
    """The numbers of a text that have two digits and more, without a leading 0."""
    numbers = {number.rstrip(",.").removeprefix("0") for number in _NUMBER.findall(text)}
    return {number for number in numbers if len(re.sub(r"\D", "", number).strip("0")) > 1}


def _rows() -> Iterator[tuple[str, figures.Cells]]:
    """Yield the source of each row, and its cells."""
    for section in figures._page(PAGE).split("\n## ")[1:]:
        source, *lines = section.splitlines()
        for row in figures._rows(lines):
            yield source, row


def _of_code() -> Iterator[tuple[str, str]]:
    """Yield figures of the code and of the parameter files, by item."""
    yield "M, the waits", f"{len(FORM)}"
    yield "5.2.1: hands of one tile", f"{COUNTS[1]}"
    yield "5.2.2: hands of four tiles", f"{COUNTS[4]:,} different hands"
    n_completions = len(shapes.completions(2).kind)
    yield (
        "5.2.3: hands of seven tiles",
        f"{COUNTS[7]:,} different hands, {n_completions:,} before duplicates merge",
    )
    fitted, printed = (
        parameters.read(ROOT / "houjuu" / "fitted" / f"kurita-hoki-2017{name}.npz")
        for name in ("", "-printed")
    )
    chosen = fitted.header["parameters"]
    waits = chosen["paper_waits"]
    max_discards = chosen["paper_tenpai"]["max_discards"]
    yield "(6), (7): tenpai, given the colour", f"d up to {max_discards};"
    yield "(26): P(ryanmen) by live suji", f"smoothed by {waits['smoothing_live']:.0f} decisions"
    yield "(30)–(33): f², naive Bayes", f"{waits['smoothing']:.0f} riichi added"
    yield "the conditions y", f"{CONDITIONS} for each suit"
    no_yaku, other_forms, floor = (
        f"{float(printed.arrays[f'paper_melded/{name}']):g}"
        for name in ("no_yaku", "other_forms", "floor")
    )
    yield "(13): normalized over all tenpai hands of a colour", f"printed: weight {no_yaku}"
    yield "(15): other forms of wait", f"printed: {other_forms};"
    yield "kinds on which no hand wins", f"printed: {floor};"
    rules = ROOT / "tests" / "player" / "rules"
    suji = "footnotes 4 and 5, and the first table: 愚形, 好形, 超好形 by safe and dangerous tiles"
    for item, name in (("relative danger", "suanpai"), (suji, "absolute_danger")):
        positions = len(json.loads((rules / f"{name}.json").read_text()))
        yield item, f"in {positions} positions (`tests/player/rules/{name}.json`)"
    yield "the list of 21 yaku", f"{len(TARGET_YAKU)} yaku"
    yield "22 placements", f"{len(PLACEMENTS)}"
    red1, red2, red3 = ROOM.values()
    yield "危険度: Normal, Red3, Red2, Red1", f"{red3}, {red2} and {red1} free rows"


@pytest.fixture(scope="module")
def of_code() -> list[tuple[str, str]]:
    return list(_of_code())


def test_figures_of_the_code(of_code: list[tuple[str, str]]) -> None:
    ours = {row["item"]: row["ours"] for _, row in _rows()}
    for item, figures_of_code in of_code:
        assert figures_of_code in ours[item], item


TABLE_3 = "table 3: most probable and real han, dora included"
WITHOUT_DORA = "table 3 without dora and ura dora, red fives included"
ONLY_HERE = {
    "samples": "21,896,414",
    "(10), (11): four melds, no colour fitted": ".1444 .1405 .1631 .0039 .0220",
    "5.2.3: hands of seven tiles possible after two melds": "118,634 75,352",
    "a player deals in in 10–15% of rounds": "12.8 43,897",
    "table 2: measured in each bin, 0–1% to 7–8% fitted": ".17 1.39 2.28 3.59 4.26 5.26 7.14 8.16",
    "distance of prediction and measurement": ".82 .28 .69",
    "predictions below 8%": "93.9 93.0",
    TABLE_3: "40.9 41.0",
    f"{TABLE_3} above the commonest han": "12.8 12.9",
    f"{TABLE_3} with the paper's shares of the real han": "46.8 46.7",
    f"{WITHOUT_DORA} without red fives, too": "2,947 .62 .23 62.7 86.9 87.1 7.8 37.5 3.1",
    "low predictions are right more often than high ones": "53 39 61 49 47 29",
    "30 and 40 fu": "93.4 98 89 96.2",
    "footnote 6: a 1 or 9 with nothing seen": "2.249 578",
    "sweep A (2 to 4), five columns": "974 981 971 953 944",
    "sweep B (3, 3.5), two columns": "981",
    "sweep C (11 to 13), five columns": "963 972 973 974 975",
    "sweep D (7 to 9), five columns": "965 964 958 968",
    "shares and points of the outcomes in A to D": "32.2 2,676 25.5 59 22.1 844",
    "sweep E (3 to 8): no better value than 8": "954 957 971 968 964 14.1 26.2 22.5 13.9 6.5",
    "sweep F (8 to 12): the best 12": "954 955 956 960 7.7 7.6",
    "sweep G (4.5 to 12): the best 12": "962 959 958",
    "改善(3): relative danger": "54",
    "ranks and rates of the four versions": ".241 .274 5,714",
    "the four versions, played by his program": "1,980",
    "his routines 0403, 0501, 0502, 0503, published later": "13.5",
    "one v2 against three v1: ranks and rates": ".250 .244 .259",
    "what it gains in play: none, plain and linear, at every shanten": (
        ".026 .072 .019 .074 .021 .081 .034 .087"
    ),
    "危険度: Normal, Red3, Red2, Red1 other limits: a row more or less for each, and for all": "16",
    "mahjong": "159 132 155 115 110 122",
}
"""Figures by item that neither a file nor another page has: their command is on docs/sources.md."""


def test_every_figure_has_a_second_place(of_code: list[tuple[str, str]]) -> None:
    """A figure that neither a file nor another page has is listed, so that no cell is stale."""
    texts = [" ".join(text.split()) for page, text in figures.COMPARED if page == PAGE]
    items = set()
    for source, row in _rows():
        line = f"| {' | '.join(row.values())} |"
        in_files = (text for text in texts if text in line)
        in_code = (text for item, text in of_code if item == row["item"])
        pages = (figures._page(f"docs/{name}.md") for name in PAGES[source])
        in_two_places = _numbers(" ".join((*in_files, *in_code, *pages)))
        in_row = _numbers(f"{row['ours']} {row['verdict']}")
        listed = _numbers(ONLY_HERE.get(row["item"], ""))
        assert in_row - in_two_places <= listed <= in_row, row["item"]
        items.add(row["item"])
    assert ONLY_HERE.keys() <= items
