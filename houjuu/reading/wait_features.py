"""Features of the wait models: for each kind, for each suit, and global.

All features are small whole numbers in one flat array, so that the terms of
`houjuu.estimators.log_linear.conditional_logit` are look-ups in it. The river ends with the riichi
tile. The features contain nothing that the asking seat cannot see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from houjuu.game.seat import SEATS_CACHED
from houjuu.game.table import Seat
from houjuu.game.tiles import COPIES, DRAGONS, HONOURS, KIND, KINDS, SUIT, TILES
from houjuu.reading import safety, shared_features
from houjuu.reading.opponent import RANK_CLASS, OpponentContext, RiverFeature, river_of
from houjuu.reading.shared_features import FeatureSpec
from houjuu.util.arrays import Int8s

PAD = KINDS
"""Index of "no kind" in the features by kind; their value there is 0."""

NO_SUIT = HONOURS + 1
"""Index of "no suit" in the features by suit; their value there is 0."""


@dataclass(frozen=True, slots=True)
class GlobalFeature(FeatureSpec):
    """A feature of the whole opponent and its function; larger values count as the largest."""

    extract: Callable[[OpponentContext], int]


@dataclass(frozen=True, slots=True)
class ArrayFeature(FeatureSpec):
    """A feature by kind or by suit: its function returns the value of each, or items to count.

    Attributes
    ----------
    extract : callable
        Maps a context, or for a feature `of_seat` a seat, to values, or to the items to count.
    counts : bool
        Whether the feature is how often each kind or suit occurs; larger numbers count as the
        largest.
    of_seat : bool
        Whether it is computed once while several seats look at the seat.
    """

    extract: Callable[[Any], Iterable[int]]
    counts: bool
    of_seat: bool


def discard_code(seat: Seat) -> bytearray:
    """0 not by the opponent; else `discard_code`, the highest.

    1–2 tsumogiri, among the first six discards or later; 3–6 tedashi, by three discards each; 7–8
    the second last tedashi, early or late; 9 the last tedashi; 10–11 the riichi tile, tedashi or
    tsumogiri. Of several discards of a kind the highest code counts.
    """
    river = river_of(seat)
    codes = bytearray(_TSUMOGIRI_CODES[: len(river.kinds)])
    for turn in river.tedashi_turns:
        codes[turn] = 3 + min(turn // 3, 3)
    tedashi = river.tedashi_turns
    if river.discards and river.discards[-1].riichi:
        codes[-1] = 10 + river.discards[-1].tsumogiri
        tedashi = [turn for turn in tedashi if turn < len(codes) - 1]
    for turn, code in zip(tedashi[:-3:-1], (9, 8), strict=False):
        codes[turn] = code if code == 9 or turn >= _LATE else 7
    highest = bytearray(KINDS)
    for kind, code in zip(river.kinds, codes, strict=True):
        highest[kind] = max(highest[kind], code)
    return highest


def unseen(context: OpponentContext) -> Sequence[int]:
    """0–4 copies that the asking seat does not see."""
    return context.tiles.unseen


def open_copies(context: OpponentContext) -> Sequence[int]:
    """0–4 copies that everybody sees."""
    return context.tiles.open_copies


def dora(context: OpponentContext) -> Sequence[int]:
    """Number of times that it is dora, 2 for more."""
    return context.tiles.dora


def yakuhai(context: OpponentContext) -> Sequence[int]:
    """0–2 han of a triplet for the opponent."""
    view = context.view
    return view.round_wind, view.seat_wind(context.seat.seat), *DRAGONS


def passed(context: OpponentContext) -> bytearray:
    """0 no other discarded it; else tedashi of the opponent since, plus 1."""
    orders = [discard.order for discard in context.seat.river if not discard.tsumogiri]
    third_last, second_last, last = [-1, -1, -1, *orders][-3:]
    ages = bytearray(KINDS)
    for other in context.others:
        for kind, order in zip(other.all_kinds, other.all_orders, strict=True):
            age = 1 + (order < last) + (order < second_last) + (order < third_last)
            if age < (ages[kind] or COPIES + 1):
                ages[kind] = age
    return ages


def in_melds(seat: Seat) -> Iterator[int]:
    """0–4 copies in the opponent's own melds."""
    return (KIND[tile] for meld in seat.melds for tile in meld.tiles)


def genbutsu(context: OpponentContext) -> bytes:
    """0/1, the opponent cannot win on it."""
    return f"{context.furiten:034b}"[::-1].encode().translate(_DIGIT)


def in_suit(seat: Seat) -> Sequence[int]:
    """Discards of the suit, 8 for more."""
    return river_of(seat).suits


def early_in_suit(seat: Seat) -> Sequence[int]:
    """Those among the first five discards."""
    return river_of(seat).suits[:_EARLY]


