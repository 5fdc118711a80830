"""Fitting the conditional logits of `houjuu.estimators.log_linear.conditional_logit`.

Penalized maximum likelihood on samples in shards. `fit` is for one true alternative, or several
that share the label: its loss is convex. `fit_independent` is for alternatives that may be true
together. No library has either: scikit-learn's regressions have neither alternatives with shared
weights nor a mask of the possible ones, and take all rows as one matrix, which would have some
hundred columns for each of a hundred alternatives of millions of samples.

Two samples through the steps. There are two alternatives and one feature of two values, so that a
weight belongs to each alternative and value: 0 and 1 to the first alternative, 2 and 3 to the
second. The second sample has one possible alternative:

>>> from houjuu.estimators.log_linear.conditional_logit import LookupTerm
>>> from houjuu.reading.shared_features import FeatureSpec
>>> from houjuu.reading.wait_features import FeatureLayout
>>> from models.fitting.shards import ArrayList
>>> layout = FeatureLayout(([FeatureSpec("riichi", 2, "")], 1))
>>> term = LookupTerm("riichi", np.array([0, 1]), [("riichi", np.array([0, 0]))])
>>> terms = TermSet([term], layout)
>>> samples = LogitSamples(
...     features=np.array([[1], [0]], np.int8),
...     prior=np.zeros((2, 2)),
...     mask=np.array([[True, True], [True, False]]),
...     label=np.array([[0.0, 1.0], [1.0, 0.0]]),
...     weight=np.ones(2),
... )

`compact` puts the three possible alternatives in one row, each with a code for its look-ups
(`models.fitting.lookups`):

>>> arrays = compact(terms, samples)
>>> arrays["codes"].tolist(), arrays["n_alternatives"].tolist()
([[1, 3, 0]], [2, 1])

A fit has the weights that occur, here 0, 1 and 3, and one more for all others:

>>> problem = _Problem.from_shards(terms, ArrayList([arrays]))
>>> problem.used.tolist()
[0, 1, 3]

With weights of 0 both alternatives of the first sample have P = 1/2: the loss is log 2. The
gradient by logit is P less the label, and its sums by weight come from the codes:

>>> loss, gradient = _loss(problem, np.zeros(4), arrays)
>>> round(loss, 4), gradient.tolist()
(0.6931, [0.0, 0.5, -0.5, 0.0])

The search (`models.fitting.convex`) needs a rough Hessian besides. A sample of the rows gives it
(`_HessianSample`), and all rows give the diagonal of weights that are too rare for the sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg.blas import dsyrk

from houjuu.estimators.log_linear.conditional_logit import CERTAIN, TermSet
from houjuu.util.arrays import Bools, Floats, Int8s, Ints
from models.fitting import convex
from models.fitting.lookups import (
    CodeBlock,
    Codes,
    Lookups,
    add_by_code,
    grouped,
    looked_up,
    packed,
)
from models.fitting.shards import Arrays, ArrayShards, Part, sums

_CHUNK = 1000  # unit: samples
_NEVER = 1e-9
_CAP_FROM = 0.9
_LOG_SCALE = float(np.log(1.5))
_HESSIAN_SIZE = 16_000_000
"""Samples from which the Hessian is estimated, times weights: 128 MB."""


@dataclass(frozen=True)
class LogitSamples:
    """Samples that a conditional logit is fitted to.

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
    group : (n,) array, optional
        Group of each sample, for `fit_independent`.
    """

    features: Int8s
    prior: Floats
    mask: Bools
    label: Floats
    weight: Floats
    group: Ints | None = None


def compact(terms: TermSet, samples: LogitSamples) -> Arrays:
    """The samples of a shard as arrays, with the possible alternatives of all samples in one row.

    Returns
    -------
    dict
        codes, (blocks, m): the code of every alternative, with its class; prior, label and is_win
        (all alternatives but the last), (m,); n_alternatives, weight and group, (n,).
    """
    alternative = np.nonzero(samples.mask)[1]
    starts = range(0, len(samples.mask), _CHUNK)
    chunks = [_codes(terms, samples, slice(start, start + _CHUNK)) for start in starts]
    group = samples.group
    if group is None:
        group = np.zeros(len(samples.weight), np.int64)
    no_codes = np.empty((len(_layout(terms)), 0), np.uint8)
    return {
        "codes": np.hstack(chunks or [no_codes]),
        "prior": samples.prior[samples.mask],
        "label": samples.label[samples.mask],
        "is_win": alternative < terms.alternatives - 1,
        "n_alternatives": samples.mask.sum(axis=1),
        "weight": samples.weight.astype(np.float64),
        "group": group,
    }


def _codes(terms: TermSet, samples: LogitSamples, chunk: slice) -> npt.NDArray[Any]:
    mask = samples.mask[chunk]
    alternative = np.nonzero(mask)[1]
    return codes_of_cells(terms, alternative, terms.cells(samples.features[chunk])[mask])


def codes_of_cells(terms: TermSet, alternative: Ints, cells: Ints) -> npt.NDArray[Any]:
    """The code of m rows for each block, (blocks, m).

    Parameters
    ----------
    terms : TermSet
    alternative : (m,) array
        An alternative of the terms, which gives a row its class.
    cells : (m, f) array
        Index of the weight of every term.
    """
    values = (cells - terms.first[alternative]).T
    classes, first = _classes(terms)
    codes = []
    for block in _layout(terms):
        digits = [classes[alternative], *values[block]]
        sizes = [len(first), *terms.n_values[block]]
        codes.append(packed(digits, sizes))
    return np.stack(codes)


def _classes(terms: TermSet) -> tuple[Ints, Ints]:
    """Class of every alternative, (a,), and the cells of value 0 of each class, (c, f)."""
    first, class_ = np.unique(terms.first, axis=0, return_inverse=True)
    return class_.ravel(), first


def _layout(terms: TermSet) -> list[slice]:
    """The terms of every block."""
    return grouped(terms.n_values, len(_classes(terms)[1]))


def _lookups(terms: TermSet) -> Lookups:
    """The blocks of `compact`."""
    _, first = _classes(terms)
    blocks = []
    for block in _layout(terms):
        sizes = terms.n_values[block]
        blocks.append(CodeBlock.side_by_side(first[:, block], sizes))
    return Lookups(blocks, terms.size)


@dataclass(frozen=True)
class _Problem:
    """All that a pass needs to know of a fit.

    Attributes
    ----------
    lookups : Lookups
        Of the cells that occur; the last weight stands for all others.
    used : (k,) array
        These cells.
    n_samples : int
    scale : float
        Factor on the weights of the samples, whose mean is then 1.
    """

    lookups: Lookups
    used: Ints
    n_samples: int
    scale: float

    @classmethod
    def from_shards(cls, terms: TermSet, shards: ArrayShards) -> _Problem:
        lookups = _lookups(terms)
        n_samples, weight, n_rows = sums(shards.map(partial(_totals, lookups)))
        used = np.flatnonzero(n_rows)
        scale = float(n_samples / weight) if n_samples else 1.0
        return cls(
            lookups=lookups.restricted(used),
            used=used,
            n_samples=int(n_samples),
            scale=scale,
        )

    def all_weights(self, weights: Floats, centre: Floats) -> Floats:
        """The weights of all cells; those that do not occur have that of the centre."""
        all_weights = centre.copy()
        all_weights[self.used] = weights[:-1]
        return all_weights

    def start(self, centre: Floats) -> Floats:
        """The weights of a fit at the centre of its penalty."""
        return np.append(centre[self.used], 0.0)


def _totals(lookups: Lookups, arrays: Arrays) -> tuple[int, float, Floats]:
    """Number of samples, their weight, and number of alternatives by cell."""
    weight = arrays["weight"]
    ones = np.ones(len(arrays["prior"]))
    n_alternatives = _by_weight(lookups, arrays["codes"], ones)
    return len(weight), float(weight.sum()), n_alternatives


def _by_weight(lookups: Lookups, codes: Codes, by_row: Floats) -> Floats:
    """Sums over alternatives by weight, (size,)."""
    by_code = [np.zeros(prod(block.shape)) for block in lookups.blocks]
    add_by_code(by_code, codes, by_row)
    return lookups.by_weight(by_code)


class _Alternatives:
    """The possible alternatives of all samples of a shard in one row, and their logits.

    Attributes
    ----------
    codes : (blocks, m) array
    sample : (m,) array
        Number of the sample.
    first : (n,) array
        First alternative of each sample.
    prior, label, is_win, weight, group : (m,) arrays
    """

    def __init__(self, problem: _Problem, arrays: Arrays) -> None:
        self._lookups = problem.lookups
        self.codes = arrays["codes"]
        self.prior = arrays["prior"]
        self.label = arrays["label"]
        self.is_win = arrays["is_win"]
        count = arrays["n_alternatives"]
        self.sample = np.repeat(np.arange(len(count)), count)
        self.first = np.cumsum(count) - count
        self.weight = (arrays["weight"] * problem.scale)[self.sample]
        self.group = arrays["group"][self.sample]

    def logits(self, weights: Floats, prior_exponent: Floats | float = 1.0) -> Floats:
        """Logits, less the largest of the sample, (m,)."""
        tables = [table.ravel() for table in self._lookups.tables(weights)]
        logits = looked_up(tables, self.codes) + prior_exponent * self.prior
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
        return _by_weight(self._lookups, self.codes, by_logit)


class _HessianSample(_Alternatives):
    """Some samples of every shard, to estimate a Hessian from.

    Attributes
    ----------
    step : float
        Number of samples that each one represents.
    """

    def __init__(self, problem: _Problem, shards: ArrayShards) -> None:
        stride = max(problem.n_samples * problem.lookups.size // _HESSIAN_SIZE, 1)
        samples = list(shards.map(partial(_every, stride)))
        joined = {}
        for name in samples[0]:
            arrays = [shard[name] for shard in samples]
            joined[name] = np.concatenate(arrays, axis=-1)
        super().__init__(problem, joined)
        self.step = problem.n_samples / len(self.first)
        codes = [block_codes.astype(np.int64) for block_codes in self.codes]
        self._values = problem.lookups.values(codes)

    def gram(self, weight: Floats, probability: Floats | None = None) -> Floats:
        """The lower triangle of Σ weight · (x − x̄)(x − x̄)ᵀ, x̄ being the mean of the sample.

        Parameters
        ----------
        weight : (m,) array
        probability : (m,) array, default=weight
            Weights of the mean.
        """
        unit = self.step * weight
        gram = self._lookups.gram(self._values, unit)
        total = np.maximum(self.sums(unit), _NEVER)
        root = np.sqrt(total)[:, None]
        weighted = self._lookups.by_group(self._values, self.sample, unit)
        centre = weighted / root
        _add_outer(gram, -1.0, centre)
        if probability is not None:
            mean = self._lookups.by_group(self._values, self.sample, probability)
            _add_outer(gram, 1.0, root * mean - centre)
        return gram

    def cross(self, weight: Floats, probability: Floats, others: Floats) -> Floats:
        """Σ weight · other · (x − x̄) for other inputs, (m, o) → (o, k); as `gram`."""
        mean = self._lookups.by_group(self._values, self.sample, probability)
        rows = []
        for other in others.T:
            unit = self.step * weight * other
            rows.append(self.by_weight(unit) - self.sums(unit) @ mean)
        return np.array(rows)


def _add_outer(gram: Floats, factor: float, rows: Floats) -> None:
    """Add a factor times rowsᵀ rows to the lower triangle of a matrix in Fortran's order."""
    dsyrk(factor, rows.T, 1.0, gram, lower=1, overwrite_c=1)


