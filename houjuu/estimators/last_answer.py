"""An estimator that keeps its last answers: a player and its risks query the same view."""

from __future__ import annotations

from typing import Any

from houjuu.estimators.protocol import Estimator, TenpaiPrediction
from houjuu.game.table import View
from houjuu.hands.hand_cache import HandCache
from houjuu.risk.deal_in import DealIn
from houjuu.risk.unseen import UnseenTiles


class Delegate:
    """Has all parts of an estimator; a subclass has some of its own."""

    _estimator: Estimator

    def __getattr__(self, name: str) -> Any:
        if name == "_estimator":  # of a copy that has no state yet
            raise AttributeError(name)
        return getattr(self._estimator, name)


class LastAnswer(Delegate):
    """Answers as an estimator, and computes the answers to a repeated query once.

    Parameters
    ----------
    estimator : Estimator
    """

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator
        self._last: tuple[View, DealIn] | None = None
        self._last_unseen: tuple[View, UnseenTiles] | None = None

    def __repr__(self) -> str:
        """That of the estimator."""
        return repr(self._estimator)

    def deal_in(
        self,
        view: View,
        cache: HandCache | None = None,
        prediction: TenpaiPrediction | None = None,
    ) -> DealIn:
        """As `Estimator.deal_in`."""
        if self._last is None or self._last[0] != view:
            self._last = view, self._estimator.deal_in(view, cache, prediction)
        return self._last[1]

    def unseen(self, view: View) -> UnseenTiles:
        """As `Estimator.unseen`."""
        if self._last_unseen is None or self._last_unseen[0] != view:
            self._last_unseen = view, self._estimator.unseen(view)
        return self._last_unseen[1]
