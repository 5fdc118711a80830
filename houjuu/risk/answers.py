"""The answer to a query as data for JSON: `DealIn.to_dict` and `houjuu.live.meta`.

A list by opponent has three values, of the seats to the right, across and to the left.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from houjuu.util.json_types import (
    ByOpponent,
    Copies,
    Keywords,
    ModelName,
    NaturalNumber,
    Probability,
    Seat,
)

OpponentName = Literal["right", "across", "left"]
OpponentTypeName = Literal["riichi", "closed", "1 meld", "2 melds", "3 melds", "4 melds"]
"""The values of `houjuu.reading.opponent.OpponentType`."""

OPPONENTS: tuple[OpponentName, ...] = ("right", "across", "left")
"""The opponents of a seat in playing order: the order of every list and array by opponent."""

DIGITS = 6
"""Digits of a probability after the point."""


class OpponentAnswer(TypedDict):
    """An opponent.

    Attributes
    ----------
    name : str
        "right", "across" or "left".
    seat : int
        0–3, absolute.
    type : str
        A value of `houjuu.reading.opponent.OpponentType`.
    tenpai : float
        P(tenpai), 0–1, to 6 digits.
    """

    name: OpponentName
    seat: Seat
    type: OpponentTypeName
    tenpai: Probability


class TileAnswer(TypedDict):
    """The risk of discarding a tile.

    Attributes
    ----------
    deal_in : float
        P(deals in to at least one opponent), 0–1, to 6 digits.
    points : int
        Expected points lost, the probability and honba included. Unit: points.
    by_opponent : list of 3 floats
        P(deals in to that opponent): right, across, left.
    points_by_opponent : list of 3 ints
        Expected points lost to each of them. Unit: points.
    """

    deal_in: Probability
    points: NaturalNumber
    by_opponent: ByOpponent[Probability]
    points_by_opponent: ByOpponent[NaturalNumber]


class UnseenAnswer(TypedDict):
    """Where the unseen copies of a kind are.

    Attributes
    ----------
    unseen : int
        Unseen copies, 1–4.
    wall : float
        Expected copies in the wall, to 6 digits.
    hands : list of 3 floats
        Expected copies in the hands: right, across, left.
    none : float
        P(no copy is in the wall), 0–1.
    """

    unseen: Annotated[int, Keywords(1, 4, example=3)]
    wall: Copies
    hands: ByOpponent[Copies]
    none: Probability


class _WithUnseen(TypedDict, total=False):
    unseen: dict[str, UnseenAnswer]


class RiskAnswer(_WithUnseen):
    """The risk of discarding each of several tiles.

    Attributes
    ----------
    opponents : list of 3 OpponentAnswer
        To the right, across and to the left.
    tiles : dict of TileAnswer
        By name of the tile: 5p, 0p for the red five, 1z to 7z for the honours.
    unseen : dict of UnseenAnswer
        By name of the kind; only in an answer that was asked for it.
    """

    opponents: ByOpponent[OpponentAnswer]
    tiles: dict[str, TileAnswer]


class PositionAnswer(RiskAnswer):
    """The risk by a model.

    Attributes
    ----------
    opponents : list of 3 OpponentAnswer
        To the right, across and to the left.
    tiles : dict of TileAnswer
        By name of the tile: 5p, 0p for the red five, 1z to 7z for the honours.
    unseen : dict of UnseenAnswer
        By name of the kind; only in an answer that was asked for it.
    model : str
        Name of the model, with the digest of its file if that does not ship.
    """

    model: ModelName
