"""Rows for the score models: features before the discard, and kind, han and fu of the win.

A row is a ron. A red five counts as any five. Winners who were away are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np
import pandas as pd

from features import schema, wait_rows
from features.hand_sums import HandQueries, HandQuery, answered
from features.schema.waits import RON_SCORES
from houjuu.estimators.log_linear.han_model import sum_by_han
from houjuu.game.events import Call, Deal, Discard, Draw, Game, Win
from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.table import Table, View
from houjuu.game.tiles import KIND, RED_FIVES
from houjuu.hands.tenpai_hands import TenpaiHands
from houjuu.reading import wait_features
from houjuu.reading.opponent import OpponentType, opponent_contexts
from houjuu.util.arrays import Floats

_COLUMNS = [name for name in schema.names(RON_SCORES) if name != "hand_sums"]
Pending = tuple[tuple[Any, ...], list[bytes]]
"""A row, and its sums over hands: an empty list until they are known."""


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """Rows of some games, as `RON_SCORES`."""
    return _table(answered(partial(_pending_rows, games)))


def rows_with_waits(games: Sequence[Game]) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Both tables of `features.wait_rows.rows`, and that of `rows`; their hands are built once."""
    queries = HandQueries()
    waits = wait_rows.pending_rows(games, queries)
    rons = _pending_rows(games, queries)
    queries.answer()
    return (*wait_rows.tables(waits), _table(rons))


def _pending_rows(games: Iterable[Game], queries: HandQueries) -> list[Pending]:
    """The rows of some games, whose hands are asked for but not built."""
    return [row for game in games for row in _game_rows(game, queries)]


def _table(pending: list[Pending]) -> pd.DataFrame:
    """The rows as `RON_SCORES`, after the queries are answered."""
    frame = pd.DataFrame([row for row, _ in pending], columns=_COLUMNS)
    frame["hand_sums"] = pd.Series([sums for _, (sums,) in pending], dtype=object)
    return schema.check(frame, RON_SCORES)


def _game_rows(game: Game, queries: HandQueries) -> Iterator[Pending]:
    table = Table(game.rules)
    index = -1
    before: View | None = None
    for event, following in zip_longest(game.events, game.events[1:]):
        if isinstance(event, Deal):
            index += 1
        elif isinstance(event, Discard):
            is_passed = isinstance(following, (Draw, Call))
            before = None if is_passed else table.view(event.seat)
        elif isinstance(event, Win) and event.source != event.seat and before is not None:
            winner = before.seats[event.seat]
            has_score = event.yakuman or (event.yaku and event.fu is not None)
            if has_score and before.seat == event.source and not winner.was_away:
                row = (game.id, index, *_row(before, event))
                yield row, _sums(before, event, queries)
        table.apply(event)


def _row(view: View, win: Win) -> tuple[Any, ...]:
    winner = view.seats[win.seat]
    han = win_han(win)
    if view.rules.red_fives and win.tile in RED_FIVES and not win.yakuman:
        han -= 1
    (context,) = opponent_contexts(view, [winner])
    return (
        *(view.seat, len(view.seats[view.seat].river), win.seat),
        OpponentType.from_seat(winner).value,
        *wait_features.extract(context),
        *wait_rows.colour_features(winner),
        *(KIND[win.tile], han, 0 if win.yakuman else win.fu),
    )


def win_han(win: Win, without: Collection[int] = ()) -> int:
    """Han of a win, at most 13; 13 for a yakuman; some numbers of yaku may be left out."""
    han = sum(han for number, han in win.yaku if number not in without)
    return YAKUMAN_HAN if win.yakuman else min(han, YAKUMAN_HAN)


def _sums(view: View, win: Win, queries: HandQueries) -> list[bytes]:
    """The sums by han of the enumerated hands that win on the kind; none for a closed hand."""
    if not view.seats[win.seat].n_open_melds:
        return [b""]
    query = HandQuery.from_view(view, win.seat)
    by_han = partial(_by_han, KIND[win.tile])

    def sums(hands: TenpaiHands) -> bytes:
        return query.sums(hands, by_han).to_bytes()

    return queries.ask(query.context, sums)


def _by_han(kind: int, by_score: Floats) -> Floats:
    return sum_by_han(np.asarray(by_score[:, kind]))
