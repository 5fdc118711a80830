"""Comparing printed numbers."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")


def is_same(shown: str, printed: str) -> bool:
    """Whether two lines are equal, but for one unit of the last digit of a number.

    Processors differ in the last bits of a float, and a number may lie between two roundings.
    """
    pairs = list(zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=False))
    return NUMBER.sub("", shown) == NUMBER.sub("", printed) and all(
        abs(float(ours) - float(theirs)) < 1.5 * 10.0 ** -len(ours.partition(".")[2])
        for ours, theirs in pairs
    )