def melds_in_suit(seat: Seat) -> Iterator[int]:
    """0–4 own melds of the suit."""
    return (SUIT[KIND[meld.tiles[0]]] for meld in seat.melds)


def _array(
    extract: Callable[[Any], Iterable[int]],
    size: int,
    *,
    counts: bool = False,
    of_seat: bool = False,
) -> ArrayFeature:
    unit = (extract.__doc__ or "").splitlines()[0].rstrip(".")
    return ArrayFeature(extract.__name__, size, unit, extract, counts, of_seat)


_LATE = 6  # index in the river from which a discard is late
_EARLY = 5
_TSUMOGIRI_CODES = b"\1" * _LATE + b"\2" * TILES
_DIGIT = bytes.maketrans(b"01", b"\0\1")

BY_KIND = (
    _array(discard_code, 12, of_seat=True),
    _array(unseen, 5),
    _array(open_copies, 5),
    _array(dora, 3, counts=True),
    _array(yakuhai, 3, counts=True),
    _array(passed, 5),
    _array(in_melds, 5, counts=True, of_seat=True),
    _array(genbutsu, 2),
)
BY_SUIT = (
    _array(in_suit, 9, counts=True, of_seat=True),
    _array(early_in_suit, 6, counts=True, of_seat=True),
    _array(melds_in_suit, 5, counts=True, of_seat=True),
)


def discards_since_riichi(context: OpponentContext) -> int:
    """Discards after the riichi tile."""
    return len(context.seat.river) - len(context.river.discards)


def live_suji(context: OpponentContext) -> int:
    """0–18 suji that the opponent can still win on."""
    return safety.live_suji(context.furiten)


def riichi_tile(context: OpponentContext) -> int:
    """2 × `RANK_CLASS` of the riichi tile, + 1 for a tsumogiri; 10 without riichi."""
    discards = context.river.discards
    if not discards or not discards[-1].riichi:
        return 10
    return 2 * RANK_CLASS[KIND[discards[-1].tile]] + discards[-1].tsumogiri


def discards_since_honour(context: OpponentContext) -> int:
    """Discards since the last tedashi honour, plus 1; 0 without one."""
    last = context.river.tedashi_classes.rfind(0)
    return len(context.river.kinds) - context.river.tedashi_turns[last] if last >= 0 else 0


def others_in_riichi(context: OpponentContext) -> int:
    """Other seats in riichi now."""
    return sum([seat.in_riichi for seat in context.view.seats if seat is not context.seat])


def wall_sixths(context: OpponentContext) -> int:
    """0–11, `tiles_left` / 6."""
    return shared_features.tiles_left(context) // 6


def n_melds(context: OpponentContext) -> int:
    """0–4 melds, closed kans included."""
    return len(context.seat.melds)


def dora_in_melds(context: OpponentContext) -> int:
    """Dora and red fives in the opponent's melds."""
    tiles = [tile for meld in context.seat.melds for tile in meld.tiles]
    return sum(
        [(tile in context.tiles.reds) + context.tiles.dora.count(KIND[tile]) for tile in tiles]
    )


def call_age(context: OpponentContext) -> int:
    """`discards_since_call` plus 1; 0 without a call."""
    return shared_features.discards_since_call(context) + 1


def dora_unseen(context: OpponentContext) -> int:
    """Dora and red fives that the asking seat does not see."""
    unseen = context.tiles.unseen
    return context.tiles.unseen_reds + sum([unseen[kind] for kind in context.tiles.dora])


def extra_indicators(context: OpponentContext) -> int:
    """Dora indicators beyond the first."""
    return len(context.view.dora_indicators) - 1


def hanchan(context: OpponentContext) -> int:
    """0 an East-only game, 1 a hanchan."""
    return int(context.view.rules.hanchan)


def ippatsu(context: OpponentContext) -> int:
    """0/1, in riichi, and neither a discard of its own nor a call since: of kans only open ones."""
    discards = context.river.discards
    if not context.seat.in_riichi or discards_since_riichi(context):
        return 0
    called = [
        order for river in (context.river, *context.others) for order in river.called.values()
    ]
    return int(max(called, default=-1) < discards[-1].order)


def last_tile(context: OpponentContext) -> int:
    """0/1, the wall is empty: a win on the discard is houtei."""
    return int(not context.view.tiles_left)


def _global(extract: Callable[[OpponentContext], int], size: int) -> GlobalFeature:
    unit = (extract.__doc__ or "").splitlines()[0].rstrip(".")
    return GlobalFeature(extract.__name__, size, f"{unit}; at most {size - 1}", extract)


