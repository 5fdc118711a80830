"""Logits of the tenpai GAM for the rows that it is fitted to, as if it had not seen them.

Two GAMs are fitted, each to one half of the games. The logit of a row comes from the one that has
not seen its game. On the rows of its own fit a GAM is too certain, and a term fitted on top of its
logit could not learn to discount it.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone

from features.columns import ints
from features.tenpai_rows import feature_matrix
from houjuu.estimators.log_linear.tenpai_gam import TenpaiGAMModel
from houjuu.util.arrays import Floats, Ints
from models.fitting.shards import SelectedShards, Shards, game_hashes
from models.houjuu.tenpai_gam import TenpaiGAM

_BIT = np.uint64(1)
"""Of the hash of a game; the GAM chooses its pairs by halves of the bit before."""


class CrossFitted(NamedTuple):
    """The GAM for the rows of each half of the games: that of the other half."""

    first: TenpaiGAMModel
    second: TenpaiGAMModel

    def logits(self, rows: pd.DataFrame) -> Floats:
        """The logit of every row of `features.schema.tenpai.TENPAI_FEATURES`, (m,)."""
        half = halves(rows)
        logits = np.zeros(len(rows))
        for number, gam in enumerate(self):
            in_half = half == number
            chosen = rows[in_half]
            logits[in_half] = gam.logits(ints(chosen, "n_open_melds"), feature_matrix(chosen))
        return logits


def cross_fitted(gam: TenpaiGAM, shards: Shards) -> CrossFitted:
    """Fit a GAM with these settings to each half of the games."""
    others = (SelectedShards(shards, partial(_of_half, half)) for half in (1, 0))
    return CrossFitted(*(clone(gam).fit(rows).to_runtime() for rows in others))


def halves(rows: pd.DataFrame) -> Ints:
    """The half of the game of every row, 0 or 1, (m,)."""
    return np.asarray(game_hashes(rows["game"]) >> _BIT & np.uint64(1), np.int64)


def _of_half(half: int, rows: pd.DataFrame) -> pd.DataFrame:
    in_half: pd.DataFrame = rows.loc[halves(rows) == half]
    return in_half
