"""The common part of the models that predict each opponent on its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import groupby

import numpy as np
import numpy.typing as npt

from houjuu.estimators.hand_model import HandModel, HandQuery
from houjuu.estimators.protocol import Estimator, TenpaiPrediction
from houjuu.game.tiles import KIND, KINDS, TILES
from houjuu.game.view import View, with_riichi_accepted
from houjuu.hands.hand_cache import HandCache, shared_caches
from houjuu.reading.opponent import OpponentContext, opponent_contexts
from houjuu.risk.deal_in import DealIn
from houjuu.risk.hidden_hands import HiddenHands
from houjuu.risk.opponent_risk import OpponentRisk
from houjuu.risk.unseen import UnseenTiles, unseen_tiles
from houjuu.util import parameters
from houjuu.util.arrays import Floats
from houjuu.util.errors import Error, shown
from houjuu.util.game_hashes import OF_ROOMS, SEEN, Hashes, seen_in
from houjuu.util.json_types import RoomName
from houjuu.util.parameters import Parameters

OPPONENTS = 3
_VIEWS_AT_ONCE = 32
"""More views need more memory at a time, and no less time."""


_DIGITS = 8
"""Of the digest of a model, in its name."""


@cache
def _digest_of_shipped(name: str) -> str | None:
    """The digest of the model of this name that ships; None if there is none."""
    file = resources.files("houjuu") / "fitted" / f"{name}.npz"
    return parameters.digest(file.read_bytes()) if file.is_file() else None


class PerOpponentModel(ABC):
    """An `Estimator` that combines the predictions of the three opponents.

    Parameters
    ----------
    fitted : Parameters

    Attributes
    ----------
    header : mapping
        Header of the parameter file.
    model : str
        The name of the model. That of a file that does not ship goes on with the name of the fit,
        if it has one, and its digest, as "houjuu:my-logs@c01c1412": two models never look alike.
    """

    tenpai_table: str

    def __init__(self, fitted: Parameters) -> None:
        self.header = fitted.header
        name = str(fitted.header["model"])
        ships = fitted.digest in ("", _digest_of_shipped(name))
        fit = f":{fitted.header['name']}" if fitted.header.get("name") else ""
        self.model = name if ships else f"{name}{fit}@{fitted.digest[:_DIGITS]}"
        self.digest = fitted.digest
        self._games = {name: fitted.arrays.get(name, np.zeros(0)) for name in (SEEN, OF_ROOMS)}
        self._last: tuple[View, list[OpponentContext]] | None = None

    @property
    def seen(self) -> Hashes:
        """The hashes of the games of the fit, its prior and its factors; none if unknown."""
        return seen_in(self._games)

    def __repr__(self) -> str:
        """Family, model and the games that it was fitted on."""
        games = self.header.get("fitted_on", {}).get("games")
        fitted = "" if games is None else f", fitted on {games:,} games"
        return f"<{type(self).__name__} {self.model!r}{fitted}>"

    def room(self, view: View) -> RoomName | None:
        """The room whose factors the answers have; None: the model has none."""
        return None

    def tenpai(self, view: View) -> Floats:
        """P(tenpai) of right, across and left, (3,); see `Estimator.tenpai`."""
        contexts = self._contexts(view)
        return _with_riichi(contexts, self._predict_tenpai(contexts))

    def predict_tenpai(self, view: View) -> TenpaiPrediction:
        """Colour and tenpai of the three opponents; see `Estimator.predict_tenpai`."""
        return self._predict_tenpai(self._contexts(view))

    def deal_in(
        self,
        view: View,
        cache: HandCache | None = None,
        prediction: TenpaiPrediction | None = None,
    ) -> DealIn:
        """Risks of discarding each kind; see `Estimator.deal_in`."""
        contexts = self._contexts(view)
        if prediction is None:
            prediction = self._predict_tenpai(contexts)
        caches = [HandCache() if cache is None else cache] * len(contexts)
        (risk,) = self._deal_in(contexts, prediction, caches)
        return risk

    def deal_in_many(
        self, views: Sequence[View], prediction: TenpaiPrediction | None = None
    ) -> list[DealIn]:
        """Risks in several views; see `Estimator.deal_in_many`."""
        _require_views(views)
        caches = [cache for cache in shared_caches(views) for _ in range(OPPONENTS)]
        risks: list[DealIn] = []
        for _, of_room in groupby(views, self.room):
            in_one_room = [*of_room]
            for start in range(0, len(in_one_room), _VIEWS_AT_ONCE):
                contexts = _contexts(in_one_room[start : start + _VIEWS_AT_ONCE])
                first = OPPONENTS * len(risks)
                end = first + len(contexts)
                tenpai = (
                    self._predict_tenpai(contexts)
                    if prediction is None
                    else prediction.rows(first, end)
                )
                risks += self._deal_in(contexts, tenpai, caches[first:end])
        return risks

    def unseen(self, view: View) -> UnseenTiles:
        """Where the unseen tiles are; see `Estimator.unseen`."""
        return self._unseen(self._contexts(view))[0]

    def unseen_many(self, views: Sequence[View]) -> list[UnseenTiles]:
        """The answers in several views; see `Estimator.unseen_many`."""
        _require_views(views)
        answers: list[UnseenTiles] = []
        for start in range(0, len(views), _VIEWS_AT_ONCE):
            answers += self._unseen(_contexts(views[start : start + _VIEWS_AT_ONCE]))
        return answers

    def hands(self, view: View, answers: Estimator | None = None) -> HiddenHands:
        """Whole hidden hands; see `Estimator.hands`."""
        model, answers = self._hand_model(), answers or self
        queries = HandQuery.of(answers, view, self._contexts(view))
        seen = set(view.visible())
        ids: list[list[int]] = [[] for _ in range(KINDS)]
        for tile in range(TILES):
            if tile not in seen:
                ids[KIND[tile]].append(tile)
        sources = [*map(model.hands, queries)]
        return HiddenHands(sources, answers.unseen(view), (*map(tuple, ids),), fitted=model.fitted)

    def hand_queries(self, view: View) -> list[HandQuery]:
        """The other answers about each opponent, which the hands have to agree with."""
        return HandQuery.of(self, view, self._contexts(view))

    def _hand_model(self) -> HandModel:
        """The model of whole hands: by counting."""
        return HandModel.unfitted()

    def _contexts(self, view: View) -> list[OpponentContext]:
        """The contexts of the opponents, computed once for all questions about one view."""
        last = self._last  # another thread may replace it
        if last is None or last[0] is not view:
            last = self._last = view, _contexts([view])
        return last[1]

    def _unseen(self, contexts: Sequence[OpponentContext]) -> list[UnseenTiles]:
        """The answers in n views, from the contexts of their 3 n opponents: by counting."""
        return unseen_tiles(contexts)

    def _deal_in(
        self,
        contexts: Sequence[OpponentContext],
        prediction: TenpaiPrediction,
        caches: Sequence[HandCache],
    ) -> list[DealIn]:
        """Risks in n views, from the contexts of their 3 n opponents."""
        tenpai = _with_riichi(contexts, prediction)
        prediction = TenpaiPrediction(tenpai, prediction.colour, prediction.joint)
        risks = iter(self._opponent_risks(contexts, prediction, caches))
        views = [context.view for context in contexts[::OPPONENTS]]
        opponents = zip(risks, risks, risks, strict=True)
        return [
            DealIn(three, view.honba, view.rules.red_fives, view.hand, self.room(view))
            for three, view in zip(opponents, views, strict=True)
        ]

    @abstractmethod
    def tenpai_of_rows(self, columns: Mapping[str, npt.ArrayLike]) -> Floats:
        """P(tenpai) of rows, (n,); see `Estimator.tenpai_of_rows`."""

    @abstractmethod
    def _predict_tenpai(self, contexts: Sequence[OpponentContext]) -> TenpaiPrediction:
        """Colour and tenpai of n opponents, riichi ignored."""

    @abstractmethod
    def _opponent_risks(
        self,
        contexts: Sequence[OpponentContext],
        prediction: TenpaiPrediction,
        caches: Sequence[HandCache],
    ) -> list[OpponentRisk]:
        """Risks against n opponents, from their P(T|u), 1 in riichi, P(c|u) and P(T, c|u)."""


def _require_views(views: Sequence[View]) -> None:
    for place, view in enumerate(views):
        if not isinstance(view, View):
            raise Error(f"entry {place} of the views is {shown(view)}, not a View: leave it out")


def _contexts(views: Sequence[View]) -> list[OpponentContext]:
    """The contexts of all opponents, view after view; whoever claims a riichi tile accepts it."""
    for view in views:
        if not isinstance(view, View):
            name = type(view).__name__
            raise TypeError(f"the risks are those of a View, as live.view is, not of a {name}")
    accepted = map(with_riichi_accepted, views)
    return [context for view in accepted for context in opponent_contexts(view, view.opponents)]


def _with_riichi(contexts: Sequence[OpponentContext], prediction: TenpaiPrediction) -> Floats:
    """P(tenpai) of n opponents, 1 in riichi, (n,)."""
    in_riichi = [context.seat.in_riichi for context in contexts]
    return np.where(in_riichi, 1.0, prediction.tenpai)
