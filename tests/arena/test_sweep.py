"""Sweeps: differences paired by deal and by round."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("riichienv", reason="matches are played on it")
from houjuu.arena import match_report
from houjuu.arena.statistics import SeatGame
from houjuu.scoring.seat_rounds import SeatResult, SeatRound


def seat_round(balance: int, *, behind: bool = True, start: tuple[int, int, int]) -> SeatRound:
    outcome = SeatResult.DEAL_IN if balance < 0 else SeatResult.DRAW
    return SeatRound(
        outcome,
        balance,
        0,
        (),
        riichi=False,
        called=False,
        behind=behind,
        shanten=None,
        start=start,
    )


def game(deal: int, *rounds: SeatRound) -> SeatGame:
    return SeatGame(deal, 0, 1, rounds)


def cells(ours: list[SeatGame], theirs: list[SeatGame]) -> list[str]:
    return [row[1] for row in match_report.paired_by_round(ours, theirs, "x").rows]


def test_only_rounds_of_the_same_wall_and_start_are_paired() -> None:
    same = seat_round(0, start=(0, 0, 0))
    lost, kept = seat_round(-8000, start=(1, 0, 0)), seat_round(0, start=(1, 0, 0))
    other_dealer = seat_round(-900, start=(2, 0, 0)), seat_round(-1, start=(1, 1, 0))
    quiet = seat_round(-500, behind=False, start=(3, 0, 0))
    ours = game(0, same, lost, other_dealer[0], quiet)
    theirs = game(0, same, kept, other_dealer[1], quiet)
    assert cells([ours], [theirs])[:2] == ["2", "1"]
    assert cells([ours], [theirs])[2].startswith("-4,000.0 ± ")
    assert cells([ours, game(1, same)], [theirs, game(1, same)])[:2] == ["3", "1"]
    assert cells([ours], [game(1, *theirs.rounds)])[:2] == ["0", "0"]  # another deal
    assert cells([replace(ours, rotation=1)], [theirs])[0] == "0"
    assert cells([replace(ours, position=2)], [theirs])[0] == "0"  # another seat


def test_a_round_counts_if_another_is_first_in_riichi_in_either() -> None:
    behind, ahead = (seat_round(-300, behind=b, start=(0, 0, 0)) for b in (True, False))
    assert cells([game(0, behind)], [game(0, ahead)]) == ["1", "0", "+0.0 ± –"]
