"""Payments of a win and of a draw, by Tenhou's rules.

A hand has base points (基本点) by its han and fu, or by its limit. Each payer pays a multiple of
them, rounded up to 100. The first winner of a discard also takes the honba and the riichi sticks.

A hand of 3 han and 40 fu has the base points 40 × 2⁵ = 1,280. Seat 1, not the dealer, wins with it
by tsumo: seat 0, the dealer, pays 2,560, rounded up to 2,600, and each other seat 1,300.

>>> points = hand_points(base_points(3, 40), dealer=False, tsumo=True)
>>> int(points), win_payments(points, 1, 1, dealer=0).tolist()
(5200, [-2600, 5200, -1300, -1300])

With one honba each seat pays 100 more, and the winner gets a stick from the table:

>>> win_payments(points, 1, 1, dealer=0, honba=1, sticks=1).tolist()
[-2700, 6500, -1400, -1400]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

import numpy as np

from houjuu.game.events import SEATS, Meld
from houjuu.game.rules import Profile
from houjuu.game.tiles import CHUN, EAST, HAKU, KIND, NORTH
from houjuu.game.yaku import DAISUUSHII, DOUBLE_YAKUMAN
from houjuu.util.arrays import Floats, Ints

RIICHI_STICK = 1000  # unit: points
HONBA = 300
"""Points that a honba adds to a win: the discarder pays them, or each payer of a tsumo a third."""

NOTEN = 3000
"""Points that pass from the noten to the tenpai hands at an exhausted draw."""

YAKUMAN_HAN = 13
"""A yakuman counts as 13 han, and 13 han count as a yakuman (数え役満)."""

BASE_FACTOR = {False: 4, True: 6}
"""Points of a hand per base point before rounding; True for the dealer's."""

_LIMIT_HAN = (5, 6, 8, 11, YAKUMAN_HAN)
_LIMIT_BASE = (2000, 3000, 4000, 6000, 8000)
_KIRIAGE_BASE = 1920
_DAISANGEN = 39
_LIABLE_SETS = {_DAISANGEN: range(HAKU, CHUN + 1), DAISUUSHII: range(EAST, NORTH + 1)}


def limit(han: int, fu: int, *, kiriage: bool = False) -> int:
    """The limit of a hand: 0 for none, 1 for mangan up to 5 for yakuman.

    With `kiriage`, 1,920 base points are mangan (切り上げ満貫): 4 han of 30 fu and 3 han of 60 fu.
    """
    mangan = _KIRIAGE_BASE if kiriage else _LIMIT_BASE[0]
    return max(bisect_right(_LIMIT_HAN, han), int(fu << (han + 2) >= mangan))


def base_points(han: int, fu: int, *, kiriage: bool = False) -> int:
    """The base points (基本点) of a hand, at most 8,000; `kiriage` as in `limit`.

    Examples
    --------
    >>> base_points(1, 30), base_points(4, 30), base_points(4, 40), base_points(13, 30)
    (240, 1920, 2000, 8000)
    """
    reached = limit(han, fu, kiriage=kiriage)
    return _LIMIT_BASE[reached - 1] if reached else fu << (han + 2)


def hand_points(base: float | Floats | Ints, *, dealer: bool, tsumo: bool = False) -> Ints:
    """The points of a hand without honba and sticks, the sum of all payments.

    Parameters
    ----------
    base : number or array
        Base points.
    dealer : bool
        Whether the winner is the dealer.
    tsumo : bool, default=False

    Returns
    -------
    array of the shape of `base`, unit: points

    Examples
    --------
    >>> hand_points(np.array([240, 1920, 8000]), dealer=True).tolist()
    [1500, 11600, 48000]
    """
    base = np.asarray(base)
    if not tsumo:
        return _rounded_up(BASE_FACTOR[dealer] * base)
    double = _rounded_up(2 * base)
    return 3 * double if dealer else double + 2 * _rounded_up(base)


def _rounded_up(points: Floats | Ints) -> Ints:
    """Round up to 100 points."""
    # Mean base points are floats: an error of their last digits must not add 100 points.
    hundreds = np.asarray(np.ceil(np.round(points, 6) / 100))
    return 100 * hundreds.astype(np.intp)


