"""Rounds of a seat, made by hand."""

from __future__ import annotations

from typing import Any

from houjuu.scoring.seat_rounds import SeatResult, SeatRound


def seat_round(outcome: SeatResult, balance: int, **more: Any) -> SeatRound:
    """A round of an outcome and a change of the score; nothing else happened in it."""
    fields: dict[str, Any] = {"points": None, "yaku": (), "riichi": False, "called": False}
    fields |= {"behind": False, "shanten": None, "start": (0, 0, 0), **more}
    return SeatRound(outcome, balance, **fields)
