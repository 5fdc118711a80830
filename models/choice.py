"""Fitting the conditional logits of `houjuu.choice` by penalised maximum likelihood.

A hand that wins in several ways is as many rows of a part each. The sum of the tables' numbers is
linear in them, so that the loss is convex; its minimum is found by L-BFGS.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize

from houjuu.choice import Bools, Bytes, Floats, Tables

Array = npt.NDArray[Any]
_CHUNK = 2000  # rows


@dataclass(frozen=True)
class Cases:
    """What a conditional logit is fitted to.

    Attributes
    ----------
    evidence : (n, LENGTH) array
    offset, possible : (n, a) arrays
        As `houjuu.choice.Choice.read` takes them.
    target : (n, a) array
        The part of each alternative in what was so; a row sums to 1, and only of what is possible.
    weight : (n,) array
        How much the row counts.
    """

    evidence: Bytes
    offset: Floats
    possible: Bools
    target: Floats
    weight: Floats


def fit(tables: Tables, cases: Cases, penalty: float, iterations: int) -> Floats:
    """The weights, (tables.size,).

    Parameters
    ----------
    tables : Tables
    cases : Cases
        Without any the weights are 0.
    penalty : float
        Of a weight's square, halved.
    iterations : int
        Of L-BFGS, at most.
    """
    if not len(cases.weight):
        return np.zeros(tables.size)
    row, _ = place = np.nonzero(cases.possible)
    design = _design(tables, cases)
    offset, target = cases.offset[place], cases.target[place]
    first = np.flatnonzero(np.diff(row, prepend=-1))
    weight = cases.weight[row].astype(np.float64)
    weight *= len(cases.weight) / cases.weight.sum()

    def loss(weights: Floats) -> tuple[float, Floats]:
        score = offset + design @ weights.astype(np.float32)
        score -= np.maximum.reduceat(score, first)[row]
        chance = np.exp(score)
        total = np.add.reduceat(chance, first)
        chance /= total[row]
        surprise = weight[first] @ np.log(total) - (weight * target) @ score
        slope = design.T @ (weight * (chance - target)).astype(np.float32)
        return surprise + penalty / 2 * float(weights @ weights), slope + penalty * weights

    options = {"maxiter": iterations, "maxcor": 15}
    start = np.zeros(tables.size)
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x)


def _design(tables: Tables, cases: Cases) -> sparse.csr_matrix:
    """A row for each possible alternative of each case, 1 in the cells that it falls into."""
    columns = np.concatenate(list(_cells(tables, cases)))
    ends = np.arange(0, columns.size + 1, columns.shape[1])
    ones = np.ones(columns.size, np.float32)
    return sparse.csr_matrix((ones, columns.ravel(), ends), (len(columns), tables.size))


def _cells(tables: Tables, cases: Cases) -> Iterator[Array]:
    for start in range(0, len(cases.evidence), _CHUNK):
        part = slice(start, start + _CHUNK)
        yield tables.cells(cases.evidence[part])[cases.possible[part]].astype(np.int32)
