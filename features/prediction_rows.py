"""Rows to evaluate estimators: their predictions at every decision, and the truth.

A row of the first table is a decision, an opponent and a kind in the hand: the probability that the
kind deals in, and whether the opponent would have won on it. A row of the second table is a ron on
a decision. The labels come from the full table here. Discards that are no decisions are left out
(`features.replay`), and opponents who were away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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
    SUJI,
)
from features.true_waits import ron_kinds
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Deal, Discard, Draw, Event, Game, Win
from houjuu.game.payments import base_points, hand_points
from houjuu.game.table import Table, View
from houjuu.game.tiles import COPIES, KIND
from houjuu.game.yaku import INDICATED_DORA
from houjuu.hands.hand_cache import HandCache
from houjuu.hands.points import CODES, POINTS
from houjuu.reading import safety
from houjuu.reading.opponent import OpponentType
from houjuu.risk.deal_in import DealIn
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

    All estimators are queried in one pass: each game is replayed once, and its labels and the hands
    of melded opponents are computed once.

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
    labelled: list[tuple[Any, ...]] = []
    predicted: list[list[float]] = [[] for _ in estimators]
    rons: list[list[tuple[Any, ...]]] = [[] for _ in estimators]
    han_estimators = tuple(without_dora) or (None,) * len(estimators)
    for game in games:
        predictions = _GamePredictions(
            Table(game.rules), estimators, han_estimators, predicted, turn
        )
        for event in game:
            predictions.follow(event)
        labelled += [(game.id, *row) for row in predictions.labelled]
        for model, row in predictions.rons:
            rons[model].append((game.id, *row))
    frame = _frame(labelled, _LABELLED)
    return [
        PredictionTables(
            schema.check(frame.assign(predicted=column), PREDICTIONS),
            _frame(of_model, RONS),
        )
        for column, of_model in zip(predicted, rons, strict=True)
    ]


def _frame(table: list[tuple[Any, ...]], columns: tuple[schema.Column, ...]) -> pd.DataFrame:
    return schema.check(pd.DataFrame(table, columns=schema.names(columns)), columns)


@dataclass
class _QueriedDecision:
    """The last decision, while its discard can be won on."""

    key: tuple[int, int, int]
    tile: int
    view: View
    cache: HandCache
    estimators: Sequence[Estimator]

    @cached_property
    def risks(self) -> list[DealIn]:
        """The answers of the estimators."""
        return [estimator.deal_in(self.view, self.cache) for estimator in self.estimators]


@dataclass
class _GamePredictions:
    """A game in progress, with one cache for each seat.

    `predicted` grows by one number for each row of `labelled` and each estimator. A ron is stored
    with the index of the estimator.
    """

    table: Table
    estimators: Sequence[Estimator]
    without_dora: Sequence[Estimator | None]
    predicted: list[list[float]]
    turn: int | None = None
    labelled: list[tuple[Any, ...]] = field(default_factory=list)
    rons: list[tuple[int, tuple[Any, ...]]] = field(default_factory=list)
    index: int = -1
    caches: list[HandCache] = field(default_factory=lambda: [HandCache() for _ in range(4)])
    last: _QueriedDecision | None = None

    def follow(self, event: Event) -> None:
        if isinstance(event, Deal):
            self.index += 1
        elif isinstance(event, Draw):
            self.last = None
        elif isinstance(event, Discard):
            self._decide(event)
        elif isinstance(event, Win) and event.source != event.seat:
            self._add_ron(event)
        self.table.apply(event)

    def _decide(self, event: Discard) -> None:
        self.last = None
        decider = self.table.seats[event.seat]
        if decider.in_riichi or decider.away:
            return
        view = self.table.view(event.seat)
        key = (self.index, event.seat, len(decider.river))
        self.last = _QueriedDecision(
            key=key,
            tile=event.tile,
            view=view,
            cache=self.caches[event.seat],
            estimators=self.estimators,
        )
        if self.turn in (None, len(decider.river) + 1):
            self._predict(view, self.last)

    def _predict(self, view: View, decision: _QueriedDecision) -> None:
        unseen = view.unseen().tolist()
        kinds = sorted({KIND[tile] for tile in view.hand})
        by_model = [risk.by_opponent[:, kinds].tolist() for risk in decision.risks]
        for number, opponent in enumerate(view.opponents):
            if opponent.was_away:
                continue
            for column, by_opponent in zip(self.predicted, by_model, strict=True):
                column.extend(by_opponent[number])
            furiten = view.furiten(opponent.seat)
            win_mask = ron_kinds(self.table, view, opponent)
            for kind in kinds:
                self.labelled.append(
                    (
                        *decision.key,
                        opponent.seat,
                        view.tiles_left,
                        OpponentType.from_seat(opponent).value,
                        kind,
                        safety_label(kind, furiten, COPIES - unseen[kind]),
                        kind == KIND[decision.tile],
                        bool(win_mask >> kind & 1),
                    )
                )

    def _add_ron(self, win: Win) -> None:
        """Add the ron, if its score is known, and the discard was a decision."""
        has_score = win.fu is not None and win.points is not None and (win.yaku or win.yakuman)
        if self.last is not None and has_score:
            for model, (risk, without_dora) in enumerate(
                zip(self.last.risks, self.without_dora, strict=True)
            ):
                predicted = self._ron(win, self.last, risk, without_dora)
                self.rons.append((model, (*self.last.key, *predicted)))

    def _ron(
        self, win: Win, decision: _QueriedDecision, risk: DealIn, without_dora: Estimator | None
    ) -> tuple[Any, ...]:
        number = [opponent.seat for opponent in risk.opponents].index(win.seat)
        scores = risk.tile_scores(decision.tile)[number].copy()
        likely_without_dora = 0
        if without_dora is not None:
            plain = without_dora.deal_in(view_without_dora(decision.view))
            likely_without_dora = _likely_han(plain.tile_scores(decision.tile)[number])
        dealer = int(risk.opponents[number].dealer)
        by_code = POINTS[dealer]
        mangan = hand_points(base_points(5, 30), dealer=bool(dealer))
        scores /= scores.sum()
        opponent_type = OpponentType.from_seat(self.table.seats[win.seat]).value
        return (
            *(win.seat, opponent_type, _likely_han(scores), likely_without_dora),
            *(win_han(win), win_han(win, INDICATED_DORA), win.fu),
            *(float(scores @ by_code), float(scores @ (by_code >= mangan))),
            *((win.points or 0) >= mangan, win.points),
        )


def _likely_han(scores: Floats) -> int:
    """The most probable han, 1–13, of probabilities by score code, (224,)."""
    return int(np.bincount(_HAN, scores)[1:].argmax()) + 1


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
