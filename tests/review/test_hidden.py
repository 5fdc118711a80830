"""What the opponents may hold: the data, and the panel in Chromium."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="the player that values actions needs it")

import houjuu
from houjuu.cli.danger import decisions as find
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Game
from houjuu.game.tiles import KINDS, kind_counts, kind_name, parse_kind, parse_tiles
from houjuu.review import rendering
from houjuu.review.hands_json import DRAWN, LEAST_DANGER, LEAST_SHARE, SHAPES, hidden_hands
from houjuu.review.page_types import Review, ReviewedPosition
from houjuu.review.review_data import decisions, discarded_tile
from houjuu.risk.hidden_hands import Shape
from houjuu.util.languages import LANGUAGES
from tests.review.page_data import DOCS_SEAT, SEAT, page_data

PHONE = {"width": 390, "height": 844}


def shown(data: Review) -> list[ReviewedPosition]:
    return [position for position in decisions(data["rounds"]) if position["hidden"]]


def counts(text: str) -> Any:
    return kind_counts(parse_tiles(text)).astype(np.int8)


def hands_of(*deals: str, wins: str, shapes: list[Shape] | None = None) -> Any:
    """Deals in which all three opponents hold the same hand and, but the last, win on a tile."""
    hands = np.stack([np.stack([counts(text)] * 3) for text in deals])
    won = np.zeros((len(deals), 3, KINDS), bool)
    won[:-1, :, parse_kind(wins)] = True
    return SimpleNamespace(
        deals=SimpleNamespace(hands=hands, wins=won),
        shanten=np.full((3, 8), 0.125),
        likely=lambda opponent, k: (shapes or [])[:k],
        log_likelihood=lambda hands: hands[..., 0].astype(float),  # by copies of 1m
    )


def position_of(**changes: Any) -> Any:
    """The discard of 6s, of which 10% deal in to each opponent, with hands of one 1m."""
    term = {"name": "ryanmen 78s", "probability": 0.041}
    kanchan = {"name": "kanchan 57s", "probability": 0.03}
    return {
        "hand": ["1p", "6s"],
        "discard_index": 1,
        "risks": {"6s": {"by_opponent": [0.1, LEAST_DANGER - 1e-9, 0.1]}},
        "explanations": {"6s": [{"terms": [kanchan, term], "reasons": []}] * 3},
        "melded": [False, False, True],
        "opponent_hands": [["1m", "0p", "5p", "9p"], ["2m", "0p", "5p", "9p"], None],
    } | changes


HANDS = ("1145s", "1178s", "7899s", "1155z")


def test_the_waits_of_a_discard() -> None:
    """Closed hands have those of the explanation, melded hands those of the deals that win."""
    hands = hands_of(*HANDS, wins="6s")
    right, across, left = (hand["danger"] for hand in hidden_hands(hands, position_of()))
    assert right == {"tiles": ["7s", "8s"], "of_100": 41}
    assert across is None
    assert left == {"tiles": ["7s", "8s"], "of_100": 67}
    assert hidden_hands(hands_of(*HANDS[:1], wins="6s"), position_of())[2]["danger"] is None
    for changes in ({"discard_index": None}, {"risks": {"6s": {"by_opponent": [0.04] * 3}}}):
        hidden = hidden_hands(hands, position_of(**changes))
        assert [one["danger"] for one in hidden] == [None] * 3


def test_the_place_of_the_true_hand() -> None:
    """Among the first hundred deals, of which 30 have no 1m and others two."""
    deals = [*["2p34p6z"] * 30, *["1m23p6z"] * 20, *["11m2p6z"] * 50, *["2345p"] * 10]
    hands = hands_of(*deals, wins="6s")
    likelier = [one["likelier"] for one in hidden_hands(hands, position_of())]
    assert likelier == [30, 0, None]
    hidden = hidden_hands(hands, position_of(opponent_hands=[["1m"] * 4, ["1m"], None]))
    assert [one["likelier"] for one in hidden] == [DRAWN, None, None]


@pytest.mark.parametrize(
    ("hand", "waits", "holds"),
    [
        ("1178s", "69s", "7s 8s"),
        ("1145678s", "369s", "4s 5s 7s 8s"),
        ("22m55p", "2m5p", "2m 2m 5p 5p"),
        ("5567s", "5s8s", "6s 7s"),
        ("7s", "7s", "7s"),
    ],
)
def test_the_tiles_that_wait(hand: str, waits: str, holds: str) -> None:
    kinds = tuple(np.flatnonzero(counts(waits)).tolist())
    shapes = [
        Shape(0.6, 1, (), "", counts(hand)),
        *(Shape(share, 0, kinds, "", counts(hand)) for share in (0.2, 0.1, 0.05, 0.04)),
    ]
    (hidden, *_) = hidden_hands(hands_of(*HANDS, wins="6s", shapes=shapes), position_of())
    assert [shape["share"] for shape in hidden["shapes"]] == [0.2, 0.1, 0.05]
    assert hidden["shapes"][0]["waits"] == [*map(kind_name, kinds)]
    assert " ".join(hidden["shapes"][0]["holds"]) == holds
    rare = [shape._replace(share=LEAST_SHARE - 1e-9) for shape in shapes]
    (hidden, *_) = hidden_hands(hands_of(*HANDS, wins="6s", shapes=rare), position_of())
    assert hidden["shapes"] == []


def test_the_positions_with_hands(docs_review: Review, data: Review) -> None:
    """Mistakes and deal-ins."""
    lost = {(c["round"], c["step"]) for c in docs_review["choices"] if c["value_lost"] > 0}
    assert 0 < len(lost) < len(docs_review["choices"])
    for number, round in enumerate(docs_review["rounds"]):
        for step, position in enumerate(round["decisions"]):
            wanted = (number, step) in lost or bool(position["rons"])
            assert bool(position["hidden"]) == wanted, (number, step)
    assert len(shown(data)) == sum(bool(one["rons"]) for one in decisions(data["rounds"])) > 0


def test_a_position_by_hand() -> None:
    rivers = {"self": "9m", "right": "1z 9p", "across": "9s 4z*", "left": "2z 8m"}
    view = houjuu.position("123m067p1199s555z + 4p", round="E1", seat="N", dora="3p", rivers=rivers)
    data = page_data(rendering.position_page(view, "en"))
    ((decision,),) = (one["decisions"] for one in data["reviews"][0]["rounds"])
    assert decision["hidden"][1]["shanten"] == [1, 0, 0, 0]
    assert [one["likelier"] for one in decision["hidden"]] == [None] * 3


def test_the_hands_are_those_of_the_estimator(
    game: Game, data: Review, estimator: Estimator
) -> None:
    views = [one.view for one in find(game, SEAT)]
    for position, view in zip(decisions(data["rounds"]), views, strict=True):
        if position["hidden"] is None:
            continue
        hands = estimator.hands(view)
        assert position["hidden"] == hidden_hands(hands, position)
        for i, hidden in enumerate(position["hidden"]):
            assert hidden["shanten"][0] == position["tenpai"][i]
            assert sum(hidden["shanten"]) == pytest.approx(1, abs=1e-4)
            assert len(hidden["shapes"]) <= SHAPES
            assert sum(one["share"] for one in hidden["shapes"]) < position["tenpai"][i] + 0.01
            assert 0 <= hidden["likelier"] <= DRAWN  # type: ignore[operator]
            tile = discarded_tile(position)
            is_dangerous = position["risks"][tile]["by_opponent"][i] >= LEAST_DANGER
            assert bool(hidden["danger"]) == is_dangerous


# ---- the panel ----


@pytest.fixture
def place(docs_review: Review) -> tuple[str, int]:
    """A position with a dangerous discard, its address and the opponent."""
    for number, round in enumerate(docs_review["rounds"]):
        for step, position in enumerate(round["decisions"]):
            for i, hidden in enumerate(position["hidden"] or []):
                if hidden["danger"]:
                    return f"{number}.{step + 1}", i
    raise AssertionError


def go(opened: Any, place: str) -> None:
    opened.evaluate(f"location.hash = '{DOCS_SEAT}.{place}'")
    opened.wait_for_selector(f"body[data-position='{place}']")


def test_the_panel(opened: Any, docs_review: Review, place: tuple[str, int]) -> None:
    """It opens by the keyboard, follows the opponent, and shows the truth with open hands."""
    address, dangerous = place
    number, step = map(int, address.split("."))
    position = docs_review["rounds"][number]["decisions"][step - 1]
    go(opened, address)
    panel = opened.locator("#hidden")
    assert not opened.is_visible("#hidden-hand")
    opened.focus("#hidden summary")
    opened.keyboard.press("Enter")
    assert opened.is_visible("#hidden-hand")
    assert position["hidden"] is not None
    for i, (key, hidden) in enumerate(zip("ral", position["hidden"], strict=True)):
        opened.keyboard.press(key)
        rows = panel.locator("tbody tr").all_inner_texts()
        assert [row.strip() for row in rows] == [
            f"{100 * shape['share']:.1f}%" for shape in hidden["shapes"]
        ]
        tiles = [one.get_attribute("aria-label") for one in panel.locator("tbody svg").all()]
        assert len(tiles) == sum(len(one["holds"] + one["waits"]) for one in hidden["shapes"])
        assert f"tenpai {100 * hidden['shanten'][0]:.0f}%" in panel.inner_text()
        assert ("is dangerous" in panel.inner_text()) == bool(hidden["danger"])
        if i == dangerous:
            assert hidden["danger"] is not None
            assert f"waits in {hidden['danger']['of_100']}." in panel.inner_text()
    assert "likelier than" not in panel.inner_text()
    opened.keyboard.press("h")
    assert f"likelier than {hidden['likelier']} of 100" in panel.inner_text()
    assert position["opponent_hands"][2] is not None
    shown_hand = panel.locator("p").last.locator("svg").count()
    assert shown_hand == len(position["opponent_hands"][2])
    opened.keyboard.press("h")
    assert "likelier than" not in panel.inner_text()


def test_a_position_without_hands_names_the_command(opened: Any, docs_review: Review) -> None:
    opened.keyboard.press("Home")
    assert docs_review["rounds"][0]["decisions"][0]["hidden"] is None
    opened.evaluate("document.getElementById('hidden').open = true")
    command = f"houjuu danger GAME --seat {DOCS_SEAT} --round E1.0 --turn 1 --hands 5"
    assert opened.locator("#hidden code").inner_text() == command


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_panel_fits_a_phone(
    opened: Any, docs_review: Review, place: tuple[str, int], language: str
) -> None:
    opened.set_viewport_size(PHONE)
    opened.select_option("#language", language)
    go(opened, place[0])
    opened.evaluate("document.getElementById('hidden').open = true")
    opened.keyboard.press("ral"[place[1]])
    opened.keyboard.press("h")
    assert opened.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    rights = """[document.querySelector("#hidden"), ...document.querySelectorAll("#hidden *")].map(
        (one) => one.getBoundingClientRect().right)"""
    panel, *inside = opened.evaluate(rights)
    assert max(inside) <= panel
    assert "undefined" not in opened.locator("#hidden").inner_text()