def win_payments(
    points: int | Ints,
    winner: int,
    source: int,
    *,
    dealer: int,
    honba: int = 0,
    sticks: int = 0,
    liable: int | None = None,
    liable_points: int | None = None,
) -> Ints:
    """The changes of the scores by a win.

    Of several winners of a discard only the first gets honba and sticks: for the others both are 0.

    Parameters
    ----------
    points : int or array, unit: points
        The points of the hand, see `hand_points`.
    winner, source : int
        Seats of the winner and of the winning tile; the same for a tsumo.
    dealer : int
        Seat of the dealer.
    honba, sticks : int, default=0
        Numbers of honba and riichi sticks on the table.
    liable : int or None
        The seat that pays by 責任払い: a tsumo alone, and half of a ron of another seat's discard,
        with all honba. None or the winner: nobody does.
    liable_points : int, default=`points`
        Those of the points for which this seat answers; for the rest nobody is liable.

    Returns
    -------
    (…, 4) array, unit: points
        By seat; the sum is that of the sticks.
    """
    points = np.asarray(points)
    liable = None if liable == winner else liable
    if liable is not None and liable_points is not None and liable_points < points:
        rest = win_payments(points - liable_points, winner, source, dealer=dealer)
        counts = {"honba": honba, "sticks": sticks, "liable": liable}
        return rest + win_payments(liable_points, winner, source, dealer=dealer, **counts)
    bonus = HONBA * honba
    changes = np.zeros((*points.shape, SEATS), np.intp)
    if liable is None and source == winner:
        # The dealer pays twice the base points and the others once, each rounded up. Their sum is
        # 4 shares of the others, or 100 less: rounded up, its quarter is such a share.
        share = points // 3 if dealer == winner else _rounded_up(points / 4)
        changes -= (share + bonus // 3)[..., None]
        changes[..., dealer] = 2 * share - points - bonus // 3
    elif liable is None or source in (liable, winner):
        changes[..., source if liable is None else liable] = -points - bonus
    else:
        changes[..., source] = -(points // 2)
        changes[..., liable] = -(points // 2) - bonus
    changes[..., winner] = 0
    changes[..., winner] = RIICHI_STICK * sticks - changes.sum(axis=-1)
    return changes


def points_won(deltas: Sequence[int], winner: int, honba: int) -> int:
    """The points of a hand from the changes of the scores; the inverse of `win_payments`."""
    return deltas[winner] - sum(deltas) - HONBA * honba


def liable_seat(yakuman: Iterable[int], melds: Sequence[Meld]) -> int | None:
    """The seat that pays by 責任払い.

    Parameters
    ----------
    yakuman : iterable of int
        Tenhou's numbers of the yakuman of the hand.
    melds : sequence of Meld
        Of the winner, in the order of the calls.

    Returns
    -------
    int or None
        The seat whose tile completed the third set of dragons of 大三元 or the fourth set of winds
        of 大四喜; None if the winner drew it, or for other hands.
    """
    for number in yakuman:
        kinds = _LIABLE_SETS.get(number, ())
        sets = [meld for meld in melds if KIND[meld.tiles[0]] in kinds]
        if kinds and len(sets) == len(kinds) and sets[-1].is_open:
            return sets[-1].source
    return None


def n_yakuman(yakuman: Iterable[int], profile: Profile) -> int:
    """How many yakuman some of Tenhou's numbers count as: a few count twice by some rules."""
    return sum(1 + (profile.double_yakuman and number in DOUBLE_YAKUMAN) for number in yakuman)


def liable_points(points: int, yakuman: Sequence[int], profile: Profile) -> int:
    """Those of the points of some yakuman for which a liable seat answers by the rules."""
    if profile.pao_of_all or not yakuman:
        return points
    completed = n_yakuman(_LIABLE_SETS.keys() & set(yakuman), profile)
    return points * completed // n_yakuman(yakuman, profile)


def liable_or_winner(yakuman: Iterable[int], melds: Sequence[Meld], winner: int) -> int:
    """The seat that pays by 責任払い; the winner if nobody does, as in `Win.liable`."""
    seat = liable_seat(yakuman, melds)
    return winner if seat is None else seat


def draw_payments(tenpai: Sequence[bool] | Ints) -> Ints:
    """The changes of the scores by an exhausted draw.

    Parameters
    ----------
    tenpai : (…, 4) array of 0 and 1 or bool
        Whether each seat is tenpai.

    Returns
    -------
    (…, 4) array, unit: points

    Examples
    --------
    >>> draw_payments([True, False, False, False]).tolist()
    [3000, -1000, -1000, -1000]
    """
    is_tenpai = np.asarray(tenpai, np.bool_)
    n_tenpai = is_tenpai.sum(axis=-1, keepdims=True)
    gain = NOTEN // np.maximum(n_tenpai, 1)
    loss = NOTEN // np.maximum(SEATS - n_tenpai, 1)
    return np.where(n_tenpai % SEATS, np.where(is_tenpai, gain, -loss), 0)


def nagashi_payments(seats: Iterable[int], dealer: int) -> Ints:
    """The changes of the scores by 流し満貫, (4,): each of the seats is paid a mangan by tsumo.

    Honba and sticks stay on the table.
    """
    changes = np.zeros(SEATS, np.intp)
    for seat in seats:
        points = hand_points(_LIMIT_BASE[0], dealer=seat == dealer, tsumo=True)
        changes += win_payments(points, seat, seat, dealer=dealer)
    return changes
