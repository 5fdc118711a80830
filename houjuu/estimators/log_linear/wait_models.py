"""Wait and score of a tenpai opponent: all parts that use `houjuu.reading.wait_features`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Self

import numpy as np

from houjuu.arrays import Floats
from houjuu.estimators.log_linear.closed_waits import ClosedWaitModel
from houjuu.estimators.log_linear.han_model import ClosedHanModel, MeldedHanModel
from houjuu.estimators.log_linear.melded_waits import MeldedWaitModel
from houjuu.opponent_risk import Explainer
from houjuu.parameters import Parameters
from houjuu.reading import wait_features
from houjuu.reading.opponent import OpponentContext
from houjuu.tiles import KINDS


class ClosedHandPrediction(NamedTuple):
    """Wait and score of a tenpai opponent without open melds.

    Attributes
    ----------
    p_win_by_wait : (131,) array
        P(wins on the kind by the wait), in the order of `houjuu.hands.wait_types.WIN_WAIT`.
    kind : (34,) array
        P(wins on the kind).
    scores : (34, 13, 10) array
        P(han, fu | wins on the kind).
    explainer : callable
        Attributions of `kind`.
    """

    p_win_by_wait: Floats
    kind: Floats
    scores: Floats
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
            ClosedWaitModel(**parameters.part("riichi_waits")),
            ClosedWaitModel(**parameters.part("closed_waits")),
            MeldedWaitModel(**parameters.part("melded_waits")),
            ClosedHanModel(**parameters.part("riichi_han")),
            ClosedHanModel(**parameters.part("closed_han")),
            MeldedHanModel(**parameters.part("melded_han")),
        )

    def closed_hand(self, context: OpponentContext) -> ClosedHandPrediction:
        """Predict wait and score of a tenpai opponent without open melds."""
        features = wait_features.extract(context)
        riichi = context.seat.in_riichi
        waits = self.riichi_waits if riichi else self.closed_waits
        han = self.riichi_han if riichi else self.closed_han
        wins = waits.p_win_by_wait(features)
        kind = waits.sum_by_kind(wins, features)
        explainer = partial(waits.explain, features)
        return ClosedHandPrediction(wins, kind, han.scores(features), explainer)

    def melded_hand(self, context: OpponentContext, scores: Floats) -> tuple[Floats, Explainer]:
        """Factors by which the river changes the enumerated scores, (34, 224), and attributions.

        Parameters
        ----------
        context : OpponentContext
            An opponent with open melds.
        scores : (34, 224) array
            P(wins on the kind with the score code | tenpai) of the enumerated hands.
        """
        features, n_melds = wait_features.extract(context), len(context.seat.melds)
        prior_win = scores.sum(axis=1)
        kinds = self.melded_waits.predict(features, prior_win, np.array(n_melds))
        factors = np.divide(kinds, prior_win, out=np.zeros(KINDS), where=prior_win > 0)
        explainer = partial(self.melded_waits.explain, features, prior_win, n_melds)
        return factors[:, None] * self.melded_han.factors(features, scores), explainer