def _every(stride: int, arrays: Arrays) -> Arrays:
    """Every n-th sample of a shard, with all its alternatives."""
    count = arrays["n_alternatives"]
    is_used = np.arange(len(count)) % stride == 0
    by_alternative = np.repeat(is_used, count)
    thinned = {}
    for name, array in arrays.items():
        if name in ("n_alternatives", "weight", "group"):
            thinned[name] = array[is_used]
        else:
            thinned[name] = array[..., by_alternative]
    return thinned


def fit(
    terms: TermSet, shards: ArrayShards, penalty: float, centre: Floats | None = None
) -> Floats:
    """The weights of the maximum of the penalized likelihood, (terms.size,).

    Parameters
    ----------
    terms : TermSet
    shards : ArrayShards
        Results of `compact`. Without any sample the weights are those of the centre.
    penalty : float
        L2 penalty on the distance of the weights to the centre, nats; positive. The weights of the
        samples are scaled to the mean 1.
    centre : (terms.size,) array, default=0

    Raises
    ------
    Error
        The search has not converged.
    """
    centre = np.zeros(terms.size) if centre is None else centre
    problem = _Problem.from_shards(terms, shards)
    if not problem.n_samples:
        return centre
    sample = _HessianSample(problem, shards)
    start = problem.start(centre)

    def loss(part: Part, weights: Floats) -> tuple[float, Floats]:
        value, gradient = part.sums(partial(_loss, problem, weights))
        shift = weights - start
        value += penalty / 2 * (shift @ shift)
        return float(value), gradient + penalty * shift

    def hessian(part: Part, weights: Floats) -> Floats:
        probability = sample.probabilities(sample.logits(weights))
        gram = sample.gram(sample.weight * probability)
        (exact,) = part.sums(partial(_curvature, problem, weights))
        estimate = sample.step * _row_curvature(sample, probability)
        rare = np.maximum(exact - estimate, 0.0)
        diagonal = np.diag_indices_from(gram)
        gram[diagonal] += rare + penalty
        return gram

    weights = convex.minimize_whitened(shards, loss, hessian, start)
    return problem.all_weights(weights, centre)


