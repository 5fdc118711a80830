"""Duplicate matches: the same deals, stored and continued, and counted correctly."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("riichienv", reason="matches are played on it")
from houjuu.arena import match_report
from houjuu.arena.match_report import SeatGame, by_player
from houjuu.arena.matches import Match, deal_and_rotation, play_match, play_matches, read_match
from houjuu.cli import main
from houjuu.game.events import SEATS, Deal, Game, Riichi, Win
from houjuu.scoring.seat_rounds import SeatResult
from houjuu.util.errors import Error

OURS, THEIRS = Match(("v2", "v1", "v1", "v1")), Match(("v1",) * SEATS)
START = 25_000  # unit: points


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("matches")


@pytest.fixture(scope="module")
def ours(folder: Path) -> list[Game]:
    return [*play_match(OURS, folder / "ours", 2, 2, jobs=1)]


@pytest.fixture(scope="module")
def theirs(folder: Path) -> list[Game]:
    return [*play_match(THEIRS, folder / "theirs", 2, 2, jobs=1)]


def hands(game: Game) -> list[list[tuple[int, ...]]]:
    return [sorted(hand or () for hand in event.hands) for event in game if isinstance(event, Deal)]


def test_everybody_plays_the_same_deals(ours: list[Game], theirs: list[Game]) -> None:
    """Deal r of a game has the same hands for all players and rotations."""
    for game, other in zip(ours, theirs, strict=True):
        assert deal_and_rotation(game) == deal_and_rotation(other)
        assert all(a == b for a, b in zip(hands(game), hands(other), strict=False))
    assert hands(ours[0])[0] == hands(ours[1])[0]
    assert hands(ours[0])[0] != hands(ours[2])[0]


def test_the_line_up_rotates(ours: list[Game]) -> None:
    for game, seat in zip(ours, (0, 1, 0, 1), strict=True):
        assert [player.name for player in game.players].index("v2") == seat


def test_a_match_goes_on_where_it_stopped(folder: Path, ours: list[Game]) -> None:
    files = sorted((folder / "ours").glob("*.mjlog"))
    before = [file.stat().st_mtime_ns for file in files]
    files[-1].unlink()
    (folder / "ours" / ".houjuu-0123456789abcdef.part").write_bytes(b"half a ga")
    assert [*play_match(OURS, folder / "ours", 2, 2, jobs=1)] == ours
    assert [file.stat().st_mtime_ns for file in files[:-1]] == before[:-1]
    assert not [*folder.rglob("*.part")]
    match, games = read_match(folder / "ours", OURS.seed, 2, 2)
    assert (match, [*games]) == (OURS, ours)


@pytest.mark.slow
def test_equal_games_are_played_once(tmp_path: Path, ours: list[Game]) -> None:
    """The same files as one by one; "v2:" is v2 by another name, v1 and v3 discard otherwise."""
    names = ("v2:", "v2", "v1", "v3")
    matches = [Match((name, "v1", "v1", "v1")) for name in names]
    game, others, _ = matches[0].play_with(names[1:], 0, 1)
    assert [other is not None for other in others] == [True, False, False]
    assert others[0] == ours[1]
    assert game.players != ours[1].players
    folders = [tmp_path / str(number) for number in range(len(names))]
    play_matches(list(zip(matches, folders, strict=True)), 2, 2, jobs=1)
    for match, folder in zip(matches, folders, strict=True):
        _, games = read_match(folder, match.seed, 2, 2)
        alone = [match.play(deal, rotation) for deal in range(2) for rotation in range(2)]
        assert [*games] == alone


def test_what_is_refused(folder: Path, ours: list[Game]) -> None:
    for line_up, says in (
        (("v1",) * 3, "has 4 players, not 3"),
        (("v1", "v1", "v9", "v1"), "no player 'v9'"),
    ):
        with pytest.raises(Error, match=says):
            Match(line_up)
    with pytest.raises(Error, match="contains another match"):
        next(play_match(THEIRS, folder / "ours", 1))
    with pytest.raises(Error, match="contains no match"):
        read_match(folder, 1, 1, 1)
    with pytest.raises(Error, match="seed 1, not 7"):
        read_match(folder / "ours", 7, 1, 1)
    with pytest.raises(Error, match="lacks the game deal-000002-0"):
        read_match(folder / "ours", 1, 3, 1)
    with pytest.raises(Error, match="is not a game of a match"):
        deal_and_rotation(Game("2023", ours[0].rules, ours[0].players, ()))


def test_every_round_is_counted(ours: list[Game]) -> None:
    records = by_player(ours)
    assert len(ours) == 4
    assert {name: len(games) for name, games in records.items()} == {"v2": 4, "v1": 12}
    for number, game in enumerate(ours):
        assert game.final is not None
        _, rotation = deal_and_rotation(game)
        v2 = records["v2"][number]
        seat = (v2.position + rotation) % SEATS
        assert v2.position == 0
        assert START + sum(own.balance for own in v2.rounds) == game.final[seat][0]
        scores = sorted((score for score, _ in game.final), reverse=True)
        assert scores[v2.rank - 1] == game.final[seat][0]
        wins = [event for event in game if isinstance(event, Win) and event.seat == seat]
        assert [own.points for own in v2.rounds if own.points] == [win.points for win in wins]
        riichi = Counter(event.seat for event in game if isinstance(event, Riichi))
        assert sum(own.riichi for own in v2.rounds) == riichi[seat]
        assert not any(own.called for own in v2.rounds)
        deal_ins = [e for e in game if isinstance(e, Win) and e.source == seat != e.seat]
        assert sum(own.outcome is SeatResult.DEAL_IN for own in v2.rounds) <= len(deal_ins)


def test_who_is_behind_a_riichi(ours: list[Game]) -> None:
    assert any(isinstance(event, Riichi) for game in ours for event in game)
    for game in ours:
        records = by_player([game])
        first: list[int | None] = []
        for event in game:
            if isinstance(event, Deal):
                first.append(None)
            elif isinstance(event, Riichi) and first[-1] is None:
                first[-1] = event.seat
        seat = [player.name for player in game.players].index("v2")
        expected = [who not in (None, seat) for who in first]
        assert [own.behind for own in records["v2"][0].rounds] == expected


def test_tables_say_the_same_in_every_form(ours: list[Game], theirs: list[Game]) -> None:
    records = by_player(ours)
    made = [match_report.results(records), match_report.yaku(records), match_report.behind(records)]
    made.append(match_report.against(records["v2"], by_player(theirs)["v1"], "v2 less v1"))
    for table in made:
        title, *rows = csv.reader(io.StringIO(table.csv()))
        assert title == [table.title]
        assert [tuple(row) for row in rows] == [table.head, *table.rows]
        assert all(cell in table.text() for row in rows for cell in row)
    lines = {line[0]: line[1:] for line in made[0].rows}
    assert lines["games"] == tuple(str(len(games)) for games in records.values())
    assert made[2].rows[-1][0] == "all, points"


def test_only_the_first_of_a_line_up_is_compared() -> None:
    """The others sit elsewhere: a deal is the same for the same seat alone."""
    first, other = SeatGame(0, 0, 1, ()), SeatGame(0, 1, 4, ())
    table = match_report.against([first, other], [SeatGame(0, 0, 2, ()), other], "x")
    assert table.rows[0][1] == "-1.000 ± –"


def test_the_command(folder: Path, theirs: list[Game], capsys: pytest.CaptureFixture[str]) -> None:
    here, table = folder / "ours", folder / "table.csv"
    words = ["arena", str(here), *OURS.line_up, "--deals", "2", "--rotations", "2", "--jobs", "1"]
    words += ["--beside", str(folder / "theirs"), "--write", str(table)]
    for language, title, rank in (
        ("en", "ours: v2 less theirs: v1", "average rank"),
        ("zh", "ours: v2 − theirs: v1", "平均顺位"),
    ):
        assert main([*words, "--lang", language]) == 0
        assert title in capsys.readouterr().out
        assert rank in table.read_text(encoding="utf-8")
    assert main(["arena", str(here), "v1", "v1", "v1", "v8"]) == 2
    assert "there is no player 'v8'; there are v1, v2, v3" in capsys.readouterr().err
