"""Fitting the tenpai regressions of Kurita & Hoki 2017, section 5.1, with scikit-learn.

One logistic regression per type, suit, number of open melds f and number of discards d, by
cross-entropy (equation 8). The choices that the paper leaves open are parameters here;
docs/choices.md has the effect of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from tqdm import tqdm

from features.schema import SUITS
from houjuu.estimators.kurita_hoki.tenpai import PaperTenpaiModel, with_several
from houjuu.estimators.protocol import MAX_MELDS, TenpaiPrediction
from houjuu.reading.table1 import SEVERAL, TYPE1, TYPE2, TYPE3

Array = npt.NDArray[Any]


class Cell(NamedTuple):
    """Position of a regression in the grid: type 1–3, suit (0 where shared), f and d."""

    type: int
    suit: int
    melds: int
    discards: int


class Sample(NamedTuple):
    """Distinct rows of one regression, and their counts."""

    discards: Array  # (n,), capped
    features: Array  # (n, k)
    label: Array  # (n,) of 0/1
    n_rows: Array  # (n,)


class TenpaiGrid(BaseEstimator):  # type: ignore[misc]
    """The grid of regressions.

    Parameters
    ----------
    share_suits : bool, default=True
        One regression serves all three suits: they have the same rules.
    max_discards : int, default=18
        Larger numbers of discards count as this.
    borrow : float, default=0.5
        Rows k discards away have the weight borrow ** k: with 0 a cell uses only its own rows.
    borrow_below : int, default=4000
        Only cells with fewer rows than this borrow.
    C : float, default=1.0
        Inverse strength of the L2 penalty on the weights; the intercept has none.

    Attributes
    ----------
    cells_ : dict of Cell to LogisticRegression
    counts_ : dict of Cell to int
        Number of own rows of each cell.
    rates_ : dict of str to float
        Rate of tenpai rows: "all", and "0" to "3" by open melds.
    """

    def __init__(
        self,
        share_suits: bool = True,
        max_discards: int = 18,
        borrow: float = 0.5,
        borrow_below: int = 4000,
        C: float = 1.0,  # noqa: N803 - scikit-learn's name
    ) -> None:
        self.share_suits = share_suits
        self.max_discards = max_discards
        self.borrow = borrow
        self.borrow_below = borrow_below
        self.C = C

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit every cell to rows of `features.schema.PAPER_TENPAI`."""
        self.cells_: dict[Cell, LogisticRegression] = {}
        self.counts_: dict[Cell, int] = {}
        by_melds = rows.groupby(rows["n_open_melds"].astype(str))["tenpai"].mean()
        self.rates_ = {"all": float(rows["tenpai"].mean()), **by_melds.to_dict()}
        grid = list(self._samples(rows))
        for type_, suit, melds, sample in tqdm(grid, desc="fit", unit="column"):
            for discards in range(self.max_discards + 1):
                cell = Cell(type_, suit, melds, discards)
                self.counts_[cell] = int(sample.n_rows[sample.discards == discards].sum())
                self.cells_[cell] = self._fit(sample, discards, self.counts_[cell])
        return self

    def to_runtime(self) -> PaperTenpaiModel:
        """The weights as the runtime loads them."""
        return PaperTenpaiModel(self._weights(1), self._weights(2), self._weights(3)[0])

    def predict(self, rows: pd.DataFrame) -> TenpaiPrediction:
        """The predictions of `to_runtime`, computed with scikit-learn's ``predict_proba``."""
        in_suit, given = np.zeros((len(rows), 3)), np.zeros((len(rows), 4))
        melds = rows["n_open_melds"].clip(upper=MAX_MELDS)
        discards = rows["discards"].clip(upper=self.max_discards)
        for key, index in rows.groupby(32 * melds + discards).indices.items():
            f, d = divmod(int(str(key)), 32)
            group = rows.iloc[index]
            for i, s in enumerate(SUITS):
                suit = 0 if self.share_suits else i
                in_suit[index, i] = self._predict(Cell(1, suit, f, d), group, TYPE1[s])
                given[index, i] = self._predict(Cell(2, suit, f, d), group, TYPE2[s])
            given[index, SEVERAL] = self._predict(Cell(3, 0, f, d), group, TYPE3)
        given[rows["n_melds"].to_numpy() > MAX_MELDS] = 1.0
        colour = with_several(in_suit * rows[[f"allowed_{s}" for s in SUITS]].to_numpy())
        joint = colour * given
        return TenpaiPrediction(joint.sum(axis=1), colour, joint)

    def _predict(self, cell: Cell, rows: pd.DataFrame, columns: tuple[str, ...]) -> Array:
        features = rows[list(columns)].to_numpy(dtype=float)
        return np.asarray(self.cells_[cell].predict_proba(features)[:, 1])

    def _weights(self, type_: int) -> Array:
        suits = 1 if self.share_suits or type_ == 3 else 3
        cells = [
            self.cells_[Cell(type_, suit, melds, discards)]
            for suit in range(suits)
            for melds in range(MAX_MELDS + 1)
            for discards in range(self.max_discards + 1)
        ]
        weights = np.array([np.append(cell.intercept_, cell.coef_[0]) for cell in cells])
        return weights.reshape(suits, MAX_MELDS + 1, self.max_discards + 1, -1)

    def _fit(self, sample: Sample, discards: int, own: int) -> LogisticRegression:
        away = np.abs(sample.discards - discards)
        share = self.borrow if own < self.borrow_below else 0.0
        weight = sample.n_rows * np.power(float(share), away)
        used = weight > 0
        features, label = sample.features[used], sample.label[used]
        mean = sample.features.mean(axis=0) if len(sample.label) else np.zeros(features.shape[1])
        # Half a row of each label keeps the weights of a cell with one label or none finite.
        return LogisticRegression(C=self.C, max_iter=10_000, tol=1e-10).fit(
            np.vstack([features, mean, mean]),
            np.append(label, [0, 1]),
            sample_weight=np.append(weight[used], [0.5, 0.5]),
        )

    def _samples(self, rows: pd.DataFrame) -> Iterator[tuple[int, int, int, Sample]]:
        """Yield (type, suit, f, sample), with equal rows counted."""
        rows = rows[rows["n_melds"] <= MAX_MELDS]
        within = {s: rows[f"within_{s}"].to_numpy(dtype=bool) for s in SUITS}
        several = ~(within["m"] | within["p"] | within["s"])
        for index, suits in enumerate([SUITS] if self.share_suits else SUITS):
            coloured, tenpai = [], []
            for s in suits:
                allowed = rows[f"allowed_{s}"].to_numpy(dtype=bool)
                coloured.append(self._count(rows, allowed, (*TYPE1[s], f"within_{s}")))
                tenpai.append(self._count(rows, within[s], (*TYPE2[s], "tenpai")))
            yield from _by_melds(1, index, coloured)
            yield from _by_melds(2, index, tenpai)
        yield from _by_melds(3, 0, [self._count(rows, several, (*TYPE3, "tenpai"))])

    def _count(self, rows: pd.DataFrame, mask: Array, columns: tuple[str, ...]) -> Array:
        """Distinct rows of (f, d, *columns) and their counts, shape (n, k + 3)."""
        columns = ("n_open_melds", "discards", *columns)
        key = np.zeros(int(mask.sum()), dtype=np.int64)
        for column in columns:  # every number is below 32: five bits each
            values = rows[column].to_numpy()[mask]
            capped = np.minimum(values, self.max_discards) if column == "discards" else values
            key = key << 5 | capped
        distinct, counts = np.unique(key, return_counts=True)
        shifts = range(5 * (len(columns) - 1), -1, -5)
        return np.column_stack([distinct >> shift & 31 for shift in shifts] + [counts])


def _by_melds(type_: int, suit: int, parts: list[Array]) -> Iterator[tuple[int, int, int, Sample]]:
    table = np.vstack(parts)
    for melds in range(MAX_MELDS + 1):
        rows = table[table[:, 0] == melds]
        discards, features, label, count = rows[:, 1], rows[:, 2:-2], rows[:, -2], rows[:, -1]
        yield type_, suit, melds, Sample(discards, features.astype(float), label, count)
