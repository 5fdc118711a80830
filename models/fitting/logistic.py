"""Logistic regression on look-ups in shards, with a separate L2 penalty for each weight.

The tenpai GAM is fitted with it. The objective is that of scikit-learn's ``LogisticRegression``,
which has one penalty for all weights, and takes all rows as one matrix: 22 million rows of some
hundred terms each do not fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from houjuu.util.arrays import Bools, Floats
from models.fitting import convex
from models.fitting.lookups import Codes, Lookups, add_by_code, looked_up
from models.fitting.shards import Arrays, ArrayShards, Part, sums

_HESSIAN_ROWS = 60_000
"""Rows from which the Hessian is estimated."""


class CodedRows(NamedTuple):
    """Some rows of one class.

    Attributes
    ----------
    class_ : int
    codes : list of (m,) arrays
        The code within the class, for each block.
    label : (m,) array
    weight : (m,) array
        Number of rows that each row represents.
    offset : (m,) array
        What the logits have besides the look-ups.
    """

    class_: int
    codes: Codes
    label: Bools
    weight: Floats
    offset: Floats


ReadRows = Callable[[Arrays], Iterable[CodedRows]]
"""Maps the arrays of a shard to its rows; it is pickled."""


def fit(
    shards: ArrayShards, read: ReadRows, lookups: Lookups, penalty: Floats, start: Floats
) -> Floats:
    """Weights that minimize the weighted log loss plus the penalty, (size,).

    Parameters
    ----------
    shards : ArrayShards
        Rows of both labels.
    read : ReadRows
    lookups : Lookups
    penalty : (size,) array
        L2 penalty on each weight, 1/C in scikit-learn's terms.
    start : (size,) array
        Weights to start from.

    Raises
    ------
    Error
        The search has not converged.
    """
    sample, scale, offset = _sample(shards, read, lookups)
    values = lookups.values(sample)

    def loss(part: Part, weights: Floats) -> tuple[float, Floats]:
        value, gradient = part.sums(partial(_loss, read, lookups, weights))
        value += 0.5 * weights @ (penalty * weights)
        return float(value), np.asarray(gradient + penalty * weights)

    def hessian(part: Part, weights: Floats) -> Floats:
        tables = [table.ravel() for table in lookups.tables(weights)]
        probability = expit(offset + looked_up(tables, sample))
        gram = lookups.gram(values, scale * probability * (1 - probability))
        (exact,) = part.sums(partial(_curvature, read, lookups, weights))
        diagonal = np.diag_indices_from(gram)
        gram[diagonal] = np.maximum(gram[diagonal], exact) + penalty  # the sample lacks rare cells
        return gram

    return convex.minimize_whitened(shards, loss, hessian, start)


def logits(tables: list[Floats], rows: CodedRows) -> Floats:
    """Logits of rows, (m,), from the tables of all blocks."""
    return rows.offset + looked_up([table[rows.class_] for table in tables], rows.codes)


def _loss(
    read: ReadRows, lookups: Lookups, weights: Floats, arrays: Arrays
) -> tuple[float, Floats]:
    """The log loss of a shard without the penalty, and its gradient."""
    tables = lookups.tables(weights)
    by_weight = _SumsByWeight(lookups)
    value = 0.0
    for rows in read(arrays):
        logit = logits(tables, rows)
        losses = np.logaddexp(0, logit) - rows.label * logit
        value += float(np.sum(rows.weight * losses))
        by_weight.add(rows, rows.weight * (expit(logit) - rows.label))
    return value, by_weight.total()


def _curvature(read: ReadRows, lookups: Lookups, weights: Floats, arrays: Arrays) -> tuple[Floats]:
    """The diagonal of the Hessian of a shard, without the penalty."""
    tables = lookups.tables(weights)
    by_weight = _SumsByWeight(lookups)
    for rows in read(arrays):
        probability = expit(logits(tables, rows))
        by_weight.add(rows, rows.weight * probability * (1 - probability))
    return (by_weight.total(),)


class _SumsByWeight:
    """Sums over rows by class and code, and in the end by weight."""

    def __init__(self, lookups: Lookups) -> None:
        self._lookups = lookups
        self._by_code = [np.zeros(block.shape) for block in lookups.blocks]

    def add(self, rows: CodedRows, by_row: Floats) -> None:
        """Add a number of every row, (m,)."""
        own_class = [sums_[rows.class_] for sums_ in self._by_code]
        add_by_code(own_class, rows.codes, by_row)

    def total(self) -> Floats:
        """The sums by weight, (size,)."""
        return self._lookups.by_weight(self._by_code)


def _sample(shards: ArrayShards, read: ReadRows, lookups: Lookups) -> tuple[Codes, Floats, Floats]:
    """The codes of a sample of rows, with the class, the rows that each represents, the offsets."""
    n_rows, _ = sums(shards.map(partial(count, read)))
    step = max(int(n_rows) // _HESSIAN_ROWS, 1)
    by_shard = shards.map(partial(_every, read, step))
    samples = list(chain.from_iterable(by_shard))
    codes = []
    for index, block in enumerate(lookups.blocks):
        _, n_codes = block.shape
        with_class = [rows.class_ * n_codes + rows.codes[index] for rows in samples]
        codes.append(np.concatenate(with_class))
    weight = np.concatenate([rows.weight for rows in samples])
    offset = np.concatenate([rows.offset for rows in samples])
    return codes, weight * n_rows / len(weight), offset


def count(read: ReadRows, arrays: Arrays) -> tuple[int, int]:
    """The number of rows of a shard, and of those with the label."""
    labels = [rows.label for rows in read(arrays)]
    return sum(map(len, labels)), int(sum(map(np.sum, labels)))


def _every(read: ReadRows, step: int, arrays: Arrays) -> list[CodedRows]:
    return list(_strided(read(arrays), step))


def _strided(rows: Iterable[CodedRows], step: int) -> Iterator[CodedRows]:
    """Yield every n-th row."""
    every_nth = slice(None, None, step)
    for class_, codes, label, weight, offset in rows:
        thinned = [block_codes[every_nth].astype(np.int64) for block_codes in codes]
        yield CodedRows(class_, thinned, label[every_nth], weight[every_nth], offset[every_nth])
