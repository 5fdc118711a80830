"""Rows for what tenpai opponents win on: the evidence (`houjuu.evidence`), and the truth.

A row is a tenpai opponent in the eyes of a seat that decides. Decisions that face the same hand
tell much the same: of those that face an opponent in riichi, or without riichi with as many sets,
one is drawn at random and says of how many it was drawn. What is drawn depends on the game's id
alone. Left out are opponents who were away, and decisions that are none, as in `features.tenpai`.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from riichienv import calculate_shanten

from features import schema, shapes
from features.decisions import read_as
from features.replay import decisions
from features.ron import ronable
from houjuu import evidence
from houjuu.cases import cases
from houjuu.estimator import Estimator
from houjuu.events import Game
from houjuu.melded import Floats, Kept
from houjuu.table import Seat, Table, View
from houjuu.tenpai import Shown
from houjuu.tiles import COPIES, KINDS

_COLUMNS = schema.names(schema.SITUATIONS)
_FORTY = (1 << 40) - 1
_NO_SHARES = np.zeros(KINDS, np.float32)
Row = tuple[Any, ...]


class _Drawn(NamedTuple):
    """A decision that faces a tenpai opponent, and what is true of the hand."""

    deal: int
    view: View
    opponent: Seat
    waits: int
    wins: int


def rows(
    games: Iterable[Game], estimator: Estimator, classes: Container[str] = schema.READ_AS
) -> pd.DataFrame:
    """The rows of some games, as `schema.SITUATIONS`.

    Parameters
    ----------
    games : iterable of Game
    estimator : Estimator
        Has the weights of melded hands, which say how likely they win on each kind.
    classes : container of str
        How the opponents that rows are wanted of are read, some of `schema.READ_AS`.
    """
    found = [(game.id, *row) for game in games for row in _game(game, estimator, classes)]
    frame = pd.DataFrame(found, columns=_COLUMNS)
    return schema.check(frame, schema.SITUATIONS)


def _game(game: Game, estimator: Estimator, classes: Container[str]) -> Iterator[Row]:
    kept = [Kept() for _ in range(4)]
    for drawn, times in _draw(game, classes):
        view, opponent = drawn.view, drawn.opponent
        yield (
            *(drawn.deal, view.seat, len(view.seats[view.seat].river), opponent.seat),
            read_as(opponent),
            *evidence.read(*cases(view, [opponent])),
            *_shapes(view, opponent, estimator, kept[view.seat]),
            sum(1 << kind for kind in {tile // COPIES for tile in view.hand}),
            drawn.wins,
            *(drawn.waits >> start & _FORTY for start in (0, 40, 80)),
            times,
        )


def _draw(game: Game, classes: Container[str]) -> Iterator[tuple[_Drawn, int]]:
    """Yield a decision for each tenpai hand, and of how many it was drawn."""
    drawn: dict[tuple[Any, ...], _Drawn] = {}
    times: Counter[tuple[Any, ...]] = Counter()
    rng = np.random.default_rng(zlib.crc32(game.id.encode()))
    for table, index, discard in decisions(game):
        view = table.view(discard.seat)
        for opponent in view.opponents:
            read = read_as(opponent)
            if read in classes and not opponent.was_away and _tenpai(table, opponent):
                hand = index, opponent.seat, read, len(opponent.melds)
                times[hand] += 1
                if rng.random() * times[hand] < 1:
                    drawn[hand] = _look(table, index, view, opponent)
    yield from ((of, times[hand]) for hand, of in drawn.items())


def _tenpai(table: Table, seat: Seat) -> bool:
    return seat.in_riichi or calculate_shanten(table.ledger.hands[seat.seat]) == 0


def _look(table: Table, index: int, view: View, opponent: Seat) -> _Drawn:
    held = shapes.waits(shapes.counts_of(table.ledger.hands[opponent.seat]))
    waits = sum(1 << wait for wait in held)
    return _Drawn(index, view, opponent, waits, ronable(table, view, opponent))


def _shapes(view: View, opponent: Seat, estimator: Estimator, kept: Kept) -> Any:
    if not opponent.open_melds:
        return _NO_SHARES
    return scores_of_shapes(view, opponent, estimator, kept).sum(axis=1)


def scores_of_shapes(view: View, opponent: Seat, estimator: Estimator, kept: Kept) -> Floats:
    """P(wins on the kind with the score code | tenpai) of a melded opponent, (34, 224)."""
    colours = estimator.tenpai_model.read(Shown.of((opponent,))).colour[0]
    return estimator.melded_model.scores(view, opponent.seat, colours, kept)
