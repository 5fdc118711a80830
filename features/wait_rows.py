"""Rows for the wait models: features of tenpai opponents, and the kinds that they win on.

A row is a tenpai opponent and one deciding seat. Decisions that face the same hand are nearly the
same: of those that face an opponent in riichi, or without riichi with the same number of melds, one
is drawn at random, and the row has their number. The draw depends only on the id of the game.
Opponents who were away are left out, and discards that are no decisions (`features.replay`).
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from features import schema
from features.replay import decisions
from features.schema.waits import WAIT_BITS, WAITS
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.game.events import Game
from houjuu.game.table import Seat, Table, View
from houjuu.game.tiles import KIND, KINDS
from houjuu.hands.hand_cache import HandCache
from houjuu.player.hand_value.shanten import shanten
from houjuu.reading import wait_features
from houjuu.reading.opponent import OpponentType, opponent_contexts
from houjuu.truth import wait_decomposition
from houjuu.truth.true_waits import ron_kinds
from houjuu.util.arrays import Floats

_COLUMNS = schema.names(WAITS)
_FORTY_BITS = (1 << 40) - 1
_NO_PRIOR = np.zeros(KINDS, np.float32)
Row = tuple[Any, ...]


class _Drawn(NamedTuple):
    """A decision that faces a tenpai opponent, and the labels of the hand."""

    deal: int
    view: View
    opponent: Seat
    waits: int
    win_mask: int


def rows(games: Iterable[Game], paper: KuritaHoki) -> pd.DataFrame:
    """Rows of some games, as `WAITS`.

    Parameters
    ----------
    games : iterable of Game
    paper : KuritaHoki
        Its weights of melded hands give the prior.
    """
    table = [(game.id, *row) for game in games for row in _game_rows(game, paper)]
    return schema.check(pd.DataFrame(table, columns=_COLUMNS), WAITS)


def _game_rows(game: Game, paper: KuritaHoki) -> Iterator[Row]:
    caches = [HandCache() for _ in range(4)]
    for drawn, n_decisions in _draw(game):
        view = drawn.view
        opponent = drawn.opponent
        (context,) = opponent_contexts(view, [opponent])
        yield (
            *(drawn.deal, view.seat, len(view.seats[view.seat].river), opponent.seat),
            OpponentType.from_seat(opponent).value,
            *wait_features.extract(context),
            *_prior_win(view, opponent, paper, caches[view.seat]),
            sum(1 << kind for kind in {KIND[tile] for tile in view.hand}),
            drawn.win_mask,
            *(drawn.waits >> first & _FORTY_BITS for first in WAIT_BITS),
            n_decisions,
        )


def _draw(game: Game) -> Iterator[tuple[_Drawn, int]]:
    """Yield one decision for each tenpai hand, and the number that it was drawn from."""
    drawn: dict[tuple[Any, ...], _Drawn] = {}
    n_decisions: Counter[tuple[Any, ...]] = Counter()
    rng = np.random.default_rng(zlib.crc32(game.id.encode()))
    for table, index, discard in decisions(game):
        view = table.view(discard.seat)
        for opponent in view.opponents:
            if not opponent.was_away and _tenpai(table, opponent):
                hand = index, opponent.seat, OpponentType.from_seat(opponent), len(opponent.melds)
                n_decisions[hand] += 1
                if rng.random() * n_decisions[hand] < 1:
                    drawn[hand] = _labelled(table, index, view, opponent)
    yield from ((decision, n_decisions[hand]) for hand, decision in drawn.items())


def _tenpai(table: Table, seat: Seat) -> bool:
    hand = table.round_state.hands[seat.seat]
    return seat.in_riichi or shanten([KIND[tile] for tile in hand]) == 0


def _labelled(table: Table, index: int, view: View, opponent: Seat) -> _Drawn:
    counts = wait_decomposition.count_kinds(table.round_state.hands[opponent.seat])
    waits = sum(1 << wait for wait in wait_decomposition.waits(counts))
    return _Drawn(
        deal=index,
        view=view,
        opponent=opponent,
        waits=waits,
        win_mask=ron_kinds(table, view, opponent),
    )


def _prior_win(view: View, opponent: Seat, paper: KuritaHoki, cache: HandCache) -> Any:
    if not opponent.n_open_melds:
        return _NO_PRIOR
    return enumerated_scores(view, opponent, paper, cache).sum(axis=1)


def enumerated_scores(view: View, opponent: Seat, paper: KuritaHoki, cache: HandCache) -> Floats:
    """P(wins on the kind with the score code | tenpai) of an opponent with melds, (34, 224)."""
    (colour,) = paper.colours([opponent])
    return paper.melded_hand(view, opponent.seat, colour, cache)
