"""Maximum likelihood for choices among a few alternatives (`houjuu.player.round_end.logit`).

Newton's method over parts of the rows, with a quadratic penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from scipy.special import logsumexp

from houjuu.player.round_end.logit import Part, logits
from houjuu.util.arrays import Floats
from houjuu.util.attributions import softmax
from models.fitting import convex
from models.fitting.shards import Arrays, ArrayShards, sums

Design = Callable[[Arrays], Sequence[Part]]
"""Maps the arrays of some rows to the parts of the logits of their alternatives."""

CHOICE = "choice"
"""The array with the index of the alternative of each row; below 0 the row does not count."""

_CHUNK = 5_000


def fit(rows: ArrayShards, design: Design, n_weights: int, penalty: float) -> Floats:
    """The weights, (n_weights,).

    Parameters
    ----------
    rows : ArrayShards
        Arrays of one length in each part, `CHOICE` among them.
    design : callable
    n_weights : int
    penalty : float
        Half of it times the square of each weight is added to the log loss of all rows.
    """

    def derivatives(weights: Floats) -> tuple[Floats, Floats, Floats]:
        here = weights[0]
        value, gradient, hessian = sums(rows.map(partial(_derivatives, design, here)))
        return (
            np.array([value + penalty / 2 * here @ here]),
            (gradient + penalty * here)[None],
            (hessian + penalty * np.eye(n_weights))[None],
        )

    (weights,) = convex.newton(derivatives, np.zeros((1, n_weights)))
    return np.asarray(weights)


def _derivatives(design: Design, weights: Floats, arrays: Arrays) -> tuple[float, Floats, Floats]:
    """Log loss of the rows, its gradient and its second derivative."""
    value, n = 0.0, len(weights)
    gradient, hessian = np.zeros(n), np.zeros((n, n))
    for chunk in _chunks(arrays):
        parts, choice = design(chunk), chunk[CHOICE]
        of_rows = logits(parts, weights)
        value += float((logsumexp(of_rows, axis=1) - of_rows[np.arange(len(choice)), choice]).sum())
        counts = np.concatenate([part.counts for part in parts])
        odds = softmax(of_rows)
        expected = odds @ counts.T
        surplus = expected - counts[:, choice].T
        single = [(part.place, of_one) for part in parts for of_one in part.terms.swapaxes(0, 1)]
        for i, (place, terms) in enumerate(single):
            gradient[place] += surplus[:, i] @ terms
            for j, (other, of_other) in enumerate(single[: i + 1]):
                both = odds @ (counts[i] * counts[j]) - expected[:, i] * expected[:, j]
                block = (terms * both[:, None]).T @ of_other
                hessian[place, other] += block
                if j < i:
                    hessian[other, place] += block.T
    return value, gradient, hessian


def _chunks(arrays: Arrays) -> Iterator[Arrays]:
    """The rows that count, some at a time, so that their terms need little memory."""
    counts = np.flatnonzero(arrays[CHOICE] >= 0)
    for start in range(0, len(counts), _CHUNK):
        index = counts[start : start + _CHUNK]
        yield {name: array[index] for name, array in arrays.items()}
