"""Rows of tenpai opponents: their features, and the kinds that they win on.

A row is a tenpai opponent and one deciding seat. Decisions that face the same hand are nearly the
same: of those that face an opponent in riichi, or without riichi with the same number of melds, one
is drawn at random, and the row has their number. The draw depends only on the id of the game.
Opponents who were away are left out, and forced discards (`houjuu.game.decisions`).

A second table has the open hands among them: what the paper's weights of hands are fitted to. With
two or three melds, and if it is not furiten: the shares of the four classes that equations 14
and 15 of Kurita & Hoki 2017 weigh (form of wait, yaku) in the ways to draw such a hand, within the
colour of the true hand, and the class of that hand. With any number of melds: the number of kinds
that no enumerated hand wins on, and how many of them the true hand wins on.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from features import schema
from features.hand_sums import HandQueries, HandQuery, answered, by_kind
from features.schema import KEY
from features.schema.paper import PAPER_MELDED
from features.schema.waits import WAIT_BITS, WAITS
from houjuu.estimators.kurita_hoki.melded_hands import colours_within
from houjuu.game.decisions import Follower
from houjuu.game.events import Game
from houjuu.game.table import Seat, Table, View, mask_to_array
from houjuu.game.tiles import KIND, MANZU, RED_FIVES, kind_counts
from houjuu.hands import wait_decomposition
from houjuu.hands.shanten import shanten_of_tiles
from houjuu.hands.tenpai_hands import NO_SUIT, TenpaiHands
from houjuu.reading import wait_features
from houjuu.reading.opponent import OpponentType, opponent_contexts
from houjuu.reading.table1 import allowed_colours, type1
from houjuu.scoring.true_waits import ron_kinds

COUNTED = (2, 3)
"""Numbers of melds with which the paper counts the true hands and there is something to weigh."""

_OF_OPEN_HANDS = ["hand_sums", *schema.names(PAPER_MELDED)[len(KEY) + 2 :]]
_COLUMNS = [name for name in schema.names(WAITS) if name not in _OF_OPEN_HANDS]
_FORTY_BITS = (1 << 40) - 1
_NOT_COUNTED = (np.nan, np.nan, np.nan, np.nan, False, False)
_CLOSED = (b"", *_NOT_COUNTED, 0, 0)
Row = tuple[Any, ...]


class _SampledHand(NamedTuple):
    """A decision that faces a tenpai opponent, and the labels of the hand."""

    deal: int
    view: View
    opponent: Seat
    hand: list[int]
    waits: int
    win_mask: int


class Pending(NamedTuple):
    """A row whose sums over hands are not known yet: an empty list until they are."""

    row: Row
    of_open_hand: list[Row]


def rows(games: Iterable[Game]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of some games, as `WAITS`, and those of open hands, as `PAPER_MELDED`."""
    return tables(answered(partial(pending_rows, games)))


def pending_rows(games: Iterable[Game], queries: HandQueries) -> list[Pending]:
    """The rows of some games, whose hands are asked for but not built."""
    return [row for game in games for row in _game_rows(game, queries)]


