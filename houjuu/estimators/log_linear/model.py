"""The default estimator: all log-linear parts put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from houjuu.estimators import hand_model
from houjuu.estimators.hand_model import HandModel
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.log_linear.rooms import DEFAULT_ROOM, RoomFactors, in_room
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.estimators.log_linear.unseen_tiles import UnseenTileModel
from houjuu.estimators.log_linear.wait_models import HandPrediction, WaitModels
from houjuu.estimators.per_opponent import PerOpponentModel
from houjuu.estimators.protocol import MAX_MELDS, TenpaiPrediction
from houjuu.game.seat import Seat
from houjuu.game.view import View
from houjuu.hands.hand_cache import HandCache
from houjuu.reading import wait_features
from houjuu.reading.opponent import OpponentContext, OpponentType, opponent_contexts
from houjuu.risk.opponent_risk import OpponentRisk
from houjuu.risk.unseen import UnseenTiles
from houjuu.util.arrays import Floats, read_only
from houjuu.util.attributions import Attributions
from houjuu.util.json_types import RoomName
from houjuu.util.parameters import Parameters

_Models: TypeAlias = "tuple[TenpaiModel, WaitModels]"


class LogLinear(PerOpponentModel):
    """The default model.

    Parameters
    ----------
    parameters : Parameters
        With the parts of `KuritaHoki`, `TenpaiModel` and `WaitModels`; that of `UnseenTileModel`,
        without which the unseen tiles are counted; and that of `RoomFactors`.
    """

    tenpai_table = "tenpai"

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(parameters)
        self.paper = KuritaHoki(parameters)
        self._parameters = parameters
        self._rooms = RoomFactors.from_parameters(parameters).names.tolist()
        self._by_room: dict[RoomName | None, _Models] = {}
        self._default: RoomName | None = DEFAULT_ROOM if self._rooms else None
        self._models(self._default)
        self.unseen_model = UnseenTileModel.from_parameters(parameters)

    def room(self, view: View) -> RoomName | None:
        """The room of the view, or the default one; None of a model without factors by room."""
        room = view.rules.room
        return room if room in self._rooms else self._default

    def _models(self, room: RoomName | None) -> _Models:
        if room not in self._by_room:
            parameters = in_room(self._parameters, room)
            models = TenpaiModel.from_parameters(parameters), WaitModels.from_parameters(parameters)
            self._by_room[room] = models
        return self._by_room[room]

    @property
    def tenpai_model(self) -> TenpaiModel:
        """P(tenpai) in the default room."""
        return self._models(self._default)[0]

    def tenpai_terms(self, opponents: Sequence[tuple[View, Seat]]) -> Floats:
        """The terms of `TenpaiRows` of m opponents without riichi, (m, 4)."""
        contexts = [opponent_contexts(view, [seat])[0] for view, seat in opponents]
        faced = [any(o.others_in_riichi for o in seat.river[-1:]) for _, seat in opponents]
        return np.column_stack([*self.tenpai_model.terms(contexts), np.ones(len(contexts)), faced])

    def tenpai_of_rows(self, columns: Mapping[str, npt.ArrayLike]) -> Floats:
        """P(tenpai) of rows, (n,); see `Estimator.tenpai_of_rows`."""
        if "room" not in columns:
            return self.tenpai_model.predict_rows(columns)
        rooms = np.asarray(columns["room"])
        tenpai = np.zeros(len(rooms))
        for room in dict.fromkeys(rooms.tolist()):
            mask = rooms == room
            of_room = {name: np.asarray(column)[mask] for name, column in columns.items()}
            models, _ = self._models(room if room in self._rooms else self._default)
            tenpai[mask] = models.predict_rows(of_room)
        return tenpai

    def _predict_tenpai(self, contexts: Sequence[OpponentContext]) -> TenpaiPrediction:
        seats = [context.seat for context in contexts]
        models, _ = self._models(self.room(contexts[0].view))
        n_melds = np.array([len(seat.melds) for seat in seats], np.intp)
        tenpai = np.where(n_melds > MAX_MELDS, 1.0, models.predict(contexts))
        colour = self.paper.colours(seats)
        return TenpaiPrediction(tenpai, colour, colour * tenpai[:, None])

    def _unseen(self, contexts: Sequence[OpponentContext]) -> list[UnseenTiles]:
        if self.unseen_model is None:
            return super()._unseen(contexts)
        return self.unseen_model.predict(contexts)

    def _hand_model(self) -> HandModel:
        if self.unseen_model is None:
            return super()._hand_model()
        return HandModel.from_parameters(self._parameters) or hand_model.shipped()

    def _opponent_risks(
        self,
        contexts: Sequence[OpponentContext],
        prediction: TenpaiPrediction,
        caches: Sequence[HandCache],
    ) -> list[OpponentRisk]:
        hands = self._hands(contexts, prediction, caches)
        tenpai = prediction.tenpai.tolist()
        colour = read_only(prediction.colour)
        return [
            OpponentRisk.from_context(
                context,
                tenpai[i],
                colour[i],
                hands[i].scores,
                p_win_by_wait=hands[i].p_win_by_wait,
                explainer=hands[i].explainer,
                tenpai_explainer=self._tenpai_explainer(context),
            )
            for i, context in enumerate(contexts)
        ]

    def _hands(
        self,
        contexts: Sequence[OpponentContext],
        prediction: TenpaiPrediction,
        caches: Sequence[HandCache],
    ) -> dict[int, HandPrediction]:
        """Predictions by index of the opponent; one call for each of the three sorts of models."""
        features = np.array([wait_features.extract(context) for context in contexts])
        _, models = self._models(self.room(contexts[0].view))
        tenpai = prediction.tenpai
        riichi, closed, melded = _rows_by_model(contexts)
        hands: dict[int, HandPrediction] = {}
        if riichi:
            predicted = models.closed_hands(features[riichi], tenpai[riichi], riichi=True)
            hands.update(zip(riichi, predicted, strict=True))
        if closed:
            predicted = models.closed_hands(features[closed], tenpai[closed], riichi=False)
            hands.update(zip(closed, predicted, strict=True))
        if melded:
            n_melds = np.array([len(contexts[i].seat.melds) for i in melded])
            scores = np.array(
                [self._enumerated(contexts[i], prediction.joint[i], caches[i]) for i in melded]
            )
            predicted = models.melded_hands(features[melded], n_melds, scores, tenpai[melded])
            hands.update(zip(melded, predicted, strict=True))
        return hands

    def _enumerated(self, context: OpponentContext, joint: Floats, cache: HandCache) -> Floats:
        return self.paper.melded_hand(context.view, context.seat.seat, joint, cache)

    def _tenpai_explainer(self, context: OpponentContext) -> Callable[[], Attributions] | None:
        seat = context.seat
        if seat.in_riichi or len(seat.melds) > MAX_MELDS:
            return None
        return partial(self._models(self.room(context.view))[0].explain, context)


def _rows_by_model(contexts: Sequence[OpponentContext]) -> tuple[list[int], list[int], list[int]]:
    """Indices of the opponents in riichi, of the others without open melds, and of the rest."""
    riichi: list[int] = []
    closed: list[int] = []
    melded: list[int] = []
    for i, context in enumerate(contexts):
        if context.opponent_type is OpponentType.RIICHI:
            riichi.append(i)
        elif context.opponent_type is OpponentType.CLOSED:
            closed.append(i)
        else:
            melded.append(i)
    return riichi, closed, melded
