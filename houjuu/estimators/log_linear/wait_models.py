"""Wait and score of a tenpai opponent: all parts that use `houjuu.reading.wait_features`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Self

import numpy as np

from houjuu.estimators.log_linear.closed_waits import ClosedWaitModel
from houjuu.estimators.log_linear.han_model import (
    ClosedHanModel,
    MeldedHanModel,
    sum_by_han,
    times_by_han,
)
from houjuu.estimators.log_linear.melded_waits import MeldedWaitModel
from houjuu.risk.opponent_risk import FactoredScores
from houjuu.util.arrays import Floats, Int8s, Ints, read_only
from houjuu.util.attributions import Explainer, Prepared
from houjuu.util.parameters import Parameters

_LEAST_TENPAI = np.finfo(np.float64).tiny  # P(tenpai) of extreme weights can round to 0


class HandPrediction(NamedTuple):
    """Wait and score of an opponent.

    Attributes
    ----------
    scores : (34, 224) array or FactoredScores
        P(wins on the kind with the score code).
    p_win_by_wait : (131,) array or None
        P(wins on the kind by the wait | tenpai), in the order of
        `houjuu.hands.wait_types.WIN_WAIT`; None for an open hand.
    explainer : callable
        Attributions of P(wins on the kind | tenpai).
    """

    scores: Floats | FactoredScores
    p_win_by_wait: Floats | None
    explainer: Explainer


@dataclass(frozen=True)
class WaitModels:
    """The parts.

    Attributes
    ----------
    riichi_waits, closed_waits : ClosedWaitModel
        Of opponents in riichi, and of others without open melds.
    melded_waits : MeldedWaitModel
    riichi_han, closed_han : ClosedHanModel
    melded_han : MeldedHanModel
    """

    riichi_waits: ClosedWaitModel
    closed_waits: ClosedWaitModel
    melded_waits: MeldedWaitModel
    riichi_han: ClosedHanModel
    closed_han: ClosedHanModel
    melded_han: MeldedHanModel

    @classmethod
    def from_parameters(cls, parameters: Parameters) -> Self:
        """Build the parts of a parameter file."""
        return cls(
            riichi_waits=ClosedWaitModel(**parameters.part("riichi_waits")),
            closed_waits=ClosedWaitModel(**parameters.part("closed_waits")),
            melded_waits=MeldedWaitModel(**parameters.part("melded_waits")),
            riichi_han=ClosedHanModel(**parameters.part("riichi_han")),
            closed_han=ClosedHanModel(**parameters.part("closed_han")),
            melded_han=MeldedHanModel(**parameters.part("melded_han")),
        )

    def closed_hands(
        self, features: Int8s, tenpai: Floats, *, riichi: bool
    ) -> list[HandPrediction]:
        """Predict n opponents without open melds, from wait features and P(tenpai), (n,)."""
        waits = self.riichi_waits if riichi else self.closed_waits
        han = self.riichi_han if riichi else self.closed_han
        wins = waits.p_win_by_wait(features)
        kinds = waits.sum_by_kind(wins, features)
        scores = han.scores(features, tenpai[:, None] * kinds)
        explainers = [Prepared(partial(waits.explain, row)) for row in features]
        by_opponent = map(FactoredScores, *map(read_only, scores))
        return list(map(HandPrediction, by_opponent, read_only(wins), explainers))

    def melded_hands(
        self, features: Int8s, n_melds: Ints, scores: Floats, tenpai: Floats
    ) -> list[HandPrediction]:
        """Predict n opponents with open melds.

        Parameters
        ----------
        features : (n, LENGTH) array
            Wait features.
        n_melds : (n,) array
        scores : (n, 34, 224) array
            P(wins on the kind with the score code) of the enumerated hands; the river changes it.
        tenpai : (n,) array
            P(tenpai).
        """
        by_han = sum_by_han(scores)
        prior_win = by_han.sum(axis=-1) / np.maximum(tenpai, _LEAST_TENPAI)[:, None]
        kinds = self.melded_waits.predict(features, prior_win, n_melds)
        factors = np.divide(kinds, prior_win, out=np.zeros_like(kinds), where=prior_win > 0)
        factors = factors[..., None] * self.melded_han.factors(features, by_han)
        inputs = zip(features, prior_win, n_melds.tolist(), strict=True)
        explainers = [Prepared(partial(self.melded_waits.explain, *one)) for one in inputs]
        changed = zip(times_by_han(scores, factors), explainers, strict=True)
        return [HandPrediction(scores, None, explainer) for scores, explainer in changed]
