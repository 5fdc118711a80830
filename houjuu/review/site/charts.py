"""Positions of the marks in the charts of the index, in units of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from houjuu.review.site.habits import Figure

WIDTH = 160
MARGIN = 8
TREND_WIDTH = 280
TREND_HEIGHT = 96


class Range(NamedTuple):
    """An interval beside a usual value, if any, on a common axis; all are x in 0–`WIDTH`."""

    low: float
    mean: float
    high: float
    usual: float | None = None


def interval(own: Figure, usual: Figure | None) -> Range:
    """The chart of a figure beside the usual one."""
    low, high = own.ends
    values = [low, own.mean, high]
    if usual:
        values.append(usual.mean)
    return Range(*_scaled(values, min(values), max(values), MARGIN, WIDTH - MARGIN))


class Trend(NamedTuple):
    """A figure over time.

    Attributes
    ----------
    marks : list of (x, y, y, y)
        Low end, mean and high end of each block.
    usual : float or None
        y of the usual value.
    low, high : float
        The values at the lower and the upper edge.
    """

    marks: list[tuple[float, float, float, float]]
    usual: float | None
    low: float
    high: float


def trend(blocks: Sequence[Figure], usual: Figure | None) -> Trend:
    """The chart of a figure over time; `blocks` has at least two figures."""
    ends = [value for one in blocks for value in one.ends]
    if usual:
        ends.append(usual.mean)
    low, high = min(ends), max(ends)

    def heights(*values: float) -> list[float]:
        return _scaled(values, low, high, TREND_HEIGHT - MARGIN, MARGIN)

    xs = _scaled(range(len(blocks)), 0, len(blocks) - 1, MARGIN, TREND_WIDTH - MARGIN)
    marks = []
    for x, one in zip(xs, blocks, strict=True):
        bottom, top, middle = heights(*one.ends, one.mean)
        marks.append((x, bottom, middle, top))
    return Trend(marks, heights(usual.mean)[0] if usual else None, low, high)


def _scaled(
    values: Sequence[float], low: float, high: float, start: float, end: float
) -> list[float]:
    """Values from low–high mapped to start–end, to a tenth; the middle if there is no spread."""
    if high == low:
        return [(start + end) / 2 for _ in values]
    return [round(start + (value - low) / (high - low) * (end - start), 1) for value in values]
