"""The limits of the numbers of a game, wherever they enter: logs, streams, positions, requests.

They are far beyond every real game and far below what arithmetic can hold. The most in 1,255 real
games: South 4 of a hanchan goes on to West 4 (11), 7 honba, 6 sticks, 78,500 points, 80 fu, 20 dan.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, TypeGuard

from houjuu.util.errors import Error, shown

MAX_ROUND = 15
"""North 4; the notation has no later round."""
MAX_HONBA = 200
MAX_STICKS = 200
MAX_SCORE = 1_000_000  # unit: points; of a score, of its change, and of a hand
MAX_FU = 1_000
MAX_HAN = 200  # of one yaku, or of the dora together
MAX_LIMIT = 5
"""Yakuman, in the numbers of `houjuu.game.events.Win.limit`."""
MAX_DICE = 6
MAX_RULES = 0xFFFF
MAX_DAN = 100
MAX_RATE = 100_000.0


def is_whole(value: object, high: int, low: int = 0) -> TypeGuard[int]:
    """Whether a value is a whole number from `low` to `high`; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        return False
    return low <= int(value) <= high


def whole(value: Any, name: str, high: int, low: int = 0, error: type[Error] = Error) -> int:
    """The value, if it is a whole number from `low` to `high`; True and False are none.

    Raises
    ------
    Error
        It is anything else; the message has the name.
    """
    if not is_whole(value, high, low):
        wanted = f"a whole number from {low:,} to {high:,}"
        raise error(f"{name} is {shown(value)}, not {wanted}")
    return int(value)


def seat(value: object, name: str = "seat", error: type[Error] = Error) -> int:
    """The seat 0–3 that a caller or a client writes, as a number or a digit.

    Raises
    ------
    Error
        It is anything else; the message has the name.
    """
    if is_whole(value, 3) or (isinstance(value, str) and value in ("0", "1", "2", "3")):
        return int(value)
    raise error(f"{name} is {shown(value)}, but seats are 0 to 3")


def points(value: Any, name: str, error: type[Error] = Error) -> int:
    """The value, if it is a score or a change of one; raises Error as `whole` does."""
    return whole(value, name, MAX_SCORE, -MAX_SCORE, error)


def real(value: Any, name: str, high: float, error: type[Error] = Error) -> float:
    """The value, if it is a number from -`high` to `high`, so not NaN; else raises Error."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= high:
        raise error(f"{name} is {shown(value)}, not a number from {-high:,.0f} to {high:,.0f}")
    return float(value)
