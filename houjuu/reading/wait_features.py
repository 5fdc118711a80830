"""Features of the wait models: for each kind, for each suit, and global.

All features are small whole numbers in one flat array, so that the terms of
`houjuu.estimators.log_linear.conditional_logit` are look-ups in it. The river ends with the riichi
tile. The features contain nothing that the asking seat cannot see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from houjuu.game.seat import SEATS_CACHED
from houjuu.game.table import Seat
from houjuu.game.tiles import COPIES, DRAGONS, HONOURS, KIND, KINDS, SUIT, TILES
from houjuu.reading import safety, shared_features
from houjuu.reading.opponent import RANK_CLASS, OpponentContext, River, river_of
from houjuu.reading.shared_features import FeatureSpec
from houjuu.util.arrays import Int8s
from houjuu.util.features import Feature, feature

PAD = KINDS
"""Index of "no kind" in the features by kind; their value there is 0."""

NO_SUIT = HONOURS + 1
"""Index of "no suit" in the features by suit; their value there is 0."""

_LATE = 6  # index in the river from which a discard is late
_EARLY = 5
_TSUMOGIRI_CODES = b"\1" * _LATE + b"\2" * TILES
_DIGIT = bytes.maketrans(b"01", b"\0\1")


@feature(by="kind", of="river", size=12)
def discard_code(river: River) -> bytearray:
    """0 not by the opponent; else `discard_code`, the highest.

    1–2 tsumogiri, among the first six discards or later; 3–6 tedashi, by three discards each; 7–8
    the second last tedashi, early or late; 9 the last tedashi; 10–11 the riichi tile, tedashi or
    tsumogiri. Of several discards of a kind the highest code counts.
    """
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


@feature(by="kind", size=3, counts=True)
def yakuhai(context: OpponentContext) -> Sequence[int]:
    """0–2 han of a triplet for the opponent."""
    view = context.view
    return view.round_wind, view.seat_wind(context.seat.seat), *DRAGONS


@feature(by="kind", size=5)
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


@feature(size=13)
def discards_since_riichi(context: OpponentContext) -> int:
    """Discards after the riichi tile."""
    return len(context.seat.river) - len(context.river.discards)


@feature(size=11)
def riichi_tile(context: OpponentContext) -> int:
    """2 × `RANK_CLASS` of the riichi tile, + 1 for a tsumogiri; 10 without riichi."""
    discards = context.river.discards
    if not discards or not discards[-1].riichi:
        return 10
    return 2 * RANK_CLASS[KIND[discards[-1].tile]] + discards[-1].tsumogiri


@feature(size=11)
def discards_since_honour(context: OpponentContext) -> int:
    """Discards since the last tedashi honour, plus 1; 0 without one."""
    last = context.river.tedashi_classes.rfind(0)
    return len(context.river.kinds) - context.river.tedashi_turns[last] if last >= 0 else 0


@feature(of="melds", size=6)
def dora_in_melds(context: OpponentContext) -> int:
    """Dora and red fives in the opponent's melds."""
    tiles = [tile for meld in context.seat.melds for tile in meld.tiles]
    return sum(
        [(tile in context.tiles.reds) + context.tiles.dora.count(KIND[tile]) for tile in tiles]
    )


@feature(size=6)
def dora_unseen(context: OpponentContext) -> int:
    """Dora and red fives that the asking seat does not see."""
    unseen = context.tiles.unseen
    return context.tiles.unseen_reds + sum([unseen[kind] for kind in context.tiles.dora])


@feature(size=2)
def ippatsu(context: OpponentContext) -> int:
    """0/1, in riichi, and neither a discard of its own nor a call since: of kans only open ones."""
    discards = context.river.discards
    if not context.seat.in_riichi or discards_since_riichi.compute(context):
        return 0
    called = [
        order for river in (context.river, *context.others) for order in river.called.values()
    ]
    return int(max(called, default=-1) < discards[-1].order)


