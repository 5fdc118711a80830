"""P(tenpai) of an opponent: Kurita & Hoki 2017, section 5.1.

P(T|u) = Σ over colours c of P(T|c,u) · P(c|u) (equation 3). Each factor is a logistic regression
with weights for every number of open melds f and of discards d (equations 5–7). A colour is one of
the three suits (the whole hand is of that suit and honours) or `houjuu.reading.table1.SEVERAL`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from houjuu.estimators.protocol import MAX_MELDS, TenpaiPrediction
from houjuu.reading.table1 import ColourFeatures, Table1Features
from houjuu.util.arrays import Floats, Ints, sigmoid
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import require_weights


@dataclass(frozen=True)
class PaperTenpaiModel:
    """The fitted regressions.

    Parameters
    ----------
    type1 : (s, 4, D + 1, 5) array
        Weights of equation 5 by suit, open melds 0–3 and discards 0–D; s is 3, or 1 where one
        regression serves all three suits. Discards above D count as D.
    type2 : (s, 4, D + 1, 3) array
        Weights of equation 6.
    type3 : (4, D + 1, 5) array
        Weights of equation 7.

    Raises
    ------
    ParameterError
        The shapes do not fit together, or a weight is not between -100 and 100.
    """

    type1: Floats
    type2: Floats
    type3: Floats

    def __post_init__(self) -> None:
        depth = self.type3.shape[1] if self.type3.ndim == 3 else 0
        suits = self.type1.shape[0] if self.type1.ndim == 4 else 0
        grid = (MAX_MELDS + 1, depth)
        shapes = (self.type1.shape, self.type2.shape, self.type3.shape)
        expected = ((suits, *grid, 5), (suits, *grid, 3), (*grid, 5))
        if shapes != expected or suits not in (1, 3) or not depth:
            raise ParameterError(f"the weights of the paper's tenpai model have shapes {shapes}")
        for weights in (self.type1, self.type2, self.type3):
            require_weights("the weights of the paper's tenpai model", weights)

    def predict(self, features: Table1Features) -> TenpaiPrediction:
        """P(T|u) and P(c|u) of n opponents that are not in riichi, equation 3."""
        colour = self.colours(features)
        joint = colour * self.tenpai_given_colour(features)
        return TenpaiPrediction(joint.sum(axis=1), colour, joint)

    def tenpai_given_colour(self, features: Table1Features) -> Floats:
        """P(T|c,u), (n, 4), equations 6 and 7; 1 with four melds."""
        f, d = self._cells(features)
        in_suits = _logistic(self._type2[f, d], features.type2)
        given = np.column_stack([in_suits, _logistic(self.type3[f, d], features.type3)])
        given[features.n_melds > MAX_MELDS] = 1.0
        return given

    def colours(self, features: ColourFeatures) -> Floats:
        """P(c|u), (n, 4), equation 5."""
        cells = self._cells(features)
        return with_several(_logistic(self._type1[cells], features.type1) * features.allowed)

    @cached_property
    def _type1(self) -> Floats:
        """`type1` by open melds, discards and suit."""
        return _by_suit(self.type1)

    @cached_property
    def _type2(self) -> Floats:
        return _by_suit(self.type2)

    def _cells(self, features: ColourFeatures) -> tuple[Ints, Ints]:
        """Open melds and discards, each capped at the largest that has its own regressions."""
        depth = self.type3.shape[1] - 1
        melds = features.n_open_melds
        discards = features.discards
        return np.minimum(melds, MAX_MELDS), np.minimum(discards, depth)


def _by_suit(weights: Floats) -> Floats:
    """Weights of one suit or of three, (s, f, d, w), as (f, d, 3, w)."""
    return np.moveaxis(np.broadcast_to(weights, (3, *weights.shape[1:])), 0, 2)


def _logistic(weights: Floats, features: Floats) -> Floats:
    """σ(w · (1, x)) over the last axis."""
    return sigmoid(weights[..., 0] + (weights[..., 1:] * features).sum(axis=-1))


def with_several(in_suit: Floats) -> Floats:
    """Append P(several), the rest to 1, as column `SEVERAL`, (n, 3) → (n, 4).

    The three regressions are independent: where they sum to more than 1, P(several) is 0 and they
    are scaled down to 1.
    """
    total = in_suit.sum(axis=1, keepdims=True)
    several = np.maximum(0.0, 1.0 - total)
    return np.asarray(np.concatenate([in_suit, several], axis=1) / np.maximum(total, 1.0))
