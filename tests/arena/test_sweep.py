"""Sweeps: differences paired by deal and by round."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("riichienv", reason="matches are played on it")
from benchmarks import sweep
from houjuu.arena import match_report
from houjuu.arena.matches import Match, play_matches, read_match
from houjuu.arena.statistics import SeatGame, by_player
from houjuu.scoring.seat_rounds import SeatResult, SeatRound

DEALS = 3
TITLES = ["Results", "Another seat was first in riichi", "Paired by deal", "Paired by round"]


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


@pytest.mark.deep
def test_most_rounds_of_two_variants_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Real games: rounds start alike until a discard differs, and the command prints the tables."""
    names = ("relative", "relative:poor=3", "before")
    others = ("v3",) * 3
    matches = [(Match((name, *others), 1), tmp_path / name) for name in names]
    play_matches(matches, DEALS, jobs=1)
    records = {}
    for (match, folder), name in zip(matches, names, strict=True):
        _, games = read_match(folder, match.seed, DEALS, 1)
        records[name] = by_player(games)[name]
    for name in names[1:]:
        pairs, differ, _ = cells(records[name], records["relative"])
        assert int(pairs) > DEALS
        assert 0 <= int(differ) <= int(pairs) // 2
    assert cells(records["relative"], records["relative"])[1:] == ["0", "+0.0 ± –"]
    arguments = [str(tmp_path), *names, "--deals", str(DEALS), "--jobs", "1", "--others", "v3"]
    monkeypatch.setattr(sys, "argv", ["sweep", *arguments])
    sweep.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line in TITLES] == TITLES[:2] + 2 * TITLES[2:]
