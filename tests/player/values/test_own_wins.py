"""The payments of an own win, written out: points of the hand, honba, sticks and the dealer."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("riichienv", reason="it evaluates the wins")

from houjuu.game.position import position
from houjuu.game.view import View
from houjuu.player.values.own_wins import payments

HAND = "234567m34588p78s"  # waits for 6s (タンヤオ, 平和) and 9s
RIVERS = {"self": "9s 1z 2z", "right": "9p 1p 3z", "across": "1p 9m 2z", "left": "9m 1m 5z"}


def tenpai(seat: int, *, riichi: bool = False, **table: Any) -> View:
    """The hand on the turn of a seat, the first dealer's or that to its right."""
    rivers = RIVERS | {"self": "9s 1z 2z*"} if riichi else dict(RIVERS)
    rivers["left"] += " 4z" * seat  # the first dealer has discarded once more
    return position(f"{HAND} + 6s", rivers, dora="1z", seat=seat, **table)


def changes(view: View, source: int) -> list[int]:
    assert view.drawn is not None
    return [int(change) for change in payments(view, view.drawn, source)]


CASES = [
    # 2 han of 30 fu by ron; 3 of 20 fu by tsumo
    (tenpai(1), 3, [0, 2000, 0, -2000]),
    (tenpai(1), 1, [-1300, 2700, -700, -700]),
    (tenpai(0), 3, [2900, 0, 0, -2900]),
    (tenpai(0), 0, [3900, -1300, -1300, -1300]),
    # a han more by riichi
    (tenpai(1, riichi=True), 3, [0, 3900 + 1000, 0, -3900]),
    (tenpai(1, riichi=True), 1, [-2600, 5200 + 1000, -1300, -1300]),
    # two honba and three sticks
    (tenpai(1, round="E1.2", riichi_sticks=3), 3, [0, 2600 + 3000, 0, -2600]),
    (tenpai(1, round="E1.2", riichi_sticks=3), 1, [-1500, 3300 + 3000, -900, -900]),
    (tenpai(0, round="E1.2", riichi_sticks=3), 0, [4500 + 3000, -1500, -1500, -1500]),
]


@pytest.mark.parametrize(("view", "source", "expected"), CASES)
def test_payments(view: View, source: int, expected: list[int]) -> None:
    assert changes(view, source) == expected
