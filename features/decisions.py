"""Rows to measure estimators on: what they say at every decision, and what would have happened.

A row of the first table is a decision, an opponent and a kind in the hand, with the probability
that the kind deals in and whether that opponent would have won on it. A row of the second is a ron
that came of a decision. What opponents hold is read from the full table here, and nowhere else.
Left out are the decisions that are none and opponents who were away, as in `features.tenpai`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from features import schema
from features.ron import ronable
from houjuu import reading
from houjuu.deal_in import DealIn
from houjuu.estimator import Estimator
from houjuu.events import Deal, Discard, Draw, Event, Game, Win
from houjuu.hands.points import CODES, POINTS, YAKUMAN_HAN
from houjuu.melded import Kept
from houjuu.table import Seat, Table
from houjuu.tiles import COPIES, IS_HONOUR

_HAN = np.arange(CODES) // 16
_TOLD = tuple(column for column in schema.DANGERS if column.name != "predicted")


class Rows(NamedTuple):
    """What some games give, as `schema.DANGERS` and `schema.RONS`."""

    dangers: pd.DataFrame
    rons: pd.DataFrame


def rows(games: Iterable[Game], estimators: Sequence[Estimator]) -> list[Rows]:
    """The rows of some games for each of some estimators, in the order in which they were played.

    All are asked in one pass: the games are replayed, the truth is told and the hands of melded
    opponents are worked out but once.
    """
    dangers: list[tuple[Any, ...]] = []
    predicted: list[list[float]] = [[] for _ in estimators]
    rons: list[list[tuple[Any, ...]]] = [[] for _ in estimators]
    for game in games:
        asking = _Asking(Table(game.rules), estimators, predicted)
        for event in game:
            asking.follow(event)
        dangers += [(game.id, *row) for row in asking.dangers]
        for found, row in asking.rons:
            rons[found].append((game.id, *row))
    told = _frame(dangers, _TOLD)
    return [
        Rows(schema.check(told.assign(predicted=said), schema.DANGERS), _frame(won, schema.RONS))
        for said, won in zip(predicted, rons, strict=True)
    ]


def _frame(found: list[tuple[Any, ...]], columns: tuple[schema.Column, ...]) -> pd.DataFrame:
    return schema.check(pd.DataFrame(found, columns=schema.names(columns)), columns)


@dataclass
class _Asking:
    """A game under way; each seat keeps what can be kept between its queries.

    `predicted` grows by a number for each row of `dangers` and each estimator; a ron stands with
    the place of the estimator.
    """

    table: Table
    estimators: Sequence[Estimator]
    predicted: list[list[float]]
    dangers: list[tuple[Any, ...]] = field(default_factory=list)
    rons: list[tuple[int, tuple[Any, ...]]] = field(default_factory=list)
    index: int = -1
    kept: list[Kept] = field(default_factory=lambda: [Kept() for _ in range(4)])
    asked: tuple[tuple[int, int, int], int, list[DealIn]] | None = None
    """The last decision, while its discard lies there to be won on: key, tile, answers."""

    def follow(self, event: Event) -> None:
        if isinstance(event, Deal):
            self.index += 1
        elif isinstance(event, Draw):
            self.asked = None
        elif isinstance(event, Discard):
            self._decision(event)
        elif isinstance(event, Win) and self.asked is not None and event.source != event.seat:
            key, tile, risks = self.asked
            for place, risk in enumerate(risks):
                self.rons.append((place, (*key, *self._ron(event, tile, risk))))
        self.table.apply(event)

    def _decision(self, event: Discard) -> None:
        self.asked = None
        decider = self.table.seats[event.seat]
        if decider.in_riichi or decider.away:
            return
        view = self.table.view(event.seat)
        kept = self.kept[event.seat]
        risks = [estimator.deal_in(view, kept) for estimator in self.estimators]
        key = (self.index, event.seat, len(decider.river))
        self.asked = key, event.tile, risks
        unseen = view.unseen().tolist()
        kinds = sorted({tile // COPIES for tile in view.hand})
        chances = [risk.by_opponent[:, kinds].tolist() for risk in risks]
        for place, opponent in enumerate(view.opponents):
            if opponent.was_away:
                continue
            for numbers, of in zip(self.predicted, chances, strict=True):
                numbers.extend(of[place])
            furiten, wins = view.furiten(opponent.seat), ronable(self.table, view, opponent)
            for kind in kinds:
                self.dangers.append(
                    (
                        *key,
                        opponent.seat,
                        read_as(opponent),
                        kind,
                        tile_class(kind, furiten, COPIES - unseen[kind]),
                        kind == event.tile // COPIES,
                        bool(wins >> kind & 1),
                    )
                )

    def _ron(self, win: Win, tile: int, risk: DealIn) -> tuple[Any, ...]:
        place = [opponent.seat for opponent in risk.opponents].index(win.seat)
        scores = risk.scores_of(tile)[place]
        likely = int(np.bincount(_HAN, scores)[1:].argmax()) + 1
        real = YAKUMAN_HAN if win.yakuman else min(sum(h for _, h in win.yaku), YAKUMAN_HAN)
        expected = float(scores @ POINTS[int(risk.opponents[place].dealer)] / scores.sum())
        read = read_as(self.table.seats[win.seat])
        return win.seat, read, likely, real, expected, win.points


def read_as(seat: Seat) -> str:
    """One of `schema.READ_AS`."""
    if seat.open_melds:
        return schema.READ_AS[1 + seat.open_melds]
    return schema.READ_AS[0 if seat.in_riichi else 1]


def tile_class(kind: int, furiten: int, seen: int) -> str:
    """One of `schema.TILES`.

    Parameters
    ----------
    kind : int
    furiten : int
        The opponent's genbutsu (bit h for kind h), `View.furiten`.
    seen : int
        Copies of the kind that the discarder sees, its own included, 1–4.
    """
    if furiten >> kind & 1:
        return schema.GENBUTSU
    if IS_HONOUR[kind]:
        return schema.HONOURS[seen - 1]
    dead, through = reading.dead_suji(kind, furiten), reading.suji_through(kind)
    return schema.SUJI if dead == through else schema.HALF_SUJI if dead else schema.NO_SUJI
