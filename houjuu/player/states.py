"""States: the knowledge of the models of the round's end after a discard of a seat.

A state is a hand that an action leaves, at the table as the seat sees it. All fields are numbers;
conditions are 1 or 0. `houjuu.player.view_states` makes them from a view.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from houjuu.util.arrays import Floats

MAX_SHANTEN = 6
OPPONENTS = 3

SHANTENS = ("tenpai", *(f"{shanten} from tenpai" for shanten in range(1, 5)), "far")
HAND_CLASSES = tuple(f"{name}, {form}" for name in SHANTENS for form in ("closed", "open"))
"""Names of the classes of `States.by_shanten` and `States.by_hand_class`."""

EASY_TENPAI = 0.999
"""P(tenpai) is clipped here, so that its logit is finite."""

_LOW = 0.002
_USUAL_POINTS = 4000.0


class Hands(NamedTuple):
    """Hands of 3n + 1 concealed tiles of the seat, each with its melds.

    Attributes
    ----------
    shanten : (n,) array
        At most `MAX_SHANTEN`.
    ways, points : (n,) arrays
        As in `houjuu.player.hand_value.value.Outlook`.
    dama_ways, dama_points : (n,) arrays
        For tenpai hands: unseen tiles that win by ron without riichi, and their mean points.
    easy : (n,) array
        For tenpai hands: the unseen tiles that win and are honours, or suji of the own river.
    furiten : (n,) array
        For tenpai hands: whether the seat has discarded a kind that it waits for.
    closed : (n,) array
    melds : (n,) array
        0–4, closed kans included.
    genbutsu, suji : (n, 3) arrays
        The tiles of the hand that an opponent cannot win on, and those that are its suji.
    """

    shanten: Floats
    ways: Floats
    points: Floats
    dama_ways: Floats
    dama_points: Floats
    easy: Floats
    furiten: Floats
    closed: Floats
    melds: Floats
    genbutsu: Floats
    suji: Floats


class Table(NamedTuple):
    """The fields that all hands of a query share.

    Attributes
    ----------
    is_dealer : 0 or 1
        Whether the seat is dealer.
    draws : int
        Draws left to the seat.
    tiles_left : int
    indicators : int
        Dora indicators.
    tenpai : (3,) array
        P(tenpai) of the opponents: right, across, left.
    riichi, dealer : (3,) arrays
    open_melds, dora : (3,) arrays
        Open melds, and the dora and red fives in the melds.
    """

    is_dealer: float
    draws: float
    tiles_left: float
    indicators: float
    tenpai: Floats
    riichi: Floats
    dealer: Floats
    open_melds: Floats
    dora: Floats


class _Fields(NamedTuple):
    shanten: Floats
    ways: Floats
    points: Floats
    dama_ways: Floats
    dama_points: Floats
    easy: Floats
    furiten: Floats
    closed: Floats
    melds: Floats
    genbutsu: Floats
    suji: Floats
    riichi: Floats
    is_dealer: Floats
    draws: Floats
    tiles_left: Floats
    indicators: Floats
    tenpai: Floats
    opponent_riichi: Floats
    opponent_dealer: Floats
    open_melds: Floats
    dora: Floats


class States(_Fields):
    """The fields of `Hands` and of `Table`, all with a row for each state.

    The properties are numbers that several terms need.

    Attributes
    ----------
    riichi : (n,) array
        Whether the seat is in riichi, or declares it with the discard.
    """

    def take(self, rows: slice) -> States:
        """Some of the states."""
        return States(*(np.asarray(field[rows]) for field in self))

    @cached_property
    def log_draws(self) -> Floats:
        """The logarithm of the draws left, (n,)."""
        return np.asarray(np.log(self.draws + 0.5))

    @cached_property
    def log_ways(self) -> Floats:
        """The logarithm of the ways, (n,)."""
        return np.asarray(np.log(self.ways + 0.5))

    @cached_property
    def log_points(self) -> Floats:
        """log2 of the points that a win is likely to bring, from the usual ones, (n,)."""
        dama = (self.shanten == 0) & (self.closed > self.riichi)
        points = np.where(dama, self.dama_points, self.points)
        return np.asarray(np.log2(np.maximum(points, 500.0) / _USUAL_POINTS))

    @cached_property
    def opponent_tenpai(self) -> Floats:
        """P(tenpai) of the opponents, in 0–1 also where rows were rounded, (n, 3)."""
        return np.clip(self.tenpai, 0, 1)

    @cached_property
    def tenpai_logit(self) -> Floats:
        """The logit of P(tenpai), which is finite, (n, 3)."""
        clipped = np.clip(self.tenpai, _LOW, EASY_TENPAI)
        return np.asarray(np.log(clipped / (1 - clipped)))

    @cached_property
    def by_shanten(self) -> Floats:
        """1 for the shanten of each state, else 0, (n, `SHANTENS`)."""
        shanten = np.minimum(self.shanten, len(SHANTENS) - 1)
        return np.asarray(shanten[:, None] == np.arange(len(SHANTENS)), np.float64)

    @cached_property
    def by_hand_class(self) -> Floats:
        """1 for the shanten of each state, of closed and of open hands apart, (n, classes)."""
        forms = np.column_stack((self.closed, 1 - self.closed))
        by_class = self.by_shanten[:, :, None] * forms[:, None]
        return by_class.reshape(len(forms), len(HAND_CLASSES))


OF_OPPONENTS = frozenset(
    ("genbutsu", "suji", "tenpai", "opponent_riichi", "opponent_dealer", "open_melds", "dora")
)
"""The fields that have a number for each opponent, (n, 3)."""


def states(hands: Hands, riichi: Floats, table: Table) -> States:
    """The states that hands at one table make.

    Parameters
    ----------
    hands : Hands
    riichi : (n,) array
    table : Table
    """
    n = len(hands.shanten)
    of_table = (np.asarray(field)[None].repeat(n, axis=0) for field in table)
    return States._make((*hands, riichi, *of_table))
