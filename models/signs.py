"""Fitting the tenpai regression of the model "houjuu" (`houjuu.additive`).

The bins are those of the rows: one a number where a sign has few, else with about as many rows in
each. One regression by number of open melds, all signs and pairs in it at once, by scikit-learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from features.signs import numbers
from houjuu.additive import GROUPS, NO_EDGE, AdditiveModel, Bins
from houjuu.signs import SIGNS

Array = npt.NDArray[Any]
NAMES = [sign.name for sign in SIGNS]


class SignsRegression(BaseEstimator):  # type: ignore[misc]
    """The regressions by number of open melds.

    Parameters
    ----------
    paired : sequence of str, default=()
        Names of the signs that get a table together with each of the others.
    fine, coarse : int, default=24 and 9
        Most bins of a sign alone and in a pair.
    C : sequence of 4 floats
        Inverse strength of regularisation, by number of open melds.
    most_rows : int, default=1,500,000
        Of a number of open melds; where there are more, every second, third … is taken.

    Attributes
    ----------
    bins_ : Bins
    regressions_ : list of LogisticRegression or None
        None where the rows have one outcome alone.
    """

    def __init__(
        self,
        paired: Sequence[str] = (),
        fine: int = 24,
        coarse: int = 9,
        C: Sequence[float] = (0.1, 0.01, 0.005, 0.0025),  # noqa: N803
        most_rows: int = 1_500_000,
    ) -> None:
        self.paired = paired
        self.fine = fine
        self.coarse = coarse
        self.C = C
        self.most_rows = most_rows

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.SIGNS`."""
        self.bins_ = Bins(
            fine=_edges(rows, self.fine),
            coarse=_edges(rows, self.coarse),
            pairs=_pairs(self.paired),
        )
        self.rates_ = [float(rows.loc[rows["melds"] == f, "tenpai"].mean()) for f in range(GROUPS)]
        self.regressions_ = [
            self._regression(rows[rows["melds"] == melds], strength)
            for melds, strength in zip(range(GROUPS), self.C, strict=True)
        ]
        return self

    def _regression(self, rows: pd.DataFrame, strength: float) -> LogisticRegression | None:
        if rows["tenpai"].nunique() < 2:
            return None
        rows = rows.iloc[:: -(-len(rows) // self.most_rows)]
        regression = LogisticRegression(C=strength, max_iter=300, tol=1e-4)
        return regression.fit(self.design(rows), rows["tenpai"])

    def design(self, rows: pd.DataFrame) -> sparse.csr_matrix:
        """The rows as one 1 for every table, in the column of the cell."""
        cells = self.bins_.cells(numbers(rows))
        ones = np.ones(cells.size)
        ends = np.arange(0, cells.size + 1, cells.shape[1])
        return sparse.csr_matrix((ones, cells.ravel(), ends), (len(rows), self.bins_.offsets[-1]))

    def model(self) -> AdditiveModel:
        """The tables as the runtime reads them; without a regression, the rate of the rows."""
        weights = np.zeros((GROUPS, self.bins_.offsets[-1]))
        bias = np.zeros(GROUPS)
        for group, regression in enumerate(self.regressions_):
            if regression is None:
                rate = np.clip(np.nan_to_num(self.rates_[group], nan=0.5), 0.01, 0.99)
                bias[group] = np.log(rate / (1 - rate))
            else:
                weights[group], (bias[group],) = regression.coef_[0], regression.intercept_
        of = self.bins_
        return AdditiveModel(np.array(NAMES), of.fine, of.coarse, of.pairs, bias, weights)


def _pairs(paired: Sequence[str]) -> Array:
    """Each of some signs with every other sign, once, (p, 2)."""
    signs = [NAMES.index(name) for name in paired]
    found = {tuple(sorted((one, other))) for one in signs for other in range(len(NAMES))}
    return np.array(sorted(pair for pair in found if pair[0] != pair[1])).reshape(-1, 2)


def _edges(rows: pd.DataFrame, most: int) -> Array:
    """The lowest number of every bin but the first, a row a sign, filled up with `NO_EDGE`."""
    of_sign = []
    for name in NAMES:
        values = np.unique(rows[name])
        if len(values) > most:
            shares = np.linspace(0, 1, most + 1)[1:-1]
            values = np.unique([values[0], *np.quantile(rows[name], shares, method="higher")])
        of_sign.append(values[1:])
    edges = np.full((len(NAMES), max(map(len, of_sign))), NO_EDGE, dtype=np.int64)
    for row, values in zip(edges, of_sign, strict=True):
        row[: len(values)] = values
    return edges
