"""One prediction of somebody else's model, all others of a model that ships.

>>> import houjuu
>>> from houjuu.estimators import WithTenpai
>>> mine = WithTenpai(houjuu.load(), lambda columns: 0.1 + 0.25 * (columns["n_open_melds"] > 1))
>>> view = houjuu.position("123m067p1199s555z + 4p", dora="3p")
>>> mine.tenpai(view).tolist()
[0.1, 0.1, 0.1]
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from houjuu.estimators.protocol import MAX_MELDS, Estimator, TenpaiPrediction
from houjuu.game.position import position
from houjuu.game.tiles import KINDS
from houjuu.game.view import View, with_riichi_accepted
from houjuu.hands.hand_cache import HandCache
from houjuu.hands.points import score_code
from houjuu.hands.wait_types import WIN_KIND
from houjuu.reading import discard_sequence, tenpai_features
from houjuu.reading.opponent import opponent_contexts
from houjuu.risk.deal_in import DealIn
from houjuu.risk.hidden_hands import HiddenHands
from houjuu.risk.opponent_risk import OpponentRisk
from houjuu.risk.unseen import UnseenTiles
from houjuu.util.arrays import Floats
from houjuu.util.errors import Error
from houjuu.util.game_hashes import Hashes, hashes

COLUMNS = ("n_open_melds", *tenpai_features.NAMES)
"""The columns of ``data/tenpai`` that P(tenpai) may use, in their order."""
_OPPONENTS = 3
_MANY_ROWS = 5000
_DIGITS = 6  # of the predictions in a digest

Columns = Mapping[str, npt.NDArray[Any]]
"""Columns of n opponents by name, (n,) each: `COLUMNS`, "room" and "discard_codes"."""


class Inherited(ABC):
    """An `Estimator` that answers as another one; a subclass replaces some predictions.

    Parameters
    ----------
    base : Estimator
    games : iterable of str
        Ids of the games that the own model has seen, besides those of the base.
    """

    tenpai_table = "tenpai"

    def __init__(self, base: Estimator, own: object, games: Iterable[str]) -> None:
        self.base = base
        self.header = base.header
        seen = np.array(getattr(base, "seen", ()), np.uint64)
        self.seen: Hashes = np.unique(np.concatenate([seen, hashes(games)]))
        predicted = b"".join(f"{one:.{_DIGITS}g} ".encode() for one in self._on_positions())
        text = f"{base.model} {getattr(base, 'digest', '')} ".encode() + predicted
        self.digest = hashlib.sha256(text).hexdigest()
        name = getattr(own, "__name__", type(own).__name__)
        self.model = f"{base.model} with {name}@{self.digest[:8]}"

    def __repr__(self) -> str:
        """The name of the model."""
        return f"<{type(self).__name__} {self.model!r}>"

    @abstractmethod
    def _on_positions(self) -> list[float]:
        """The own predictions in `positions`, which tell two models apart; raises their Error."""

    def tenpai(self, view: View) -> Floats:
        """P(tenpai) of right, across and left, (3,); see `Estimator.tenpai`."""
        in_riichi = [seat.in_riichi for seat in with_riichi_accepted(view).opponents]
        return np.where(in_riichi, 1.0, self.predict_tenpai(view).tenpai)

    def predict_tenpai(self, view: View) -> TenpaiPrediction:
        """Colour and tenpai of the three opponents; see `Estimator.predict_tenpai`."""
        return self.base.predict_tenpai(view)

    def tenpai_of_rows(self, columns: Mapping[str, npt.ArrayLike]) -> Floats:
        """P(tenpai) of rows, (n,); see `Estimator.tenpai_of_rows`."""
        return self.base.tenpai_of_rows(columns)

    def deal_in(
        self,
        view: View,
        cache: HandCache | None = None,
        prediction: TenpaiPrediction | None = None,
    ) -> DealIn:
        """Risks of discarding each kind; see `Estimator.deal_in`."""
        risk = self.base.deal_in(view, cache, prediction or self.predict_tenpai(view))
        return self._changed(view, risk)

    def deal_in_many(
        self, views: Sequence[View], prediction: TenpaiPrediction | None = None
    ) -> list[DealIn]:
        """Risks in several views; see `Estimator.deal_in_many`."""
        if prediction is None and views:
            prediction = self._predict_many(views)
        return [*map(self._changed, views, self.base.deal_in_many(views, prediction))]

    def unseen(self, view: View) -> UnseenTiles:
        """Where the unseen tiles are; see `Estimator.unseen`."""
        return self.base.unseen(view)

    def unseen_many(self, views: Sequence[View]) -> list[UnseenTiles]:
        """The answers in several views; see `Estimator.unseen_many`."""
        return self.base.unseen_many(views)

    def hands(self, view: View, answers: Estimator | None = None) -> HiddenHands:
        """Whole hidden hands that agree with the own predictions; see `Estimator.hands`."""
        return self.base.hands(view, answers or self)

    def _predict_many(self, views: Sequence[View]) -> TenpaiPrediction | None:
        """The predictions of several views; None: those of the base."""
        return None

    @abstractmethod
    def _changed(self, view: View, risk: DealIn) -> DealIn:
        """The risk with the own predictions."""


class WithTenpai(Inherited):
    """An estimator whose P(tenpai) is that of another model.

    Parameters
    ----------
    base : Estimator
        Predicts all else: `houjuu.load()`, or another model.
    predict : fitted classifier, or callable
        A classifier of scikit-learn, or a pipeline, that was fitted to columns of ``data/tenpai``:
        to a DataFrame with some of `COLUMNS`, or to an array of all in this order. A callable maps
        n opponents, as columns by name, to P(tenpai), (n,).
    games : iterable of str, optional
        Ids of the games that it was fitted to: nothing is measured on them, nor on those of the
        base.

    Raises
    ------
    Error
        It needs other columns, or does not predict probabilities.
    """

    def __init__(self, base: Estimator, predict: Any, games: Iterable[str] = ()) -> None:
        is_classifier = hasattr(predict, "predict_proba")
        self._predict = _of_classifier(predict) if is_classifier else predict
        super().__init__(base, predict, games)

    def predict_tenpai(self, view: View) -> TenpaiPrediction:
        return self._predict_many([view])

    def tenpai_of_rows(self, columns: Mapping[str, npt.ArrayLike]) -> Floats:
        arrays = {name: np.asarray(column) for name, column in columns.items()}
        return _probabilities("P(tenpai)", self._predict, arrays, (len(arrays["n_open_melds"]),))

    def _on_positions(self) -> list[float]:
        return [p for view in positions() for p in self._predict_many([view]).tenpai.tolist()]

    def _predict_many(self, views: Sequence[View]) -> TenpaiPrediction:
        own = self.tenpai_of_rows(columns_of(views))
        n_melds = [len(seat.melds) for view in views for seat in view.opponents]
        own = np.where(np.array(n_melds) > MAX_MELDS, 1.0, own)
        theirs = [self.base.predict_tenpai(view) for view in views]
        colour = np.concatenate([one.colour for one in theirs])
        joint = np.concatenate([one.joint for one in theirs])
        tenpai = joint.sum(axis=1, keepdims=True)
        given = np.divide(joint, tenpai, out=colour.copy(), where=tenpai > 0)
        return TenpaiPrediction(own, colour, given * own[:, None])

    def _changed(self, view: View, risk: DealIn) -> DealIn:
        """Without the reasons of P(tenpai), which are those of the base."""
        right, across, left = (replace(one, tenpai_explainer=None) for one in risk.opponents)
        return replace(risk, opponents=(right, across, left))


class WithWins(Inherited):
    """An estimator whose P(wins on a kind) is that of another model.

    The points of a win, and the share of each wait, are those of the base.

    Parameters
    ----------
    base : Estimator
        Predicts all else: `houjuu.load()`, another model, or a `WithTenpai`.
    predict : callable
        Maps a `View` to P(wins on the kind | tenpai) of right, across and left, (3, 34). Genbutsu
        become 0.
    games : iterable of str, optional
        As of `WithTenpai`.

    Raises
    ------
    Error
        It does not predict probabilities.
    """

    def __init__(
        self, base: Estimator, predict: Callable[[View], Floats], games: Iterable[str] = ()
    ) -> None:
        self._predict = predict
        self.tenpai_table = base.tenpai_table
        super().__init__(base, predict, games)

    def _on_positions(self) -> list[float]:
        return [p for view in positions() for p in self._wins(view).ravel().tolist()]

    def _wins(self, view: View) -> Floats:
        return _probabilities("P(wins)", self._predict, view, (_OPPONENTS, KINDS))

    def _changed(self, view: View, risk: DealIn) -> DealIn:
        right, across, left = map(_with_wins, risk.opponents, self._wins(view))
        return replace(risk, opponents=(right, across, left))


_LEAST_SCORE = score_code(1, 30)


def _with_wins(risk: OpponentRisk, wins: Floats) -> OpponentRisk:
    """The risk with other P(wins on the kind | tenpai), (34,), and without their reasons."""
    before, scores = risk.p_win, risk.score_distribution
    p_win = np.where(risk.genbutsu, 0.0, risk.tenpai * wins)
    anywhere = scores.sum(axis=0)
    if not anywhere.any():
        anywhere[_LEAST_SCORE] = 1.0
    by_kind = np.tile(anywhere / anywhere.sum(), (KINDS, 1))
    np.divide(scores, before[:, None], out=by_kind, where=before[:, None] > 0)
    by_wait = risk.p_win_by_wait
    if by_wait is not None:
        factors = np.divide(p_win, before, out=np.zeros(KINDS), where=before > 0)
        by_wait = by_wait * factors[WIN_KIND]
    scores = by_kind * p_win[:, None]
    return replace(risk, scores=scores, p_win_by_wait=by_wait, explainer=None)


def columns_of(views: Sequence[View]) -> dict[str, npt.NDArray[Any]]:
    """The `Columns` of the opponents of n views, (3 n,) each: right, across and left of each."""
    accepted = [with_riichi_accepted(view) for view in views]
    contexts = [one for view in accepted for one in opponent_contexts(view, view.opponents)]
    features = np.array([tenpai_features.extract(context) for context in contexts])
    codes = [
        view_codes[seat.seat].tobytes()
        for view in accepted
        for view_codes in [discard_sequence.discard_codes(view)]
        for seat in view.opponents
    ]
    return {
        "n_open_melds": np.array([context.seat.n_open_melds for context in contexts]),
        **dict(zip(tenpai_features.NAMES, features.T, strict=True)),
        "room": np.array([str(context.view.rules.room) for context in contexts]),
        "discard_codes": np.array([*codes, b""], object)[:-1],
    }


def _of_classifier(classifier: Any) -> Callable[[Columns], Floats]:
    """P(tenpai) of a classifier: that of its second label, True."""
    fitted = getattr(classifier, "feature_names_in_", None)
    names = [*map(str, COLUMNS if fitted is None else fitted)]
    unknown = [name for name in names if name not in COLUMNS]
    number = getattr(classifier, "n_features_in_", len(names))
    if unknown or number != len(names):
        reason = ", ".join(unknown) or f"{number} columns without names"
        raise Error(
            f"the classifier was fitted to {reason}: fit it to {len(COLUMNS)} columns of "
            "data/tenpai, n_open_melds and houjuu.reading.TENPAI_FEATURES, or to some by name"
        )

    def predict(columns: Columns) -> Floats:
        rows: Any = np.column_stack([columns[name] for name in names])
        if fitted is not None:
            rows = import_module("pandas").DataFrame(rows, columns=names)
        with _one_thread() if len(rows) < _MANY_ROWS else nullcontext():
            return np.asarray(classifier.predict_proba(rows)[:, 1])

    return predict


def _one_thread() -> AbstractContextManager[Any]:
    """Where OpenMP starts no threads: they take longer than a query of a few rows."""
    try:
        limit: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="openmp")
    except ImportError:
        return nullcontext()
    return limit


@cache
def _controller() -> Any:
    return import_module("threadpoolctl").ThreadpoolController()


def _probabilities(
    what: str, predict: Callable[[Any], Any], argument: object, shape: tuple[int, ...]
) -> Floats:
    """What a model of somebody else predicts; raises Error unless it is probabilities."""
    try:
        found = np.asarray(predict(argument), np.float64)
    except Exception as problem:  # it can raise anything
        raise Error(f"{what} cannot be predicted: {type(problem).__name__}: {problem}") from problem
    if found.shape != shape:
        raise Error(f"{what} has the shape {found.shape}, not {shape}")
    if not ((found >= 0) & (found <= 1)).all():
        raise Error(f"{what} must be numbers from 0 to 1")
    return found


_ARGUMENTS: tuple[dict[str, Any], ...] = (
    {"hand": "123m067p1199s555z + 4p", "dora": "3p"},
    {
        "hand": "3408m44p1256789s + 5m",
        "rivers": {
            "self": "1m 3z~ 5m",
            "right": "1s 2s 7s~",
            "across": "5z 7z 4m~ 8p~",
            "left": "9m 1p 7s 5p",
        },
        "melds": {
            "right": "pon 3~33z from self",
            "across": "chi 7~06s",
            "left": "chi 4~23m, chi 8~79p",
        },
        "dora": "2z",
        "round": "E3",
    },
    {
        "hand": "78m249p34458s113z + 7p",
        "rivers": {
            "self": "1m 4p 8p 6z 6m 1p",
            "right": "2p 5m 4s'~ 8s'~ 7m'~ 4m' 6m'",
            "across": "4z 6z 1p 9s 3m 1m' 5p",
            "left": "9m 1s 7z' 3m 6m 4s 6p*",
        },
        "melds": {"across": "chi 4~23s, pon 8~88s from right, chi 7~68m"},
        "dora": "7z",
        "round": "S3.1",
        "scores": [34800, 1100, 24300, 36800],
        "riichi_sticks": 3,
        "seat": 1,
        "room": "expert",
    },
    {
        "hand": "6m6p33568s + 4z",
        "rivers": {
            "self": "5z 7z 4m~ 8p~ 2s 7z' 9s 5z' 5p 8m'~",
            "right": "9m 1p 7s 5p 6p' 3z 3p' 1m' 7s' 7z' 6z",
            "across": "1m 3z~ 5m 8m~ 5m 8p 7m 2s 0p* 3m' 8s'",
            "left": "1s 2s 7s~ 4s~ 1p 3p 1m 5p 2p 2z",
        },
        "melds": {
            "self": "chi 7~06s, pon 8~88m from across",
            "right": "chi 4~23m, chi 8~79p, pon 4~44s from left, chi 8~67m",
            "left": "pon 3~33z from across",
        },
        "dora": "2z",
        "round": "E3",
        "scores": [20000, 25000, 33000, 21000],
        "seat": 2,
    },
)


@cache
def positions() -> tuple[View, ...]:
    """Views of opponents without melds, with one to four, and in riichi."""
    return tuple(position(**arguments) for arguments in _ARGUMENTS)
