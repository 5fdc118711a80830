"""The answer to a query as data for JSON: `DealIn.to_dict` and `houjuu.live.meta`.

A list by opponent has three values, of the seats to the right, across and to the left.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from houjuu.util.json_types import (
    ByOpponent,
    Copies,
    DealtTile,
    Keywords,
    ModelName,
    NaturalNumber,
    Probability,
    RoomName,
    Seat,
    TileName,
)

OpponentName = Literal["right", "across", "left"]
OpponentTypeName = Literal["riichi", "closed", "1 meld", "2 melds", "3 melds", "4 melds"]
"""The values of `houjuu.reading.opponent.OpponentType`."""

OPPONENTS: tuple[OpponentName, ...] = ("right", "across", "left")
"""The opponents of a seat in playing order: the order of every list and array by opponent."""

DIGITS = 6
"""Digits of a probability after the point."""


class OpponentAnswer(TypedDict):
    """An opponent."""

    name: OpponentName
    """The side: "right", "across" or "left"."""
    seat: Seat
    """0–3, absolute."""
    type: OpponentTypeName
    """A value of `houjuu.reading.opponent.OpponentType`."""
    tenpai: Probability
    """P(tenpai), 0–1, to 6 digits."""
    silent: bool
    """Whether it is likely tenpai without riichi and open melds: P(tenpai) is at least 0.3."""


class TileAnswer(TypedDict):
    """The risk of discarding a tile."""

    deal_in: Probability
    """P(deals in to at least one opponent), 0–1, to 6 digits."""
    points: NaturalNumber
    """Expected points lost, the probability and honba included. Unit: points."""
    by_opponent: ByOpponent[Probability]
    """P(deals in to that opponent): right, across, left."""
    points_by_opponent: ByOpponent[NaturalNumber]
    """Expected points lost to each of them. Unit: points."""


class UnseenAnswer(TypedDict):
    """Where the unseen copies of a kind are."""

    unseen: Annotated[int, Keywords(1, 4, example=3)]
    """Unseen copies, 1–4."""
    wall: Copies
    """Expected copies in the wall, to 6 digits."""
    hands: ByOpponent[Copies]
    """Expected copies in the hands: right, across, left."""
    none: Probability
    """P(no copy is in the wall), 0–1."""


class ShapeAnswer(TypedDict):
    """Hidden hands that are alike: tenpai hands with the same waits, others of the same shanten."""

    share: Probability
    """P(the hand is such a hand), 0–1, to 6 digits."""
    shanten: Annotated[int, Keywords(0, 8, example=1)]
    """Of the hand."""
    waits: list[TileName]
    """The kinds that complete it; empty if it is not tenpai."""
    blocks: Annotated[str, Keywords(example="7s 8s")]
    """The tiles near its first wait, such as "7s 8s"; "" if it is not tenpai."""


class DealAnswer(TypedDict):
    """A deal of the unseen tiles."""

    hands: ByOpponent[list[DealtTile]]
    """The names of the concealed tiles: right, across, left."""
    wall: list[DealtTile]
    """Those of the wall and the dead wall, in a random order."""


class HandsAnswer(TypedDict):
    """Whole hidden hands, drawn from what a seat sees."""

    fitted: bool
    """Whether a fitted model draws them; else tiles lie independently of each other."""
    shanten: ByOpponent[Annotated[list[Probability], Keywords(length=8)]]
    """P(shanten is 0–7) of each opponent."""
    shapes: ByOpponent[list[ShapeAnswer]]
    """The most likely shapes of each hand, at most three."""
    deals: list[DealAnswer]
    """Equally likely deals."""


class _WithUnseen(TypedDict, total=False):
    unseen: dict[str, UnseenAnswer]
    """By name of the kind; only in an answer that was asked for it."""


class TileRisks(_WithUnseen):
    """The opponents, and the risk of discarding each of several tiles."""

    room: RoomName | None
    """The room for which the estimates hold: that of the game, or "phoenix" for an unknown one;
    None of a model without factors by room.
    """
    opponents: ByOpponent[OpponentAnswer]
    """To the right, across and to the left."""
    tiles: dict[str, TileAnswer]
    """By name of the tile: 5p, 0p for the red five, 1z to 7z for the honours."""


class RiskAnswer(TileRisks):
    """The risk of discarding each of several tiles, and of two of them."""

    either: dict[str, Probability]
    """P(one of two suji deals in), 0–1, to 6 digits, by both tiles, such as "5p 8p"."""


class PositionAnswer(RiskAnswer):
    """The risk by a model."""

    model: ModelName
    """Name of the model, with the digest of its file if that does not ship."""
