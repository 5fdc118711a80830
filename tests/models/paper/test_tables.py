"""The tables of the paper for several models: the summary by hand, and rounds with a deal-in."""

from __future__ import annotations

import pandas as pd
import pytest

pytest.importorskip("joblib", reason="fits need the train extra")
from benchmarks import paper_tables
from features.prediction_rows import PredictionTables
from houjuu.game.events import Game
from models.metrics.evaluation import DECISION


def rows() -> PredictionTables:
    """Ten 10th discards of 0.5% and two of 10% with a deal-in; four rons with their han."""
    keys = [("g", number, seat, 9) for number in range(6) for seat in range(2)]
    predictions = pd.DataFrame(keys, columns=DECISION).assign(
        opponent_type="riichi", was_discarded=True, predicted=[0.005] * 10 + [0.1] * 2
    )
    dealt_in = [*keys[-2:], ("g", 7, 0, 3), ("h", 0, 0, 3)]
    rons = pd.DataFrame(dealt_in, columns=DECISION).assign(
        likely_han=[1, 2, 2, 5],
        han=[1, 1, 2, 6],
        likely_han_without_dora=[1, 1, 2, 1],
        han_without_dora=[1, 1, 2, 2],
        fu=[30, 40, 50, 0],
        opponent_type=["riichi", "riichi", "1 meld", "1 meld"],
        expected_points=[2000.0, 3000.0, 1500.0, 9000.0],
        points=[1000, 2000, 2600, 12000],
    )
    return PredictionTables(predictions, rons)


def test_the_summary_by_hand() -> None:
    lines = [line.split(" | ") for line in paper_tables.tables({"x": rows()})]
    cells = {line[0].removeprefix("| "): line[-1].removesuffix(" |") for line in lines}
    assert cells["10th discards"] == "12"
    assert cells["highest distance"] == "0.50 points"
    assert cells["all: predicted"] == "2.08%"
    assert cells["all: measured"] == "16.67%"
    assert cells["below 8%"] == "83.3%"
    assert cells["real han 1, 2, 3, 4 and more"] == "0.50, 0.25, 0.00, 0.25"
    assert cells["right"].startswith("75.0 ± ")  # 1 1, 2 2 and 5 6
    assert cells["above the commonest han"].startswith("+25.0 ± ")
    assert cells["right by row"] == "100%, 50%, –, 100%"
    assert cells["without dora, all: rons"] == "4"
    assert cells["without dora, all: real han"] == "0.50, 0.50, 0.00, 0.00"
    assert cells["without dora, all: right"].startswith("75.0 ± ")
    assert cells["without dora, all: above the commonest"].startswith("+25.0 ± ")
    assert cells["without dora, riichi: right"].startswith("100.0 ± ")
    assert cells["without dora, open hands: above the commonest"].startswith("-50.0 ± ")
    assert cells["30 or 40 fu"].startswith("66.7 ± ")
    assert cells["all"].startswith("-525 ± ")
    assert cells["riichi"] == "+1,000 ± 0"
    assert cells["1 meld"].startswith("-2,050 ± ")


def test_rounds_with_a_deal_in(own_games: list[Game]) -> None:
    deal_ins = [paper_tables.deal_ins(game) for game in own_games]
    assert any(deal_ins)
    for game, game_deal_ins in zip(own_games, deal_ins, strict=True):
        assert all(0 <= number < game.rounds and 0 <= seat < 4 for number, seat in game_deal_ins)
