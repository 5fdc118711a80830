"""Predictions of the gradient-boosted trees of the stage ``gbdt_baseline`` for a sequence of views.

The features of each view are collected first, and predicted in one batch, because the trees are
slow one by one. The features are those of the training rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import houjuu
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.protocol import MAX_MELDS
from houjuu.game.table import View
from houjuu.game.tiles import KIND, KINDS
from houjuu.hands.hand_cache import HandCache
from houjuu.reading import tenpai_features, wait_features
from houjuu.reading.opponent import OpponentContext, OpponentType, opponent_contexts
from houjuu.util.arrays import Bools, Floats, Int8s
from models.gbdt_baseline import TenpaiTrees, WinTrees
from models.metrics.eval_tasks import task_of

OPPONENTS = 3


def paper_model() -> KuritaHoki:
    """The model that ships, whose enumerated hands give the prior of melded opponents."""
    model = houjuu.load("kurita-hoki-2017")
    assert isinstance(model, KuritaHoki)
    return model


class _OpponentFeatures(NamedTuple):
    """The features of one opponent; `certain` if it is tenpai by the rules."""

    task: str
    certain: bool
    n_open_melds: int
    tenpai: list[int]
    wait: Int8s
    prior_win: npt.NDArray[np.float32]
    mask: Bools


class BaselineEstimator:
    """Collects views, and predicts them in one batch.

    Parameters
    ----------
    trees : mapping
        The fitted trees of the stage, by task.
    paper : KuritaHoki
        The model whose enumerated hands give the prior P(wins) of melded hands.
    """

    def __init__(self, trees: Mapping[str, TenpaiTrees | WinTrees], paper: KuritaHoki) -> None:
        self.trees = trees
        self.paper = paper
        self.opponents: list[_OpponentFeatures] = []

    def add(self, view: View, cache: HandCache) -> None:
        """Collect the features of a view; the parameters are those of `Estimator.deal_in`."""
        self.opponents += [
            self._extract(context, cache) for context in opponent_contexts(view, view.opponents)
        ]

    def _extract(self, context: OpponentContext, cache: HandCache) -> _OpponentFeatures:
        view = context.view
        seat = context.seat
        wait = wait_features.extract(context)
        hand = np.zeros(KINDS, bool)
        hand[[KIND[tile] for tile in view.hand]] = True
        prior_win = np.zeros(KINDS, np.float32)
        if seat.n_open_melds:
            (colour,) = self.paper.colours([seat])
            scores = self.paper.melded_hand(view, seat.seat, colour, cache)
            prior_win = scores.sum(axis=1).astype(np.float32)  # the dtype of the rows
        return _OpponentFeatures(
            task=task_of(OpponentType.from_seat(seat)),
            certain=seat.in_riichi or len(seat.melds) > MAX_MELDS,
            n_open_melds=seat.n_open_melds,
            tenpai=tenpai_features.extract(context),
            wait=wait,
            prior_win=prior_win,
            mask=hand & (wait_features.per_kind(wait, "genbutsu") == 0),
        )

    def tenpai(self) -> Floats:
        """P(tenpai) of the opponents in each view, (n, 3)."""
        trees = self.trees["tenpai"]
        assert isinstance(trees, TenpaiTrees)
        predicted = trees.predict_features(
            np.array([opponent.n_open_melds for opponent in self.opponents]),
            np.array([opponent.tenpai for opponent in self.opponents]),
        )
        certain = np.array([opponent.certain for opponent in self.opponents])
        return np.where(certain, 1.0, predicted).reshape(-1, OPPONENTS)

    def wins(self) -> Floats:
        """P(wins on the kind | tenpai) of each kind in the hand, (n, 3, 34); 0 for other kinds."""
        p_win = np.zeros((len(self.opponents), KINDS))
        for task, trees in self.trees.items():
            if isinstance(trees, WinTrees):
                rows = [i for i, one in enumerate(self.opponents) if one.task == task]
                wait, prior_win, mask = (
                    np.array([getattr(self.opponents[i], name) for i in rows])
                    for name in ("wait", "prior_win", "mask")
                )
                if rows:
                    p_win[rows] = trees.predict_kinds(wait, prior_win.astype(np.float64), mask)
        return p_win.reshape(-1, OPPONENTS, KINDS)
