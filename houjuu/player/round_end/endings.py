"""The ways a round can end, seen from one seat, and their payments.

Seats are relative: 0 is the seat itself, then right, across and left. A round ends with the win of
a seat, by tsumo or off another seat, or with an exhausted draw. Aborted rounds and 流し満貫 are
left out. Of several winners of one discard the first counts.
"""

from __future__ import annotations

import numpy as np

from houjuu.game.events import SEATS
from houjuu.game.payments import hand_points, win_payments
from houjuu.util.arrays import Floats, Ints

SELF = 0
_WINS = tuple((winner, payer) for winner in range(SEATS) for payer in range(SEATS))

DRAW = len(_WINS)
"""The index of the exhausted draw; the wins come first."""

WINNER: Ints = np.array([winner for winner, _ in _WINS])
PAYER: Ints = np.array([payer for _, payer in _WINS])
"""The seats of each win, (16,); the payer of a tsumo is the winner itself."""

IS_TSUMO = WINNER == PAYER

OWN_WINS = slice(SEATS)
"""The own wins: by tsumo, and off right, across and left."""

SIZES = ("1,000", "2,000", "3,200", "3,900", "5,200", "8,000", "12,000", "16,000 and more")
"""Names of the sizes of a win: the points of a ron by a non-dealer."""

_SIZE_EDGES = (380, 600, 900, 1100, 1800, 2001, 3500)
USUAL_BASE: Ints = np.array(
    [
        *((240, 320), (400, 480), (640, 800), (960, 960)),
        *((1280, 1600), (1920, 2000), (3000, 3000), (4000, 8000)),
    ]
)
"""Base points of the two usual scores of each size, (sizes, 2)."""

TENPAI_PATTERNS: Ints = np.array([[i >> seat & 1 for seat in range(SEATS)] for i in range(16)])
"""Which seats are tenpai at an exhausted draw, (16, 4)."""


def ending(winner: int, payer: int) -> int:
    """The index of a win."""
    return winner * SEATS + payer


def size(base: float) -> int:
    """The size of a win, an index into `SIZES`, by its base points (基本点)."""
    return int(np.searchsorted(_SIZE_EDGES, base, side="right"))


def usual_shares(mean: Floats) -> Floats:
    """How often the wins of each size have each of `USUAL_BASE`, (sizes, 2), by their mean.

    A mean pays what no hand pays: with 1,200 for 1,000 points a leader would reach the target.

    Parameters
    ----------
    mean : (sizes,) array
        Base points of each size, by the payments, which are rounded up.
    """
    low, high = (hand_points(USUAL_BASE, dealer=False) / 4).T
    share = np.clip((mean - low) / np.maximum(high - low, 1), 0, 1)
    return np.column_stack([1 - share, share])


def ending_payments(base: Floats | Ints, dealer: int, honba: int, sticks: int) -> Ints:
    """The changes of the scores by each win, (16, sizes, 4), unit: points.

    Parameters
    ----------
    base : (sizes,) array
        Base points of each size.
    dealer : int
        Its relative seat.
    honba, sticks : int
        On the table; the winner takes them.
    """
    return np.array(
        [
            win_payments(
                hand_points(base, dealer=winner == dealer, tsumo=winner == payer),
                winner,
                payer,
                dealer=dealer,
                honba=honba,
                sticks=sticks,
            )
            for winner, payer in _WINS
        ]
    )
