"""The points of wins that a log does not state equal those of logs that do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

import pytest

import houjuu
from houjuu.game.events import Deal, Discard, Draw, Game, Rules, Win
from houjuu.game.rules import M_LEAGUE
from houjuu.game.table import Table
from houjuu.game.tiles import parse_tiles
from houjuu.review.review_data import review
from houjuu.scoring.strict.wins import check as wins_check
from houjuu.scoring.win_points import win_points
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import LogError
from tests.kit.games import played, walk


def wins(games: list[Game]) -> Iterator[tuple[Win, Table]]:
    for table, event in walk(games, Win):
        yield event, table


def test_points_follow_from_the_changes_of_the_scores(games: list[Game]) -> None:
    n_with_honba = n_wins = 0
    for win, table in wins(games):
        assert win.points
        assert win_points(win, table) == win.points
        assert win_points(replace(win, points=None), table) == win.points
        n_with_honba += win.honba > 0
        n_wins += 1
    assert n_with_honba
    assert n_wins > 20


def test_points_follow_from_the_hand(games: list[Game]) -> None:
    n_wins = 0
    for win, table in wins(games[:8]):
        hidden = replace(win, points=None, deltas=None)
        assert win_points(hidden, table) == win.points
        assert win_points(replace(hidden, hand=()), table) is None
        n_wins += 1
    assert n_wins > 20


def thirteen_waits(rules: Rules) -> tuple[Table, Win]:
    """A ron on 国士無双十三面, and the table before it."""
    waiting = parse_tiles("19m19p19s1234567z")
    indicator, first, last = (tile + 1 for tile in parse_tiles("2m3m7z"))
    free = iter(set(range(136)) - {*waiting, indicator, first, last})
    others = [tuple(next(free) for _ in range(13)) for _ in range(3)]
    deal = Deal(0, 0, 0, 0, (25_000,) * 4, indicator, (others[0], waiting, *others[1:]))
    table = played(deal, Draw(0, last), Discard(0, last, True), rules=rules)
    win = Win(1, 0, last, (*waiting, last), dora_indicators=(indicator,), ura_indicators=())
    return table, win


def test_a_yakuman_of_thirteen_waits_counts_once() -> None:
    """Of a log with neither points nor changes of the scores; riichienv counts 64,000."""
    table, win = thirteen_waits(Rules())
    assert win_points(win, table) == 32_000


@pytest.mark.parametrize(
    ("rules", "points", "problem"),
    [
        (Rules(0xA9, "0"), 32_000, None),
        (Rules(0xA9, "0"), 64_000, "the points of a win differ: 64000, not 32000"),
        (Rules(), 32_000, None),
        (Rules(), 64_000, None),  # Mahjong Soul counts it twice
        (Rules(), 96_000, "the points of a win differ: 96000, not 32000"),
    ],
)
def test_points_of_a_double_yakuman(rules: Rules, points: int, problem: str | None) -> None:
    table, win = thirteen_waits(rules)
    won = replace(scored(table.view(win.seat), win), points=points)
    with pytest.raises(LogError, match=problem) if problem else nullcontext():
        wins_check(table, [won])


def test_two_seats_win_on_a_discard_where_the_rules_let_them() -> None:
    table, win = thirteen_waits(Rules(profile=M_LEAGUE))
    with pytest.raises(LogError, match="several seats win on one discard"):
        wins_check(table, [win, replace(win, seat=2)])


def test_the_review_computes_the_points(own_games: list[Game]) -> None:
    game = own_games[0]
    without = tuple(
        replace(event, points=None) if isinstance(event, Win) else event for event in game.events
    )
    estimator = houjuu.load("kurita-hoki-2017")
    expected, computed = (
        [round["results"] for round in review(one, 0, estimator)["rounds"]]
        for one in (game, replace(game, events=without))
    )
    assert computed == expected
    assert any(result.get("points") for results in expected for result in results)
