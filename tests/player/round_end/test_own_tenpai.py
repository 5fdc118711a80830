"""Own tenpai at an exhausted draw, where nothing is left to predict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="it evaluates the wins")

from houjuu.game.position import position
from houjuu.player.round_end import round_ends
from houjuu.player.view_states import HandsLeft, states


def test_without_a_draw_tenpai_is_certain_with_and_without_a_yaku() -> None:
    """Formal tenpai (形式聴牌) is paid like any other: 34s and a pair of 1m, without a yaku."""
    rivers = {"self": "9m 1z", "right": "8m 3z", "across": "1p 3z", "left": "9s~ 4z"}
    melds = {"self": "pon 999s"}
    view = position("234m567p34s11m + 9p", rivers, melds, dora="5z")
    tiles = sorted(view.hand)
    discards = [view.drawn, tiles[0]]
    left = [[tile for tile in view.hand if tile != cut] for cut in discards]
    made = states(view, np.zeros(3), HandsLeft(left, discards))
    last = replace(made, table=made.table._replace(draws=np.zeros(2)))
    model = round_ends.load()
    assert made.hands.tenpai_shanten.tolist() == [0.0, 1.0]
    assert model.predict_tenpai_at_draw(last)[:, 0].tolist() == [1.0, 0.0]
    predicted = model.predict_tenpai_at_draw(made)[:, 0]
    assert ((predicted > 0) & (predicted < 1)).all()
