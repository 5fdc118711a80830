"""Fitting the conditional logits of `houjuu.choice` by penalised maximum likelihood.

Either one alternative is so, or parts of several; then the loss is convex. Or each may be so or
not, and is a question of its own. The minimum is found by L-BFGS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize

from houjuu.choice import CERTAIN, Bools, Bytes, Floats, Tables

Array = npt.NDArray[Any]
Loss = Callable[[Floats], tuple[float, Floats]]
_CHUNK = 2000  # rows
_NEVER = 1e-9


@dataclass(frozen=True)
class Cases:
    """What a conditional logit is fitted to.

    Attributes
    ----------
    evidence : (n, LENGTH) array
    offset, possible : (n, a) arrays
        As `houjuu.choice.Choice.read` takes them.
    target : (n, a) array
        The part of each alternative in what was so, only of what is possible; a row sums to 1, or,
        for `fit_each`, is 1 for everything that was so.
    weight : (n,) array
        How much the row counts.
    """

    evidence: Bytes
    offset: Floats
    possible: Bools
    target: Floats
    weight: Floats


class _Scores:
    """The alternatives that are possible, one after another, and their scores."""

    def __init__(self, tables: Tables, cases: Cases) -> None:
        self.place = np.nonzero(cases.possible)
        self.row, self.alternative = self.place
        self.design = _design(tables, cases)
        self.offset, self.target = cases.offset[self.place], cases.target[self.place]
        self.first = np.flatnonzero(np.diff(self.row, prepend=-1))
        weight = cases.weight[self.row].astype(np.float64)
        self.weight = weight * len(cases.weight) / cases.weight.sum()

    def of(self, weights: Floats, trust: Floats | float = 1.0) -> Floats:
        """Scores, less the highest of the row."""
        score = trust * self.offset + self.design @ weights.astype(np.float32)
        score -= np.maximum.reduceat(score, self.first)[self.row]
        return np.asarray(score)

    def sums(self, numbers: Floats) -> Floats:
        """The sum over the alternatives of a row."""
        return np.asarray(np.add.reduceat(numbers, self.first))

    def slope(self, by_score: Floats) -> Floats:
        """By weight, from that by score."""
        return np.asarray(self.design.T @ by_score.astype(np.float32))


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
    scores = _Scores(tables, cases)
    row, first, weight, target = scores.row, scores.first, scores.weight, scores.target

    def loss(weights: Floats) -> tuple[float, Floats]:
        score = scores.of(weights)
        chance = np.exp(score)
        total = scores.sums(chance)
        chance /= total[row]
        surprise = weight[first] @ np.log(total) - (weight * target) @ score
        slope = scores.slope(weight * (chance - target))
        return surprise + penalty / 2 * float(weights @ weights), slope + penalty * weights

    return _lowest(loss, np.zeros(tables.size), iterations)


@dataclass(frozen=True)
class Each:
    """What `fit_each` finds: the weights, and for each group the share and the trust."""

    weights: Floats
    share: Floats
    trust: Floats


def fit_each(tables: Tables, cases: Cases, groups: Bools, penalty: float, iterations: int) -> Each:
    """Fit to each alternative as a question of its own, for several may be so at once.

    P(a) = share · softmax_a(trust · offset + w · φ), of all alternatives but the last, whose share
    and trust, from 0.3 to 3, go by the group of the row; the likelihood is that of a row of coins.

    Parameters
    ----------
    tables, penalty, iterations
        As `fit` takes them.
    cases : Cases
        Whose `target` is 1 for everything that is so.
    groups : (n, g) array
        Which of the groups each row belongs to.
    """
    size, count = tables.size, groups.shape[1]
    parts = [size, size + count]
    start = np.concatenate([np.zeros(size), np.full(count, 1.5), np.ones(count)])
    if not len(cases.weight):
        return Each(*np.split(start, parts))
    scores = _Scores(tables, cases)
    of = groups.argmax(axis=1)[scores.row]
    asked = scores.alternative < tables.alternatives - 1
    so, offset, weight = scores.target * asked, scores.offset * asked, scores.weight * asked

    def loss(numbers: Floats) -> tuple[float, Floats]:
        weights, share, trust = np.split(numbers, parts)
        chance = np.exp(scores.of(weights, np.where(asked, trust[of], 1.0)))
        chance /= scores.sums(chance)[scores.row]
        said = np.clip(share[of] * chance, _NEVER, CERTAIN)
        surprise = -weight @ np.where(so, np.log(said), np.log1p(-said))
        by_said = weight * (said - so) / (said * (1 - said))
        by_chance = share[of] * by_said
        by_score = chance * (by_chance - scores.sums(chance * by_chance)[scores.row])
        slope = [
            scores.slope(by_score) + penalty * weights,
            np.bincount(of, by_said * chance, count),
            np.bincount(of, by_score * offset, count),
        ]
        return surprise + penalty / 2 * float(weights @ weights), np.concatenate(slope)

    bounds = [(None, None)] * size + [(0.3, 3.0)] * (2 * count)
    return Each(*np.split(_lowest(loss, start, iterations, bounds), parts))


def _lowest(loss: Loss, start: Floats, iterations: int, bounds: Any = None) -> Floats:
    options = {"maxiter": iterations, "maxcor": 15}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(found.x)


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
