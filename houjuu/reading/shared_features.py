"""The type of a feature, and the features that the tenpai GAM and the wait models have in common.

A feature of one of them alone is in `houjuu.reading.tenpai_features` or in
`houjuu.reading.wait_features`: adding one leaves the rows of the other as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from houjuu.game.events import MeldKind
from houjuu.game.yaku import HONITSU, TANYAO, TOITOI
from houjuu.hands.open_yaku import has_yakuhai, possible_yaku
from houjuu.reading import table1
from houjuu.reading.opponent import OpponentContext, River
from houjuu.util.features import Feature, feature

NONE = -1
"""There is nothing to count from, such as a call or a tedashi."""


@dataclass(frozen=True, slots=True)
class FeatureSpec:
    """A feature, or one for every kind or suit: name, number of values from 0, and unit."""

    name: str
    size: int
    unit: str


_row = Feature[OpponentContext].row
_river = partial(Feature[River].row, of="river")
discards = _river("discards", "Discards of the opponent", lambda river: len(river.kinds), size=20)
tiles_left = _row("tiles_left", "0–69 tiles in the wall", lambda context: context.view.tiles_left)
tedashi = _river(
    "tedashi", "Discards from the hand", lambda river: len(river.tedashi_turns), size=16
)
honour_discards = _river(
    "honour_discards",
    "Discards of honours",
    lambda river: river.classes.count(0),
    size=8,
)
yaochu_kinds = _river(
    "yaochu_kinds",
    "0–13 kinds of terminals and honours (table 1)",
    lambda river: table1.yaochu_kinds(river.mask),
    size=14,
)
dealer = _row(
    "dealer",
    "0/1, the opponent is the dealer",
    lambda context: int(context.seat.seat == context.view.dealer),
    size=2,
)


@feature(of="river", size=9)
def tsumogiri_streak(river: River) -> int:
    """Tsumogiri since the last tedashi."""
    last = river.tedashi_turns[-1] if river.tedashi_turns else -1
    return len(river.kinds) - 1 - last


@feature(of="melds", size=5)
def chis(context: OpponentContext) -> int:
    """0–4 chi."""
    return sum([meld.kind is MeldKind.CHI for meld in context.seat.melds])


@feature(of="melds", size=10)
def open_yaku(context: OpponentContext) -> int:
    """0 no meld, 1 yakuhai, else 2, +1 tanyao, +2 one suit, +4 toitoi still possible."""
    melds = context.seat.melds
    if not melds:
        return 0
    if has_yakuhai(melds, context.yakuhai):
        return 1
    possible = possible_yaku(melds)
    return 2 + (TANYAO in possible) + 2 * (HONITSU in possible) + 4 * (TOITOI in possible)


@feature(of="melds", without=NONE)
def discards_since_call(context: OpponentContext) -> int:
    """Discards since the last call; −1 without a call."""
    return len(context.river.kinds) - context.calls[-1] if context.calls else NONE
