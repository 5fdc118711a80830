"""The type of a feature, and the features that the tenpai GAM and the wait models have in common.

A feature of one of them alone is in `houjuu.reading.tenpai_features` or in
`houjuu.reading.wait_features`: adding one leaves the rows of the other as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from houjuu.game.events import MeldKind
from houjuu.game.yaku import HONITSU, TANYAO, TOITOI
from houjuu.hands.open_yaku import has_yakuhai, possible_yaku
from houjuu.reading import table1
from houjuu.reading.opponent import OpponentContext, River, RiverFeature

NONE = -1
"""There is nothing to count from, such as a call or a tedashi."""


@dataclass(frozen=True, slots=True)
class FeatureSpec:
    """A feature, or one for every kind or suit: name, number of values from 0, and unit."""

    name: str
    size: int
    unit: str


@RiverFeature
def discards(river: River) -> int:
    """Discards of the opponent."""
    return len(river.kinds)


def tiles_left(context: OpponentContext) -> int:
    """0–69 tiles in the wall."""
    return context.view.tiles_left


@RiverFeature
def tedashi(river: River) -> int:
    """Discards from the hand."""
    return len(river.tedashi_turns)


@RiverFeature
def tsumogiri_streak(river: River) -> int:
    """Tsumogiri since the last tedashi."""
    last = river.tedashi_turns[-1] if river.tedashi_turns else -1
    return len(river.kinds) - 1 - last


@RiverFeature
def honour_discards(river: River) -> int:
    """Discards of honours."""
    return river.classes.count(0)


@RiverFeature
def yaochu_kinds(river: River) -> int:
    """0–13 kinds of terminals and honours (table 1)."""
    return table1.yaochu_kinds(river.mask)


def dealer(context: OpponentContext) -> int:
    """0/1, the opponent is the dealer."""
    return int(context.seat.seat == context.view.dealer)


def chis(context: OpponentContext) -> int:
    """0–4 chi."""
    return sum([meld.kind is MeldKind.CHI for meld in context.seat.melds])


def open_yaku(context: OpponentContext) -> int:
    """0 no meld, 1 yakuhai, else 2, +1 tanyao, +2 one suit, +4 toitoi still possible."""
    melds = context.seat.melds
    if not melds:
        return 0
    if has_yakuhai(melds, context.yakuhai):
        return 1
    possible = possible_yaku(melds)
    return 2 + (TANYAO in possible) + 2 * (HONITSU in possible) + 4 * (TOITOI in possible)


def discards_since_call(context: OpponentContext) -> int:
    """Discards since the last call; −1 without a call."""
    return len(context.river.kinds) - context.calls[-1] if context.calls else NONE