def _loss(problem: _Problem, weights: Floats, arrays: Arrays) -> tuple[float, Floats]:
    """The loss of a shard without the penalty, and its gradient."""
    rows = _Alternatives(problem, arrays)
    logits = rows.logits(weights)
    exp = np.exp(logits)
    total = rows.sums(exp)
    sample_weight = rows.weight[rows.first]
    value = np.sum(sample_weight * np.log(total))
    value -= np.sum(rows.weight * rows.label * logits)
    probability = exp / total[rows.sample]
    by_logit = rows.weight * (probability - rows.label)
    return float(value), rows.by_weight(by_logit)


def _curvature(problem: _Problem, weights: Floats, arrays: Arrays) -> tuple[Floats]:
    """`_row_curvature` of a shard."""
    rows = _Alternatives(problem, arrays)
    probability = rows.probabilities(rows.logits(weights))
    return (_row_curvature(rows, probability),)


def _row_curvature(rows: _Alternatives, probability: Floats) -> Floats:
    """The diagonal of the Hessian if no two alternatives of a sample shared a cell, (k,).

    All samples have it, and a sample of them: the difference is that of the cells too rare for it.
    """
    return rows.by_weight(rows.weight * probability * (1 - probability))


@dataclass(frozen=True)
class IndependentFit:
    """The result of `fit_independent`: the weights; scale and prior exponent of each group."""

    weights: Floats
    scale: Floats
    prior_exponent: Floats


