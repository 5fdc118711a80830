"""The draws that better a hand near to tenpai, and the hand that it is on average to the end.

A tenpai hand that is not in riichi may draw a tile that does not win, and discard another one: it
stays tenpai and may wait for more tiles, or win more points. So may a hand 1 from tenpai that draws
a tile without becoming tenpai. `Improvement` describes the draws after which the best discard
leaves a hand of a higher value (`houjuu.player.hand_value.value`).

Own derivation. Of N unseen tiles n better the hand, so that each draw betters it with the
probability q = n/N. The hand of the t-th of D draws is the better one with the probability
1 − (1−q)^(t−1): the draw that betters the hand cannot win with it. The mean over the D draws is

    g = 1 − (1 − (1−q)^D) / (D·q)

Without improvement w tiles win p points, and afterwards w' tiles win p' points. Over the draws left
the hand waits for w̄ = (1−g)·w + g·w' tiles in the mean, and a win has
p̄ = ((1−g)·w·p + g·w'·p') / w̄ points. The first improvement alone counts. Of a hand 1 from tenpai
w is its ways: the pairs of a useful draw and a tile that wins then.

An example: 2 of 8 unseen tiles better the hand, which has 2 draws left. The first draw has the hand
of now, the second the better one with the probability 1/4: g = 1/8.

>>> share_of_draws(2, 8, 2)
0.125

Of 3 tiles with 2,000 points and then 7 with 4,000, (7·3·2000 + 7·4000) / (7·3 + 7) = 2,500:

>>> over_draws(3, 2000, Improvement(2, 7, 4000), unseen=8, draws=2)
(3.5, 2500.0)
"""

from __future__ import annotations

from typing import NamedTuple


class Improvement(NamedTuple):
    """The draws that better a hand.

    Attributes
    ----------
    tiles : float
        The unseen tiles that better it.
    ways, points : float
        Mean over them, after the best discard, of the numbers of
        `houjuu.player.hand_value.value.Outlook`. 0 where no tile betters the hand.
    """

    tiles: float
    ways: float
    points: float


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


def over_draws(
    ways: float, points: float, improvement: Improvement, *, unseen: float, draws: float
) -> tuple[float, float]:
    """The ways and the mean points of a win, over the draws left: w̄ and p̄.

    Parameters
    ----------
    ways, points : float
        Of the hand as it is.
    improvement : Improvement
    unseen : float
        All unseen tiles.
    draws : float
        Draws left to the seat.
    """
    share = share_of_draws(improvement.tiles, unseen, draws)
    before = (1.0 - share) * ways
    after = share * improvement.ways
    total = before * points + after * improvement.points
    return before + after, total / (before + after) if before + after else 0.0
