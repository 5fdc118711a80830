"""Figures by hand, the usual ones that ship, blocks over time and the places in charts."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from houjuu.review.discard_context import Threat
from houjuu.review.luck import RoundLuck
from houjuu.review.page_types import DiscardSituation, Verdict
from houjuu.review.site import charts, habits
from houjuu.review.site.game_record import DiscardRecord, GameRecord
from houjuu.review.site.habits import (
    MIN_GAMES,
    OF_CHOICES,
    OF_DISCARDS,
    OF_ROUNDS,
    Figure,
    differs,
    figures,
    of_luck,
    percentiles,
    usual_figures,
)
from houjuu.review.usual import usual
from houjuu.scoring.seat_rounds import HandState, SeatResult, SeatRound, WinnerType
from houjuu.util.intervals import student95
from tests.kit.real import SHARED
from tests.kit.seat_rounds import seat_round

PHOENIX = Path(usual.__code__.co_filename).parent / "phoenix.json"


def verdict(kind: Any, agrees: bool, lost: int, mistake: Any) -> Verdict:
    return {
        "kind": kind,
        "agrees": agrees,
        "claimed": lost,
        "value_lost": lost,
        "value_gained": 0,
        "uncertainty": 0,
        "grade": None,
        "school": None,
        "repeats": None,
        "mistake": mistake,
    }


def discard(threat: Threat, deal_in: float, lost: int = 0) -> DiscardRecord:
    situation: DiscardSituation = {"threat": threat, "last_round": False, "leading": False}
    return DiscardRecord(0, 1, "5p", situation, deal_in, 5000 * deal_in, bool(lost), lost, 1)


def record(
    id: str, rounds: tuple[SeatRound, ...], discards: tuple[DiscardRecord, ...] = (), rank: int = 1
) -> GameRecord:
    return GameRecord(id, None, ("a", "b", "c", "d"), 0, True, rank, 25000, rounds, discards)


WIN = seat_round(SeatResult.WIN, 8000, points=7700, riichi=True, winner=WinnerType.RIICHI)
CHASE = seat_round(
    SeatResult.DEAL_IN, -5200, riichi=True, behind=True, winner=WinnerType.MELDS, called=False
)
DRAW = seat_round(SeatResult.DRAW, -1500, called=True)
AWAY = seat_round(SeatResult.TSUMO, -2000, winner=WinnerType.DAMA, away=True)


def test_figures_of_rounds() -> None:
    """Game "a" has 2 of 3 riichi, game "b" 0 of 1; a round away does not count."""
    found = figures([record("a", (WIN, CHASE, DRAW)), record("b", (DRAW, AWAY), rank=4)], OF_ROUNDS)
    riichi = found["rounds.riichi"]
    assert riichi == pytest.approx((0.5, math.nan, 4), nan_ok=True)  # of two events
    placed = {"a": 1, "b": 2, "c": 4}
    ranks = figures([record(game, (), rank=rank) for game, rank in placed.items()], OF_ROUNDS)
    assert ranks["games.rank"] == pytest.approx((7 / 3, student95(2) * math.sqrt(7) / 3, 3))
    assert found["rounds.first_riichi"].mean == found["rounds.chasing_riichi"].mean == 0.25
    assert found["rounds.calls"].mean == 0.5
    assert found["wins.points"][::2] == (7700, 1)
    assert found["deal_ins.points"][::2] == (5200, 1)
    assert found["rounds.lost_deal_in_to_melds"].mean == 5200 / 4
    assert found["rounds.lost_deal_in_to_riichi"].mean == 0
    assert found["rounds.lost_draw"].mean == 3000 / 4
    assert found["rounds.lost_tsumo"].mean == 0
    assert found["games.rank"].mean == 2.5


def test_habits_at_a_deal_in_and_behind_a_riichi() -> None:
    """Four deal-ins of two games by hand; a round away does not count."""
    rounds = [
        seat_round(SeatResult.DEAL_IN, -8000, behind=behind, called=called, shanten=shanten)
        for behind, called, shanten in ((True, False, 0), (True, True, 0), (False, True, 2))
    ]
    chase = replace(CHASE, shanten=0)
    absent = replace(chase, away=True)
    found = figures([record("a", (*rounds, WIN)), record("b", (chase, absent, DRAW))], OF_ROUNDS)
    assert found["rounds.chasing_share"][::2] == pytest.approx((1 / 3, 3))
    states = [found[f"deal_ins.{state}"].mean for state in HandState]
    assert states == [0.5, 0.25, 0.25]
    assert found["deal_ins.shanten"][::2] == (0.5, 4)
    assert charts.mean("deal_ins.shanten", found["deal_ins.shanten"]) == "0.50"


def test_percentiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eleven players of a tenth each, of whom 0.37 beats almost four; the ends are 0 and 100."""
    tenths = [number / 10 for number in range(11)]
    monkeypatch.setattr(habits, "quantiles", lambda *, hanchan: {"games.rank": tenths})
    games = [record(str(number), ()) for number in range(MIN_GAMES)]
    for mean, percent in ((0.37, 37), (-1.0, 0), (2.0, 100)):
        own = {"games.rank": Figure(mean, 0.1, 10)}
        assert percentiles(games, own) == {"games.rank": percent}
        assert percentiles(games[1:], own) == {}