def fit_independent(
    terms: TermSet,
    shards: ArrayShards,
    single: Bools,
    penalty: float,
    centre: IndependentFit | None = None,
) -> IndependentFit:
    """Fit to each alternative as a binary label of its own, for several may be true together.

    P(a) = scale · softmax_a(prior_exponent · prior + w · φ) for all alternatives but the last, with
    a scale and an exponent for each group. The likelihood is that of independent labels. The
    logarithms of scale and exponent have normal priors with standard deviation 1, around those of
    1.5 and 1. A group without samples keeps these. With a centre they have the penalty of the
    weights, around those of the centre.

    Parameters
    ----------
    terms, shards, penalty
        As in `fit`.
    single : (g,) array
        Groups in which only one alternative can be true: their scale is 1.
    centre : IndependentFit, optional
        Where the penalty pulls; default: weights of 0, and the scales and exponents above.

    Raises
    ------
    Error
        The search has not converged.
    """
    n_groups = len(single)
    log_penalty = 1.0 if centre is None else penalty
    if centre is None:
        scales = np.exp(np.where(single, 0.0, _LOG_SCALE))
        centre = IndependentFit(np.zeros(terms.size), scales, np.ones(n_groups))
    problem = _Problem.from_shards(terms, shards)
    if not problem.n_samples:
        return centre
    sample = _HessianSample(problem, shards)
    size = problem.lookups.size
    logarithms = [np.log(centre.prior_exponent), np.log(centre.scale)]
    start = np.concatenate([problem.start(centre.weights), *logarithms])
    # A normal prior of the logarithms with the standard deviation 1 is a penalty of 1.
    prior_penalties = np.full(2 * n_groups, log_penalty)
    penalties = np.append(np.full(size, penalty), prior_penalties)
    is_free = np.append(np.ones(size + n_groups), ~single)

    def split(numbers: Floats) -> tuple[Floats, Floats, Floats]:
        weights, log_exponent, log_scale = np.split(numbers, [size, size + n_groups])
        return weights, np.exp(log_exponent), np.exp(log_scale)

    def loss(part: Part, numbers: Floats) -> tuple[float, Floats]:
        value, gradient = part.sums(partial(_independent_loss, problem, *split(numbers)))
        shift = numbers - start
        value += penalties / 2 @ shift**2
        return float(value), is_free * gradient + penalties * shift

    def hessian(part: Part, numbers: Floats) -> Floats:
        """The Fisher information, with the penalties."""
        weights, exponent, scale = split(numbers)
        share = _shares(sample, weights, exponent)
        information = _information(sample, share, scale)
        (exact,) = part.sums(partial(_independent_curvature, problem, *split(numbers)))
        estimate = sample.step * sample.by_weight(information)
        rare = np.maximum(exact - estimate, 0.0)
        # The logit changes by the centred prior for each unit of the exponent's logarithm, and the
        # logarithm of the probability by 1 for each unit of the scale's.
        mean_prior = _means(sample, share, sample.prior)
        by_exponent = exponent[sample.group] * (sample.prior - mean_prior)
        in_group = sample.group[:, None] == np.arange(n_groups)
        others = np.hstack([in_group * by_exponent[:, None], in_group])
        others = is_free[size:] * others
        hessian = np.zeros((len(start), len(start)), order="F")
        hessian[:size, :size] = sample.gram(information, share)
        hessian[size:, :size] = sample.cross(information, share, others)
        unit = sample.step * information[:, None]
        hessian[size:, size:] = others.T @ (unit * others)
        diagonal = np.diag_indices_from(hessian)
        hessian[diagonal] += penalties
        hessian[np.diag_indices(size)] += rare
        return hessian

    numbers = convex.minimize_whitened(shards, loss, hessian, start)
    used_weights, exponent, scale = split(numbers)
    weights = problem.all_weights(used_weights, centre.weights)
    return IndependentFit(weights, scale, exponent)


