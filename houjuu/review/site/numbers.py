"""Figures as text: shares in percent, points, ranks."""

from __future__ import annotations

from houjuu.review.site.habits import Figure
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
