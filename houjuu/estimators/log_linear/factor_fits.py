"""How the factors of a room fit rows of its games.

A penalty pulls them to other factors. Its strength is the one with the lowest loss on kept games:
each tenth of the games judges the fit to the others. Factors that gain less there than their
standard error stay.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS
from houjuu.util.arrays import Bools, Floats, Ints, sigmoid
from houjuu.util.game_hashes import Hashes
from houjuu.util.intervals import clustered_mean

PULLS = (1000.0, 100.0, 10.0)
"""Strengths of the penalty: so many rows speak for the factors of the model."""
_FOLDS = 10
_STEPS = 30  # of Newton's method, at most
_STEP = 1e-9  # the last one


class Rows(Protocol):
    """Rows of a part, and how its factors fit them."""

    @property
    def game(self) -> Hashes:
        """A hash of the game of each row, (m,)."""
        ...

    def fit(self, chosen: Bools, prior: Floats, pull: float) -> Floats:
        """Factors of some rows, pulled to those of `prior`."""
        ...

    def losses(self, factors: Floats) -> Floats:
        """The log loss of each row, nats, (m,)."""
        ...


class TenpaiRows(NamedTuple):
    """Opponents without riichi.

    Attributes
    ----------
    terms : (m, k) array
        Of the logit. Those of a room: the terms of the GAM and of the network, 1, and whether the
        last discard faced a riichi.
    melds : (m,) array
        Open melds, 0–3.
    label : (m,) array
        Whether the opponent is tenpai.
    game : (m,) array
        A hash of the game.
    """

    terms: Floats
    melds: Ints
    label: Bools
    game: Hashes

    def fit(self, chosen: Bools, prior: Floats, pull: float) -> Floats:
        """`RoomFactors.tenpai` of a room; see `Rows.fit`."""
        return np.array(
            [self._line(chosen & (self.melds == f), prior[f], pull) for f in range(MELD_GROUPS)]
        )

    def _line(self, chosen: Bools, prior: Floats, pull: float) -> Floats:
        terms, label = self.terms[chosen], self.label[chosen]
        factors, penalty = prior.copy(), pull * np.eye(len(prior))
        for _ in range(_STEPS):
            predicted = sigmoid(terms @ factors)
            gradient = terms.T @ (predicted - label) + penalty @ (factors - prior)
            weighted = terms * (predicted * (1 - predicted))[:, None]
            step = np.linalg.solve(weighted.T @ terms + penalty, gradient)
            factors = factors - step / max(abs(step).max(), 1.0)  # rare outcomes overshoot
            if abs(step).max() < _STEP:
                break
        return factors

    def losses(self, factors: Floats) -> Floats:
        """See `Rows.losses`."""
        logits = (factors[self.melds] * self.terms).sum(axis=1)
        return np.asarray(np.logaddexp(0.0, logits) - self.label * logits)


class Gain(NamedTuple):
    """The log loss that factors take off a row of games that they have not seen.

    `half` is half of its 95% interval. The `pull` is None where the factors stay as they were.
    """

    gain: float
    half: float
    pull: float | None


def fitted(rows: Rows, prior: Floats) -> tuple[Floats, Gain]:
    """The factors of the rows, and what they gain."""
    best, chosen = Gain(0.0, float("nan"), None), prior
    fold = (rows.game >> np.uint64(32)) % np.uint64(_FOLDS)
    before = rows.losses(prior)
    for pull in PULLS if len(np.unique(fold)) > 1 else ():
        after = before.copy()
        for kept in (fold == number for number in np.unique(fold)):
            after[kept] = rows.losses(rows.fit(~kept, prior, pull))[kept]
        gain = Gain(*clustered_mean(before - after, rows.game), pull)
        if gain.gain > max(best.gain, gain.half / 2):  # about a standard error
            best, chosen = gain, rows.fit(np.ones(len(before), bool), prior, pull)
    return chosen, best
