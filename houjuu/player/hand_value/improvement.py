"""The draws that better a hand near to tenpai, and the hand that it is on average to the end.

A tenpai hand that is not in riichi may draw a tile that does not win, and discard another one: it
stays tenpai and may wait for more tiles, or win more points. So may a hand 1 from tenpai that draws
a tile without becoming tenpai. `Improvement` describes the draws after which the best discard
leaves a hand of a higher value (`houjuu.player.hand_value.value`).

Own derivation. Of N unseen tiles n better the hand, so that each draw betters it with the
probability q = n/N. The hand of the t-th of D draws is the better one with the probability
1 − (1−q)^(t−1): the draw that betters the hand cannot win with it. The mean over the D draws is

    g = 1 − (1 − (1−q)^D) / (D·q)

Without improvement w tiles win, and afterwards w' tiles. Over the draws left the hand waits for
(1−g)·w + g·w' tiles in the mean, of each score apart. The first improvement alone counts. Of a hand
1 from tenpai w is its ways: the pairs of a useful draw and a tile that wins then.

An example: 2 of 8 unseen tiles better the hand, which has 2 draws left. The first draw has the hand
of now, the second the better one with the probability 1/4: g = 1/8.

>>> share_of_draws(2, 8, 2)
0.125
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houjuu.player.hand_value.scores import SCORES
from houjuu.util.arrays import Floats, read_only


class Improvement(NamedTuple):
    """The draws that better a hand.

    Attributes
    ----------
    tiles : float
        The unseen tiles that better it.
    scores : (2, scores) array
        Mean over them, after the best discard, of those of
        `houjuu.player.hand_value.value.Outlook`. 0 where no tile betters the hand.
    """

    tiles: float
    scores: Floats


NO_IMPROVEMENT = Improvement(0.0, read_only(np.zeros((2, len(SCORES)))))


def share_of_draws(tiles: float, unseen: float, draws: float) -> float:
    """The mean probability, over the draws left, that the hand was bettered before: g.

    Parameters
    ----------
    tiles, unseen : float
        The unseen tiles that better the hand, and all of them.
    draws : float
        Draws left to the seat.
    """
    if tiles <= 0 or draws <= 0:
        return 0.0
    chance = min(tiles / unseen, 1.0)
    return 1.0 - (1.0 - float((1.0 - chance) ** draws)) / (draws * chance)
