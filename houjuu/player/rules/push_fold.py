"""Push or fold against a riichi, by the value of the hand and the danger of a tile.

小林聡, 牌の危険度計算アルゴリズム(3): a hand is poor, good or very good. It may discard tiles below
a limit of relative danger (`houjuu.player.rules.relative_danger`). The limit depends on the hand
and on whether it has a safe tile. The safest tile may always be discarded.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The source's thresholds A to G, and the values that separate the classes of hands.

    Attributes
    ----------
    safe : float
        A: a tile below this danger is safe. Unit: percent, as all but the last two.
    no_safe : float
        B: if no tile is below this danger, there is no safe tile.
    very_good, good, poor : float
        C, D, E: such a hand pushes below this danger; D and E where there is no safe tile.
    poor_tenpai, formal_tenpai : float
        F, G: a tenpai of low value, or of none, pushes below this danger.
    good_value, very_good_value : float
        A hand is good, or very good, from this value, unit: 評価値.
    """

    safe: float = 3.0
    no_safe: float = 3.0
    very_good: float = 12.0
    good: float = 8.0
    poor: float = 8.0
    poor_tenpai: float = 12.0
    formal_tenpai: float = 12.0
    good_value: float = 400.0
    very_good_value: float = 1200.0


SOURCE = Limits()
"""The values that the source found best."""

FAR = 3
"""Shanten from which every hand is poor."""


def limit(shanten: int, value: float, least: float, limits: Limits = SOURCE) -> float:
    """The danger below which a hand may discard besides its safest tile; 0 where it folds.

    Parameters
    ----------
    shanten : int
        Shanten after the discard.
    value : float
        評価値 of the hand after the discard.
    least : float
        The least danger among the possible discards, unit: percent.
    limits : Limits
    """
    poor = shanten >= FAR or value < limits.good_value
    if shanten <= 0:
        return _tenpai_limit(value, limits)
    if not poor and value >= limits.very_good_value:
        return limits.very_good
    if least < limits.no_safe:
        return 0.0 if poor else limits.safe
    return min(limits.poor if poor else limits.good, limits.very_good)


def _tenpai_limit(value: float, limits: Limits) -> float:
    if value <= 0:
        return limits.formal_tenpai
    return limits.very_good if value >= limits.good_value else limits.poor_tenpai


def may_push(
    danger: float, least: float, shanten: int, value: float, limits: Limits = SOURCE
) -> bool:
    """Whether a tile of this danger (percent) may be discarded; other parameters as in `limit`."""
    return danger <= least or danger < limit(shanten, value, least, limits)
