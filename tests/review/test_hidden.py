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
from houjuu.review.page_types import Review
from houjuu.review.review_data import decisions
from houjuu.review.risk_json import DRAWN, LEAST_DANGER, LEAST_SHARE, hidden_hands
from houjuu.risk.hidden_hands import Shape, waiting_tiles
from houjuu.util.languages import LANGUAGES
from tests.review.page_data import DOCS_SEAT, SEAT, page_data

PHONE = {"width": 390, "height": 844}
RIGHTS = """Math.max(...[...document.querySelectorAll("#hidden *")].map(
    (one) => one.getBoundingClientRect().right))"""


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
        ("1145678s", "369s", "4s 5s 7s 8s"),
        ("22m55p", "2m5p", "2m 2m 5p 5p"),
        ("5567s", "5s8s", "6s 7s"),
        ("7s", "7s", "7s"),
        ("3334s", "2s4s5s", "3s 4s"),
        ("23m99p", "1m4m", "2m 3m"),
        ("19m19p19s1234567z", "1m", ""),
    ],
)
def test_the_tiles_that_wait(hand: str, waits: str, holds: str) -> None:
    """Of the likeliest shapes, but of those that are rare."""
    kinds = tuple(np.flatnonzero(counts(waits)).tolist())
    blocks = " ".join(waiting_tiles(counts(hand), kinds))

    def shown(*shares: float) -> Any:
        tenpai = [Shape(share, 0, kinds, blocks, counts(hand)) for share in shares]
        hands = hands_of(*HANDS, wins="6s", shapes=[Shape(0.6, 1, (), "", counts(hand)), *tenpai])
        return hidden_hands(hands, position_of())[0]["shapes"]

    shapes = shown(0.2, 0.1, 0.05, 0.04)
    assert [shape["share"] for shape in shapes] == [0.2, 0.1, 0.05]
    assert shapes[0]["waits"] == [*map(kind_name, kinds)]
    assert " ".join(shapes[0]["holds"]) == holds
    assert shown(LEAST_SHARE - 1e-9) == []


def test_the_positions_with_hands(docs_review: Review) -> None:
    """Mistakes and deal-ins."""
    lost = {(c["round"], c["step"]) for c in docs_review["choices"] if c["value_lost"] > 0}
    assert 0 < len(lost) < len(docs_review["choices"])
    for number, round in enumerate(docs_review["rounds"]):
        for step, position in enumerate(round["decisions"]):
            wanted = (number, step) in lost or bool(position["rons"])
            assert bool(position["hidden"]) == wanted, (number, step)


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
        if position["hidden"]:
            assert position["hidden"] == hidden_hands(estimator.hands(view), position)
            assert [one["shanten"][0] for one in position["hidden"]] == position["tenpai"]
            assert sum(position["hidden"][0]["shanten"]) == pytest.approx(1, abs=1e-4)


# ---- the panel ----


def test_the_panel(opened: Any, docs_review: Review) -> None:
    """It opens by the keyboard, follows the opponent, and shows the truth with open hands."""
    number, step, position = next(
        (number, step, position)
        for number, round in enumerate(docs_review["rounds"])
        for step, position in enumerate(round["decisions"])
        if any(hidden["danger"] for hidden in position["hidden"] or [])
    )
    panel, press = opened.locator("#hidden"), opened.keyboard.press
    press("Home")
    opened.focus("#hidden summary")
    press("Enter")
    command = f"houjuu danger GAME --seat {DOCS_SEAT} --round E1.0 --turn 1 --hands 5"
    assert panel.locator("code").inner_text() == command
    opened.evaluate(f"location.hash = '{DOCS_SEAT}.{number}.{step + 1}'")
    opened.wait_for_selector(f"body[data-position='{number}.{step + 1}']")
    for key, hidden in zip("ral", position["hidden"] or [], strict=True):
        press(key)
        rows = panel.locator("tbody tr").all_inner_texts()
        assert [row.strip() for row in rows] == [f"{s['share']:.1%}" for s in hidden["shapes"]]
        tiles = sum(len(one["holds"] + one["waits"]) for one in hidden["shapes"])
        assert panel.locator("tbody svg").count() == tiles
        text = panel.inner_text()
        assert f"tenpai {hidden['shanten'][0]:.0%}" in text
        danger = hidden["danger"]
        assert (f"waits in {danger['of_100']}." in text) if danger else "danger" not in text
    assert "likelier than" not in text
    press("h")
    assert f"likelier than {hidden['likelier']} of 100" in panel.inner_text()
    hand = position["opponent_hands"][2]
    assert hand is not None
    assert panel.locator("p").last.locator("svg").count() == len(hand)
    opened.set_viewport_size(PHONE)
    for language in LANGUAGES:
        opened.select_option("#language", language)
        assert opened.evaluate(RIGHTS) <= opened.evaluate("innerWidth")
    press("h")
    assert panel.locator("p").last.locator("svg").count() < len(hand)
