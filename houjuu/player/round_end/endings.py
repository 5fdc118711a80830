"""The ways a round can end, seen from one seat, and their payments.

Seats are relative: 0 is the seat itself, then right, across and left. A round ends with the win of
a seat, by tsumo or off another seat, or with an exhausted draw. Aborted rounds and 流し満貫 are
left out. Of several winners of one discard the first counts.
"""

from __future__ import annotations

import numpy as np

from houjuu.game.events import SEATS
from houjuu.util.arrays import Floats, Ints

SELF = 0
_WINS = tuple((winner, payer) for winner in range(SEATS) for payer in range(SEATS))

DRAW = len(_WINS)
"""The index of the exhausted draw; the wins come first."""

WINNER: Ints = np.array([winner for winner, _ in _WINS])
PAYER: Ints = np.array([payer for _, payer in _WINS])
"""The seats of each win, (16,); the payer of a tsumo is the winner itself."""

IS_TSUMO = WINNER == PAYER

SIZES = ("1,000", "2,000", "3,200", "3,900", "5,200", "8,000", "12,000", "16,000 and more")
"""Names of the sizes of a win: the points of a ron by a non-dealer."""

_SIZE_EDGES = (380, 600, 900, 1100, 1800, 2001, 3500)
TENPAI_PATTERNS: Ints = np.array([[i >> seat & 1 for seat in range(SEATS)] for i in range(16)])
"""Which seats are tenpai at an exhausted draw, (16, 4)."""

_NOTEN = 3000  # unit: points
_HONBA = 300
_STICK = 1000


def ending(winner: int, payer: int) -> int:
    """The index of a win."""
    return winner * SEATS + payer


def size(base: float) -> int:
    """The size of a win, an index into `SIZES`, by its base points (基本点)."""
    return int(np.searchsorted(_SIZE_EDGES, base, side="right"))


def _up(points: Floats) -> Floats:
    return np.ceil(np.round(points, 6) / 100) * 100


def win_payments(base: Floats, dealer: int, honba: int, sticks: int) -> Ints:
    """The changes of the scores by each win, (16, sizes, 4), unit: points.

    Parameters
    ----------
    base : (4, sizes) array
        Base points of each size of each winner.
    dealer : int
        Its relative seat.
    honba, sticks : int
        On the table; the winner takes them.
    """
    changes = np.zeros((DRAW, base.shape[1], SEATS))
    for index, (winner, payer) in enumerate(_WINS):
        of_winner = base[winner]
        others = [seat for seat in range(SEATS) if seat != winner]
        if winner == payer:
            for seat in others:
                double = dealer in (winner, seat)
                changes[index, :, seat] = (
                    -_up(of_winner * (2 if double else 1)) - _HONBA / 3 * honba
                )
        else:
            changes[index, :, payer] = -_up(of_winner * (6 if winner == dealer else 4))
            changes[index, :, payer] -= _HONBA * honba
        changes[index, :, winner] = -changes[index].sum(axis=-1) + _STICK * sticks
    return changes.astype(np.int64)


def draw_payments() -> Ints:
    """The changes of the scores by an exhausted draw, for each of `TENPAI_PATTERNS`, (16, 4)."""
    tenpai = TENPAI_PATTERNS.sum(axis=1, keepdims=True)
    gain = _NOTEN // np.maximum(tenpai, 1)
    loss = _NOTEN // np.maximum(SEATS - tenpai, 1)
    pays = (tenpai > 0) & (tenpai < SEATS)
    return np.asarray(np.where(TENPAI_PATTERNS, gain, -loss) * pays)
