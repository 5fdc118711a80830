"""The end of a game and its results, by the rules.

By Tenhou's, a game ends when a score is below 0, and from the last round on (East 4 or South 4)
when a seat has 30,000 points; a dealer who stays goes on unless it leads with them. The game ends
with the last extra round whatever the scores. An aborted round (途中流局) ends no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, floor

import numpy as np

from houjuu.game.events import SEATS
from houjuu.game.rules import TENHOU, Profile, Rules
from houjuu.util.arrays import Bools, Ints


def game_over(
    scores: Ints, dealer_stays: Bools, aborted: Bools, *, round: int, rules: Rules
) -> Bools:
    """Whether the game is over after a round.

    Parameters
    ----------
    scores : (…, 4) array
        By seat, after the payments, without the sticks on the table. Unit: points.
    dealer_stays, aborted : (…) arrays of bool
    round : int
        The round that ends, 0 for East 1.
    rules : Rules

    Returns
    -------
    (…) array of bool
    """
    profile = rules.profile
    bust = np.asarray((scores < 0).any(axis=-1) & profile.bust)
    if round < rules.last_round:
        return bust
    leader = order(scores)[..., 0]
    reached = scores.max(axis=-1) >= profile.target
    dealer_leads = (leader == round % SEATS) & profile.agari_yame
    final = round >= rules.last_round + profile.extra_rounds
    over = np.where(dealer_stays, reached & dealer_leads, reached | final)
    return np.asarray(bust | (over & ~aborted))


def order(scores: Ints | Sequence[int]) -> Ints:
    """The seats from the first to the last, (…, 4); the nearer to the first dealer wins a tie."""
    return np.argsort(-np.asarray(scores), axis=-1, kind="stable")


def ranks(scores: Ints | Sequence[int]) -> Ints:
    """The rank of each seat, 0–3, (…, 4), in the order of `order`."""
    return np.argsort(order(scores), axis=-1)


def results(
    scores: Sequence[int],
    profile: Profile = TENHOU,
    *,
    whole: bool = False,
) -> tuple[float, ...]:
    """The results of the seats, with uma.

    Parameters
    ----------
    scores : 4 ints
        The final scores by seat. Unit: points.
    profile : Profile, optional
        Its uma, and the points from which the results count. The first seat gets what the others
        lack (oka).
    whole : bool, default=False
        Whether scores are rounded to thousands, half of them away from 0. Tenhou did so until 2022.

    Returns
    -------
    tuple of 4 floats, unit: thousands of points
        Their sum is 0.

    Examples
    --------
    >>> results((41_200, 24_500, 26_900, 7_400))
    (51.2, -15.5, 6.9, -42.6)
    >>> results((41_200, 24_500, 26_900, 7_400), whole=True)
    (51.0, -15.0, 7.0, -43.0)
    """
    first, *others = order(scores).tolist()
    uma = profile.uma
    by_seat = [0.0] * SEATS
    for seat, bonus in zip(others, (uma[1], -uma[1], -uma[0]), strict=True):
        thousands = _rounded(scores[seat]) if whole else scores[seat] / 1000
        by_seat[seat] = round(thousands - profile.base / 1000 + bonus, 1)
    by_seat[first] = round(-sum(by_seat), 1)
    return tuple(by_seat)


def _rounded(score: int) -> float:
    return copysign(floor(abs(score) / 1000 + 0.5), score)
