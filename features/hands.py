"""Rows for the weights of melded hands: what the unseen tiles allow, and what was truly held.

A row tells of a melded, tenpai opponent. With two or three sets on the table, and no furiten, it
has how the ways to draw such a hand divide into the four classes that equations 14 and 15 of
Kurita & Hoki 2017 weigh (form of wait, yaku), within the colour of the true hand, and the class of
that hand. Every row has how many kinds no hand wins on that the runtime looks at, and on how many
of them the true hand does. It is in the eyes of the first seat to decide after the opponent acted:
until it acts again its hand is the same, and little more is seen. Opponents who were away were left
out, as in `features.tenpai`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd
from riichienv import calculate_shanten

from features import schema
from features.replay import decisions
from features.ron import ronable
from houjuu.events import Game
from houjuu.hands.tenpai import reds_unseen
from houjuu.melded import GOOD_FORMS, Kept, MeldedModel, suits_of, within_colour
from houjuu.reading import SEVERAL
from houjuu.table import Seat, Table, View, bits
from houjuu.tiles import COPIES, KINDS, RED_FIVES

COUNTED = (2, 3)
"""Sets on the table with which the paper counts the true hands and there is something to weigh."""

_SHARES = [column.name for column in schema.SHARES]
_COLUMNS = schema.names(schema.HANDS)
_NOT_COUNTED = (*(np.nan for _ in _SHARES), False, False)
_ANY_COLOUR = np.ones(SEVERAL + 1)
Row = tuple[float, ...]


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """The rows of some games, in the order in which they were played, as `schema.HANDS`."""
    found = [(game.id, *row) for game in games for row in _game(game)]
    frame = pd.DataFrame(found, columns=_COLUMNS)
    return schema.check(frame, schema.HANDS)


def _game(game: Game) -> Iterator[Row]:
    met: dict[int, Seat] = {}
    kept = [Kept() for _ in range(4)]  # the seats do not see the same tiles
    for table, index, discard in decisions(game):
        for row in _decision(table, discard.seat, met, kept[discard.seat]):
            yield (index, *row)


def _decision(table: Table, who: int, met: dict[int, Seat], kept: Kept) -> Iterator[Row]:
    """Yield a row per opponent who has acted since it was last `met`."""
    decider = table.seats[who]
    view = table.view(who)
    for opponent in view.opponents:
        if met.get(opponent.seat) is opponent or not opponent.open_melds or opponent.was_away:
            continue
        met[opponent.seat] = opponent
        if calculate_shanten(table.ledger.hands[opponent.seat]) == 0:
            classes = _classes(view, opponent, table.ledger.hands[opponent.seat], kept)
            explained = MeldedModel().by_hands(view, opponent.seat, _ANY_COLOUR, kept).any(axis=1)
            unexplained = ~explained & ~view.genbutsu(opponent.seat)
            missed = unexplained & bits(ronable(table, view, opponent))
            key = who, len(decider.river), opponent.seat, len(opponent.melds)
            yield (*key, *classes, unexplained.sum(), missed.sum())


def _classes(view: View, opponent: Seat, hand: list[int], kept: Kept) -> Row:
    """The four shares and the class of the true hand."""
    if len(opponent.melds) not in COUNTED:
        return _NOT_COUNTED
    hands = kept.hands(view, opponent.seat)
    waiting = (hands.waits & np.uint64(view.furiten(opponent.seat))) == 0
    held = np.bincount([tile // COPIES for tile in hand], minlength=KINDS).astype(np.int8)
    manzu, pinzu, souzu = (view.rules.red_fives and red in hand for red in RED_FIVES)
    true = np.flatnonzero(waiting & (hands.ways(held, (manzu, pinzu, souzu)) > 0))
    if not len(true):  # furiten, or its last copies are in its own melds
        return _NOT_COUNTED
    class_ = 2 * ((hands.forms & GOOD_FORMS) == 0) + ~hands.wins
    ways = hands.ways(view.unseen(), reds_unseen(view.visible(), view.rules))
    ways *= waiting & _of_its_colour(suits_of(hands, opponent.melds), true[0])
    total = np.bincount(class_, ways, minlength=len(_SHARES))
    other_form, no_yaku = divmod(int(class_[true[0]]), 2)
    return (*(total / total.sum()).tolist(), other_form, no_yaku)


def _of_its_colour(suits: npt.NDArray[np.uint8], true: int) -> npt.NDArray[np.bool_]:
    """Which groups are of the colour of the true one; honours alone are taken for manzu."""
    of_hand = int(suits[true])
    colour = SEVERAL if of_hand.bit_count() > 1 else max(of_hand.bit_length() - 1, 0)
    return within_colour(suits, colour)
