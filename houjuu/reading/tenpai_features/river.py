"""Features of the river."""

from __future__ import annotations

from bisect import bisect_left

from houjuu.game.tiles import HONOURS, IS_HONOUR, KIND, KINDS, MANZU, PINZU, SOUZU, SUIT
from houjuu.hands.open_yaku import meld_suits
from houjuu.reading import safety, table1
from houjuu.reading.opponent import NOTHING_DISCARDED, OpponentContext, River, RiverFeature
from houjuu.reading.shared_features import NONE, honour_discards, yaochu_kinds

_HONOURS = sum(IS_HONOUR[kind] << kind for kind in range(KINDS))
_LATE = 8  # discards before
_IS_MIDDLE = bytes(rank_class >= 3 for rank_class in range(256))


def _middles(classes: bytes) -> int:
    return classes.count(3) + classes.count(4)


def _first_middle(classes: bytes) -> int:
    """Index of the first class of 3 to 7, `NONE` without one."""
    return classes.translate(_IS_MIDDLE).find(1)


@RiverFeature
def simple_kinds(river: River) -> int:
    """0–21 kinds of 2 to 8 (table 1)."""
    return table1.simple_kinds(river.mask)


@RiverFeature
def discards_4_to_6(river: River) -> int:
    """Discards of 4 to 6."""
    return river.classes.count(4)


@RiverFeature
def early_middles(river: River) -> int:
    """Discards of 3 to 7 among the first five."""
    return _middles(river.classes[:5])


@RiverFeature
def discards_before_first_middle(river: River) -> int:
    """Discards before the first of 3 to 7."""
    return _first_middle(river.classes)


@RiverFeature
def second_discard_class(river: River) -> int:
    """Class of the second discard (`RANK_CLASS`); 5 before it."""
    return river.classes[1] if len(river.classes) > 1 else NOTHING_DISCARDED


@RiverFeature
def tedashi_honours(river: River) -> int:
    """Tedashi of honours."""
    return river.tedashi_classes.count(0)


@RiverFeature
def tedashi_yaochu(river: River) -> int:
    """Tedashi of terminals and honours."""
    return river.tedashi_classes.count(0) + river.tedashi_classes.count(1)


@RiverFeature
def tedashi_seconds(river: River) -> int:
    """Tedashi of 2 and 8."""
    return river.tedashi_classes.count(2)


@RiverFeature
def tedashi_middles(river: River) -> int:
    """Tedashi of 3 to 7."""
    return _middles(river.tedashi_classes)


@RiverFeature
def tsumogiri_middles(river: River) -> int:
    """Tsumogiri of 3 to 7."""
    return _middles(river.classes) - _middles(river.tedashi_classes)


@RiverFeature
def yaochu_after_middle(river: River) -> int:
    """Tedashi of terminals and honours after the first tedashi of 3 to 7."""
    classes = river.tedashi_classes
    first = _first_middle(classes)
    return 0 if first == NONE else classes.count(0, first) + classes.count(1, first)


def late_tedashi_still_useful(context: OpponentContext) -> int:
    """Tedashi from the ninth discard on, of kinds with two or more copies unseen."""
    river = context.river
    if len(river.kinds) <= _LATE:
        return 0
    late = river.tedashi[bisect_left(river.tedashi_turns, _LATE) :]
    return sum([context.tiles.live >> kind & 1 for kind in late])


def dora_discarded(context: OpponentContext) -> int:
    """Dora and red fives discarded."""
    tiles = context.tiles
    discarded = [d.tile for d in context.seat.river]
    return sum([tile in tiles.reds or KIND[tile] in tiles.dora for tile in discarded])


def yakuhai_discarded(context: OpponentContext) -> int:
    """Discards of yakuhai of the opponent."""
    return sum(map(context.river.kinds.count, context.yakuhai))


def live_honours_not_discarded(context: OpponentContext) -> int:
    """0–7 kinds of honours not discarded, with two or more copies unseen."""
    return (_HONOURS & context.tiles.live & ~context.river.mask).bit_count()


@RiverFeature
def min_suit_discards(river: River) -> int:
    """Discards of the suit with the fewest."""
    return min(_by_suit(river))


@RiverFeature
def max_suit_discards(river: River) -> int:
    """Discards of the suit with the most."""
    return max(_by_suit(river))


def _by_suit(river: River) -> list[int]:
    return [river.suits.count(suit) for suit in (MANZU, PINZU, SOUZU)]


def discards_in_meld_suits(context: OpponentContext) -> int:
    """Discards of the suits of the melds; without melds, of the suit with the fewest."""
    suits = meld_suits(context.seat.melds)
    return sum(map(context.river.suits.count, suits)) if suits else min_suit_discards(context)


@RiverFeature
def flush_run(river: River) -> int:
    """Longest run off a suit and honours, where the last tedashi was on them (table 1)."""
    if not river.tedashi_turns:
        return 0
    last = SUIT[river.tedashi[-1]]
    suits = range(HONOURS) if last == HONOURS else (last,)
    return max([table1.off_suit_run(river.suits, suit)[1] for suit in suits])


@RiverFeature
def own_live_suji(river: River) -> int:
    """0–18 suji with neither end discarded."""
    return safety.live_suji(river.mask)


FEATURES = (
    yaochu_kinds,
    simple_kinds,
    discards_4_to_6,
    early_middles,
    discards_before_first_middle,
    second_discard_class,
    tedashi_honours,
    tedashi_yaochu,
    tedashi_seconds,
    tedashi_middles,
    tsumogiri_middles,
    yaochu_after_middle,
    late_tedashi_still_useful,
    dora_discarded,
    yakuhai_discarded,
    honour_discards,
    live_honours_not_discarded,
    min_suit_discards,
    max_suit_discards,
    discards_in_meld_suits,
    flush_run,
    own_live_suji,
)
