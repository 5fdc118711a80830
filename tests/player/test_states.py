"""Numbers that the features of the round's end share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

pytest.importorskip("riichienv", reason="it evaluates the wins")

from houjuu.game.position import position
from houjuu.player.states import States
from houjuu.player.view_states import HandsLeft, states


def _state(draws: float, away: float, tiles: float, unseen: float) -> States:
    view = position("234m567p34s119m55z", {}, dora="4z", seat=1)
    made = states(view, np.zeros(3), HandsLeft([sorted(view.hand)[:13]], [None]))
    column = np.array([1.0])
    hands = made.hands._replace(tenpai_shanten=away * column, tenpai_tiles=tiles * column)
    table = made.table._replace(draws=draws * column, unseen=unseen * column)
    return replace(made, hands=hands, table=table)


@pytest.mark.parametrize("draws", [0, 1, 2, 7, 17])
@pytest.mark.parametrize("away", [0, 1, 2, 5, 8])
def test_tenpai_is_counted_over_the_draws_left(draws: int, away: int) -> None:
    """P(as many useful draws as needed or more), by scipy."""
    counted = _state(draws, away, 19.0, 80.0).tenpai_count[0]
    assert counted == pytest.approx(binom.sf(away - 1, draws, 19 / 80), abs=1e-12)