_row = Feature[OpponentContext].row
_river = Feature[River].row
FEATURES: tuple[Feature[Any], ...] = (
    discard_code,
    _row(
        "unseen",
        "0–4 copies that the asking seat does not see",
        lambda context: context.tiles.unseen,
        by="kind",
        size=5,
    ),
    _row(
        "open_copies",
        "0–4 copies that everybody sees",
        lambda context: context.tiles.open_copies,
        by="kind",
        size=5,
    ),
    _row(
        "dora",
        "Number of times that it is dora, 2 for more",
        lambda context: context.tiles.dora,
        by="kind",
        size=3,
        counts=True,
    ),
    yakuhai,
    passed,
    _row(
        "in_melds",
        "0–4 copies in the opponent's own melds",
        lambda context: (KIND[tile] for meld in context.seat.melds for tile in meld.tiles),
        by="kind",
        of="melds",
        size=5,
        counts=True,
    ),
    _row(
        "genbutsu",
        "0/1, the opponent cannot win on it",
        lambda context: f"{context.furiten:034b}"[::-1].encode().translate(_DIGIT),
        by="kind",
        size=2,
    ),
    _river(
        "in_suit",
        "Discards of the suit, 8 for more",
        lambda river: river.suits,
        by="suit",
        of="river",
        size=9,
        counts=True,
    ),
    _river(
        "early_in_suit",
        "Those among the first five discards",
        lambda river: river.suits[:_EARLY],
        by="suit",
        of="river",
        size=6,
        counts=True,
    ),
    _row(
        "melds_in_suit",
        "0–4 own melds of the suit",
        lambda context: (SUIT[KIND[meld.tiles[0]]] for meld in context.seat.melds),
        by="suit",
        of="melds",
        size=5,
        counts=True,
    ),
    shared_features.discards,
    discards_since_riichi,
    _row(
        "live_suji",
        "0–18 suji that the opponent can still win on",
        lambda context: safety.live_suji(context.furiten),
        size=19,
    ),
    riichi_tile,
    shared_features.honour_discards,
    discards_since_honour,
    shared_features.yaochu_kinds,
    shared_features.tedashi,
    shared_features.tsumogiri_streak,
    shared_features.dealer,
    _row(
        "others_in_riichi",
        "Other seats in riichi now",
        lambda context: sum(
            [seat.in_riichi for seat in context.view.seats if seat is not context.seat]
        ),
        size=3,
    ),
    _row(
        "wall_sixths",
        "0–11, `tiles_left` / 6",
        lambda context: context.view.tiles_left // 6,
        size=12,
    ),
    _row(
        "n_melds",
        "0–4 melds, closed kans included",
        lambda context: len(context.seat.melds),
        of="melds",
        size=5,
    ),
    shared_features.chis,
    shared_features.open_yaku,
    dora_in_melds,
    _row(
        "call_age",
        "`discards_since_call` plus 1; 0 without a call",
        lambda context: int(shared_features.discards_since_call.compute(context)) + 1,
        of="melds",
        size=13,
    ),
    dora_unseen,
    _row(
        "extra_indicators",
        "Dora indicators beyond the first",
        lambda context: len(context.view.dora_indicators) - 1,
        size=3,
    ),
    _row(
        "hanchan",
        "0 an East-only game, 1 a hanchan",
        lambda context: int(context.view.rules.hanchan),
        size=2,
    ),
    ippatsu,
    _row(
        "last_tile",
        "0/1, the wall is empty: a win on the discard is houtei",
        lambda context: int(not context.view.tiles_left),
        size=2,
    ),
)
"""All features: first those by kind, then those by suit, then the global ones."""

BY_KIND, BY_SUIT, GLOBAL = (
    tuple(one for one in FEATURES if one.by == by) for by in ("kind", "suit", "")
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

    def __init__(self, *blocks: tuple[Sequence[FeatureSpec | Feature[Any]], int]) -> None:
        self.start: dict[str, int] = {}
        self.size: dict[str, int] = {}
        self.pads: list[int] = []
        self.length = 0
        for features, width in blocks:
            for one in features:
                self.start[one.name], self.size[one.name] = self.length, one.size
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


_OF_RIVER, _OF_CONTEXT, _OF_MELDS = (
    [(LAYOUT.start[one.name], one) for one in FEATURES if one.of == of]
    for of in ("river", "", "melds")
)


def extract(context: OpponentContext) -> Int8s:
    """Compute all features of an opponent, (LENGTH,), each from 0 up to its size."""
    features = bytearray(_river_values(context.seat))
    _write(features, _OF_CONTEXT, context)
    if context.seat.melds:
        _write(features, _OF_MELDS, context)
    return np.frombuffer(features, np.int8)


@lru_cache(maxsize=SEATS_CACHED)
def _river_values(seat: Seat) -> bytes:
    """The features of the river of a seat, computed once while several seats look at it.

    The others are 0.
    """
    features = bytearray(LENGTH)
    _write(features, _OF_RIVER, river_of(seat))
    return bytes(features)


def _write(
    features: bytearray,
    placed: Iterable[tuple[int, Feature[Any]]],
    source: OpponentContext | River,
) -> None:
    """Write the value of each feature, those of each kind or suit, or how often each occurs."""
    for start, one in placed:
        value = one.compute(source)
        if not one.by:
            features[start] = min(value, one.size - 1)
        elif one.counts:
            for index in value:
                if features[start + index] < one.size - 1:
                    features[start + index] += 1
        else:
            features[start : start + len(value)] = bytes(value)
