"""Fitting the tenpai regressions of Kurita & Hoki 2017, section 5.1, with scikit-learn.

One logistic regression per type, suit, number of open melds f and number of discards d, by
cross-entropy (equation 8). The choices that the paper leaves open are parameters here;
docs/choices.md has the effect of each. The features are small integers: 22 million rows of 28,000
games have 155,000 distinct ones, which are all that the fit keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.linear_model import LogisticRegression
from tqdm import tqdm

from features.columns import floats, ints
from features.schema import IS_TENPAI
from features.schema.paper import SUITS
from houjuu.estimators.kurita_hoki.tenpai import PaperTenpaiModel, with_several
from houjuu.estimators.protocol import MAX_MELDS, TenpaiPrediction
from houjuu.reading.table1 import SEVERAL, TYPE1, TYPE2, TYPE3
from houjuu.util.arrays import Floats
from models.fitting.binary_classifier import CLASSES, BinaryClassifier
from models.fitting.counts import Counts, counted, merged
from models.fitting.shards import Shards, as_shards

Array = npt.NDArray[Any]
_BITS = 5


class Cell(NamedTuple):
    """Position of a regression in the grid: type 1–3, suit (0 where shared), f and d."""

    type: int
    suit: int
    melds: int
    discards: int


class CellRows(NamedTuple):
    """Distinct rows of one regression, and their counts."""

    discards: Array  # (n,), capped
    features: Array  # (n, k)
    label: Array  # (n,) of 0/1
    n_rows: Array  # (n,)


@dataclass(eq=False, repr=False)
class TenpaiGrid(BinaryClassifier):
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

    share_suits: bool = True
    max_discards: int = 18
    borrow: float = 0.5
    borrow_below: int = 4000
    C: float = 1.0

    def fit(self, rows: Shards | pd.DataFrame, y: npt.ArrayLike | None = None) -> Self:
        """Fit every cell to `features.schema.paper.PAPER_TENPAI`, from counts of equal rows.

        See `as_shards`.
        """
        shards = as_shards(rows, IS_TENPAI.name, y)
        self.cells_: dict[Cell, LogisticRegression] = {}
        self.counts_: dict[Cell, int] = {}
        count = partial(_counts, self._tables(), self.max_discards)
        rates, *counts = merged(shards.map(count))
        self.rates_ = _rates(*rates)
        self.classes_ = CLASSES.copy()
        grid = list(self._samples(counts))
        for type_, suit, melds, sample in tqdm(grid, desc="fit", unit="column"):
            for discards in range(self.max_discards + 1):
                cell = Cell(type_, suit, melds, discards)
                n_rows = int(sample.n_rows[sample.discards == discards].sum())
                self.counts_[cell] = n_rows
                self.cells_[cell] = self._fit(sample, discards, n_rows)
        return self

    def to_runtime(self) -> PaperTenpaiModel:
        """The weights as the runtime loads them."""
        (several,) = self._weights(3)
        return PaperTenpaiModel(self._weights(1), self._weights(2), several)

    def predict_tenpai(self, rows: pd.DataFrame) -> TenpaiPrediction:
        """The predictions of `to_runtime`, computed with scikit-learn's ``predict_proba``."""
        in_suit = np.zeros((len(rows), 3))
        given = np.zeros((len(rows), 4))
        melds = rows["n_open_melds"].clip(upper=MAX_MELDS)
        discards = rows["discards"].clip(upper=self.max_discards)
        for key, index in rows.groupby(32 * melds + discards).indices.items():
            f, d = divmod(int(str(key)), 32)
            group = rows.iloc[index]
            for column, name in enumerate(SUITS):
                suit = 0 if self.share_suits else column
                colour_cell = Cell(1, suit, f, d)
                tenpai_cell = Cell(2, suit, f, d)
                in_suit[index, column] = self._predict(colour_cell, group, TYPE1[name])
                given[index, column] = self._predict(tenpai_cell, group, TYPE2[name])
            several_cell = Cell(3, 0, f, d)
            given[index, SEVERAL] = self._predict(several_cell, group, TYPE3)
        given[rows["n_melds"].to_numpy() > MAX_MELDS] = 1.0
        allowed = rows[[f"allowed_{name}" for name in SUITS]].to_numpy()
        colour = with_several(in_suit * allowed)
        joint = colour * given
        return TenpaiPrediction(joint.sum(axis=1), colour, joint)

    def _probability(self, rows: pd.DataFrame) -> Floats:
        return self.predict_tenpai(rows).tenpai

    def _predict(self, cell: Cell, rows: pd.DataFrame, columns: tuple[str, ...]) -> Array:
        features = floats(rows, list(columns))
        return np.asarray(self.cells_[cell].predict_proba(features)[:, 1])

    def _weights(self, type_: int) -> Array:
        suits = 1 if self.share_suits or type_ == 3 else 3
        cells = [
            self.cells_[Cell(type_, suit, melds, discards)]
            for suit in range(suits)
            for melds in range(MAX_MELDS + 1)
            for discards in range(self.max_discards + 1)
        ]
        weights = [np.append(cell.intercept_, cell.coef_[0]) for cell in cells]
        shape = suits, MAX_MELDS + 1, self.max_discards + 1, -1
        return np.array(weights).reshape(shape)

    def _fit(self, sample: CellRows, discards: int, own: int) -> LogisticRegression:
        away = np.abs(sample.discards - discards)
        share = self.borrow if own < self.borrow_below else 0.0
        weight = sample.n_rows * np.power(float(share), away)
        used = weight > 0
        features = sample.features[used]
        label = sample.label[used]
        mean = np.zeros(features.shape[1])
        if len(sample.label):
            mean = sample.features.mean(axis=0)
        regression = LogisticRegression(C=self.C, max_iter=10_000, tol=1e-10)
        # Half a row of each label keeps the weights of a cell with one label or none finite.
        return regression.fit(
            np.vstack([features, mean, mean]),
            np.append(label, [0, 1]),
            sample_weight=np.append(weight[used], [0.5, 0.5]),
        )

    def _tables(self) -> list[CountTable]:
        """The tables of counts."""
        tables = []
        for index, suit in enumerate(SUITS):
            shared = 0 if self.share_suits else index
            allowed = f"allowed_{suit}"
            within = f"within_{suit}"
            tables += [
                CountTable(1, shared, allowed, (*TYPE1[suit], within)),
                CountTable(2, shared, within, (*TYPE2[suit], "tenpai")),
            ]
        return [*tables, CountTable(3, 0, None, (*TYPE3, "tenpai"))]

    def _samples(self, counts: list[Counts]) -> Iterator[tuple[int, int, int, CellRows]]:
        """Yield (type, suit, f, sample) of all columns of the grid."""
        grouped: dict[tuple[int, int], list[Array]] = {}
        for table, table_counts in zip(self._tables(), counts, strict=True):
            regression = table.type, table.suit
            unpacked = _unpacked(table, table_counts)
            grouped.setdefault(regression, []).append(unpacked)
        for (type_, suit), parts in grouped.items():
            yield from _by_melds(type_, suit, parts)