GLOBAL = (
    _global(shared_features.discards, 20),
    _global(discards_since_riichi, 13),
    _global(live_suji, 19),
    _global(riichi_tile, 11),
    _global(shared_features.honour_discards, 8),
    _global(discards_since_honour, 11),
    _global(shared_features.yaochu_kinds, 14),
    _global(shared_features.tedashi, 16),
    _global(shared_features.tsumogiri_streak, 9),
    _global(shared_features.dealer, 2),
    _global(others_in_riichi, 3),
    _global(wall_sixths, 12),
    _global(n_melds, 5),
    _global(shared_features.chis, 5),
    _global(shared_features.open_yaku, 10),
    _global(dora_in_melds, 6),
    _global(call_age, 13),
    _global(dora_unseen, 6),
    _global(extra_indicators, 3),
    _global(hanchan, 2),
    _global(ippatsu, 2),
    _global(last_tile, 2),
)


class FeatureLayout:
    """Positions of features in a flat array.

    Parameters
    ----------
    blocks : (features, width) pairs
        Each feature of a block has `width` numbers, one after another.

    Attributes
    ----------
    start, size : dict
        First index of a feature, and its number of values.
    length : int
        Length of the array.
    pads : list of int
        Index of "no kind" or "no suit" of each feature by kind or suit; the value there is 0.
    """

    def __init__(self, *blocks: tuple[Sequence[FeatureSpec], int]) -> None:
        self.start: dict[str, int] = {}
        self.size: dict[str, int] = {}
        self.pads: list[int] = []
        self.length = 0
        for features, width in blocks:
            for feature in features:
                self.start[feature.name], self.size[feature.name] = self.length, feature.size
                self.length += width
                if width > 1:
                    self.pads.append(self.length - 1)


LAYOUT = FeatureLayout((BY_KIND, KINDS + 1), (BY_SUIT, NO_SUIT + 1), (GLOBAL, 1))
LENGTH = LAYOUT.length


def per_kind(features: Int8s, name: str) -> Int8s:
    """Values of a feature by kind, (…, 34), from the flat array, (…, LENGTH)."""
    start = LAYOUT.start[name]
    return features[..., start : start + KINDS]


def per_suit(features: Int8s, name: str) -> Int8s:
    """Values of a feature by suit, (…, 4), from the flat array, (…, LENGTH)."""
    start = LAYOUT.start[name]
    return features[..., start : start + HONOURS + 1]


def columns() -> list[str]:
    """Name of every number of the flat array, (LENGTH,)."""
    by_kind = [f"{feature.name}_{kind}" for feature in BY_KIND for kind in range(KINDS + 1)]
    by_suit = [f"{feature.name}_{suit}" for feature in BY_SUIT for suit in range(NO_SUIT + 1)]
    return [*by_kind, *by_suit, *(feature.name for feature in GLOBAL)]


_FIRST_GLOBAL = LENGTH - len(GLOBAL)
_OF_RIVER = [
    (index, feature.extract.of_river, feature.size - 1)
    for index, feature in enumerate(GLOBAL, _FIRST_GLOBAL)
    if isinstance(feature.extract, RiverFeature)
]
_OF_CONTEXT = [
    (index, feature.extract, feature.size - 1)
    for index, feature in enumerate(GLOBAL, _FIRST_GLOBAL)
    if not isinstance(feature.extract, RiverFeature)
]


_ARRAYS = [(LAYOUT.start[one.name], one) for one in (*BY_KIND, *BY_SUIT)]
_ARRAYS_OF_SEAT = [pair for pair in _ARRAYS if pair[1].of_seat]
_ARRAYS_OF_CONTEXT = [pair for pair in _ARRAYS if not pair[1].of_seat]


def extract(context: OpponentContext) -> Int8s:
    """Compute all features of an opponent, (LENGTH,), each from 0 up to its size."""
    features = bytearray(_of_seat(context.seat))
    for start, array in _ARRAYS_OF_CONTEXT:
        _write(features, start, array, context)
    for index, extractor, most in _OF_CONTEXT:
        features[index] = min(extractor(context), most)
    return np.frombuffer(features, np.int8)


@lru_cache(maxsize=SEATS_CACHED)
def _of_seat(seat: Seat) -> bytes:
    """The features that everybody sees alike, computed once while several seats look at it.

    The others are 0.
    """
    river = river_of(seat)
    features = bytearray(LENGTH)
    for start, array in _ARRAYS_OF_SEAT:
        _write(features, start, array, seat)
    for index, extractor, most in _OF_RIVER:
        features[index] = min(extractor(river), most)
    return bytes(features)


def _write(
    features: bytearray, start: int, array: ArrayFeature, source: OpponentContext | Seat
) -> None:
    """Write the values of each kind or suit, or add how often each occurs."""
    values = array.extract(source)
    if not array.counts:
        features[start : start + KINDS] = bytes(values)
        return
    most = array.size - 1
    for value in values:
        if features[start + value] < most:
            features[start + value] += 1
