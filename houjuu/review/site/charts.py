"""Figures as the index shows them: as text, over time in blocks of games, and in charts.

Blocks are of equal size, in the order of play. Positions of marks are in units of an SVG.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from houjuu.review.site.game_record import GameRecord
from houjuu.review.site.habits import OF_DISCARDS, OF_ROUNDS, Figure, figures
from houjuu.util.languages import written

_POINTS = ("points", "lost")


def is_points(key: str) -> bool:
    """Whether a figure has the unit points."""
    return key.startswith("luck.") or key.rpartition(".")[2].startswith(_POINTS)


def mean(key: str, figure: Figure) -> str:
    """The mean of a figure: "19.3%", "5,560" or "2.43"."""
    return _number(key, figure.mean)


def half(key: str, figure: Figure) -> str:
    """Half of the 95% interval in the unit of `mean`, without the percent sign; "–" without one."""
    if not figure.half > 0:
        return "–"
    return _number(key, figure.half).rstrip("%")


def _number(key: str, value: float) -> str:
    if key in ("games.rank", "deal_ins.shanten"):
        return f"{value:.2f}"
    if is_points(key):
        return f"{value:.1f}" if key.startswith("mistakes.") else written(value)
    return f"{100 * value:.{2 if key.startswith('discards.') else 1}f}%"


MOST_BLOCKS = 12
MIN_BLOCK = 5  # unit: games

SHOWN = ("games.rank", "rounds.riichi", "rounds.calls", "rounds.wins", "rounds.deal_ins")
SHOWN_ESTIMATES = ("discards.all.deal_in",)


@dataclass(frozen=True, slots=True)
class GameBlock:
    """Some games in a row.

    Attributes
    ----------
    first, last : int
        Numbers of the games, from 1.
    figures : mapping
        Figures by key.
    """

    first: int
    last: int
    figures: Mapping[str, Figure]


def game_blocks(records: Sequence[GameRecord]) -> list[GameBlock]:
    """At most `MOST_BLOCKS` blocks of at least `MIN_BLOCK` games; empty for too few games."""
    count = min(MOST_BLOCKS, len(records) // MIN_BLOCK)
    if count < 2:
        return []
    ends = [round(len(records) * i / count) for i in range(count + 1)]
    return [_block(records, start, end) for start, end in pairwise(ends)]


def _block(records: Sequence[GameRecord], start: int, end: int) -> GameBlock:
    return GameBlock(start + 1, end, _figures(records[start:end]))


def halves(records: Sequence[GameRecord]) -> tuple[dict[str, Figure], dict[str, Figure]]:
    """The figures of the first and of the second half of the games."""
    middle = len(records) // 2
    return _figures(records[:middle]), _figures(records[middle:])


def _figures(records: Sequence[GameRecord]) -> dict[str, Figure]:
    selected = {key: OF_ROUNDS[key] for key in SHOWN}
    selected |= {key: OF_DISCARDS[key] for key in SHOWN_ESTIMATES}
    return figures(records, selected)


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
