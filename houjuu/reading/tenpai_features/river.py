"""Features of the pace (how fast a hand changes), of the river, and of the last discards."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial

from houjuu.game.tiles import AROUND, HONOURS, IS_HONOUR, KIND, KINDS, MANZU, PINZU, SOUZU, SUIT
from houjuu.hands.open_yaku import meld_suits
from houjuu.reading import safety, table1
from houjuu.reading.opponent import NOTHING_DISCARDED, OpponentContext, River
from houjuu.reading.shared_features import (
    NONE,
    discards,
    honour_discards,
    tedashi,
    tiles_left,
    tsumogiri_streak,
    yaochu_kinds,
)
from houjuu.util.features import Feature, feature

_HONOURS = sum(IS_HONOUR[kind] << kind for kind in range(KINDS))
_LATE = 8  # discards before
_IS_MIDDLE = bytes(rank_class >= 3 for rank_class in range(256))
_WITHIN_THREE = tuple(
    sum(1 << k for k in range(KINDS) if SUIT[k] == SUIT[kind] and 0 < abs(k - kind) <= 3)
    for kind in range(KINDS)
)

_row = Feature[OpponentContext].row
_river = partial(Feature[River].row, of="river")


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


PACE = (
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
    ),
    _river(
        "discards_since_3rd_last_tedashi",
        "Discards since the third last tedashi; −1 without one",
        lambda river: _discards_since(river, 3),
    ),
)


def _middles(classes: bytes) -> int:
    return classes.count(3) + classes.count(4)


def _first_middle(classes: bytes) -> int:
    """Index of the first class of 3 to 7, `NONE` without one."""
    return classes.translate(_IS_MIDDLE).find(1)


@feature(of="river")
def second_discard_class(river: River) -> int:
    """Class of the second discard (`RANK_CLASS`); 5 before it."""
    return river.classes[1] if len(river.classes) > 1 else NOTHING_DISCARDED


@feature(of="river")
def yaochu_after_middle(river: River) -> int:
    """Tedashi of terminals and honours after the first tedashi of 3 to 7."""
    classes = river.tedashi_classes
    first = _first_middle(classes)
    return 0 if first == NONE else classes.count(0, first) + classes.count(1, first)


@feature()
def late_tedashi_still_useful(context: OpponentContext) -> int:
    """Tedashi from the ninth discard on, of kinds with two or more copies unseen."""
    river = context.river
    if len(river.kinds) <= _LATE:
        return 0
    late = river.tedashi[bisect_left(river.tedashi_turns, _LATE) :]
    return sum([context.tiles.live >> kind & 1 for kind in late])


@feature()
def dora_discarded(context: OpponentContext) -> int:
    """Dora and red fives discarded."""
    tiles = context.tiles
    discarded = [d.tile for d in context.seat.river]
    return sum([tile in tiles.reds or KIND[tile] in tiles.dora for tile in discarded])


@feature(of="river")
def min_suit_discards(river: River) -> int:
    """Discards of the suit with the fewest."""
    return min(_by_suit(river))


def _by_suit(river: River) -> list[int]:
    return [river.suits.count(suit) for suit in (MANZU, PINZU, SOUZU)]


@feature()
def discards_in_meld_suits(context: OpponentContext) -> int:
    """Discards of the suits of the melds; without melds, of the suit with the fewest."""
    suits = meld_suits(context.seat.melds)
    return (
        sum(map(context.river.suits.count, suits))
        if suits
        else min_suit_discards.compute(context.river)
    )


@feature(of="river")
def flush_run(river: River) -> int:
    """Longest run off a suit and honours, where the last tedashi was on them (table 1)."""
    if not river.tedashi_turns:
        return 0
    last = SUIT[river.tedashi[-1]]
    suits = range(HONOURS) if last == HONOURS else (last,)
    return max([table1.off_suit_run(river.suits, suit)[1] for suit in suits])


RIVER = (
    yaochu_kinds,
    _river(
        "simple_kinds",
        "0–21 kinds of 2 to 8 (table 1)",
        lambda river: table1.simple_kinds(river.mask),
    ),
    _river("discards_4_to_6", "Discards of 4 to 6", lambda river: river.classes.count(4)),
    _river(
        "early_middles",
        "Discards of 3 to 7 among the first five",
        lambda river: _middles(river.classes[:5]),
    ),
    _river(
        "discards_before_first_middle",
        "Discards before the first of 3 to 7",
        lambda river: _first_middle(river.classes),
    ),
    second_discard_class,
    _river(
        "tedashi_honours",
        "Tedashi of honours",
        lambda river: river.tedashi_classes.count(0),
    ),
    _river(
        "tedashi_yaochu",
        "Tedashi of terminals and honours",
        lambda river: river.tedashi_classes.count(0) + river.tedashi_classes.count(1),
    ),
    _river(
        "tedashi_seconds",
        "Tedashi of 2 and 8",
        lambda river: river.tedashi_classes.count(2),
    ),
    _river(
        "tedashi_middles",
        "Tedashi of 3 to 7",
        lambda river: _middles(river.tedashi_classes),
    ),
    _river(
        "tsumogiri_middles",
        "Tsumogiri of 3 to 7",
        lambda river: _middles(river.classes) - _middles(river.tedashi_classes),
    ),
    yaochu_after_middle,
    late_tedashi_still_useful,
    dora_discarded,
    _row(
        "yakuhai_discarded",
        "Discards of yakuhai of the opponent",
        lambda context: sum(map(context.river.kinds.count, context.yakuhai)),
    ),
    honour_discards,
    _row(
        "live_honours_not_discarded",
        "0–7 kinds of honours not discarded, with two or more copies unseen",
        lambda context: (_HONOURS & context.tiles.live & ~context.river.mask).bit_count(),
    ),
    min_suit_discards,
    _river(
        "max_suit_discards",
        "Discards of the suit with the most",
        lambda river: max(_by_suit(river)),
    ),
    discards_in_meld_suits,
    flush_run,
    _river(
        "own_live_suji",
        "0–18 suji with neither end discarded",
        lambda river: safety.live_suji(river.mask),
    ),
)


@feature(of="river")
def tsumogiri_middles_since(river: River) -> int:
    """Tsumogiri of 3 to 7 since the last tedashi."""
    first = river.tedashi_turns[-1] + 1 if river.tedashi_turns else 0
    return _middles(river.classes[first:])


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


LAST_DISCARDS = (
    _river(
        "last_discard_class",
        "Class of the last discard (`RANK_CLASS`); 5 before the first",
        lambda river: river.classes[-1] if river.classes else NOTHING_DISCARDED,
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
    ),
    _river(
        "third_last_tedashi_class",
        "Class of the third last tedashi (`RANK_CLASS`); 5 without one",
        lambda river: (
            river.tedashi_classes[-3] if len(river.tedashi_turns) > 2 else NOTHING_DISCARDED
        ),
    ),
)