class CountTable(NamedTuple):
    """The rows of a regression: type and suit, the flag of its rows (None: no suit), columns."""

    type: int
    suit: int
    flag: str | None
    columns: tuple[str, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """All columns that rows are counted by."""
        return ("n_open_melds", "discards", *self.columns)


def _counts(tables: list[CountTable], max_discards: int, rows: pd.DataFrame) -> list[Counts]:
    """The counts of 2 · open melds + tenpai, and of the equal rows of each table, as packed."""
    labels = 2 * ints(rows, "n_open_melds") + rows["tenpai"].to_numpy()
    rows = rows[rows["n_melds"] <= MAX_MELDS]
    rows = rows.assign(discards=rows["discards"].clip(upper=max_discards))
    within = rows[[f"within_{suit}" for suit in SUITS]].to_numpy(dtype=bool)
    counts = [counted(labels)]
    for table in tables:
        if table.flag is None:
            mask = np.asarray(~within.any(axis=1))
        else:
            mask = rows[table.flag].to_numpy(dtype=bool)
        counts.append(counted(_packed(rows, table, mask)))
    return counts


def _packed(rows: pd.DataFrame, table: CountTable, mask: Array) -> Array:
    """All columns of the rows of a table in one number: each is below 32, five bits."""
    key = np.zeros(int(mask.sum()), dtype=np.int64)
    for column in table.key:
        key = key << _BITS | rows[column].to_numpy()[mask]
    return key


def _unpacked(table: CountTable, counts: Counts) -> Array:
    """The distinct rows and their counts, (n, columns + 1)."""
    distinct, n_rows = counts
    shifts = range(_BITS * (len(table.key) - 1), -1, -_BITS)
    lowest_bits = (1 << _BITS) - 1
    columns = [distinct >> shift & lowest_bits for shift in shifts]
    return np.column_stack([*columns, n_rows])


def _rates(labels: Array, n_rows: Array) -> dict[str, float]:
    """Rates of tenpai from counts of 2 · open melds + tenpai."""
    melds = labels >> 1
    tenpai = labels & 1
    groups = {"all": melds >= 0}
    for number in np.unique(melds):
        groups[str(number)] = melds == number
    n_tenpai = n_rows * tenpai
    rates = {}
    for name, mask in groups.items():
        rates[name] = float(n_tenpai[mask].sum() / n_rows[mask].sum())
    return rates


def _by_melds(
    type_: int, suit: int, parts: list[Array]
) -> Iterator[tuple[int, int, int, CellRows]]:
    table = np.vstack(parts)
    for melds in range(MAX_MELDS + 1):
        rows = table[table[:, 0] == melds]
        discards = rows[:, 1]
        features = rows[:, 2:-2]
        label = rows[:, -2]
        count = rows[:, -1]
        yield type_, suit, melds, CellRows(discards, features.astype(float), label, count)
