"""Features of the pace: how fast a hand changes."""

from __future__ import annotations

from bisect import bisect_left

from houjuu.reading.opponent import OpponentContext
from houjuu.reading.shared_features import NONE, discards, tedashi, tiles_left, tsumogiri_streak


def tedashi_mask_last4(context: OpponentContext) -> int:
    """Last four discards as bits, tedashi 1, the latest lowest; +16 for each one missing."""
    made = len(context.river.kinds)
    bits = sum(
        1 << made - 1 - turn for turn in context.river.tedashi_turns[-4:] if turn >= made - 4
    )
    return bits + 16 * max(4 - made, 0)


def tedashi_last6(context: OpponentContext) -> int:
    """Tedashi among the last six discards."""
    return len(context.river.tedashi_turns) - bisect_left(
        context.river.tedashi_turns, len(context.river.kinds) - 6
    )


def discards_since_2nd_last_tedashi(context: OpponentContext) -> int:
    """Discards since the second last tedashi; −1 without one."""
    return _discards_since(context, 2)


def discards_since_3rd_last_tedashi(context: OpponentContext) -> int:
    """Discards since the third last tedashi; −1 without one."""
    return _discards_since(context, 3)


def _discards_since(context: OpponentContext, tedashi_ago: int) -> int:
    turns = context.river.tedashi_turns
    return len(context.river.kinds) - 1 - turns[-tedashi_ago] if len(turns) >= tedashi_ago else NONE


FEATURES = (
    discards,
    tiles_left,
    tedashi,
    tsumogiri_streak,
    tedashi_mask_last4,
    tedashi_last6,
    discards_since_2nd_last_tedashi,
    discards_since_3rd_last_tedashi,
)
