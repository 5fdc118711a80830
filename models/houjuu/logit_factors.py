"""Factors of the two terms of the logit of P(tenpai), by number of open melds.

    logit P = a_f · GAM + b_f · network + c_f

The factors are fitted to rows that the networks have not seen. A penalty on their distance to
(1, 1, 0) leaves the terms nearly unchanged where rows are few. `chosen` keeps a network only where
it is certain to help: each half of the games judges the factors of the other half.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from houjuu.estimators.log_linear.factor_fits import TenpaiRows
from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS
from houjuu.util.arrays import Bools, Floats
from houjuu.util.intervals import student95
from models.fitting import pull

UNCHANGED = (1.0, 1.0, 0.0)
WITHOUT = (1.0, 0.0, 0.0)
"""The GAM alone."""
PENALTY = 20.0


def chosen(rows: TenpaiRows) -> Floats:
    """The fitted factors or the GAM alone, (4, 3).

    The factors must be better with certainty, by a 95% interval over games.

    Parameters
    ----------
    rows : TenpaiRows
        Of games that the networks have not seen, with the terms of the GAM and of the network, and
        1.
    """
    half = (rows.game & np.uint64(1)).astype(bool)
    if half.any() and not half.all():
        # The GAM may have seen the rows: its own factor alone must not speak for the network.
        without = _crossed(rows._replace(terms=rows.terms * (1.0, 0.0, 1.0)), half)
        mean, error = pull.gain(without, _crossed(rows, half))
        if mean > student95(len(without) - 1) * error:
            return fit(rows, np.ones(len(half), bool))
    return np.tile(WITHOUT, (MELD_GROUPS, 1))


def _crossed(rows: TenpaiRows, half: Bools) -> pd.Series[float]:
    """The loss of each game with the factors that are fitted to the other half of the games."""
    losses = np.where(half, *(rows.losses(fit(rows, others)) for others in (~half, half)))
    return pd.Series(losses).groupby(rows.game).sum()


def fit(rows: TenpaiRows, some: Bools) -> Floats:
    """The factors of the GAM and of the network, and the constant, of some rows, (4, 3)."""
    return rows.fit(some, np.tile(UNCHANGED, (MELD_GROUPS, 1)), PENALTY)
