"""Choices among a few alternatives: P(a) ∝ exp(logit of a), a conditional logit (McFadden 1974).

The logit of an alternative is a sum of blocks. A block has terms and weights of its own, and
belongs to some of the alternatives. It may occur several times, such as once for each opponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from houjuu.util.arrays import Floats
from houjuu.util.attributions import softmax


class Block(NamedTuple):
    """A block of the logits of n choices, which occurs m times with the same weights.

    Attributes
    ----------
    place : slice
        Its weights.
    counts : (m, alternatives) array
        How often it counts in the logit of each alternative, usually 0 or 1.
    terms : (n, m, weights of the block) array
    """

    place: slice
    counts: Floats
    terms: Floats


def logits(blocks: Sequence[Block], weights: Floats) -> Floats:
    """The logits of the alternatives, (n, alternatives).

    Parameters
    ----------
    blocks : sequence of Block
        At least one.
    weights : (weights,) array
    """
    values = np.concatenate([block.terms @ weights[block.place] for block in blocks], axis=1)
    return np.asarray(values @ np.concatenate([block.counts for block in blocks]))


def probabilities(blocks: Sequence[Block], weights: Floats) -> Floats:
    """P(alternative), (n, alternatives); parameters as in `logits`."""
    return softmax(logits(blocks, weights))


def places(names: Sequence[Sequence[str]]) -> list[slice]:
    """The places of the weights of some blocks, one after the other, by the names of the terms."""
    ends = np.cumsum([len(block) for block in names]).tolist()
    return [slice(end - len(block), end) for block, end in zip(names, ends, strict=True)]
