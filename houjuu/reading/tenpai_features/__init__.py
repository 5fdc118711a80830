"""Features of the tenpai GAM: what an opponent shows beyond table 1 of Kurita & Hoki 2017.

A feature is a plain function of an `OpponentContext`, or of the `River` alone, named by a noun, in
one of the modules here.
The first line of its docstring is its unit or range, which the schema of the rows repeats.
"Middles" are 3 to 7, and a class is one of `houjuu.reading.opponent.RANK_CLASS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from houjuu.game.seat import SEATS_CACHED, Seat
from houjuu.reading.opponent import OpponentContext, RiverFeature, river_of
from houjuu.reading.tenpai_features import facing_riichi, game, last_discards, melds, pace, river

Extractor = Callable[[OpponentContext], int]


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature: its name, its unit or range, and the function that computes it."""

    name: str
    unit: str
    extract: Extractor


def _feature(extract: Extractor) -> Feature:
    unit = (extract.__doc__ or "").splitlines()[0].rstrip(".")
    return Feature(extract.__name__, unit, extract)


GROUPS: dict[str, tuple[Extractor, ...]] = {
    "its pace": pace.FEATURES,
    "its river": river.FEATURES,
    "its last discards": last_discards.FEATURES,
    "pushing and folding": facing_riichi.FEATURES,
    "its melds": melds.FEATURES,
    "the game": game.FEATURES,
}
"""Features by group; explanations and ablations name the groups."""

FEATURES = tuple(_feature(extract) for features in GROUPS.values() for extract in features)
"""All features, in the order of the columns of a parameter file."""

_CONSTANTS: dict[Extractor, int] = dict(
    zip(
        (*melds.FEATURES, *facing_riichi.FEATURES),
        (*melds.WITHOUT_MELDS, *facing_riichi.WITHOUT_RIICHI),
        strict=True,
    )
)
_START = [_CONSTANTS.get(feature.extract, 0) for feature in FEATURES]
_OF_RIVER = [
    (index, feature.extract.of_river)
    for index, feature in enumerate(FEATURES)
    if isinstance(feature.extract, RiverFeature)
]


def _indexed(extractors: Iterable[Extractor]) -> list[tuple[int, Extractor]]:
    wanted = {*extractors}
    return [(i, feature.extract) for i, feature in enumerate(FEATURES) if feature.extract in wanted]


_OF_MELDS, _FACING_RIICHI = map(_indexed, (melds.FEATURES, facing_riichi.FEATURES))
_OF_CONTEXT = _indexed(
    feature.extract
    for feature in FEATURES
    if feature.extract not in _CONSTANTS and not isinstance(feature.extract, RiverFeature)
)


def extract(context: OpponentContext) -> list[int]:
    """Compute all features of an opponent, in the order of `FEATURES`."""
    values = [*_river_values(context.seat)]
    extractors = _OF_CONTEXT
    if context.seat.melds:
        extractors = extractors + _OF_MELDS
    if context.faced is not None:
        extractors = extractors + _FACING_RIICHI
    for index, extractor in extractors:
        values[index] = extractor(context)
    return values


@lru_cache(maxsize=SEATS_CACHED)
def _river_values(seat: Seat) -> list[int]:
    """The features of the river of a seat, computed once while several seats look at it.

    The others are those of a hand without melds while no other seat is in riichi, or 0.
    """
    of_seat = river_of(seat)
    values = [*_START]
    for index, extractor in _OF_RIVER:
        values[index] = extractor(of_seat)
    return values
