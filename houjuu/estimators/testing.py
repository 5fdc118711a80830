"""The contract of a model as one test: ``check(mine)`` asks it in positions with all opponents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from houjuu.estimators.own import missing
from houjuu.estimators.positions import positions
from houjuu.estimators.protocol import MAX_MELDS, Estimator, TenpaiPrediction
from houjuu.estimators.with_own import columns_of
from houjuu.game.tiles import KINDS
from houjuu.game.view import View
from houjuu.hands.hand_cache import HandCache
from houjuu.risk.deal_in import DealIn
from houjuu.risk.unseen import LOCATIONS, UnseenTiles
from houjuu.util.arrays import Floats

_CLOSE = 1e-6


def check(estimator: Estimator, views: Sequence[View] | None = None) -> None:
    """Raise AssertionError, with a sentence, unless a model keeps the contract of `Estimator`.

    Parameters
    ----------
    estimator : Estimator
        Such as ``houjuu.load("mine.py:Mine")``.
    views : sequence of View, optional
        By default positions with opponents of every type.
    """
    lacking = missing(estimator)
    assert not lacking, f"the model has no {', no '.join(lacking)}"
    assert estimator.model, "the name of the model is empty"
    asked = positions() if views is None else views
    for view in asked:
        _check_view(estimator, view)
    _check_many(estimator, asked)
    if estimator.tenpai_table == "tenpai":
        _check_rows(estimator, asked)


def _check_view(estimator: Estimator, view: View) -> None:
    prediction = estimator.predict_tenpai(view)
    certain = np.array([seat.in_riichi for seat in view.opponents])
    tenpai, risk = estimator.tenpai(view), estimator.deal_in(view)
    _check_prediction(prediction)
    _is_probability(tenpai, (3,), "tenpai()")
    assert (tenpai[certain] == 1).all(), "tenpai() of an opponent in riichi is not 1"
    _is_close(tenpai[~certain], prediction.tenpai[~certain], "tenpai() and predict_tenpai()")
    four = np.array([len(seat.melds) > MAX_MELDS for seat in view.opponents])
    assert (tenpai[four] == 1).all(), "tenpai() of an opponent with four melds is not 1"
    _check_risk(risk, view, tenpai)
    for other in (
        estimator.deal_in(view),
        estimator.deal_in(view, HandCache()),
        estimator.deal_in(view, prediction=prediction),
    ):
        _is_same(risk, other, "deal_in() twice, with a cache or with the prediction")
    _check_unseen(estimator.unseen(view), view)


def _check_prediction(prediction: TenpaiPrediction) -> None:
    for name, shape in (("tenpai", (3,)), ("colour", (3, 4)), ("joint", (3, 4))):
        _is_probability(getattr(prediction, name), shape, f"predict_tenpai().{name}")
    _is_close(prediction.colour.sum(axis=1), np.ones(3), "the sum of the colours and 1")
    _is_close(prediction.joint.sum(axis=1), prediction.tenpai, "the sum of `joint` and `tenpai`")


def _check_risk(risk: DealIn, view: View, tenpai: Floats) -> None:
    _is_close(risk.tenpai, tenpai, "tenpai() and deal_in().tenpai")
    _is_probability(risk.by_opponent, (3, KINDS), "deal_in().by_opponent")
    assert np.isfinite(risk.points).all(), "deal_in().points is not finite"
    assert (risk.points >= 0).all(), "deal_in().points is below 0"
    over = risk.by_opponent > tenpai[:, None] + _CLOSE
    assert not over.any(), "an opponent wins on a kind more often than it is tenpai"
    for opponent, seat, wins in zip(risk.opponents, view.opponents, risk.by_opponent, strict=True):
        assert opponent.seat == seat.seat, "the opponents are not right, across and left"
        assert not wins[view.genbutsu(seat.seat)].any(), "a genbutsu deals in"
    for kind in {tile // 4 for tile in view.hand}:
        for part in risk.explain(4 * kind):
            for terms, total in (
                (part.reasons, part.probability),
                (part.tenpai_reasons, part.tenpai),
            ):
                if terms:
                    added = sum(term.probability for term in terms)
                    _is_close(added, total, "the sum of the reasons and the probability")


def _check_unseen(unseen: UnseenTiles, view: View) -> None:
    assert (unseen.copies == view.unseen()).all(), "unseen() counts other copies than the view"
    _is_probability(unseen.chances, (LOCATIONS, KINDS), "unseen().chances")
    _is_close(unseen.chances.sum(axis=0), np.ones(KINDS), "the sum of the chances and 1")


def _check_many(estimator: Estimator, views: Sequence[View]) -> None:
    backwards = views[::-1]
    for one, other in zip(
        map(estimator.deal_in, backwards), estimator.deal_in_many(backwards), strict=True
    ):
        _is_same(one, other, "deal_in() and deal_in_many()")
    for here, there in zip(map(estimator.unseen, views), estimator.unseen_many(views), strict=True):
        _is_close(here.chances, there.chances, "unseen() and unseen_many()")
    assert estimator.deal_in_many([]) == [], "deal_in_many() of no view is not empty"


def _check_rows(estimator: Estimator, views: Sequence[View]) -> None:
    rows = estimator.tenpai_of_rows(columns_of(views))
    alone = np.concatenate([estimator.predict_tenpai(view).tenpai for view in views])
    possible = np.array([len(seat.melds) <= MAX_MELDS for v in views for seat in v.opponents])
    _is_probability(rows, alone.shape, "tenpai_of_rows()")
    _is_close(rows[possible], alone[possible], "tenpai_of_rows() and predict_tenpai()")


def _is_probability(values: npt.ArrayLike, shape: tuple[int, ...], what: str) -> None:
    found = np.asarray(values)
    assert found.shape == shape, f"{what} has the shape {found.shape}, not {shape}"
    assert ((found >= 0) & (found <= 1 + _CLOSE)).all(), f"{what} is not from 0 to 1"


def _is_same(one: DealIn, other: DealIn, what: str) -> None:
    _is_close(one.by_opponent, other.by_opponent, what)
    _is_close(one.points / 1e4, other.points / 1e4, what)


def _is_close(one: npt.ArrayLike, other: npt.ArrayLike, what: str) -> None:
    assert np.allclose(one, other, rtol=0, atol=_CLOSE), f"{what} differ"