def tables(pending: list[Pending]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of both tables, after the queries are answered."""
    rows = [(*row, *cells) for row, (cells,) in pending]
    frame = pd.DataFrame(rows, columns=[*_COLUMNS, *_OF_OPEN_HANDS])
    melded = frame[frame["n_open_melds"] > 0].reset_index(drop=True)
    return schema.check(frame, WAITS), schema.check(melded, PAPER_MELDED)


def _game_rows(game: Game, queries: HandQueries) -> Iterator[Pending]:
    for drawn, n_decisions in _draw(game):
        view = drawn.view
        opponent = drawn.opponent
        (context,) = opponent_contexts(view, [opponent])
        row = (
            *(game.id, drawn.deal, view.seat, len(view.seats[view.seat].river), opponent.seat),
            OpponentType.from_seat(opponent).value,
            *wait_features.extract(context),
            *colour_features(opponent),
            sum(1 << kind for kind in {KIND[tile] for tile in view.hand}),
            drawn.win_mask,
            *(drawn.waits >> first & _FORTY_BITS for first in WAIT_BITS),
            n_decisions,
        )
        if not opponent.n_open_melds:
            yield Pending(row, [_CLOSED])
            continue
        query = HandQuery.from_view(view, opponent.seat)
        yield Pending(row, queries.ask(query.context, partial(_of_open_hand, drawn, query)))


def colour_features(seat: Seat) -> Row:
    """The columns of `features.schema.paper.COLOUR_FEATURES`."""
    allowed = allowed_colours(seat)
    return (
        *(seat.n_open_melds, len(seat.river)),
        *(suit in allowed for suit in range(3)),
        *chain(*type1(seat)),
    )


def _of_open_hand(drawn: _SampledHand, query: HandQuery, hands: TenpaiHands) -> Row:
    """The columns of `_OF_OPEN_HANDS`."""
    sums = query.sums(hands, by_kind)
    covered = sums.all.any(axis=(0, 1))
    genbutsu = drawn.view.genbutsu(drawn.opponent.seat)
    uncovered = ~covered & ~genbutsu
    wins = uncovered & mask_to_array(drawn.win_mask)
    return (
        sums.to_bytes(),
        *_class_of_true_hand(drawn, query, hands, sums.by_class[0]),
        int(uncovered.sum()),
        int(wins.sum()),
    )


def _class_of_true_hand(
    drawn: _SampledHand, query: HandQuery, hands: TenpaiHands, ways: Any
) -> Row:
    """The four shares and the class of the true hand."""
    if len(drawn.opponent.melds) not in COUNTED:
        return _NOT_COUNTED
    counts = kind_counts(drawn.hand).astype(np.int8)
    red_fives = drawn.view.rules.red_fives
    manzu, pinzu, souzu = (red_fives and red in drawn.hand for red in RED_FIVES)
    true_hand = query.by_class(hands, (counts, (manzu, pinzu, souzu)))
    if not true_hand.any():  # furiten, or its last copies are in its own melds
        return _NOT_COUNTED
    ((colour, class_),) = np.argwhere(true_hand).tolist()
    total = ways[colours_within(MANZU if colour == NO_SUIT else colour)].sum(axis=0)
    other_form, no_yaku = divmod(class_, 2)
    return (*(total / total.sum()).tolist(), bool(other_form), bool(no_yaku))


def _draw(game: Game) -> Iterator[tuple[_SampledHand, int]]:
    """Yield one decision for each tenpai hand, and the number that it was drawn from."""
    drawn: dict[tuple[Any, ...], _SampledHand] = {}
    n_decisions: Counter[tuple[Any, ...]] = Counter()
    rng = np.random.default_rng(zlib.crc32(game.id.encode()))
    follower = Follower(game)
    table = follower.table
    for index, seat, *_ in follower.turns():
        for opponent in table.opponents(seat):
            if not opponent.was_away and _tenpai(table, opponent):
                hand = index, opponent.seat, OpponentType.from_seat(opponent), len(opponent.melds)
                n_decisions[hand] += 1
                if rng.random() * n_decisions[hand] < 1:
                    drawn[hand] = _labelled(table, index, table.view(seat), opponent)
    yield from ((decision, n_decisions[hand]) for hand, decision in drawn.items())


def _tenpai(table: Table, seat: Seat) -> bool:
    hand = table.round_state.hands[seat.seat]
    return seat.in_riichi or shanten_of_tiles(tuple(hand)) == 0


def _labelled(table: Table, index: int, view: View, opponent: Seat) -> _SampledHand:
    hand = list(table.round_state.hands[opponent.seat])
    waits = sum(
        1 << wait for wait in wait_decomposition.waits(wait_decomposition.count_kinds(hand))
    )
    return _SampledHand(
        deal=index,
        view=view,
        opponent=opponent,
        hand=hand,
        waits=waits,
        win_mask=ron_kinds(table, view, opponent),
    )
