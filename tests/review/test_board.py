"""The drawing of the table: the places of its tiles, and that every tile of a position is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="the player that values actions needs it")

from houjuu.review import risk_bar
from houjuu.review.page_types import Review, ReviewedPosition
from tests.kit.browsers import new_context

FILE = Path(__file__).parents[2] / "houjuu" / "review" / "board.js"


@pytest.fixture
def places(browser: Any) -> Iterator[Any]:
    """A page with the script alone."""
    with new_context(browser) as context:
        opened = context.new_page()
        opened.add_script_tag(path=FILE)
        yield opened


@pytest.mark.parametrize(
    ("kind", "source", "width", "expected"),
    [
        ("chi", 3, 100, [(2, 0, 10, True), (0, 40, 0, False), (1, 70, 0, False)]),
        ("pon", 2, 100, [(0, 0, 0, False), (2, 30, 10, True), (1, 70, 0, False)]),
        (
            "ankan",
            0,
            120,
            [(None, 0, 0, False), (1, 30, 0, False), (2, 60, 0, False), (None, 90, 0, False)],
        ),
        (
            "kakan",
            3,
            100,
            [(2, 0, 10, True), (3, 0, -20, True), (0, 40, 0, False), (1, 70, 0, False)],
        ),
        (
            "daiminkan",
            1,
            130,
            [(0, 0, 0, False), (1, 30, 0, False), (2, 60, 0, False), (3, 90, 10, True)],
        ),
    ],
)
def test_melds_lie_as_they_do_on_a_table(
    places: Any, kind: str, source: int, width: int, expected: list[tuple[Any, ...]]
) -> None:
    """The added tile of a kan lies on the called one, at the left end for a call from the left."""
    layout = places.evaluate("([kind, source]) => meldPlaces(kind, source)", [kind, source])
    assert layout == {"width": width, "places": list(map(list, expected))}


def test_a_turned_discard_shifts_those_after_it_in_its_row(places: Any) -> None:
    drawn = places.evaluate("riverPlaces([...Array(20).keys()].map((i) => i === 1))")
    assert drawn[:3] == [[-90, 94], [-60, 104], [-20, 94]]
    assert drawn[6:8] == [[-90, 134], [-60, 134]]
    assert drawn[18:] == [[90, 174], [120, 174]]  # the third row goes on


def drawn_tiles(position: ReviewedPosition) -> Counter[str]:
    """What the table shows of a position."""
    indicators = position["indicators"]
    tiles = Counter([*indicators, *["b"] * (5 - len(indicators))])
    for number, seat in enumerate(position["seats"]):
        tiles.update(tile[:2] for tile in seat["river"])
        if number:
            tiles["b"] += 13 - 3 * len(seat["melds"])
            for meld in seat["melds"]:
                own, called = meld["own"], meld["called"]
                tiles.update(["b", *own[1:3], "b"] if meld["kind"] == "ankan" else [*own, *called])
    return tiles


def test_every_tile_and_mark_of_a_position_is_drawn(opened: Any, docs_review: Review) -> None:
    """At the last decision of each round."""
    opened.emulate_media(color_scheme="light")
    for number, one in enumerate(docs_review["rounds"]):
        position, step = one["decisions"][-1], len(one["decisions"])
        opened.evaluate(f"location.hash = '{docs_review['seat']}.{number}.{step}'")
        opened.wait_for_selector(f"body[data-position='{number}.{step}']")
        shown = opened.evaluate(
            """(selectors) => selectors.map((selector) =>
                [...document.querySelectorAll(selector)].map((node) =>
                    node.getAttribute("href") || getComputedStyle(node).backgroundColor))""",
            [
                "#board .piece > use",
                "#board .tsumogiri",
                "#board .called",
                "#board .last",
                "#board .stick",
                "#board .dora",
                ".level i",
            ],
        )
        assert Counter(href[2:] for href in shown[0]) == drawn_tiles(position)
        rivers = [tile for seat in position["seats"] for tile in seat["river"]]
        sticks = sum(seat["riichi"] for seat in position["seats"])
        assert [len(marks) for marks in shown[1:5]] == [
            *(sum(mark in tile for tile in rivers) for mark in "'~"),
            position["last_discarder"] is not None,
            sticks,
        ]
        tiles = drawn_tiles(position)
        assert len(shown[5]) == sum(
            n for tile, n in tiles.items() if tile.replace("0", "5") in position["dora"]
        )
        levels = [position["risks"][tile]["level"] for tile in position["hand"]]
        assert shown[6] == [rgb(risk_bar.LIGHT[level]) for level in levels]


def rgb(colour: str) -> str:
    return f"rgb({', '.join(map(str, bytes.fromhex(colour[1:])))})"
