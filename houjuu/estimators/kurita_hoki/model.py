"""The estimator of Kurita & Hoki 2017: sections 5.1 to 5.4 put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

import numpy as np
import numpy.typing as npt

from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel
from houjuu.estimators.kurita_hoki.riichi_waits import RiichiWaitModel, han_shift
from houjuu.estimators.kurita_hoki.tenpai import PaperTenpaiModel
from houjuu.estimators.per_opponent import PerOpponentModel
from houjuu.estimators.protocol import TenpaiPrediction
from houjuu.game.table import Seat, View
from houjuu.game.tiles import yakuhai_han
from houjuu.hands.hand_cache import HandCache
from houjuu.hands.wait_types import FU, WIN_WAIT
from houjuu.reading.opponent import OpponentContext
from houjuu.reading.table1 import ColourFeatures, Table1Features
from houjuu.risk.opponent_risk import OpponentRisk, score_distribution
from houjuu.util.arrays import Floats
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import Parameters


class KuritaHoki(PerOpponentModel):
    """The paper's model.

    Parameters
    ----------
    parameters : Parameters
        With the parts ``paper_tenpai``, ``paper_waits`` and ``paper_melded``.
    """

    tenpai_table = "paper_tenpai"

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(parameters)
        self.tenpai_model = PaperTenpaiModel(**parameters.part("paper_tenpai"))
        self.wait_model = RiichiWaitModel(**parameters.part("paper_waits"))
        self.hand_model = _hand_model(parameters)

    def tenpai_of_rows(self, columns: Mapping[str, npt.ArrayLike]) -> Floats:
        """P(tenpai) of rows, (n,); see `Estimator.tenpai_of_rows`."""
        return self.tenpai_model.predict(Table1Features.from_columns(columns)).tenpai

    def colours(self, seats: Sequence[Seat]) -> Floats:
        """P(c|u) of n opponents, (n, 4)."""
        return self.tenpai_model.colours(ColourFeatures.from_seats(seats))

    def melded_hand(self, view: View, seat: int, joint: Floats, cache: HandCache) -> Floats:
        """P(the opponent wins on the kind with the score code | u), (34, 224), equation 18."""
        return self.hand_model.scores(view, seat, joint, cache)

    def _predict_tenpai(self, contexts: Sequence[OpponentContext]) -> TenpaiPrediction:
        return self.tenpai_model.predict(
            Table1Features.from_seats([context.seat for context in contexts])
        )

    def _opponent_risks(
        self,
        contexts: Sequence[OpponentContext],
        prediction: TenpaiPrediction,
        caches: Sequence[HandCache],
    ) -> list[OpponentRisk]:
        tenpai = prediction.tenpai.tolist()
        colour = prediction.colour
        joint = prediction.joint
        return [*map(self._opponent_risk, contexts, tenpai, colour, joint, caches)]

    def _opponent_risk(
        self,
        context: OpponentContext,
        tenpai: float,
        colour: Floats,
        joint: Floats,
        cache: HandCache,
    ) -> OpponentRisk:
        view = context.view
        seat = context.seat
        if seat.n_open_melds:
            scores = self.melded_hand(view, seat.seat, joint, cache)
            return OpponentRisk.from_context(context, tenpai, colour, scores)
        unseen = np.array(context.tiles.unseen)
        red_fives = view.rules.red_fives
        waits = self.wait_model.predict(seat, unseen, context.furiten, red_fives=red_fives)
        shift = han_shift(view.dora, yakuhai_han(view.round_wind, view.seat_wind(seat.seat)))
        scores = score_distribution(self.wait_model.scores(waits, shift), FU)
        scores *= (tenpai * waits.kind)[:, None]
        return OpponentRisk.from_context(
            context, tenpai, colour, scores, p_win_by_wait=waits.wait[WIN_WAIT]
        )


def _hand_model(parameters: Parameters) -> MeldedHandModel:
    weights = {name: float(value) for name, value in parameters.part("paper_melded").items()}
    expected = {field.name for field in fields(MeldedHandModel)}
    if weights.keys() != expected:
        different = ", ".join(sorted(weights.keys() ^ expected))
        raise ParameterError(
            f"the weights of the melded hands differ from this houjuu: {different}"
        )
    return MeldedHandModel(**weights)
