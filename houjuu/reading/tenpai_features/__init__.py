"""Features of the tenpai GAM: what an opponent shows beyond table 1 of Kurita & Hoki 2017.

A feature is a plain function of an `OpponentContext`, named by a noun, in one of the modules here.
The first line of its docstring is its unit or range, which the schema of the rows repeats.
"Middles" are 3 to 7, and a class is one of `houjuu.reading.opponent.RANK_CLASS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from houjuu.reading.opponent import OpponentContext
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

_EXTRACTORS = tuple(feature.extract for feature in FEATURES)


def extract(context: OpponentContext) -> list[int]:
    """Compute all features of an opponent, in the order of `FEATURES`."""
    return [extractor(context) for extractor in _EXTRACTORS]