def test_seats_of_one_game_are_one_cluster() -> None:
    """Four seats with ranks 1 to 4 leave nothing to chance."""
    found = figures([record("a", (), rank=rank) for rank in (1, 2, 3, 4)], OF_ROUNDS)
    assert found["games.rank"] == pytest.approx((2.5, math.nan, 4), nan_ok=True)
    assert "rounds.riichi" not in found


def test_figures_of_discards() -> None:
    discards = (
        discard(Threat.AGAINST_RIICHI, 0.1),
        discard(Threat.AGAINST_RIICHI, 0.3, lost=8000),
        discard(Threat.NONE, 0.01),
    )
    found = figures([record("a", (), discards)], OF_DISCARDS)
    assert found["discards.against_riichi.deal_in"].mean == pytest.approx(0.2)
    assert found["discards.against_riichi.dealt_in"].mean == 0.5
    assert found["discards.against_riichi.excess"].mean == pytest.approx(0.3)
    assert found["discards.against_riichi.lost"].mean == 4000
    assert found["discards.against_riichi.points"].mean == pytest.approx(1000)
    assert found["discards.all.deal_in"].n == 3
    assert "discards.leading.deal_in" not in found


def test_figures_of_choices() -> None:
    """Two games: three decisions, one of them better than the other two; two rounds."""
    first = replace(
        record("a", (WIN,)),
        choices=(
            verdict("discard", True, 0, None),
            verdict("call", False, 300, "call"),
        ),
        lucks=(RoundLuck(500, 300, 2, 8000),),
    )
    second = replace(
        record("b", (CHASE,)),
        choices=(verdict("discard", False, 60, "efficiency"),),
        lucks=(RoundLuck(-100, 60, 1, -5200),),
    )
    found = figures([first, second], OF_CHOICES | of_luck(usual=110.0))
    assert found["choices.all.agrees"][::2] == pytest.approx((1 / 3, 3))
    assert found["choices.discard.agrees"][::2] == (0.5, 2)
    assert found["choices.all.lost"].mean == pytest.approx(120)
    assert found["choices.call.lost"][::2] == (300, 1)
    assert "choices.kan.lost" not in found
    assert found["mistakes.call.share"][::2] == pytest.approx((1 / 3, 3))
    assert found["mistakes.efficiency.lost"][::2] == pytest.approx((0, 3))
    assert found["mistakes.rank.share"].mean == 0
    assert found["luck.skill"].mean == pytest.approx((3 * 110 - 360) / 2)
    parts = [found[f"luck.{part}"].mean for part in ("expected", "skill", "luck")]
    assert sum(parts) == pytest.approx((8000 - 5200) / 2)
    assert found["luck.expected"].mean == 200


def test_differences_need_games_and_spread() -> None:
    usual = Figure(0.2, 0.01, 1000)
    assert differs(Figure(0.3, 0.05, 100), usual, MIN_GAMES) == 1
    assert differs(Figure(0.1, 0.05, 100), usual, MIN_GAMES) == -1
    assert differs(Figure(0.25, 0.05, 100), usual, MIN_GAMES) == 0
    assert differs(Figure(0.3, 0.05, 100), usual, MIN_GAMES - 1) == 0
    assert differs(Figure(0.0, 0.0, 100), usual, MIN_GAMES) == 0
    assert differs(Figure(0.25, 0.049, 100), Figure(0.2, 0.02, 9), MIN_GAMES) == 0


