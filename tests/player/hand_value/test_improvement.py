"""Draws that better a tenpai hand, counted by hand and against a search of all draws."""

from __future__ import annotations

import pytest

pytest.importorskip("riichienv", reason="it works out points")

import numpy as np

from houjuu.game.position import position
from houjuu.game.tiles import COPIES, KIND, KINDS, RED_FIVES
from houjuu.player.hand_value.improvement import Improvement, over_draws, share_of_draws
from houjuu.player.hand_value.shanten import shanten
from houjuu.player.hand_value.value import HandValuer
from houjuu.player.view_states import HandsLeft, states

OTHERS = {"self": "9s", "right": "9p", "across": "1p", "left": "9m"}
TENPAI = np.full(3, 0.1)


def test_a_kanchan_becomes_ryanmen() -> None:
    """123m 456m 33p 789p 46s waits for 5s: 7s makes 67s, 3s makes 34s; each has 8 tiles then.

    3s: 5s is left with 46s or 34s, and 34s waits for 2s 5s. 7s likewise for 5s 8s.
    """
    view = position("123456m33789p46s + 1z", OTHERS, dora="3z")
    hand = [tile for tile in view.hand if tile != view.drawn]
    (improvement,) = HandValuer(view).improvements([hand])
    assert improvement.tiles == 8  # four 3s and four 7s
    assert improvement.ways == 8
    assert improvement.points > HandValuer(view).outlooks([hand])[0].points  # pinfu


@pytest.mark.parametrize(
    "hand", ["123456m33789p46s", "1344556m406p789s", "2345678m345p222s", "1133557799m11p3z"]
)
def test_every_draw_is_searched(hand: str) -> None:
    """The sum over the draws that do not win: the best of the hands that stay tenpai."""
    view = position(f"{hand} + 4z", OTHERS, dora="3z")
    tiles = [tile for tile in view.hand if tile != view.drawn]
    valuer = HandValuer(view)
    before = valuer.outlooks([tiles])[0]
    unseen = view.unseen()
    total, ways = 0.0, 0.0
    for kind in range(KINDS):
        own_copies = [tile for tile in tiles if KIND[tile] == kind]
        free = [
            tile
            for tile in range(COPIES * kind, COPIES * kind + COPIES)
            if tile not in own_copies and tile not in RED_FIVES
        ]
        if not unseen[kind] or not free:
            continue
        after = [*tiles, free[0]]
        if shanten([KIND[tile] for tile in after]) < 0:
            continue
        rests = [[tile for tile in after if tile != gone] for gone in after]
        ready = [rest for rest in rests if shanten([KIND[tile] for tile in rest]) == 0]
        # a red five leaves the hand last
        plain = [rest for rest in ready if {*RED_FIVES} & {*tiles} <= {*rest}]
        best = max(valuer.outlooks(plain), key=lambda one: one.value)
        if best.value > before.value:
            total += unseen[kind]
            ways += unseen[kind] * best.ways
    (improvement,) = valuer.improvements([tiles])
    assert improvement.tiles == total > 0
    assert improvement.ways == pytest.approx(ways / total, rel=0.05)


def test_the_share_of_draws() -> None:
    """Half of the unseen tiles better it: after one, two and three draws 0, 1/2 and 3/4."""
    assert share_of_draws(1, 2, 1) == 0
    assert share_of_draws(1, 2, 2) == pytest.approx(1 / 4)
    assert share_of_draws(1, 2, 3) == pytest.approx((0 + 1 / 2 + 3 / 4) / 3)
    assert share_of_draws(0, 2, 3) == share_of_draws(1, 2, 0) == 0
    assert share_of_draws(3, 2, 3) == pytest.approx(2 / 3)


def test_a_hand_that_cannot_improve_stays_as_it_is() -> None:
    none = Improvement(0, 0, 0)
    assert over_draws(4, 3900, none, unseen=80, draws=10) == (4, 3900)
    assert over_draws(0, 0, none, unseen=80, draws=10) == (0, 0)


def test_riichi_closes_the_door() -> None:
    """The same hand with riichi and without: it declares, and its waits stay."""
    view = position("123456m33789p46s + 1z", OTHERS, dora="3z")
    hand = [tile for tile in view.hand if tile != view.drawn]
    dama, riichi = (
        states(view, TENPAI, HandsLeft([hand], [view.drawn], riichi=flag)).hands
        for flag in (False, True)
    )
    assert dama.ways == riichi.ways == riichi.later_ways == 4
    assert riichi.later_points == riichi.points
    draws = (view.tiles_left - 4) // 4 + 1
    share = share_of_draws(8, int(view.unseen().sum()), draws)
    assert 0.3 < share < 0.7
    assert dama.later_ways[0] == pytest.approx((1 - share) * 4 + share * 8)
    assert dama.dama_points == 0
    assert dama.later_points[0] == pytest.approx(
        share * 8 * HandValuer(view).improvements([hand])[0].points / dama.later_ways[0]
    )
    assert [dama.declares[0], riichi.declares[0]] == [0, 1]
    assert dama.wait_kinds == riichi.wait_kinds == 1


def test_an_open_hand_improves_too() -> None:
    melds = {"self": "pon 77~7z"}
    rivers = {"self": "9s 4z", "right": "9p 1s", "across": "7z~ 1p", "left": "9m"}
    view = position("123456m33p46s + 1z", rivers, melds, dora="3z")
    hand = [tile for tile in view.hand if tile != view.drawn]
    (improvement,) = HandValuer(view).improvements([hand])
    assert improvement.tiles == 8  # 3s and 7s
    assert improvement.ways == 8