def _shares(rows: _Alternatives, weights: Floats, exponent: Floats) -> Floats:
    """P(alternative) before the scale, (m,)."""
    prior_exponent = np.where(rows.is_win, exponent[rows.group], 1.0)
    logits = rows.logits(weights, prior_exponent)
    return rows.probabilities(logits)


def _information(rows: _Alternatives, share: Floats, scale: Floats) -> Floats:
    """The Fisher information of the logarithm of each probability, (m,)."""
    predicted, _ = _capped(scale[rows.group] * share)
    weight = rows.is_win * rows.weight
    return np.asarray(weight * predicted / (1 - predicted))


def _independent_curvature(
    problem: _Problem, weights: Floats, exponent: Floats, scale: Floats, arrays: Arrays
) -> tuple[Floats]:
    """Information by weight, as `_curvature`."""
    rows = _Alternatives(problem, arrays)
    share = _shares(rows, weights, exponent)
    information = _information(rows, share, scale)
    return (rows.by_weight(information),)


def _means(rows: _Alternatives, share: Floats, values: Floats) -> Floats:
    """The mean of the sample of each alternative, (m,)."""
    return np.asarray(rows.sums(share * values)[rows.sample])


def _independent_loss(
    problem: _Problem, weights: Floats, exponent: Floats, scale: Floats, arrays: Arrays
) -> tuple[float, Floats]:
    """The loss of a shard without priors, and its gradient by weights and both logarithms."""
    rows = _Alternatives(problem, arrays)
    n_groups = len(scale)
    share = _shares(rows, weights, exponent)
    predicted, slope = _capped(scale[rows.group] * share)
    weight = rows.weight * rows.is_win
    label = rows.label > 0
    log_likelihood = np.where(label, np.log(predicted), np.log1p(-predicted))
    value = -np.sum(weight * log_likelihood)
    variance = predicted * (1 - predicted)
    by_predicted = slope * weight * (predicted - label) / variance
    by_share = scale[rows.group] * by_predicted
    by_logit = share * (by_share - _means(rows, share, by_share))
    by_exponent = by_logit * rows.prior * rows.is_win
    by_scale = by_predicted * share
    gradient = [
        rows.by_weight(by_logit),
        exponent * np.bincount(rows.group, by_exponent, n_groups),
        scale * np.bincount(rows.group, by_scale, n_groups),
    ]
    return float(value), np.concatenate(gradient)


def _capped(probability: Floats) -> tuple[Floats, Floats]:
    """A probability that approaches `CERTAIN` smoothly from `_CAP_FROM` on, and its derivative.

    The runtime has a hard limit, at whose kink a search would not converge.
    """
    room = CERTAIN - _CAP_FROM
    excess = np.maximum(probability - _CAP_FROM, 0.0)
    slope = np.exp(-excess / room)
    capped = np.where(probability > _CAP_FROM, CERTAIN - room * slope, probability)
    is_possible = capped > _NEVER
    return np.maximum(capped, _NEVER), np.where(is_possible, slope, 0.0)
