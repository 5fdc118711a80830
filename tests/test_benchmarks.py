"""Each benchmark on one or two own games: its numbers have the right form, and one known truth."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import houjuu
from benchmarks import martingale, peers, pipeline, prices, reports, speed, tasks
from houjuu.game.events import Game
from houjuu.logs import any_format
from houjuu.util.errors import Error
from pipeline import stage
from tests.kit.reports import data
from tests.kit.reports import report as kit_report


def test_times_of_queries_and_replies(own_games: Sequence[Game]) -> None:
    games, estimator = own_games[:1], houjuu.load()
    views = [view for _, view in speed.decisions(games[0])]
    times = [*speed.query_times(estimator, games, None)]
    assert len(times) == len(views)
    assert min(times) > 0
    groups = [speed.group_of(view) for view in views]
    assert (
        {"closed", "riichi"}
        <= {*groups}
        <= {"closed", "riichi", "1 meld"} | {f"{n} melds" for n in (2, 3, 4)}
    )
    assert len([*speed.query_times(estimator, games, "riichi")]) == groups.count("riichi")
    assert min(speed.reply_times("relative", games)) > 0


@pytest.mark.slow
def test_two_checkouts_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Beside itself in turn: pyperf finds both, and prints the table."""
    monkeypatch.setattr(speed, "ROUNDS", 2)
    options = ["--benchmarks", "rows", "--against", str(speed.ROOT)]
    monkeypatch.setattr(sys, "argv", ["speed", *options])
    monkeypatch.chdir(tmp_path)
    speed.main()
    assert "Benchmark" in capfd.readouterr().out  # of the table, or hidden as not significant


def test_the_cost_of_the_stages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parse.json").write_text("[10, 14, 7]")
    (tmp_path / "tenpai_rows.json").write_text("[20, 21, 2]")
    monkeypatch.setattr(stage, "TIMES", tmp_path)
    lines = {line.pop("stage"): line for line in pipeline.lines(8)}
    assert lines["parse"] == {"seconds": 4, "processor": 7, "games/s": 2}
    assert lines["all"] == {"seconds": 5, "processor": 9, "games/s": 1.6}


def test_peers_with_our_predictions_do_not_differ(
    own_games: Sequence[Game], tmp_path: Path
) -> None:
    predicted = peers.predict(own_games[:2], houjuu.load("kurita-hoki-2017-printed"))[peers.OURS]
    keys = pd.DataFrame([*predicted], columns=tasks.KEY)
    opponents = keys.assign(opponent=(keys["seat"] + 1) % 4, riichi=False, melds=0)
    opponents["tenpai"] = np.arange(len(keys)) % 3 == 0
    tiles = opponents.assign(tile=4, genbutsu=False, ronable=opponents["tenpai"])
    discards = keys.assign(tile=4, winner=-1, ronned=tiles["ronable"], points=np.nan)
    opponents["tenpai_manue"] = [one.tenpai[0] for one in predicted.values()]
    tiles["dealin_manue"] = [one.by_opponent[0, 4] for one in predicted.values()]
    discards["dealin_manue"] = [one.any[4] for one in predicted.values()]
    for name, table in (("opponents", opponents), ("tiles", tiles), ("discards", discards)):
        table.to_parquet(tmp_path / f"{name}.parquet")
    lines = [*peers.lines(*peers.peer_tables(tmp_path, {peers.OURS: predicted}))]
    assert {"T", "D", "A"} <= {line["row"] for line in lines}
    for line in lines:
        assert line["peer"] == "mjai-manue"
        assert line["difference"] == 0
        assert line["95%"] == [0, 0]


def choice(value: float, step: int) -> dict[str, Any]:
    parts = [{"name": "win", "value": value}, {"name": "score", "value": 9.0}]
    action = {"verb": "discard", "parts": parts, "shanten": 1, "useful_tiles": 8, "tiles": ["1m"]}
    action |= {"win": 0.25, "hand_points": 4000}
    return {"actions": [action], "chosen": 0, "step": step}


def test_steps_add_up_to_the_points_of_the_round() -> None:
    seats = [{"riichi": False, "melds": []}]
    decisions = [{"turn": turn, "seats": seats} for turn in (3, 4, 14)]
    results = [{"winner": 0, "points": 2000}, {"winner": 1, "points": 8000}]
    of_round: Any = {"balance": -1300, "decisions": decisions, "dealer": 0, "results": results}
    choices: Any = [choice(value, step) for step, value in enumerate((200.0, -50.0, 700.0))]
    steps = [*martingale._of_round("a", choices, of_round)]
    assert steps[0].claimed + sum(step.difference for step in steps) == -1300
    assert [step.bin for step in steps] == ["shanten 1, useful tiles 7–12"] * 2 + [""]
    lines = martingale.summary(pd.DataFrame(steps, columns=martingale.Step._fields))
    assert lines[0] | {"±": 0, "± own wins": 0} == {
        "group": "all", "decisions": 3, "claimed": 283.3, "next less now": -500.0, "±": 0,
        "own wins": 0.5, "± own wins": 0,
    }  # fmt: skip
    assert lines[-1]["group"] == "dealer, shanten 1"


def test_the_slope_of_a_price_is_found_again() -> None:
    """Where the advice is declined, half of what it claims comes; where it is taken, all."""
    rng = np.random.default_rng(0)
    claims, declined = rng.normal(0, 500, 4000), rng.random(4000) < 0.5
    table = pd.DataFrame({"game": rng.integers(0, 200, 4000).astype(str), "decision": "call"})
    table["declined"], table["taken"] = claims * declined, claims * ~declined
    table["next"] = -0.5 * table["declined"] + rng.normal(0, 50, 4000)
    table["round"] = table["next"]
    row: Any = prices.summary(table)["call"]
    assert row["decisions"] == 4000
    assert row["declined"] == pytest.approx(0.5, abs=0.02)
    assert row["taken"] == pytest.approx(1, abs=0.02)
    assert row["slope"] == pytest.approx(0.5, abs=0.03)
    assert 0 < row["half"] < 0.02


def test_final_ranks_of_a_report_beside_ours() -> None:
    """Its four equal ranks have ln 4, and the mean square of the values by rank."""
    whole = kit_report(1)
    phi = [[0.25] * 4] * 4
    whole["review"]["relative_phi_matrix"] = [phi] * len(whole["review"]["kyokus"])
    games = [any_format.parse(data(whole), "a"), any_format.parse(data(kit_report(2)), "b")]
    loss, value = reports.lines(games[:1])
    assert loss["theirs"] == pytest.approx(np.log(4))
    assert value["theirs"] == pytest.approx(np.mean(np.square([90, 45, 0, -135])))
    assert loss["ours"] < loss["theirs"]
    assert (loss["games"], loss["rows"]) == (1, 4 * games[0].rounds)
    assert loss["difference"] == pytest.approx(loss["ours"] - loss["theirs"])
    assert [line["games"] for line in reports.lines(games)] == [2, 2]
    with pytest.raises(Error, match="has no relative_phi_matrix of every round"):
        next(reports.lines([any_format.parse(data(kit_report(1, "Akochan")), "c")]))
