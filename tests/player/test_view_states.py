"""The states that a view's actions lead to, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="the states need the extra arena")

from houjuu.game.position import position
from houjuu.game.view import View
from houjuu.player.hand_value.scores import index
from houjuu.player.states import States
from houjuu.player.view_states import DecisionContext, HandsLeft
from houjuu.util.arrays import Floats

OTHERS = {"right": "9p", "across": "1p", "left": "9m"}


def after_draw(view: View, weights: Floats | None = None, **more: Any) -> States:
    """The state after the discard of the drawn tile."""
    tiles = [tile for tile in view.hand if tile != view.drawn]
    context = DecisionContext(view, np.full(3, 0.1), weights)
    return context.states(HandsLeft([tiles], [view.drawn], **more))


@pytest.mark.parametrize(
    ("own", "ways", "furiten"), [("9m", 8, 0), ("5s", 7, 1), ("8s", 7, 1), ("3s", 8, 0)]
)
def test_a_tenpai_hand_and_its_own_river(own: str, ways: int, furiten: int) -> None:
    """It waits for 5s and 8s, and wins on both without riichi."""
    view = position("234567m34588p67s + 1z", {"self": own} | OTHERS, dora="2m")
    after = after_draw(view)
    assert after.shanten.tolist() == [0]
    assert after.ron_ways.tolist() == [ways]
    assert after.furiten.tolist() == [furiten]
    assert after.by_ron[0][index(3, 30)] > 0.5  # pinfu and tanyao
    assert after_draw(view, passes_ron=True).furiten.tolist() == [1]
    declined = position("234567m34588p67s + 8s", {"self": own} | OTHERS, dora="2m")
    assert after_draw(declined).furiten.tolist() == [1]


def test_tiles_count_by_the_chance_that_they_are_in_the_wall() -> None:
    """All numbers of a hand that count tiles, and no other number, follow the weights."""
    rivers = {seat: f"{first} 4z" for seat, first in ({"self": "2s"} | OTHERS).items()}
    rivers["self"] = "2s 8s"
    view = position("234567m34588p67s + 1z", rivers, dora="2m")
    plain, half = (after_draw(view, weights).fields() for weights in (None, np.full(34, 0.5)))
    counts = {"ways", "ron_ways", "easy", "tenpai_tiles", "touching"}
    for name, number in half.items():
        expected = plain[name] / 2 if name in counts else plain[name]
        if name not in {"later_ways", "by_ron", "by_tsumo"}:
            assert number == pytest.approx(expected), name
    assert 0 < half["later_ways"][0] < plain["later_ways"][0]
    assert plain["easy"][0] > 0


def test_hands_near_to_tenpai_improve_and_no_others() -> None:
    """Of one hand: the discards that keep it 0, 1 and 2 or more from tenpai."""
    rivers = {"self": "9s"} | OTHERS
    view = position("123456m33789p46s + 1z", rivers, dora="3z")
    hands = [[tile for tile in view.hand if tile != gone] for gone in view.hand]
    fields = DecisionContext(view, np.full(3, 0.1)).states(HandsLeft(hands, view.hand)).fields()
    shanten, ways, later = (fields[name] for name in ("shanten", "ways", "later_ways"))
    assert {*shanten} == {0, 1}
    assert (later[shanten <= 1] >= ways[shanten <= 1]).all()
    for level in (0, 1):
        assert (later > ways)[shanten == level].any()
    far = position("1346m2579p368s25z + 1z", rivers, dora="3z")
    hands = [[tile for tile in far.hand if tile != gone] for gone in far.hand]
    fields = DecisionContext(far, np.full(3, 0.1)).states(HandsLeft(hands, far.hand)).fields()
    assert fields["shanten"].min() > 1
    assert fields["later_ways"].tolist() == fields["ways"].tolist()
