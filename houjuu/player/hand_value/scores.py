"""Scores of wins: han and fu, and the score of the same win with more han.

From mangan on fu count no longer: all limit hands of as many han are one score, with 0 fu.

>>> mangan = index(4, 40)
>>> SCORES[mangan], int(BASE[mangan])
((4, 0), 2000)
>>> SCORES[RAISED[1][mangan]], int(BASE[RAISED[2][mangan]])
((5, 0), 3000)
"""

from __future__ import annotations

import numpy as np

from houjuu.game.payments import YAKUMAN_HAN, base_points, hand_points, limit
from houjuu.util.arrays import Floats, Ints

_FU = (20, 25, *range(30, 120, 10))
_LEAST_LIMIT_HAN = 3
_USUAL_FU = {3: 70, 4: 40}
"""The fu of a limit hand that loses a han."""

SCORES = (
    *((han, fu) for han in range(1, 5) for fu in _FU if not limit(han, fu)),
    *((han, 0) for han in range(_LEAST_LIMIT_HAN, YAKUMAN_HAN + 1)),
)
"""Han and fu of all scores."""

_INDEX = {score: index for index, score in enumerate(SCORES)}
_LIMIT = base_points(5, 30)


def index(han: int, fu: int, *, kiriage: bool = False) -> int:
    """The score of han, at least 1, and fu; `kiriage` as in `houjuu.game.payments.limit`."""
    han = min(han, YAKUMAN_HAN)
    if limit(han, fu, kiriage=kiriage):
        return _INDEX[max(han, _LEAST_LIMIT_HAN), 0]
    return _INDEX[han, min(fu, _FU[-1])]


BASE: Ints = np.array(
    [base_points(han, fu) if fu else max(base_points(han, 30), _LIMIT) for han, fu in SCORES]
)
"""Base points (基本点) of each score."""


def _raised(score: tuple[int, int], han: int) -> int:
    own_han, fu = score
    return index(max(own_han + han, 1), fu or _USUAL_FU.get(own_han, 30))


HAN_MORE = range(-2, 5)
"""The han that a win may have more than the hand as it is counted."""

RAISED: dict[int, Ints] = {
    han: np.array([_raised(score, han) for score in SCORES]) for han in HAN_MORE
}
"""Each score with so many han more."""

WIN_POINTS: dict[bool, Floats] = {
    dealer: np.array([hand_points(BASE, dealer=dealer, tsumo=tsumo) for tsumo in (False, True)])
    for dealer in (False, True)
}
"""Points of each score by ron and by tsumo, (2, scores): False not of the dealer, True of it."""


def raised(shares: Floats, han: int) -> Floats:
    """The shares of scores, (…, scores), with so many han more."""
    return np.asarray(shares @ _STEPS[han])


_STEPS = {
    han: (RAISED[han][:, None] == np.arange(len(SCORES))).astype(np.float64) for han in HAN_MORE
}


def around(base: Floats) -> Floats:
    """The scores beside some base points, with shares whose mean these are, (n, scores)."""
    distinct, first = np.unique(BASE, return_index=True)
    above = np.searchsorted(distinct[:-1], base, side="right").clip(1)
    low, high = distinct[above - 1], distinct[above]
    share = np.clip((base - low) / (high - low), 0.0, 1.0)
    shares = np.zeros((len(base), len(SCORES)))
    rows = np.arange(len(base))
    shares[rows, first[above - 1]] = 1 - share
    shares[rows, first[above]] += share
    return shares
