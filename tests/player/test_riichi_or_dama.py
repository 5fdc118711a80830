"""Riichi, dama, a win or the fold: positions by class, in tenpai before the last round and in it.

Each is played with the suits in all six orders, as in `tests.player.test_positions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="its actions are what players pick from")

from houjuu.game.position import position
from houjuu.player.players import player
from tests.player.test_positions import SUITS, _own, name, translated

_EARLY = {"self": "9s 3z", "right": "9p 1s", "across": "1p 9s", "left": "9m 1m"}
_FIFTH = {
    "self": "9s 3z 4z 2s 9p",
    "right": "9p 3z 1s 4z 5z",
    "across": "1p 4z 9s 3z 1m",
    "left": "9m 1z 8s 4p 7z",
}
_MIDDLE = {
    "self": "9s 3z 4z 2s 8m 4p 6s",
    "right": "9p 3z 1s 4z 9m 5z 2z",
    "across": "1p 4z 9s 3z 1m 5z 9p",
    "left": "9m 1z 8s 3p 7z 6s 2p",
}
_NO_DEALER = {"seat": 1}


_LATE_IN_SOUTH_3 = {
    "self": "4z 6z 9m 8s",
    "right": "1z 5z 9p 3z",
    "across": "1z 7z 2p 8s",
    "left": "5z 1z 6z 7z 8p",
}


def _with(rivers: dict[str, str], *, dealer: bool = True, **more: Any) -> dict[str, Any]:
    """The arguments of a position; with another dealer its river is one discard longer."""
    if not dealer:
        rivers, more = rivers | {"left": f"{rivers['left']} 1z"}, more | _NO_DEALER
    return {"rivers": rivers, "dora": "3z", **more}


def _class(
    theme: str, answer: str, table: dict[str, Any], *hands: str | tuple[str, str, str]
) -> Iterator[Any]:
    """Cases of one class; a hand that the player gets wrong stands with answer and reason."""
    for hand in hands:
        text, right, reason = (hand, answer, "") if isinstance(hand, str) else hand
        marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
        yield pytest.param(text, {*right.split()}, table, marks=marks, id=f"{theme}: {text}")


_IMPROVES = "by 136 points: the values alone choose riichi, and see few of the improvements"

CASES = [
    *_class(
        "a single wait with many improvements stays dama",
        "1m 8m",
        _with(
            _LATE_IN_SOUTH_3,
            dora="6p",
            round="S3",
            seat=3,
            scores={"self": 27900, "right": 30300, "across": 31200, "left": 10600},
        ),
        ("1344568m406p789s + 5m", "1m 8m", _IMPROVES),
    ),
    *_class(
        "… of the dealer, and of another seat",
        "1m 8m",
        _with(_EARLY),
        "1344568m406p789s + 5m",
    ),
    *_class(
        "… not of the dealer",
        "1m 8m",
        _with(_EARLY, dealer=False),
        "1344568m406p789s + 5m",
    ),
    *_class(
        "a dealer who leads declares a single wait",
        "riichi",
        _with(
            {
                "self": "9s 3z 4z 2s 8m 9p 6z 1m 9m 1z",
                "right": "9p 3z 1s 4z 9m 5z 2z 1p 8s 9m",
                "across": "1p 4z 9s 3z 1m 5z 9p 2z 2s 9s",
                "left": "9m 1z 8s 3p 7z 6s 2p 2z 1m 6z",
            },
            round="S3.1",
            seat="E",
            scores={"self": 29700, "right": 22500, "across": 23600, "left": 24200},
        ),
        (
            "44567m23468p678s + 1s",
            "riichi",
            "by the values dama is better, with a yaku and a lead: 1,346 for 200 points",
        ),
    ),
    *_class(
        "a two-sided wait of a dealer in the middle of a round",
        "riichi",
        _with(
            {
                "self": "9s 3z 4z 2s 1p 9p 6z 1m 1z",
                "right": "9p 3z 1s 4z 9m 5z 2z 1p 8s",
                "across": "1p 4z 9s 3z 1m 5z 9p 2z 2s",
                "left": "9m 1z 8s 4p 7z 6s 2p 2z 1m",
            },
            round="S1.1",
            seat="E",
            scores={"self": 22000, "right": 30000, "across": 28000, "left": 19000},
        ),
        "344678m33789p57s + 6s",
        "344678m22456p57s + 6s",
        "455678m22789p57s + 6s",
    ),
    *(
        case
        for scores in ((17600, 17400), (16800, 16500), (19100, 18300))
        for case in _class(
            f"a stick would make it last, {scores[0]}",
            "1m 1s",
            _with(
                {
                    "self": "9s 3z 4z 2s 9m 9p 6z 8s 1z",
                    "right": "9p 3z 1s 4z 1m 5z 2z* 1p 8s",
                    "across": "1p 4z 9s 3z 1z 5z 9p 2z 2s 2s",
                    "left": "9m 1z 8s 4p 7z 6s 2p 2z 9m 1s",
                },
                round="S4.1",
                seat="W",
                scores={
                    "self": scores[0],
                    "across": scores[1],
                    "left": 28500,
                    "right": 99000 - 28500 - sum(scores),
                },
            ),
            "12566m34p123345s + 3m",
        )
    ),
    *_class(
        "the leader of South 3 with three kinds to win on",
        "riichi",
        _with(
            {
                "self": "9s 3z 4z 2s 9p 6z",
                "right": "9p 3z 1s 4z 5z 2z 1z",
                "across": "1p 4z 9s 3z 1m 5z 2z",
                "left": "9m 1z 8s 4p 7z 6s 1z",
            },
            round="S3",
            seat=1,
            scores={"self": 36700, "right": 5400, "across": 31300, "left": 26600},
        ),
        "789m3456788p678s + 9m",
    ),
    *_class(
        "a dealer's single wait without a yaku",
        "riichi",
        _with(_FIFTH),
        "123456m33789p4s5z + 6s",
        "123m789p11m5679s1z + 9s",
    ),
    *_class(
        "… tenpai before",
        "riichi",
        _with(_MIDDLE),
        "123456m33789p46s + 1s",
        "123m789p11m56799s + 8m",
        (
            "234m123789p6688s + 1z",
            "riichi",
            "the values put a hand 1 from tenpai above riichi on two pairs",
        ),
    ),
    *_class(
        "a two-sided wait of the dealer, tenpai before",
        "riichi",
        _with(_MIDDLE),
        "123456m33789p45s + 1z",
        "123456m11789p67s + 9m",
        "234567m99456p23s + 7z",
        "123m456789p5578s + 9p",
        "567m34p123789s22z + 9m",
        "123789m3378p567s + 1z",
    ),
    *_class(
        "a two-sided wait of another seat, tenpai before",
        "riichi",
        _with(_MIDDLE, dealer=False),
        "123456m33789p45s + 1z",
        "123456m11789p67s + 9m",
        "567m34p123789s22z + 9m",
        "123789m3378p567s + 1z",
    ),
    *_class(
        "a dealer's win of 1,500, or riichi in furiten on seven tiles",
        "tsumo",
        _with(_EARLY),
        "123m456p78s22299s + 6s",
    ),
    *_class(
        "a two-sided wait at once",
        "riichi",
        _with(_MIDDLE, dealer=False),
        "123456m33789p4s5z + 5s",
        "123456m11789p6s5z + 7s",
        "789m34p12378s22z1z + 9s",
        "345m12378p22s67s1z + 9p",
        "12378m3378p567s1z + 9m",
    ),
]


def test_there_are_enough_positions() -> None:
    assert len(CASES) >= 7 + 20


@pytest.mark.parametrize(("hand", "answers", "table"), CASES)
def test_the_right_action(hand: str, answers: set[str], table: dict[str, Any]) -> None:
    for suits in SUITS:
        order = str.maketrans("mps", suits)
        view = position(hand.translate(order), **translated(table, order))
        chosen = name(player("rank").act(view, [*_own(view)]))
        right = {one.translate(order) if one[0].isdigit() else one for one in answers}
        assert chosen in right, suits
