"""Push or fold against a riichi, by what the hand is worth and how dangerous a tile is.

小林聡, 牌の危険度計算アルゴリズム(3): a hand is poor, good or very good, and may discard below a
limit of relative danger (`houjuu.player.danger`) that goes by that and by whether it has something
safe to discard. The safest tile may always go.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The source's thresholds A to G, and where it draws the line between hands.

    Attributes
    ----------
    safe : float
        A: a tile below is safe, unit: percent, as all but the last two.
    no_safe : float
        B: with nothing below there is no safe tile.
    very_good, good, poor : float
        C, D, E: below what such a hand pushes; the latter two where there is no safe tile.
    poor_tenpai, formal_tenpai : float
        F, G: below what a tenpai that is worth little, or nothing, pushes.
    good_value, very_good_value : float
        From what value on a hand is good, or very good, unit: 評価値.
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
"""As the source found them best."""

FAR = 3
"""Shanten from which every hand is poor."""


def limit(shanten: int, value: float, least: float, limits: Limits = SOURCE) -> float:
    """Below what danger a hand may discard besides its safest tile; 0 where it folds.

    Parameters
    ----------
    shanten : int
        Of the hand after the discard.
    value : float
        評価値 of the hand after the discard.
    least : float
        The least danger among the possible discards, unit: percent.
    limits : Limits
    """
    poor = shanten >= FAR or value < limits.good_value
    if shanten <= 0:
        return _of_tenpai(value, limits)
    if not poor and value >= limits.very_good_value:
        return limits.very_good
    if least < limits.no_safe:
        return 0.0 if poor else limits.safe
    return min(limits.poor if poor else limits.good, limits.very_good)


def _of_tenpai(value: float, limits: Limits) -> float:
    if value <= 0:
        return limits.formal_tenpai
    return limits.very_good if value >= limits.good_value else limits.poor_tenpai


def may_push(
    danger: float, least: float, shanten: int, value: float, limits: Limits = SOURCE
) -> bool:
    """Whether a tile of some danger may be discarded; see `limit`."""
    return danger <= least or danger < limit(shanten, value, least, limits)
