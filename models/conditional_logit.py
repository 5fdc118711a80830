"""Fitting the conditional logits of `houjuu.estimators.log_linear.conditional_logit`.

Penalized maximum likelihood. `fit` is for one true alternative, or several that share the label:
its loss is convex. `fit_independent` is for alternatives that may be true together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import block_diag

from houjuu.arrays import Bools, Floats, Int8s, Ints
from houjuu.estimators.log_linear.conditional_logit import CERTAIN, TermSet
from models import convex

_CHUNK = 2000  # unit: rows
_NEVER, _CAP_FROM = 1e-9, 0.9
_LOG_SCALE = float(np.log(1.5))
_HESSIAN_ROWS = 3000
"""Rows from which the Hessian is estimated."""


@dataclass(frozen=True)
class LogitSamples:
    """The samples that a conditional logit is fitted to.

    Attributes
    ----------
    features : (n, LENGTH) array
    prior, mask : (n, a) arrays
        As `ConditionalLogit.predict` takes them.
    label : (n, a) array
        Share of each alternative in the truth, 0 outside the mask; a row sums to 1. For
        `fit_independent`: 1 for every alternative that is true.
    weight : (n,) array
        Weight of the sample.
    """

    features: Int8s
    prior: Floats
    mask: Bools
    label: Floats
    weight: Floats


class _Alternatives:
    """All possible alternatives of all samples in one row, and their logits.

    Attributes
    ----------
    sample, alternative : (m,) arrays
    active : (k,) array
        Cells that occur; the weights of all others are 0.
    design : (m, k) sparse matrix
        1 in the active cells of the alternative.
    prior, label, weight : (m,) arrays
        The weights have mean 1 over the samples.
    """

    def __init__(self, terms: TermSet, samples: LogitSamples) -> None:
        index = np.nonzero(samples.mask)
        self.sample, self.alternative = index
        self._size = terms.size
        design = _design(terms, samples)
        self.active = np.unique(design.indices)
        self.design = design[:, self.active]
        self._transposed = self.design.T.tocsr()
        self.prior, self.label = samples.prior[index], samples.label[index]
        self.first = np.flatnonzero(np.diff(self.sample, prepend=-1))
        weight = samples.weight[self.sample].astype(np.float64)
        self.weight = weight * len(samples.weight) / samples.weight.sum()

    def logits(self, weights: Floats, prior_exponent: Floats | float = 1.0) -> Floats:
        """Logits, less the largest of the sample, (m,)."""
        logits = prior_exponent * self.prior + self.design @ weights
        logits -= np.maximum.reduceat(logits, self.first)[self.sample]
        return np.asarray(logits)

    def probabilities(self, logits: Floats) -> Floats:
        """Softmax of the logits over each sample, (m,)."""
        exp = np.exp(logits)
        return np.asarray(exp / self.sums(exp)[self.sample])

    def sums(self, values: Floats) -> Floats:
        """Sum over the alternatives of each sample, (n,)."""
        return np.asarray(np.add.reduceat(values, self.first))

    def by_weight(self, by_logit: Floats) -> Floats:
        """The gradient by weight, (k,), of a gradient by logit."""
        return np.asarray(self._transposed @ by_logit)

    def all_weights(self, weights: Floats) -> Floats:
        """Weights of the active cells as weights of all cells, (size,)."""
        all_weights = np.zeros(self._size)
        all_weights[self.active] = weights
        return all_weights

    def sampled(self, columns: sparse.csr_matrix | None = None) -> _Subset:
        """Every k-th sample, with further columns of the design."""
        step = max(len(self.first) // _HESSIAN_ROWS, 1)
        used = np.flatnonzero(self.sample % step == 0)
        design = self.design if columns is None else sparse.hstack([self.design, columns], "csr")
        _, sample = np.unique(self.sample[used], return_inverse=True)
        sums = sparse.csr_matrix((np.ones(len(used)), (sample, np.arange(len(used)))))
        return _Subset(used, design[used], sums, float(step))


class _Subset(NamedTuple):
    """Some of the samples, to estimate a Hessian from.

    Attributes
    ----------
    used : (m,) array
        Indices of their alternatives.
    design : (m, k) sparse matrix
    sums : (n, m) sparse matrix
        1 where an alternative belongs to a sample.
    step : float
        Number of samples that each one represents.
    """

    used: Ints
    design: sparse.csr_matrix
    sums: sparse.csr_matrix
    step: float

    def gram(self, weight: Floats, probability: Floats) -> Floats:
        """Σ weight · (x − x̄)(x − x̄)ᵀ, (k, k), x̄ being the mean of the sample by probability."""
        mean = (self.sums @ self.design.multiply(probability[:, None]).tocsr()).toarray()
        unit = self.step * weight
        weighted = self.design.multiply(unit[:, None]).tocsr()
        cross = mean.T @ (self.sums @ weighted).toarray()
        outer = mean.T @ ((self.sums @ unit)[:, None] * mean)
        return np.asarray((self.design.T @ weighted).toarray() - cross - cross.T + outer)


def fit(terms: TermSet, samples: LogitSamples, penalty: float) -> Floats:
    """The weights of the maximum of the penalized likelihood, (terms.size,).

    Parameters
    ----------
    terms : TermSet
    samples : LogitSamples
        Without any the weights are 0.
    penalty : float
        Half of it times the square of each weight is added to the loss, nats; positive.

    Raises
    ------
    Error
        The search has not converged.
    """
    if not len(samples.weight):
        return np.zeros(terms.size)
    table = _Alternatives(terms, samples)
    start = np.zeros(len(table.active))

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = table.logits(weights)
        exp = np.exp(logits)
        total = table.sums(exp)
        value = table.weight[table.first] @ np.log(total) - (table.weight * table.label) @ logits
        probability = exp / total[table.sample]
        gradient = table.by_weight(table.weight * (probability - table.label)) + penalty * weights
        return float(value + penalty / 2 * (weights @ weights)), gradient

    subset = table.sampled()

    def hessian(weights: Floats) -> Floats:
        probability = table.probabilities(table.logits(weights))[subset.used]
        gram = subset.gram(table.weight[subset.used] * probability, probability)
        return gram + penalty * np.eye(len(gram))

    probability = table.probabilities(table.logits(start))
    curvature = table.by_weight(table.weight * probability * (1 - probability)) + penalty
    return table.all_weights(convex.minimize_whitened(loss, hessian, start, curvature))


@dataclass(frozen=True)
class IndependentFit:
    """The result of `fit_independent`: the weights; scale and prior exponent of each group."""

    weights: Floats
    scale: Floats
    prior_exponent: Floats


def fit_independent(
    terms: TermSet, samples: LogitSamples, groups: Ints, single: Bools, penalty: float
) -> IndependentFit:
    """Fit to each alternative as a binary label of its own, for several may be true together.

    P(a) = scale · softmax_a(prior_exponent · prior + w · φ) for all alternatives but the last, with
    a scale and an exponent for each group. The likelihood is that of independent labels. The
    logarithms of scale and exponent have normal priors with standard deviation 1, around those of
    1.5 and 1. A group without rows keeps these.

    Parameters
    ----------
    terms, penalty
        As in `fit`.
    samples : LogitSamples
    groups : (n,) array
        Group of each sample, an index of `single`.
    single : (g,) array
        Groups in which only one alternative can be true: their scale is 1.

    Raises
    ------
    Error
        The search has not converged.
    """
    n_groups = len(single)
    start_scale = np.where(single, 0.0, _LOG_SCALE)
    if not len(samples.weight):
        return IndependentFit(np.zeros(terms.size), np.exp(start_scale), np.ones(n_groups))
    table = _Alternatives(terms, samples)
    size = len(table.active)
    parts = [size, size + n_groups]
    start = np.concatenate([np.zeros(size), np.zeros(n_groups), start_scale])
    group = groups[table.sample]
    is_win = table.alternative < terms.alternatives - 1
    label, prior = table.label * is_win, table.prior * is_win
    weight = table.weight * is_win

    def share_of(weights: Floats, exponent: Floats) -> Floats:
        logits = table.logits(weights, np.where(is_win, exponent[group], 1.0))
        return table.probabilities(logits)

    def loss(numbers: Floats) -> tuple[float, Floats]:
        weights, log_exponent, log_scale = np.split(numbers, parts)
        exponent, scale = np.exp(log_exponent), np.exp(log_scale)
        share = share_of(weights, exponent)
        predicted, slope = _capped(scale[group] * share)
        value = -weight @ np.where(label, np.log(predicted), np.log1p(-predicted))
        by_predicted = slope * weight * (predicted - label) / (predicted * (1 - predicted))
        by_share = scale[group] * by_predicted
        by_logit = share * (by_share - table.sums(share * by_share)[table.sample])
        gradient = [
            table.by_weight(by_logit),
            exponent * np.bincount(group, by_logit * prior, n_groups),
            scale * np.bincount(group, by_predicted * share, n_groups) * ~single,
        ]
        shift = numbers - start
        value += penalties / 2 @ shift**2
        return float(value), np.concatenate(gradient) + penalties * shift

    penalties = np.append(np.full(size, penalty), np.ones(2 * n_groups))
    rows = np.arange(len(group))
    subset = table.sampled(sparse.csr_matrix((prior, (rows, group)), (len(rows), n_groups)))

    def hessian(numbers: Floats) -> Floats:
        """The Fisher information of weights and exponents, and the diagonal of that of scale."""
        weights, log_exponent, log_scale = np.split(numbers, parts)
        exponent, scale = np.exp(log_exponent), np.exp(log_scale)
        share, of_group = share_of(weights, exponent)[subset.used], group[subset.used]
        predicted, _ = _capped(scale[of_group] * share)
        information = weight[subset.used] * predicted / (1 - predicted)
        of_scale = np.bincount(of_group, subset.step * information, n_groups) * ~single
        jacobian = np.append(np.ones(size), exponent)
        of_logits = jacobian[:, None] * subset.gram(information, share) * jacobian
        return np.asarray(block_diag(of_logits, np.diag(of_scale)) + np.diag(penalties))

    share = share_of(start[:size], np.ones(n_groups))
    by_group = np.tile(np.bincount(group, weight * share, n_groups), 2)
    curvature = np.append(table.by_weight(weight * share * (1 - share)), by_group) + penalties
    minimum = convex.minimize_whitened(loss, hessian, start, curvature)
    weights, log_exponent, log_scale = np.split(minimum, parts)
    return IndependentFit(table.all_weights(weights), np.exp(log_scale), np.exp(log_exponent))


def _capped(probability: Floats) -> tuple[Floats, Floats]:
    """A probability that approaches `CERTAIN` smoothly from `_CAP_FROM` on, and its derivative.

    The runtime has a hard limit, at whose kink a search would not converge.
    """
    room = CERTAIN - _CAP_FROM
    rest = np.exp(-np.maximum(probability - _CAP_FROM, 0.0) / room)
    capped = np.where(probability > _CAP_FROM, CERTAIN - room * rest, probability)
    return np.maximum(capped, _NEVER), np.where(capped > _NEVER, rest, 0.0)


def _design(terms: TermSet, samples: LogitSamples) -> sparse.csr_matrix:
    """A row for each possible alternative of each sample, 1 in its cells."""
    columns = np.concatenate(list(_cells(terms, samples)))
    ends = np.arange(0, columns.size + 1, columns.shape[1])
    ones = np.ones(columns.size)
    return sparse.csr_matrix((ones, columns.ravel(), ends), (len(columns), terms.size))


def _cells(terms: TermSet, samples: LogitSamples) -> Iterator[Ints]:
    for start in range(0, len(samples.features), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        yield terms.cells(samples.features[chunk])[samples.mask[chunk]].astype(np.int32)
