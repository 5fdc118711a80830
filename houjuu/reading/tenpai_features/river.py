"""Features of the river."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial

from houjuu.game.tiles import HONOURS, IS_HONOUR, KIND, KINDS, MANZU, PINZU, SOUZU, SUIT
from houjuu.hands.open_yaku import meld_suits
from houjuu.reading import safety, table1
from houjuu.reading.opponent import NOTHING_DISCARDED, OpponentContext, River
from houjuu.reading.shared_features import NONE, honour_discards, yaochu_kinds
from houjuu.util.features import Feature, feature

_HONOURS = sum(IS_HONOUR[kind] << kind for kind in range(KINDS))
_LATE = 8  # discards before
_IS_MIDDLE = bytes(rank_class >= 3 for rank_class in range(256))


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


_row = Feature[OpponentContext].row
_river = partial(Feature[River].row, of="river")
FEATURES = (
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
