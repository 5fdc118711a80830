"""Features of the pace: how fast a hand changes."""

from __future__ import annotations

from bisect import bisect_left

from houjuu.reading.opponent import River
from houjuu.reading.shared_features import NONE, discards, tedashi, tiles_left, tsumogiri_streak
from houjuu.util.features import Feature, feature


@feature(of="river")
def tedashi_mask_last4(river: River) -> int:
    """Last four discards as bits, tedashi 1, the latest lowest; +16 for each one missing."""
    made = len(river.kinds)
    bits = 0
    for turn in river.tedashi_turns[-4:]:
        bits |= 1 << made - 1 - turn
    return (bits & 15) + 16 * max(4 - made, 0)


@feature(of="river")
def tedashi_last6(river: River) -> int:
    """Tedashi among the last six discards."""
    return len(river.tedashi_turns) - bisect_left(river.tedashi_turns, len(river.kinds) - 6)


def _discards_since(river: River, tedashi_ago: int) -> int:
    turns = river.tedashi_turns
    return len(river.kinds) - 1 - turns[-tedashi_ago] if len(turns) >= tedashi_ago else NONE


_river = Feature[River].row
FEATURES = (
    discards,
    tiles_left,
    tedashi,
    tsumogiri_streak,
    tedashi_mask_last4,
    tedashi_last6,
    _river(
        "discards_since_2nd_last_tedashi",
        "Discards since the second last tedashi; −1 without one",
        lambda river: _discards_since(river, 2),
        of="river",
    ),
    _river(
        "discards_since_3rd_last_tedashi",
        "Discards since the third last tedashi; −1 without one",
        lambda river: _discards_since(river, 3),
        of="river",
    ),
)
