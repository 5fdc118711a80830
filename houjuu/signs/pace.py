"""Pace: how fast a hand changes."""

from __future__ import annotations

from bisect import bisect_left

from houjuu.cases import Case
from houjuu.signs.values import NONE


def discards(case: Case) -> int:
    """Discards of the opponent."""
    return len(case.kinds)


def tiles_left(case: Case) -> int:
    """0–69 tiles in the wall."""
    return case.view.tiles_left


def tedashi(case: Case) -> int:
    """Discards from the hand."""
    return len(case.turns)


def tsumogiri_streak(case: Case) -> int:
    """Tsumogiri since the last tedashi."""
    return len(case.kinds) - 1 - case.turns[-1] if case.turns else len(case.kinds)


def last_four(case: Case) -> int:
    """The last four discards as bits, tedashi 1, the latest lowest; above 15 there are fewer."""
    made = len(case.kinds)
    bits = sum(1 << made - 1 - turn for turn in case.turns[-4:] if turn >= made - 4)
    return bits + 16 * max(4 - made, 0)


def tedashi_of_six(case: Case) -> int:
    """Tedashi among the last six discards."""
    return len(case.turns) - bisect_left(case.turns, len(case.kinds) - 6)


def since_tedashi_before(case: Case) -> int:
    """Discards since the tedashi before the last."""
    return len(case.kinds) - 1 - case.turns[-2] if len(case.turns) > 1 else NONE


def since_tedashi_third_last(case: Case) -> int:
    """Discards since the tedashi before that."""
    return len(case.kinds) - 1 - case.turns[-3] if len(case.turns) > 2 else NONE


SIGNS = (
    discards,
    tiles_left,
    tedashi,
    tsumogiri_streak,
    last_four,
    tedashi_of_six,
    since_tedashi_before,
    since_tedashi_third_last,
)