def test_the_usual_figures_are_complete_and_plausible() -> None:
    content = json.loads(PHOENIX.read_text(encoding="utf-8"))
    assert content["command"].startswith("python -m benchmarks.usual_habits")
    for length in ("hanchan", "east_only"):
        section = content[length]
        assert section["games"] >= 3000
        assert section["games_with_estimates"] >= 200
        assert section["games_with_values"] >= 30
        needed = OF_ROUNDS.keys() | OF_DISCARDS.keys() | OF_CHOICES.keys()
        rare = {key for key in needed if key.startswith("choices.nine_terminals")}
        assert section["figures"].keys() | rare == needed
        found = {key: Figure(*values) for key, values in section["figures"].items()}
        assert found["games.rank"].mean == 2.5
        riichi = [found[f"rounds.{name}"].mean for name in ("first_riichi", "chasing_riichi")]
        assert sum(riichi) == pytest.approx(found["rounds.riichi"].mean, abs=1e-6)
        of_players = section["players"]
        assert of_players["players"] >= 30
        for key, steps in of_players["quantiles"].items():
            assert steps == sorted(steps)
            assert steps[1] < found[key].mean < steps[-2], key
        excess = found["discards.all.excess"]
        assert abs(excess.mean) < 2 * excess.half
        assert abs(found["luck.balance"].mean) < 10
        assert abs(found["luck.expected"].mean) < 300
        assert 0.5 < found["choices.all.agrees"].mean < 0.8
    assert usual_figures([record("a", ())])["rounds.riichi"].mean == pytest.approx(0.186, abs=0.003)


@pytest.mark.real_logs
def test_the_usual_figures_are_those_of_real_games() -> None:
    """A small sample of the same archive: its riichi rate is within its own interval, doubled."""
    if not SHARED.exists():
        pytest.skip("the real logs are not beside the project")
    from houjuu.game.events import SEATS
    from houjuu.logs import mjlog
    from houjuu.review.site.game_record import game_records
    from tests.kit.real import games

    parsed = [mjlog.parse(data, name) for name, data in games("phoenix-2024", 60)]
    records = [one for game in parsed for one in game_records(game, range(SEATS))]
    sample = figures([one for one in records if one.hanchan], OF_ROUNDS)
    expected = usual_figures(records)
    for key in ("rounds.riichi", "rounds.calls", "rounds.wins", "rounds.deal_ins"):
        assert abs(sample[key].mean - expected[key].mean) < 2 * sample[key].half


def test_blocks_over_time() -> None:
    records = [record(str(i), (DRAW,), (discard(Threat.NONE, 0.01),)) for i in range(23)]
    found = charts.game_blocks(records)
    assert [(one.first, one.last) for one in found] == [(1, 6), (7, 12), (13, 17), (18, 23)]
    assert len(charts.game_blocks(records * 10)) == charts.MOST_BLOCKS
    assert charts.game_blocks(records[:9]) == []
    first, second = charts.halves(records)
    assert (first["games.rank"].n, second["games.rank"].n) == (11, 12)


def test_places_in_charts() -> None:
    found = charts.interval(Figure(0.2, 0.1, 10), Figure(0.4, 0.01, 100))
    left, right = charts.MARGIN, charts.WIDTH - charts.MARGIN
    assert (found.low, found.usual) == (left, right)
    assert left < found.mean < found.high < right
    over_time = charts.trend([Figure(1, 0, 1), Figure(3, 1, 1)], Figure(2, 0, 1))
    (x, low, mean, high), (last_x, *_, last_high) = over_time.marks
    assert (x, last_x) == (charts.MARGIN, charts.TREND_WIDTH - charts.MARGIN)
    assert low == mean == high == charts.TREND_HEIGHT - charts.MARGIN
    assert last_high == charts.MARGIN
    assert over_time.usual is not None
    assert last_high < over_time.usual < mean


def test_numbers_as_text() -> None:
    assert charts.mean("mistakes.call.lost", Figure(4.26, 0.5, 9)) == "4.3"
    assert charts.mean("rounds.riichi", Figure(0.1929, 0.012, 9)) == "19.3%"
    assert charts.half("rounds.riichi", Figure(0.1929, 0.012, 9)) == "1.2"
    assert charts.mean("discards.all.deal_in", Figure(0.01234, 0, 9)) == "1.23%"
    assert charts.mean("rounds.lost_draw", Figure(1234.5, 0, 9)) == "1,234"
    assert charts.mean("wins.points", Figure(5678.9, 0, 9)) == "5,679"
    assert charts.mean("games.rank", Figure(2.4321, 0, 9)) == "2.43"
