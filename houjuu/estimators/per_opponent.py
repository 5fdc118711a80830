"""What models share that predict each opponent on its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from houjuu.arrays import Floats
from houjuu.deal_in import DealIn
from houjuu.estimators.protocol import TenpaiPrediction
from houjuu.hands.hand_cache import HandCache, shared_caches
from houjuu.opponent_risk import OpponentRisk
from houjuu.reading.opponent import OpponentContext, opponent_contexts
from houjuu.table import View


class PerOpponentModel(ABC):
    """An `Estimator` that combines the predictions of the three opponents.

    Parameters
    ----------
    header : mapping
        Header of the parameter file.
    """

    tenpai_table: str

    def __init__(self, header: Mapping[str, Any]) -> None:
        self.header = header

    def __repr__(self) -> str:
        """Family, model and the games that it was fitted on."""
        games = self.header.get("fitted_on", {}).get("games")
        fitted = "" if games is None else f", fitted on {games:,} games"
        return f"<{type(self).__name__} {self.model!r}{fitted}>"

    @property
    def model(self) -> str:
        """Name of the model."""
        return str(self.header["model"])

    def tenpai(self, view: View) -> Floats:
        """P(tenpai) of right, across and left, (3,); see `Estimator.tenpai`."""
        riichi = np.array([seat.in_riichi for seat in view.opponents])
        return np.where(riichi, 1.0, self.predict_tenpai(view).tenpai)

    def predict_tenpai(self, view: View) -> TenpaiPrediction:
        """Colour and tenpai of the three opponents; see `Estimator.predict_tenpai`."""
        return self._predict_tenpai(opponent_contexts(view, view.opponents))

    def deal_in(
        self,
        view: View,
        cache: HandCache | None = None,
        prediction: TenpaiPrediction | None = None,
    ) -> DealIn:
        """Risks of discarding each kind; see `Estimator.deal_in`."""
        contexts = opponent_contexts(view, view.opponents)
        if prediction is None:
            prediction = self._predict_tenpai(contexts)
        return self._combine(contexts, prediction, HandCache() if cache is None else cache)

    def deal_in_many(self, views: Sequence[View]) -> list[DealIn]:
        """Risks in several views; see `Estimator.deal_in_many`."""
        if not views:
            return []
        contexts = [opponent_contexts(view, view.opponents) for view in views]
        together = self._predict_tenpai([context for three in contexts for context in three])
        caches = shared_caches(views)
        return [
            self._combine(three, together.rows(3 * i, 3 * i + 3), cache)
            for i, (three, cache) in enumerate(zip(contexts, caches, strict=True))
        ]

    def _combine(
        self, contexts: Sequence[OpponentContext], prediction: TenpaiPrediction, cache: HandCache
    ) -> DealIn:
        right, across, left = (
            self._opponent_risk(
                context,
                1.0 if context.seat.in_riichi else float(prediction.tenpai[i]),
                prediction.colour[i],
                prediction.joint[i],
                cache,
            )
            for i, context in enumerate(contexts)
        )
        view = contexts[0].view
        return DealIn((right, across, left), view.honba, view.rules.red_fives)

    @abstractmethod
    def tenpai_of_rows(self, columns: Mapping[str, npt.ArrayLike]) -> Floats:
        """P(tenpai) of rows, (n,); see `Estimator.tenpai_of_rows`."""

    @abstractmethod
    def _predict_tenpai(self, contexts: Sequence[OpponentContext]) -> TenpaiPrediction:
        """Colour and tenpai of n opponents, riichi ignored."""

    @abstractmethod
    def _opponent_risk(
        self,
        context: OpponentContext,
        tenpai: float,
        colour: Floats,
        joint: Floats,
        cache: HandCache,
    ) -> OpponentRisk:
        """Risks against one opponent, from its P(T|u), P(c|u) and P(T, c|u)."""
