"""Attributions: the parts of a probability, by feature group; they add up to it.

A probability is a function F of a sum of terms x. All terms grow together from 0 to their values,
and each term gets the change that it causes on the way (Aumann & Shapley 1974):

    part_i = x_i · ∫ ∂F/∂x_i(a x) da, a from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from houjuu.util.arrays import Bools, Floats, sigmoid

Attributions = dict[str, float]
"""Parts of a probability by name; they add up to it."""

Explainer = Callable[[int], Attributions]
"""Maps a kind to the parts of P(wins on the kind | tenpai)."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_FLAT = 1e-9
"""Terms whose sum is nearer to 0 than this are attributed by the slope there."""


def sigmoid_attributions(bias: float, terms: Floats) -> tuple[float, Floats]:
    """Attribute σ(bias + Σ terms).

    Parameters
    ----------
    bias : float
    terms : (f,) array

    Returns
    -------
    float and (f,) array
        σ(bias), and the part of every term.
    """
    total = float(terms.sum())
    base, whole = sigmoid(np.array([bias, bias + total])).tolist()
    slope = (whole - base) / total if abs(total) > _FLAT else base * (1 - base)
    return base, slope * terms


def softmax_attributions(
    logits: Floats, mask: Bools, terms: Floats, values: Floats
) -> tuple[Floats, Floats]:
    """Attribute Σ values · softmax(logits + Σ terms), of several rows of values at once.

    Parameters
    ----------
    logits : (a,) array
        Without the terms.
    mask : (a,) array
        The alternatives that are possible; at least one.
    terms : (a, f) array
    values : (k, a) array

    Returns
    -------
    (k,) and (k, f) array
        Σ values · softmax(logits), and the part of every term.
    """
    path = logits + (1 + _NODES[:, None]) / 2 * terms.sum(axis=1)
    probabilities = softmax(path, mask)
    weights = _WEIGHTS / 2
    means = values @ probabilities.T * weights
    gradient = values * (weights @ probabilities) - means @ probabilities
    return values @ softmax(logits, mask), gradient @ terms


def grouped(names: Iterable[str], parts: Floats) -> Attributions:
    """Sum the parts of terms that share a name, in the order of first occurrence."""
    attributions: Attributions = {}
    for name, part in zip(names, parts.tolist(), strict=True):
        attributions[name] = attributions.get(name, 0.0) + part
    return attributions


class Prepared:
    """An explainer that is prepared at the first question, for all kinds together.

    Parameters
    ----------
    prepare : callable
        Returns the explainer.
    """

    def __init__(self, prepare: Callable[[], Explainer]) -> None:
        self._prepare = prepare

    def __call__(self, kind: int) -> Attributions:
        """The parts of the probability of a kind."""
        return self._explainer(kind)

    @cached_property
    def _explainer(self) -> Explainer:
        return self._prepare()


def softmax(logits: Floats, mask: Bools | None = None) -> Floats:
    """Exp of the logits over their sum, (…, a), in 0–1; 0 where the mask is False."""
    allowed = logits if mask is None else np.where(mask, logits, -np.inf)
    weight = np.exp(allowed - allowed.max(axis=-1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=-1, keepdims=True))
