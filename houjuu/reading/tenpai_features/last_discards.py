"""Features of the last discards, mostly of the last tedashi."""

from __future__ import annotations

from bisect import bisect_left

from houjuu.game.tiles import AROUND, IS_HONOUR, KIND, KINDS, SUIT
from houjuu.reading.opponent import NOTHING_DISCARDED, OpponentContext, River
from houjuu.reading.shared_features import NONE
from houjuu.util.features import Feature, feature

_WITHIN_THREE = tuple(
    sum(1 << k for k in range(KINDS) if SUIT[k] == SUIT[kind] and 0 < abs(k - kind) <= 3)
    for kind in range(KINDS)
)


@feature(of="river")
def tsumogiri_middles_since(river: River) -> int:
    """Tsumogiri of 3 to 7 since the last tedashi."""
    first = river.tedashi_turns[-1] + 1 if river.tedashi_turns else 0
    since = river.classes[first:]
    return since.count(3) + since.count(4)


@feature()
def last_tedashi_is_dora(context: OpponentContext) -> int:
    """0/1, the last tedashi was a dora or a red five."""
    if not context.river.tedashi_turns:
        return 0
    tile = context.seat.river[context.river.tedashi_turns[-1]].tile
    return int(tile in context.tiles.reds or KIND[tile] in context.tiles.dora)


@feature()
def last_tedashi_unseen_around(context: OpponentContext) -> int:
    """0–16 unseen copies of the kinds within two ranks of the last tedashi; −1 for an honour."""
    kinds = AROUND[context.river.tedashi[-1]] if context.river.tedashi_turns else ()
    return sum(map(context.tiles.unseen.__getitem__, kinds)) if kinds else NONE


@feature(of="river")
def last_tedashi_again(river: River) -> int:
    """0/1, the kind of the last tedashi had been discarded before."""
    if not river.tedashi_turns:
        return 0
    return int(river.tedashi[-1] in river.kinds[: river.tedashi_turns[-1]])


@feature(of="river")
def rank_gap_last_tedashi(river: River) -> int:
    """0–5 ranks from the last tedashi to the nearest earlier discard of its suit; 6: honour."""
    if not river.tedashi_turns or IS_HONOUR[river.tedashi[-1]]:
        return 6
    last = river.tedashi[-1]
    before = river.kinds[: river.tedashi_turns[-1]]
    return min([5, *[abs(kind - last) for kind in before if SUIT[kind] == SUIT[last]]])


@feature(of="river")
def last_tedashi_near_discards(river: River) -> int:
    """0–6 kinds discarded within three ranks of the last tedashi; 7 for an honour."""
    if not river.tedashi_turns or IS_HONOUR[river.tedashi[-1]]:
        return 7
    return (river.mask & _WITHIN_THREE[river.tedashi[-1]]).bit_count()


@feature()
def last_tedashi_passed(context: OpponentContext) -> int:
    """Copies of the kind of the last tedashi that others had discarded before."""
    if not context.river.tedashi_turns:
        return 0
    order = context.river.all_orders[context.river.tedashi_turns[-1]]
    kind = context.river.tedashi[-1]
    return sum(
        [
            river.all_kinds.count(kind, 0, bisect_left(river.all_orders, order))
            for river in context.others
        ]
    )


@feature(of="river")
def last_tedashi_gap_in_suit(river: River) -> int:
    """Discards between the last two tedashi of the suit of the last one; 20 without two."""
    if not river.tedashi_turns:
        return NONE
    last = river.tedashi_turns[-1]
    suits, suit = river.suits, river.suits[last]
    for turn in reversed(river.tedashi_turns[:-1]):
        if suits[turn] == suit:
            return last - turn
    return 20


@feature(of="river")
def last_two_tedashi(river: River) -> int:
    """1–3: 0–2 ranks apart in a suit, 4: further, 1: the same honour; else 0."""
    if len(river.tedashi) < 2:
        return 0
    before, last = river.tedashi[-2:]
    if SUIT[before] != SUIT[last] or IS_HONOUR[last]:
        return int(before == last)
    return min(abs(before - last), 3) + 1


_row = Feature[OpponentContext].row
_river = Feature[River].row
FEATURES = (
    _river(
        "last_discard_class",
        "Class of the last discard (`RANK_CLASS`); 5 before the first",
        lambda river: river.classes[-1] if river.classes else NOTHING_DISCARDED,
        of="river",
    ),
    _row(
        "last_discard_seen",
        "Copies of the kind of the last discard that the asking seat sees, 0–4",
        lambda context: (
            4 - context.tiles.unseen[context.river.kinds[-1]] if context.river.kinds else 0
        ),
    ),
    tsumogiri_middles_since,
    last_tedashi_is_dora,
    _row(
        "last_tedashi_seen",
        "Copies of the last tedashi's kind that the asking seat sees, 0–4",
        lambda context: (
            4 - context.tiles.unseen[context.river.tedashi[-1]]
            if context.river.tedashi_turns
            else 0
        ),
    ),
    last_tedashi_unseen_around,
    last_tedashi_again,
    rank_gap_last_tedashi,
    last_tedashi_near_discards,
    last_tedashi_passed,
    last_tedashi_gap_in_suit,
    last_two_tedashi,
    _river(
        "second_last_tedashi_class",
        "Class of the second last tedashi (`RANK_CLASS`); 5 without one",
        lambda river: (
            river.tedashi_classes[-2] if len(river.tedashi_turns) > 1 else NOTHING_DISCARDED
        ),
        of="river",
    ),
    _river(
        "third_last_tedashi_class",
        "Class of the third last tedashi (`RANK_CLASS`); 5 without one",
        lambda river: (
            river.tedashi_classes[-3] if len(river.tedashi_turns) > 2 else NOTHING_DISCARDED
        ),
        of="river",
    ),
)
