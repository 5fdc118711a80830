"""From counts to the wait model of Kurita & Hoki 2017, section 5.3, equations 24–33.

The wait given the discards before the riichi is naive Bayes, (30)–(33): the prior of each wait
times the frequencies of the conditions that the river fulfils, which count as independent.

The choices that the paper leaves open are parameters here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator

from features.paper_wait_counts import WaitCounts, frequencies
from houjuu.estimators.kurita_hoki.riichi_waits import RiichiWaitModel
from houjuu.game.tiles import HONOURS, IS_YAOCHU, KINDS
from houjuu.hands.wait_types import FORM, FORMS, RYANMEN, WAIT_SUIT
from houjuu.util.arrays import Floats, Ints

_SUIT_WAITS = [np.flatnonzero(suit == WAIT_SUIT) for suit in range(HONOURS)]


@dataclass(eq=False, repr=False)
class WaitFrequencies(BaseEstimator):  # type: ignore[misc]
    """The frequencies of waits, forms and scores.

    Parameters
    ----------
    share_suits : bool, default=True
        The three suits share their counts: they have the same rules.
    smoothing : float, default=5.0
        Riichi with the overall frequencies of waits that are added to the counts of every
        condition: no count of 0 excludes a wait, and rare conditions have little effect.
    smoothing_live : float, default=20.0
        Decisions with the overall share of ryanmen waits that are added to the counts of every
        number of live suji.

    Attributes
    ----------
    model_ : RiichiWaitModel
    """

    share_suits: bool = True
    smoothing: float = 5.0
    smoothing_live: float = 20.0

    def fit(self, counts: WaitCounts) -> Self:
        """Turn counts into frequencies."""
        forms = counts.form.astype(float)
        prior = self._prior(counts)
        rest = max(float(counts.riichi - counts.form[RYANMEN]), 1.0)
        self.model_ = RiichiWaitModel(
            ryanmen=self._ryanmen(counts),
            others=np.minimum(forms[RYANMEN + 1 :] / rest, 1.0),  # of few wins it may be more
            prior=prior,
            given=self._given(counts, prior),
            floor=floor_rates(counts.no_wait_wins, float(counts.riichi)),
            han=frequencies(counts.han),
            fu=frequencies(counts.fu),
        )
        return self

    def to_runtime(self) -> RiichiWaitModel:
        """The frequencies as the runtime loads them."""
        return self.model_

    def _ryanmen(self, counts: WaitCounts) -> Floats:
        """P(Ryanmen|u) by live suji, (19,), equation 26; 0 without a live suji."""
        share = counts.live_suji_ryanmen.sum() / max(counts.live_suji.sum(), 1)
        ryanmen = counts.live_suji_ryanmen + self.smoothing_live * share
        ryanmen = ryanmen / np.maximum(counts.live_suji + self.smoothing_live, 1e-300)
        ryanmen[0] = 0.0
        return np.asarray(ryanmen)

    def _prior(self, counts: WaitCounts) -> Floats:
        """P(m|k), equation 31, with one more riichi for every wait."""
        with_wait = self._shared(counts.wait.astype(float) + 1.0)
        with_form = counts.form + np.bincount(FORM, minlength=FORMS)
        return np.asarray(with_wait / with_form[FORM])

    def _given(self, counts: WaitCounts, prior: Floats) -> Floats:
        """P(m|k,y) / P(m|k), equation 32 over 31, smoothed towards 1."""
        both = self._shared(counts.wait_given.astype(float))
        form = counts.form_given.astype(float)
        if self.share_suits:
            form = np.broadcast_to(form.mean(axis=1, keepdims=True), form.shape)
        given = np.ones(both.shape)
        for suit, waits in enumerate(_SUIT_WAITS):
            overall = prior[waits, None]
            numerator = both[waits] + self.smoothing * overall
            given[waits] = numerator / (form[FORM[waits], suit] + self.smoothing) / overall
        return given

    def _shared(self, numbers: Floats) -> Floats:
        """The mean over the suits, where they share; the waits of a suit keep their order."""
        if not self.share_suits:
            return numbers
        shared = numbers.copy()
        mean = np.mean([numbers[waits] for waits in _SUIT_WAITS], axis=0)
        for waits in _SUIT_WAITS:
            shared[waits] = mean
        return shared


def floor_rates(wins: Ints, hands: float) -> Floats:
    """Rate of wins by kind, (34,), pooled over terminals and honours, and over simples.

    Half a win is added to either group, which keeps the rate of the simples positive.
    """
    yaochu = np.array(IS_YAOCHU)
    floor = np.empty(KINDS)
    for group in (yaochu, ~yaochu):
        floor[group] = (wins[group].sum() + 0.5) / (group.sum() * (hands + 1.0))
    return floor
