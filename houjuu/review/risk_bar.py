"""The bar that shows a risk: its height, and its colour, for the page and for the picture.

A colour is darker with the risk (on a dark page lighter), so that it needs no hue.
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

FULL = 0.3
"""The risk of a full bar, unit: probability."""
LEVELS = 100
"""The level of a full bar."""

_LIGHT = ("#fff3c4", "#fecc5c", "#fd8d3c", "#e0301e", "#a30024", "#6b0020")
_DARK = ("#2c2a45", "#61307a", "#a93a6e", "#e5614b", "#fba238", "#fcf0a0")


def level(risk: float) -> int:
    """The height of the bar of a probability, 0 to `LEVELS`."""
    return round(LEVELS * sqrt(min(risk / FULL, 1)))


def palette(stops: tuple[str, ...]) -> list[str]:
    """The colour of each level, 0 to `LEVELS`, between stops at equal distances.

    >>> palette(("#000000", "#0000c8"))[50]
    '#000064'
    """
    pairs = list(pairwise([bytes.fromhex(stop[1:]) for stop in stops]))
    positions = [level / LEVELS * len(pairs) for level in range(LEVELS + 1)]
    segments = [min(int(position), len(pairs) - 1) for position in positions]
    return [
        _mixed(*pairs[segment], position - segment)
        for segment, position in zip(segments, positions, strict=True)
    ]


def _mixed(start: bytes, end: bytes, share: float) -> str:
    mixed = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return f"#{bytes(mixed).hex()}"


LIGHT, DARK = palette(_LIGHT), palette(_DARK)
"""The colours by level on a light and on a dark ground."""
