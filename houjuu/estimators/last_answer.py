"""An estimator that keeps its last answers: a player and its risks query the same view."""

from __future__ import annotations

from houjuu.estimators.protocol import Estimator, TenpaiPrediction
from houjuu.game.table import View
from houjuu.hands.hand_cache import HandCache
from houjuu.risk.deal_in import DealIn
from houjuu.risk.unseen import UnseenTiles


class LastAnswer:
    """Answers as an estimator, and computes the answers to a repeated query once.

    Parameters
    ----------
    estimator : Estimator
    """

    def __init__(self, estimator: Estimator) -> None:
        self.header = estimator.header
        self.model = estimator.model
        self.tenpai_table = estimator.tenpai_table
        self.tenpai_of_rows = estimator.tenpai_of_rows
        self.tenpai = estimator.tenpai
        self.predict_tenpai = estimator.predict_tenpai
        self.deal_in_many = estimator.deal_in_many
        self.unseen_many = estimator.unseen_many
        self.hands = estimator.hands
        self._deal_in = estimator.deal_in
        self._unseen = estimator.unseen
        self._repr = repr(estimator)
        self._last: tuple[View, DealIn] | None = None
        self._last_unseen: tuple[View, UnseenTiles] | None = None

    def __repr__(self) -> str:
        """That of the estimator."""
        return self._repr

    def deal_in(
        self,
        view: View,
        cache: HandCache | None = None,
        prediction: TenpaiPrediction | None = None,
    ) -> DealIn:
        """As `Estimator.deal_in`."""
        if self._last is None or self._last[0] != view:
            self._last = view, self._deal_in(view, cache, prediction)
        return self._last[1]

    def unseen(self, view: View) -> UnseenTiles:
        """As `Estimator.unseen`."""
        if self._last_unseen is None or self._last_unseen[0] != view:
            self._last_unseen = view, self._unseen(view)
        return self._last_unseen[1]
