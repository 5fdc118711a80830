"""Features of the calls and of the melds."""

from __future__ import annotations

from bisect import bisect_left

from houjuu.game.events import MeldKind
from houjuu.game.tiles import IS_YAOCHU, KIND
from houjuu.reading.opponent import NOTHING_DISCARDED, OpponentContext
from houjuu.reading.shared_features import NONE, chis, discards_since_call, open_yaku
from houjuu.util.features import Feature, feature


@feature(of="melds")
def ryanmen_chis(context: OpponentContext) -> int:
    """0–4 chi of a tile that completed a ryanmen."""
    lows = [
        (KIND[meld.tiles[0]], KIND[meld.called])
        for meld in context.seat.melds
        if meld.kind is MeldKind.CHI and meld.called is not None
    ]
    return sum(
        (called == low and low % 9 < 6) or (called == low + 2 and low % 9 > 0)
        for low, called in lows
    )


@feature(of="melds")
def simple_triplets(context: OpponentContext) -> int:
    """0–4 pon and kan of 2 to 8, closed kans included."""
    return sum(
        meld.kind is not MeldKind.CHI and not IS_YAOCHU[KIND[meld.tiles[0]]]
        for meld in context.seat.melds
    )


@feature(of="melds", without=NONE)
def tedashi_since_call(context: OpponentContext) -> int:
    """Tedashi since the last call, the discard after it included; −1 without a call."""
    if not context.calls:
        return NONE
    return len(context.river.tedashi_turns) - bisect_left(
        context.river.tedashi_turns, context.calls[-1]
    )


@feature(of="melds", without=NONE)
def tedashi_middles_since_call(context: OpponentContext) -> int:
    """Tedashi of 3 to 7 since the last call; −1 without a call."""
    if not context.calls:
        return NONE
    first = bisect_left(context.river.tedashi_turns, context.calls[-1])
    since = context.river.tedashi_classes[first:]
    return since.count(3) + since.count(4)


@feature(of="melds", without=NOTHING_DISCARDED)
def discard_after_call_class(context: OpponentContext) -> int:
    """Class of the discard after the last call (`RANK_CLASS`); 5 without one."""
    if not context.calls or context.calls[-1] >= len(context.river.kinds):
        return NOTHING_DISCARDED
    return context.river.classes[context.calls[-1]]


_row = Feature[OpponentContext].row
FEATURES = (
    chis,
    ryanmen_chis,
    simple_triplets,
    open_yaku,
    _row(
        "discards_before_first_call",
        "Discards before the first call; −1 without a call",
        lambda context: context.calls[0] if context.calls else NONE,
        of="melds",
        without=NONE,
    ),
    discards_since_call,
    _row(
        "discards_since_2nd_last_call",
        "Discards since the second last call; −1 without one",
        lambda context: (
            len(context.river.kinds) - context.calls[-2] if len(context.calls) > 1 else NONE
        ),
        of="melds",
        without=NONE,
    ),
    tedashi_since_call,
    tedashi_middles_since_call,
    discard_after_call_class,
)
