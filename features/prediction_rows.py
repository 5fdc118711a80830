"""Rows to evaluate estimators: their predictions at every decision, and the truth.

A row of the first table is a decision, an opponent and a kind in the hand: the probability that the
kind deals in, and whether the opponent would have won on it. A row of the second table is a ron on
a decision. `houjuu.scoring.labelled_decisions` has the labels. Discards that are no decisions are
left out, opponents who were away, and hands that the log does not show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from features import schema
from features.dora_free import view_without_dora
from features.ron_score_rows import win_han
from features.schema.predictions import (
    GENBUTSU,
    HALF_SUJI,
    HONOURS,
    NO_SUJI,
    PREDICTIONS,
    RONS,
    SCORES,
    SUJI,
)
from houjuu.estimators.protocol import Estimator
from houjuu.game.decisions import Decision
from houjuu.game.events import Game, Win
from houjuu.game.table import View
from houjuu.game.tiles import COPIES, KIND
from houjuu.game.yaku import INDICATED_DORA
from houjuu.hands.points import CODES
from houjuu.reading import safety
from houjuu.reading.opponent import OpponentType
from houjuu.risk.deal_in import DealIn
from houjuu.scoring.labelled_decisions import LabelledDecision, labelled_decisions
from houjuu.util.arrays import Floats

_HAN = np.arange(CODES) // 16
_LABELLED = tuple(column for column in PREDICTIONS if column.name != "predicted")

_SAFETY_LABELS = {
    safety.GENBUTSU: GENBUTSU,
    safety.FULL_SUJI: SUJI,
    safety.HALF_SUJI: HALF_SUJI,
    safety.NO_SUJI: NO_SUJI,
}


class PredictionTables(NamedTuple):
    """The rows of some games, as `PREDICTIONS` and `RONS`."""

    predictions: pd.DataFrame
    rons: pd.DataFrame


def rows(
    games: Iterable[Game],
    estimators: Sequence[Estimator],
    turn: int | None = None,
    without_dora: Sequence[Estimator | None] = (),
) -> list[PredictionTables]:
    """Rows of some games for each of some estimators, in the order of play.

    All estimators are queried in one pass: each game is replayed once, and its labels are computed
    once. An estimator predicts all decisions of a round together.

    Parameters
    ----------
    games : iterable of Game
    estimators : sequence of Estimator
    turn : int, optional
        Only the decisions of this turn, from 1; the rons are those of all decisions.
    without_dora : sequence of Estimator or None, optional
        For each estimator the one for its han without dora (`features.dora_free`); None, and
        without the sequence: it does not predict them.
    """
    han_estimators = tuple(without_dora) or (None,) * len(estimators)
    model_rows = [_ModelRows(*pair) for pair in zip(estimators, han_estimators, strict=True)]
    labelled: list[tuple[Any, ...]] = []
    for game in games:
        for _, of_round in groupby(labelled_decisions(game, turn), attrgetter("decision.round")):
            decisions = [
                one for one in of_round if one.hands or any(map(_is_scored, one.decision.rons))
            ]
            labelled += ((game.id, *row) for one in decisions for row in _labels(one))
            for of_model in model_rows:
                of_model.predict(game.id, decisions)
    frame = _frame(labelled, _LABELLED)
    return [
        PredictionTables(
            schema.check(frame.assign(predicted=of_model.predicted), PREDICTIONS),
            _frame(of_model.rons, RONS),
        )
        for of_model in model_rows
    ]


@dataclass
class _ModelRows:
    """Rows of one estimator: a prediction for each labelled row, and the rons."""

    estimator: Estimator
    without_dora: Estimator | None
    predicted: list[float] = field(default_factory=list)
    rons: list[tuple[Any, ...]] = field(default_factory=list)

    def predict(self, game: str, decisions: Sequence[LabelledDecision]) -> None:
        """Add the rows of some decisions of a game."""
        risks = self.estimator.deal_in_many([decision.view for decision, _ in decisions])
        for labelled, risk in zip(decisions, risks, strict=True):
            decision = labelled.decision
            self.predicted += _predictions(labelled, risk)
            for win in filter(_is_scored, decision.rons):
                ron = _ron(win, decision, risk, self.without_dora)
                self.rons.append((game, *decision.key, *ron))


def _frame(table: list[tuple[Any, ...]], columns: tuple[schema.Column, ...]) -> pd.DataFrame:
    return schema.check(pd.DataFrame(table, columns=schema.names(columns)), columns)


def _kinds(view: View) -> list[int]:
    return sorted({KIND[tile] for tile in view.hand})


def _predictions(labelled: LabelledDecision, risk: DealIn) -> Iterator[float]:
    """Yield the probability of each row of `_labels`."""
    kinds = _kinds(labelled.decision.view)
    seats = [opponent.seat for opponent in risk.opponents]
    for hand in labelled.hands:
        if hand.wins is not None:
            yield from risk.by_opponent[seats.index(hand.opponent.seat), kinds].tolist()


def _labels(labelled: LabelledDecision) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each opponent and kind in the hand, but for hands that the log hides."""
    decision = labelled.decision
    view = decision.view
    kinds, seen = _kinds(view), COPIES - view.unseen()
    for opponent, _, wins in labelled.hands:
        if wins is None:
            continue
        furiten = view.furiten(opponent.seat)
        for kind in kinds:
            yield (
                *decision.key,
                opponent.seat,
                view.tiles_left,
                OpponentType.from_seat(opponent).value,
                kind,
                safety_label(kind, furiten, seen[kind]),
                kind == KIND[decision.discard],
                bool(wins >> kind & 1),
            )


def _is_scored(win: Win) -> bool:
    return win.fu is not None and win.points is not None and bool(win.yaku or win.yakuman)


def _ron(
    win: Win, decision: Decision, risk: DealIn, without_dora: Estimator | None
) -> tuple[Any, ...]:
    number = [opponent.seat for opponent in risk.opponents].index(win.seat)
    scores = risk.tile_scores(decision.discard)[number].copy()
    likely_without_dora = 0
    if without_dora is not None:
        plain = without_dora.deal_in(view_without_dora(decision.view))
        likely_without_dora = _likely_han(plain.tile_scores(decision.discard)[number])
    by_code = risk.opponents[number].points
    scores /= scores.sum()
    opponent_type = OpponentType.from_seat(decision.view.seats[win.seat]).value
    return (
        *(win.seat, opponent_type, _safety(decision.view, win.seat, KIND[decision.discard])),
        *(_likely_han(scores), likely_without_dora),
        *(win_han(win), win_han(win, INDICATED_DORA), win.fu, float(scores @ by_code)),
        *(float(scores @ (by_code >= points)) for points in SCORES),
        win.points,
    )


def _likely_han(scores: Floats) -> int:
    """The most probable han, 1–13, of probabilities by score code, (224,)."""
    return int(np.bincount(_HAN, scores)[1:].argmax()) + 1


def _safety(view: View, opponent: int, kind: int) -> str:
    seen = COPIES - int(view.unseen()[kind])
    return safety_label(kind, view.furiten(opponent), seen)


def safety_label(kind: int, furiten: int, seen: int) -> str:
    """One of `SAFETY_CLASSES`.

    Parameters
    ----------
    kind : int
    furiten : int
        Mask of the opponent's genbutsu, `View.furiten`.
    seen : int
        Copies of the kind that the discarder sees, its own included, 1–4.
    """
    safety_class = safety.safety_class(kind, furiten)
    return _SAFETY_LABELS.get(safety_class) or HONOURS[seen - 1]
