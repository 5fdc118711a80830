"""Rows for the score models: features before the discard, and kind, han and fu of the win.

A row is a ron. A red five counts as any five. Winners who were away are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from features import schema
from features.schema.waits import RON_SCORES
from features.wait_rows import enumerated_scores
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.log_linear.han_model import sum_by_han
from houjuu.game.events import Deal, Discard, Game, Win
from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.table import Seat, Table, View
from houjuu.game.tiles import KIND, RED_FIVES
from houjuu.hands.hand_cache import HandCache
from houjuu.reading import wait_features
from houjuu.reading.opponent import OpponentType, opponent_contexts

_COLUMNS = schema.names(RON_SCORES)
_NO_PRIOR = np.zeros(YAKUMAN_HAN, np.float32)


def rows(games: Iterable[Game], paper: KuritaHoki) -> pd.DataFrame:
    """Rows of some games, as `RON_SCORES`; parameters as in `features.wait_rows.rows`."""
    table = [(game.id, *row) for game in games for row in _game_rows(game, paper)]
    return schema.check(pd.DataFrame(table, columns=_COLUMNS), RON_SCORES)


def _game_rows(game: Game, paper: KuritaHoki) -> Iterator[tuple[Any, ...]]:
    table = Table(game.rules)
    index = -1
    before: View | None = None
    for event in game:
        if isinstance(event, Deal):
            index += 1
        elif isinstance(event, Discard):
            before = table.view(event.seat)
        elif isinstance(event, Win) and event.source != event.seat and before is not None:
            winner = before.seats[event.seat]
            has_score = event.yakuman or (event.yaku and event.fu is not None)
            if has_score and before.seat == event.source and not winner.was_away:
                yield (index, *_row(before, event, paper))
        table.apply(event)


def _row(view: View, win: Win, paper: KuritaHoki) -> tuple[Any, ...]:
    winner = view.seats[win.seat]
    kind = KIND[win.tile]
    han = win_han(win)
    if view.rules.red_fives and win.tile in RED_FIVES and not win.yakuman:
        han -= 1
    (context,) = opponent_contexts(view, [winner])
    return (
        *(view.seat, len(view.seats[view.seat].river), win.seat),
        OpponentType.from_seat(winner).value,
        *wait_features.extract(context),
        *_prior_han(view, winner, kind, paper),
        *(kind, han, 0 if win.yakuman else win.fu),
    )


def win_han(win: Win, without: Collection[int] = ()) -> int:
    """Han of a win, at most 13; 13 for a yakuman; some numbers of yaku may be left out."""
    han = sum(han for number, han in win.yaku if number not in without)
    return YAKUMAN_HAN if win.yakuman else min(han, YAKUMAN_HAN)


def _prior_han(view: View, winner: Seat, kind: int, paper: KuritaHoki) -> Any:
    """P(han | wins on the kind) of the enumerated hands, (13,); 0 for a closed hand."""
    if not winner.n_open_melds:
        return _NO_PRIOR
    by_han = sum_by_han(enumerated_scores(view, winner, paper, HandCache()))[kind]
    return by_han / by_han.sum() if by_han.any() else _NO_PRIOR
