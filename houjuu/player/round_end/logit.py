"""Choices among a few alternatives: P(a) ∝ exp(logit of a), a conditional logit (McFadden 1974).

The logit of an alternative is a sum of parts. A part has terms and weights of its own, and belongs
to some of the alternatives. It may occur several times, such as once for each opponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from houjuu.util.arrays import Floats
from houjuu.util.attributions import softmax


class Part(NamedTuple):
    """A part of the logits of n choices, which occurs m times with the same weights.

    Attributes
    ----------
    place : slice
        Its weights.
    counts : (m, alternatives) array
        How often it counts in the logit of each alternative, usually 0 or 1.
    terms : (n, m, weights of the part) array
    """

    place: slice
    counts: Floats
    terms: Floats


def logits(parts: Sequence[Part], weights: Floats) -> Floats:
    """The logits of the alternatives, (n, alternatives).

    Parameters
    ----------
    parts : sequence of Part
        At least one.
    weights : (weights,) array
    """
    values = np.concatenate([part.terms @ weights[part.place] for part in parts], axis=1)
    return np.asarray(values @ np.concatenate([part.counts for part in parts]))


def probabilities(parts: Sequence[Part], weights: Floats) -> Floats:
    """P(alternative), (n, alternatives); parameters as in `logits`."""
    return softmax(logits(parts, weights))


def places(names: Sequence[Sequence[str]]) -> list[slice]:
    """The places of the weights of some blocks, one after the other, by the names of the terms."""
    ends = np.cumsum([len(block) for block in names]).tolist()
    return [slice(end - len(block), end) for block, end in zip(names, ends, strict=True)]


def by_alternative(terms: Floats, alternatives: int) -> list[Part]:
    """A part for each alternative, all with the same terms and each with its own weights.

    The weights are those of a (alternatives, terms) array, row by row.
    """
    n, of_all = terms.shape[1], np.eye(alternatives)[:, None]
    places = (slice(a * n, (a + 1) * n) for a in range(alternatives))
    return [
        Part(place, counts, terms[:, None]) for place, counts in zip(places, of_all, strict=True)
    ]


def either(terms: Floats) -> list[Part]:
    """The second of two alternatives: logistic regression."""
    return [Part(slice(0, terms.shape[1]), np.array([[0.0, 1.0]]), terms[:, None])]
