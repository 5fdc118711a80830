"""The tables of matches: the same cells under names of every language, and paired differences."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("riichienv", reason="matches are played on it")
from houjuu.arena import match_report
from houjuu.arena.match_report import SeatGame, TextTable
from houjuu.cli import arena, main
from houjuu.game.yaku import PINFU, TANYAO, YAKU
from houjuu.scoring.seat_rounds import SeatResult, SeatRound
from houjuu.util.languages import LANGUAGES
from houjuu.util.languages.width import width
from tests.kit.seat_rounds import seat_round

WORD = re.compile(r"[A-Za-z]{2,}")


def games(points: int) -> list[SeatGame]:
    won = {"points": 0, "yaku": ((PINFU, 1), (TANYAO, 1))}
    rounds = tuple(
        seat_round(outcome, points * n, behind=True, start=(n, 0, 0), **(won if n == 0 else {}))
        for n, outcome in enumerate(SeatResult)
    )
    return [SeatGame(deal, 0, 1 + deal, rounds) for deal in range(2)]


def tables(language: str) -> list[TextTable]:
    """Every table of two players, whose names have no letters."""
    players = {"1": games(-1000), "2": games(900)}
    pair = players["1"], players["2"], "1 − 2", language
    return [
        match_report.results(players, language),
        match_report.yaku(players, language),
        match_report.behind(players, language),
        match_report.against(*pair),
        match_report.paired_by_round(*pair),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cells_are_those_of_english(language: str) -> None:
    for table, english in zip(tables(language), tables("en"), strict=True):
        assert [name for name, *_ in table.rows if not name] == []
        assert len({name for name, *_ in table.rows}) == len(english.rows)
        for (_, *cells), (_, *expected) in zip(table.rows, english.rows, strict=True):
            assert numbers(cells) == numbers(expected)


def numbers(cells: list[str]) -> list[set[str]]:
    """The numbers of each cell: their order depends on the language."""
    return [set(re.findall(r"[\d.,]+", cell)) for cell in cells]


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_tables_are_translated(language: str) -> None:
    for table in tables(language):
        assert not WORD.findall(table.text() + table.csv())


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_are_aligned(language: str) -> None:
    for table in tables(language):
        _, _, *lines = table.text().splitlines()
        full = [line for line, row in zip(lines, [table.head, *table.rows], strict=True) if row[-1]]
        assert len({width(line) for line in full}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_yaku_have_the_names_of_the_language(language: str) -> None:
    named = match_report.yaku({"1": games(900)}, language).rows
    assert [name for name, *_ in named] == [YAKU[n].name(language) for n in (PINFU, TANYAO)]


def test_what_a_match_can_show() -> None:
    """Ranks 1 and 2 of two deals: Student's t with one freedom is 12.71, half is 6.35."""
    assert match_report.precision(games(0)) == (
        "The average rank is known to ± 6.35; ± 0.1 takes some 8,071 more deals."
    )
    worse = [replace(game, rank=4 - game.deal) for game in games(0)]
    assert "± 12.71; ± 0.1 takes some 32,288 more" in match_report.precision(games(0), worse)
    assert match_report.precision(games(0), games(0)).endswith("some 0 more deals.")
    assert match_report.precision(games(0)[:1]) == ""


def test_a_ladder_has_the_lowest_rank_first() -> None:
    worse = [replace(game, rank=4) for game in games(0)]
    table = match_report.ladder({"known": worse, "new": games(0)})
    assert [row[0] for row in table.rows] == ["new", "known"]
    assert table.rows[1][1:] == ("2", "4.000 ± –", "+2.500 ± 6.353")
    assert table.rows[0][3] == ""


def test_a_bot_is_added_to_the_known_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(arena, "KNOWN", ("v1",))
    monkeypatch.setattr(arena, "OPPONENT", "v1")
    command = ["arena", str(tmp_path), "v2", "v3", "--ladder", "--jobs", "1", "--lang", "en"]
    assert main([*command, "--deals", "2"]) == 0
    _, table, shows = capsys.readouterr().out.split("\n\n")
    assert sorted(line.split()[0] for line in table.splitlines()[1:]) == ["v1", "v2", "v3"]
    assert "more deals." in shows


def played(balance: int, *start: int, behind: bool = True) -> SeatRound:
    outcome = SeatResult.DEAL_IN if balance < 0 else SeatResult.DRAW
    return seat_round(outcome, balance, behind=behind, start=start)


def game(deal: int, *rounds: SeatRound) -> SeatGame:
    return SeatGame(deal, 0, 1, rounds)


def cells(ours: list[SeatGame], theirs: list[SeatGame]) -> list[str]:
    return [row[1] for row in match_report.paired_by_round(ours, theirs, "x").rows]


def test_only_rounds_of_the_same_wall_and_start_are_paired() -> None:
    same = played(0, 0, 0, 0)
    lost, kept = played(-8000, 1, 0, 0), played(0, 1, 0, 0)
    other_dealer = played(-900, 2, 0, 0), played(-1, 1, 1, 0)
    quiet = played(-500, 3, 0, 0, behind=False)
    ours = game(0, same, lost, other_dealer[0], quiet)
    theirs = game(0, same, kept, other_dealer[1], quiet)
    assert cells([ours], [theirs])[:2] == ["2", "1"]
    assert cells([ours], [theirs])[2].startswith("-4,000.0 ± ")
    assert cells([ours, game(1, same)], [theirs, game(1, same)])[:2] == ["3", "1"]
    assert cells([ours], [game(1, *theirs.rounds)])[:2] == ["0", "0"]  # another deal
    assert cells([replace(ours, rotation=1)], [theirs])[0] == "0"
    assert cells([replace(ours, position=2)], [theirs])[0] == "0"  # another seat


def test_a_round_counts_if_another_is_first_in_riichi_in_either() -> None:
    behind, ahead = (played(-300, 0, 0, 0, behind=b) for b in (True, False))
    assert cells([game(0, behind)], [game(0, ahead)]) == ["1", "0", "+0.0 ± –"]
