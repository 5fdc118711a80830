"""The wait frequencies of the paper's model, from counts by hand."""

from __future__ import annotations

import numpy as np
import pytest

from features.paper_wait_counts import WaitCounts
from houjuu.game.tiles import KINDS
from houjuu.hands import wait_types
from models.paper.waits import WaitFrequencies
from tests.kit.positions import seat


def counts_by_hand(**numbers: int) -> WaitCounts:
    """Counts of 100 riichi: all have the ryanmen on 14m, 40 of them after a 9m."""
    counts = WaitCounts.zeros()
    counts.riichi[()], counts.form[0], counts.wait[0] = 100, 100, 100
    counts.form_given[0, 0, 9], counts.wait_given[0, 9] = 40, numbers.get("after", 40)
    counts.live_suji[10], counts.live_suji_ryanmen[10] = 8, 6
    counts.han[:2], counts.fu[1] = (30, 10), 40
    return counts


def test_equations_of_the_fit() -> None:
    apart = WaitFrequencies(share_suits=False, smoothing=1.0, smoothing_live=4.0)
    model = apart.fit(counts_by_hand(after=10)).to_runtime()
    prior = 101 / 118
    assert model.prior[0] == pytest.approx(prior)
    assert model.prior[1] == pytest.approx(1 / 118)
    assert model.given[0, 9] == pytest.approx((10 + prior) / 41 / prior)
    assert model.given[0, 8] == pytest.approx(1)
    assert model.ryanmen[10] == pytest.approx((6 + 4 * 0.75) / 12)
    assert model.ryanmen[0] == 0
    assert model.han[:2].tolist() == pytest.approx([31 / 53, 11 / 53])
    assert (model.given[wait_types.WAIT_SUIT == 3] == 1).all()


def test_suits_share_their_counts() -> None:
    model = WaitFrequencies(smoothing=1.0).fit(counts_by_hand()).to_runtime()
    prior = (100 + 3) / 3 / 118
    for wait in (0, 6, 12):
        assert model.prior[wait] == pytest.approx(prior)
        assert model.given[wait, 9] == pytest.approx((40 / 3 + prior) / (40 / 3 + 1) / prior)


def test_without_counts_the_model_still_predicts() -> None:
    model = WaitFrequencies().fit(WaitCounts.zeros()).to_runtime()
    waits = model.predict(seat("1m 2m 3m*"), np.full(KINDS, 4), 0b111)
    assert np.isfinite(waits.kind).all()
    assert (waits.kind[:3] == 0).all()


def test_the_floor_is_the_rate_of_kokushi() -> None:
    counts = counts_by_hand()
    counts.no_wait_wins[27:34] = 1
    floor = WaitFrequencies().fit(counts).to_runtime().floor
    assert floor[0] == floor[33] == pytest.approx(7.5 / (13 * 101))
    assert 0 < floor[4] < floor[0]
