"""From counts to the wait model of Kurita & Hoki 2017, section 5.3, equations 24–33.

What the paper leaves open is a parameter here.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from features.waits import WaitCounts
from houjuu.tiles import HONOURS, IS_YAOCHU
from houjuu.waits import FORM, FORMS, RYANMEN, WAIT_SUIT, WaitModel

Array = npt.NDArray[Any]
_OF_SUIT = [np.flatnonzero(suit == WAIT_SUIT) for suit in range(HONOURS)]


class WaitFrequencies(BaseEstimator):  # type: ignore[misc]
    """The frequencies of waits, forms and scores.

    Parameters
    ----------
    share_suits : bool, default=True
        The three suits, which obey the same rules, share their counts.
    smoothing : float, default=20.0
        Riichi that every condition is given besides those counted, with the waits as they are
        without it: no count of 0 rules a wait out, and rare conditions say little.
    smoothing_live : float, default=20.0
        Decisions that every number of live suji is given besides those counted, with the overall
        share of two-sided waits.

    Attributes
    ----------
    model_ : WaitModel
    """

    def __init__(
        self, share_suits: bool = True, smoothing: float = 20.0, smoothing_live: float = 20.0
    ) -> None:
        self.share_suits = share_suits
        self.smoothing = smoothing
        self.smoothing_live = smoothing_live

    def fit(self, counts: WaitCounts) -> Self:
        """Turn counts into frequencies."""
        forms = counts.form.astype(float)
        prior = self._prior(counts)
        rest = max(float(counts.riichi - counts.form[RYANMEN]), 1.0)
        self.model_ = WaitModel(
            two_sided=self._two_sided(counts),
            others=forms[RYANMEN + 1 :] / rest,
            prior=prior,
            given=self._given(counts, prior),
            floor=_floor(counts),
            han=(counts.han + 1.0) / (counts.han + 1.0).sum(),
            fu=(counts.fu + 1.0) / (counts.fu + 1.0).sum(),
        )
        return self

    def model(self) -> WaitModel:
        """The frequencies as the runtime reads them."""
        return self.model_

    def _two_sided(self, counts: WaitCounts) -> Array:
        """Equation 26; with no suji alive there is no two-sided wait."""
        share = counts.live_two_sided.sum() / max(counts.live.sum(), 1)
        two_sided = counts.live_two_sided + self.smoothing_live * share
        two_sided = two_sided / np.maximum(counts.live + self.smoothing_live, 1e-300)
        two_sided[0] = 0.0
        return np.asarray(two_sided)

    def _prior(self, counts: WaitCounts) -> Array:
        """P(m|k), equation 31, with one riichi more for every wait."""
        seen = self._shared(counts.wait + 1.0)
        of_form = counts.form + np.bincount(FORM, minlength=FORMS)
        return np.asarray(seen / of_form[FORM])

    def _given(self, counts: WaitCounts, prior: Array) -> Array:
        """P(m|k,y) / P(m|k), equation 32 over 31, drawn towards 1."""
        both = self._shared(counts.wait_given.astype(float))
        form = counts.form_given.astype(float)
        if self.share_suits:
            form = np.broadcast_to(form.mean(axis=1, keepdims=True), form.shape)
        given = np.ones(both.shape)
        for suit, of in enumerate(_OF_SUIT):
            usual = prior[of, None]
            numerator = both[of] + self.smoothing * usual
            given[of] = numerator / (form[FORM[of], suit] + self.smoothing) / usual
        return given

    def _shared(self, numbers: Array) -> Array:
        """The mean over the suits for each suit, where they share; a suit's waits keep an order."""
        if not self.share_suits:
            return numbers
        shared = numbers.copy()
        mean = np.mean([numbers[of] for of in _OF_SUIT], axis=0)
        for of in _OF_SUIT:
            shared[of] = mean
        return shared


def _floor(counts: WaitCounts) -> Array:
    """P(wins on a kind by none of the waits): one rate for 幺九牌, one for simples.

    Half a case is given to either, which is all that the simples ever get.
    """
    yaochu = np.array(IS_YAOCHU)
    floor = np.empty(len(yaochu))
    for group in (yaochu, ~yaochu):
        cases = counts.unexplained[group].sum() + 0.5
        floor[group] = cases / (group.sum() * (counts.riichi + 1.0))
    return floor
