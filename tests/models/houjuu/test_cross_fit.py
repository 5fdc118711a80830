"""The logits of GAMs that have not seen the games of their rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from features.columns import ints
from features.tenpai_rows import feature_matrix
from houjuu.util.arrays import sigmoid
from models.fitting.shards import FrameShards
from models.houjuu.cross_fit import CrossFitted, cross_fitted, halves
from models.houjuu.tenpai_gam import TenpaiGAM
from models.metrics.calibration import row_losses

SMALL: dict[str, Any] = {"fine": 24, "coarse": 6, "pair_rounds": 1, "pairs": 10}


@pytest.fixture(scope="module")
def rows(tenpai_rows: pd.DataFrame) -> pd.DataFrame:
    """Every round as a game."""
    game = tenpai_rows["game"].astype(str) + "-" + tenpai_rows["round"].astype(str)
    return tenpai_rows.assign(game=game.astype("category"))


def test_a_game_has_the_gam_of_the_other_half(rows: pd.DataFrame) -> None:
    half = halves(rows)
    assert {0, 1} == set(half.tolist())
    assert (pd.Series(half).groupby(rows["game"].to_numpy()).nunique() == 1).all()
    logits = cross_fitted(TenpaiGAM(**SMALL), FrameShards(rows)).logits(rows)
    for number in (0, 1):
        other = FrameShards(rows[half != number])
        gam = TenpaiGAM(**SMALL).fit(other).to_runtime()
        own = rows[half == number]
        expected = gam.logits(ints(own, "n_open_melds"), feature_matrix(own))
        assert logits[half == number] == pytest.approx(expected, abs=1e-9)


def test_labels_at_random_are_not_predicted(rows: pd.DataFrame) -> None:
    """A fit to them predicts its own rows better than their mean; the cross-fitted one does not."""
    label = np.random.default_rng(0).permutation(rows["tenpai"].to_numpy())
    rows = rows.assign(tenpai=label)
    settings = SMALL | {"C": (10.0, 10.0)}
    mean = row_losses(np.full(len(rows), label.mean()), label).mean()
    seen = TenpaiGAM(**settings).fit(FrameShards(rows)).to_runtime()
    gams = cross_fitted(TenpaiGAM(**settings), FrameShards(rows))

    def gain(logits: Any) -> float:
        return float(mean - row_losses(sigmoid(logits), label).mean())

    assert gain(CrossFitted(seen, seen).logits(rows)) > 0.001
    assert gain(gams.logits(rows)) < 0
