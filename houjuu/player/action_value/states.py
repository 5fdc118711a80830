"""States: the knowledge of the models of the round's end after a discard of a seat.

A state is a hand that an action leaves, at the table as the seat sees it. All fields are numbers;
conditions are 1 or 0. `houjuu.player.action_value.view_states` makes them from a view.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houjuu.arrays import Floats

MAX_SHANTEN = 6
OPPONENTS = 3


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


class States(NamedTuple):
    """The fields of `Hands` and of `Table`, all with a row for each state.

    Attributes
    ----------
    riichi : (n,) array
        Whether the seat is in riichi, or declares it with the discard.
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

    def take(self, rows: slice) -> States:
        """Some of the states."""
        return States(*(np.asarray(field[rows]) for field in self))


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
