"""Duplicate matches: the same deals, kept and gone on with, and counted right."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from lxml import html

pytest.importorskip("riichienv", reason="matches are played on it")
from houjuu.arena import tables
from houjuu.arena.matches import SEATS, Match, number_of, of_folder, played
from houjuu.arena.statistics import Outcome, Played, by_player, difference, mean
from houjuu.cli import main
from houjuu.errors import Error
from houjuu.events import Deal, Game, Riichi, Win

OURS, THEIRS = Match(("v2", "v1", "v1", "v1")), Match(("v1",) * SEATS)
START = 25_000  # unit: points


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("matches")


@pytest.fixture(scope="module")
def ours(folder: Path) -> list[Game]:
    return [*played(OURS, folder / "ours", 2, 2, jobs=1)]


@pytest.fixture(scope="module")
def theirs(folder: Path) -> list[Game]:
    return [*played(THEIRS, folder / "theirs", 2, 2, jobs=1)]


def hands(game: Game) -> list[list[tuple[int, ...]]]:
    return [sorted(hand or () for hand in event.hands) for event in game if isinstance(event, Deal)]


def test_everybody_plays_the_same_deals(ours: list[Game], theirs: list[Game]) -> None:
    """Whoever plays, and however turned, deal number r of a game is dealt alike."""
    for game, other in zip(ours, theirs, strict=True):
        assert number_of(game) == number_of(other)
        assert all(a == b for a, b in zip(hands(game), hands(other), strict=False))
    assert hands(ours[0])[0] == hands(ours[1])[0]
    assert hands(ours[0])[0] != hands(ours[2])[0]


def test_the_line_up_turns(ours: list[Game]) -> None:
    for game, seat in zip(ours, (0, 1, 0, 1), strict=True):
        assert [player.name for player in game.players].index("v2") == seat


def test_a_match_goes_on_where_it_stopped(folder: Path, ours: list[Game]) -> None:
    files = sorted((folder / "ours").glob("*.mjlog"))
    before = [file.stat().st_mtime_ns for file in files]
    files[-1].unlink()
    (folder / "ours" / "deal-000001-1.part").write_bytes(b"half a ga")
    assert [*played(OURS, folder / "ours", 2, 2, jobs=1)] == ours
    assert [file.stat().st_mtime_ns for file in files[:-1]] == before[:-1]
    assert not [*folder.rglob("*.part")]
    match, games = of_folder(folder / "ours", OURS.seed, 2, 2)
    assert (match, [*games]) == (OURS, ours)


def test_what_is_refused(folder: Path, ours: list[Game]) -> None:
    for line_up, says in ((("v1",) * 3, "not of 3"), (("v1", "v1", "v9", "v1"), "no player 'v9'")):
        with pytest.raises(Error, match=says):
            Match(line_up)
    with pytest.raises(Error, match="holds another match"):
        next(played(THEIRS, folder / "ours", 1))
    with pytest.raises(Error, match="holds no match"):
        of_folder(folder, 1, 1, 1)
    with pytest.raises(Error, match="other deals, of seed 1"):
        of_folder(folder / "ours", 7, 1, 1)
    with pytest.raises(Error, match="has not played deal-000002-0"):
        of_folder(folder / "ours", 1, 3, 1)
    with pytest.raises(Error, match="no game of a match"):
        number_of(Game("2023", ours[0].rules, ours[0].players, ()))


def test_every_round_is_counted(ours: list[Game]) -> None:
    told = by_player(ours)
    assert {name: len(of) for name, of in told.items()} == {"v2": 4, "v1": 12}
    for number, game in enumerate(ours):
        assert game.final is not None
        _, turned = number_of(game)
        v2 = told["v2"][number]
        seat = (v2.place + turned) % SEATS
        assert v2.place == 0
        assert START + sum(of.balance for of in v2.rounds) == game.final[seat][0]
        scores = sorted((score for score, _ in game.final), reverse=True)
        assert scores[v2.rank - 1] == game.final[seat][0]
        wins = [event for event in game if isinstance(event, Win) and event.seat == seat]
        assert [of.points for of in v2.rounds if of.points] == [win.points for win in wins]
        riichi = Counter(event.seat for event in game if isinstance(event, Riichi))
        assert sum(of.riichi for of in v2.rounds) == riichi[seat]
        assert not any(of.called for of in v2.rounds)
        deal_ins = [e for e in game if isinstance(e, Win) and e.source == seat != e.seat]
        assert sum(of.outcome is Outcome.DEAL_IN for of in v2.rounds) <= len(deal_ins)


def test_who_is_behind_a_riichi(ours: list[Game]) -> None:
    for game in ours:
        told = by_player([game])
        first: list[int | None] = []
        for event in game:
            if isinstance(event, Deal):
                first.append(None)
            elif isinstance(event, Riichi) and first[-1] is None:
                first[-1] = event.seat
        seat = [player.name for player in game.players].index("v2")
        expected = [who not in (None, seat) for who in first]
        assert [of.behind for of in told["v2"][0].rounds] == expected


def test_a_mean_counts_deals() -> None:
    """Rows that repeat each other add nothing; against oneself there is no difference."""
    rng = np.random.default_rng(1)
    numbers, deals = rng.normal(size=400).tolist(), list(range(400))
    middle, half = mean((numbers, deals))
    assert (middle, half) == pytest.approx((np.mean(numbers), 1.96 / 20), rel=0.1, abs=0.1)
    assert mean((numbers * 3, deals * 3)) == pytest.approx((middle, half))
    assert difference((numbers, deals), (numbers, deals)) == pytest.approx((0, 0))
    raised = [number + 0.5 for number in numbers]
    assert difference((raised, deals), (numbers, deals)) == pytest.approx((0.5, 0), abs=1e-12)
    apart, wide = difference((raised, deals), (numbers, [d + 1000 for d in deals]))
    assert (apart, wide) == pytest.approx((0.5, half * 2**0.5))
    assert np.isnan(mean(([], []))).all()


def test_tables_say_the_same_in_every_form(ours: list[Game], theirs: list[Game]) -> None:
    told = by_player(ours)
    made = [tables.results(told), tables.yaku(told), tables.behind(told)]
    made.append(tables.against(told["v2"], by_player(theirs)["v1"], "v2 less v1"))
    for table in made:
        title, *rows = csv.reader(io.StringIO(table.csv()))
        assert title == [table.title]
        assert [tuple(row) for row in rows] == [table.head, *table.lines]
        shown = html.fromstring(table.html()).iter("tr")
        assert [[cell.text or "" for cell in row] for row in shown] == rows
        assert all(cell in table.text() for row in rows for cell in row)
    lines = {line[0]: line[1:] for line in made[0].lines}
    assert lines["games"] == tuple(str(len(of)) for of in told.values())
    assert made[2].lines[-1][0] == "all, points"


def test_only_the_first_of_a_line_up_is_compared() -> None:
    """The others sit elsewhere: a deal is the same for the same seat alone."""
    first, other = Played(0, 0, 1, ()), Played(0, 1, 4, ())
    table = tables.against([first, other], [Played(0, 0, 2, ()), other], "x")
    assert table.lines[0][1] == "-1.000 ± 0.000"


def test_the_command(folder: Path, theirs: list[Game], capsys: pytest.CaptureFixture[str]) -> None:
    here, page = folder / "ours", folder / "page.html"
    words = ["arena", str(here), *OURS.line_up, "--deals", "2", "--rotations", "2", "--jobs", "1"]
    written = ["--write", str(page), str(folder / "page.csv")]
    assert main([*words, "--beside", str(folder / "theirs"), *written]) == 0
    told = capsys.readouterr().out
    assert "ours: v2 less theirs: v1" in told
    assert len([*html.fromstring(page.read_text()).iter("table")]) == 4
    assert "average rank" in (folder / "page.csv").read_text()
    assert main(["arena", str(here), "v1", "v1", "v1", "v8"]) == 2
    assert "there is no player 'v8'; there are v1, v2, v3" in capsys.readouterr().err
