"""The contract of a model as one test: ``check(mine)`` asks it in positions with all opponents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from houjuu.estimators.own import missing
from houjuu.estimators.protocol import MAX_MELDS, Estimator
from houjuu.estimators.with_own import columns_of, positions
from houjuu.game.tiles import KINDS
from houjuu.game.view import View
from houjuu.hands.hand_cache import HandCache
from houjuu.risk.deal_in import DealIn
from houjuu.risk.unseen import LOCATIONS
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
    asked = positions() if views is None else views
    for view in asked:
        _check_view(estimator, view)
    backwards = asked[::-1]
    many = zip(backwards, estimator.deal_in_many(backwards), strict=True)
    for view, risk in many:
        _same(estimator.deal_in(view), risk, "deal_in() and deal_in_many()")
    for view, unseen in zip(asked, estimator.unseen_many(asked), strict=True):
        _close(estimator.unseen(view).chances, unseen.chances, "unseen() and unseen_many()")
    if estimator.tenpai_table == "tenpai":
        rows = estimator.tenpai_of_rows(columns_of(asked))
        alone = np.concatenate([estimator.predict_tenpai(view).tenpai for view in asked])
        known = np.concatenate([_few_melds(view) for view in asked])
        _close(rows[known], alone[known], "tenpai_of_rows() and predict_tenpai()")


def _few_melds(view: View) -> npt.NDArray[np.bool_]:
    return np.array([len(seat.melds) <= MAX_MELDS for seat in view.opponents])


def _check_view(estimator: Estimator, view: View) -> None:
    prediction, tenpai = estimator.predict_tenpai(view), estimator.tenpai(view)
    for name, shape in (("tenpai", (3,)), ("colour", (3, 4)), ("joint", (3, 4))):
        _probability(getattr(prediction, name), shape, f"predict_tenpai().{name}")
    _close(prediction.colour.sum(axis=1), 1, "the sum of predict_tenpai().colour and 1")
    _close(prediction.joint.sum(axis=1), prediction.tenpai, "predict_tenpai().joint and .tenpai")
    riichi = np.array([seat.in_riichi for seat in view.opponents])
    expected = np.where(riichi, 1, prediction.tenpai)
    _close(tenpai, expected, "tenpai() and predict_tenpai(), or 1 in riichi,")
    _close(tenpai[~_few_melds(view)], 1, "tenpai() with four melds and 1")
    risk = estimator.deal_in(view)
    _check_risk(risk, view, tenpai)
    _same(risk, estimator.deal_in(view, HandCache()), "deal_in() with a cache and without")
    _same(risk, estimator.deal_in(view, None, prediction), "deal_in() with and without prediction")
    unseen = estimator.unseen(view)
    _close(unseen.copies, view.unseen(), "unseen().copies and those of the view")
    _probability(unseen.chances, (LOCATIONS, KINDS), "unseen().chances")
    _close(unseen.chances.sum(axis=0), 1, "the sum of unseen().chances and 1")
    shanten = estimator.hands(view).shanten
    _close(shanten.sum(axis=1), 1, "the sum of hands().shanten and 1")
    _close(shanten[:, 0], tenpai, "hands().shanten of tenpai and tenpai()")


def _check_risk(risk: DealIn, view: View, tenpai: Floats) -> None:
    _close(risk.tenpai, tenpai, "deal_in().tenpai and tenpai()")
    _probability(risk.by_opponent, (3, KINDS), "deal_in().by_opponent")
    over = (risk.by_opponent - tenpai[:, None]).max()
    assert over <= _CLOSE, "deal_in(): an opponent wins on a kind more often than it is tenpai"
    assert (np.isfinite(risk.points) & (risk.points >= 0)).all(), "deal_in().points has no numbers"
    for opponent, seat, wins in zip(risk.opponents, view.opponents, risk.by_opponent, strict=True):
        assert opponent.seat == seat.seat, "deal_in(): not the opponents right, across and left"
        _close(wins[view.genbutsu(seat.seat)], 0, "deal_in() of a genbutsu and 0")
    for tile in view.hand:
        for part in risk.explain(tile):
            for terms, total in (
                (part.reasons, part.probability),
                (part.tenpai_reasons, part.tenpai),
            ):
                added = sum(term.probability for term in terms)
                _close(added, total if terms else 0, "the reasons of deal_in() and their sum")


def _probability(values: npt.ArrayLike, shape: tuple[int, ...], what: str) -> None:
    found = np.asarray(values)
    assert found.shape == shape, f"{what} has the shape {found.shape}, not {shape}"
    assert ((found >= 0) & (found <= 1 + _CLOSE)).all(), f"{what} is not from 0 to 1"


def _same(one: DealIn, other: DealIn, what: str) -> None:
    _close(one.by_opponent, other.by_opponent, what)
    _close(one.points / 1e4, other.points / 1e4, what)


def _close(one: npt.ArrayLike, other: npt.ArrayLike, what: str) -> None:
    assert np.allclose(one, other, rtol=0, atol=_CLOSE), f"{what} differ"
