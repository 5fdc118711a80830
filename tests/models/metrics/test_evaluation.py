"""The evaluation of an estimator: its rows, and the tables made from them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import houjuu
from features import prediction_rows
from features.prediction_rows import PredictionTables, safety_label
from features.schema.opponents import OPPONENT_TYPES
from features.schema.predictions import GENBUTSU, SAFETY_CLASSES, SCORES
from houjuu.game.events import Discard, Game, Win
from houjuu.game.table import Table
from houjuu.logs import mjlog
from models.metrics import evaluation
from tests.kit import real

KEY = ["game", "round", "seat", "turn", "opponent", "kind"]


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> PredictionTables:
    return prediction_rows.rows(own_games[:2], [houjuu.load()])[0]


def test_classes_of_the_rows(rows: PredictionTables) -> None:
    assert set(rows.predictions["opponent_type"]) <= set(OPPONENT_TYPES)
    assert set(rows.predictions["safety_class"]) == set(SAFETY_CLASSES)


def test_every_ron_on_a_decision_is_there(own_games: list[Game], rows: PredictionTables) -> None:
    """And the tile that was discarded has the label of a deal-in."""
    expected = []
    for game in own_games[:2]:
        table, decided = Table(game.rules), False
        for event in game:
            if isinstance(event, Discard):
                decided = not table.seats[event.seat].in_riichi
            if isinstance(event, Win) and event.source != event.seat and decided:
                assert event.points is not None
                expected.append((game.id, event.source, event.seat, event.points))
            table.apply(event)
    rons = rows.rons[["game", "seat", "winner", "points"]]
    assert list(rons.itertuples(index=False, name=None)) == expected
    assert (rows.rons["han_without_dora"] <= rows.rons["han"]).all()
    assert (rows.rons["han_without_dora"] < rows.rons["han"]).any()
    previous = pd.Series(1.0, index=rows.rons.index)
    for points in SCORES:
        probability = rows.rons[f"at_least_{points}"]
        assert probability.between(0, previous + 1e-6).all()
        assert (rows.rons["expected_points"] * 1.0001 >= points * probability).all()
        previous = probability
    assert rows.rons["fu"].isin([0, 25, *range(30, 120, 10)]).all()
    dealt_in = rows.predictions[rows.predictions["was_discarded"] & rows.predictions["label"]]
    rons = rows.rons.rename(columns={"winner": "opponent"})
    assert len(dealt_in.merge(rons, on=[*KEY[:5], "safety_class"])) == len(rons)


def test_points_by_type_by_hand() -> None:
    rons = pd.DataFrame(
        {
            "opponent_type": ["riichi", "riichi", "closed", "riichi"],
            "points": [8000, 2000, 1000, 12000],
            "expected_points": [6000.0, 4000.0, 2000.0, 9000.0],
        }
    )
    table = evaluation.points_by_type(rons).set_index("opponent_type")
    assert list(table.index) == ["all", "riichi", "closed"]
    assert table.loc["all", "mean_absolute_error"] == pytest.approx(2000)
    assert table.loc["closed", "rows"] == 1


def test_scores_by_winner_and_class_by_hand() -> None:
    """8,000 points are at least 8,000; a melded winner is one type whatever its melds."""
    rons = pd.DataFrame(
        {
            "game": ["a", "a", "b", "c", "d"],
            "opponent_type": ["riichi", "riichi", "closed", "2 melds", "3 melds"],
            "safety_class": ["suji", "no suji", "suji", "suji", "honour, 1 seen"],
            "points": [8000, 2000, 3900, 12000, 1000],
            "at_least_3900": [0.75, 0.5, 0.5, 1.0, 0.25],
            "at_least_8000": [0.5, 0.25, 0.0, 0.75, 0.0],
            "at_least_12000": [0.25, 0.25, 0.0, 0.5, 0.0],
        }
    )
    table = evaluation.score_calibration(rons)
    metrics = evaluation.score_metrics(table)
    assert list(metrics) == list(evaluation.WINNERS)
    assert list(metrics["all"]) == ["all", "suji", "no suji", "honour, 1 seen"]
    assert list(metrics["dama"]) == ["all", "suji"]
    everything = [metrics["all"]["all"][str(points)] for points in SCORES]
    assert [line["measured"] for line in everything] == pytest.approx([0.6, 0.4, 0.2])
    assert [line["predicted"] for line in everything] == pytest.approx([0.6, 0.3, 0.2])
    assert metrics["riichi"]["suji"]["8000"]["measured"] == 1
    assert metrics["melds"]["all"]["12000"]["rows"] == 2
    assert metrics["melds"]["all"]["12000"]["predicted"] == 0.25
    assert (table["low"] <= table["measured"] + 1e-9).all()


def test_genbutsu_never_deal_in(rows: PredictionTables) -> None:
    genbutsu = rows.predictions[rows.predictions["safety_class"] == GENBUTSU]
    assert len(genbutsu) > 100
    assert not genbutsu["label"].any()
    assert not genbutsu["predicted"].any()


@pytest.mark.parametrize(
    ("kind", "genbutsu", "seen", "name"),
    [
        (0, [0], 1, "genbutsu"),
        (0, [3], 1, "suji"),
        (0, [6], 1, "no suji"),
        (3, [0], 1, "half suji"),
        (3, [0, 6], 1, "suji"),
        (4, [], 4, "no suji"),
        (27, [], 1, "honour, 1 seen"),
        (33, [], 4, "honour, 4 seen"),
        (33, [33], 4, "genbutsu"),
    ],
)
def test_safety_labels(kind: int, genbutsu: list[int], seen: int, name: str) -> None:
    assert safety_label(kind, sum(1 << safe for safe in genbutsu), seen) == name


def prediction(game: str, seat: int, **values: object) -> dict[str, object]:
    row = {"game": game, "round": 0, "seat": seat, "turn": 9, "opponent": 3}
    row |= {"opponent_type": "riichi", "kind": 0, "safety_class": "suji", "was_discarded": True}
    row |= {"predicted": 0.004, "label": False}
    return row | values


def test_table_2_by_hand() -> None:
    """Opponents are summed; decisions without a threat and other turns and kinds do not count."""
    predictions = pd.DataFrame(
        [
            prediction("a", 0),
            prediction("a", 0, opponent=2, opponent_type="closed", predicted=0.003),
            prediction("a", 1, predicted=0.015),
            prediction("b", 1, predicted=0.5),
            prediction("b", 2, opponent_type="closed", predicted=0.025),
            prediction("b", 0, turn=8, predicted=0.025),
            prediction("b", 0, was_discarded=False, predicted=0.025),
        ]
    )
    rons = pd.DataFrame([{"game": "a", "round": 0, "seat": 1, "turn": 9}])
    table = evaluation.table_2(predictions, rons)
    assert table["bin"].tolist() == [0, 1, 8]
    assert table["predicted"].tolist() == pytest.approx([0.007, 0.015, 0.5])
    assert table["measured"].tolist() == [0, 1, 0]
    assert table["share"].tolist() == pytest.approx([1 / 3] * 3)
    assert table["paper"][:2].tolist() == [0.002, 0.017]
    assert np.isnan(table["paper"][2])
    of_all = evaluation.table_2(predictions, rons, None)
    assert of_all["bin"].tolist() == [0, 1, 2, 8]
    assert of_all["rows"].sum() == 4
    assert evaluation.table_2(predictions, rons, 9)["bin"].tolist() == [2]


def test_table_3_by_hand() -> None:
    rons = pd.DataFrame({"game": list("aabc"), "likely_han": [1, 5, 3, 2], "han": [1, 13, 4, 2]})
    table = evaluation.table_3(rons)
    share = table.set_index(["likely", "real"])["share"]
    assert share[1, 1] == share[4, 4] == share[3, 4] == share[2, 2] == 0.25
    assert share[0, 0] == 0.75
    assert share.drop((0, 0)).sum() == pytest.approx(1)
    assert table["paper"][:16].sum() == pytest.approx(1, abs=0.03)  # as printed there
    assert (table["low"] <= table["share"] + 1e-9).all()
    assert (table["share"] <= table["high"]).all()


def test_table_3_without_dora_by_hand() -> None:
    """The ron that the model does not predict is left out, and both han are those without dora."""
    columns = ["game", "likely_han", "likely_han_without_dora", "han", "han_without_dora"]
    rows = [("a", 5, 1, 5, 1), ("a", 4, 2, 2, 1), ("b", 3, 2, 3, 2), ("b", 1, 1, 8, 5)]
    rons = pd.DataFrame([*rows, ("c", 2, 0, 2, 2)], columns=columns)
    share = evaluation.table_3(evaluation.rons_without_dora(rons))
    by_cell = share.set_index(["likely", "real"])["share"]
    assert by_cell[1, 1] == by_cell[2, 1] == by_cell[2, 2] == by_cell[1, 4] == 0.25
    assert by_cell[0, 0] == 0.5
    nothing = evaluation.rons_without_dora(rons[rons["game"] == "c"])
    assert evaluation.table_3(nothing)["share"].isna().all()


def test_rows_of_one_turn_are_those_of_all_turns(
    own_games: list[Game], rows: PredictionTables
) -> None:
    estimator = houjuu.load()
    (tenth,) = prediction_rows.rows(own_games[:2], [estimator], turn=10)
    expected = rows.predictions[rows.predictions["turn"] == 9].reset_index(drop=True)
    assert len(expected) > 100
    pd.testing.assert_frame_equal(tenth.predictions, expected)
    pd.testing.assert_frame_equal(tenth.rons, rows.rons)


def test_calibration_tables(rows: PredictionTables) -> None:
    tables = evaluation.calibration_tables(rows.predictions, [0.0, 0.01, 0.1, 1.0], 12)
    for table in tables.values():
        assert table["rows"].sum() == len(rows.predictions)
        assert (table["measured"] * table["rows"]).sum() == pytest.approx(
            rows.predictions["label"].sum()
        )
    assert tables["turn"]["turn"].max() == 12
    metrics = evaluation.deal_in_metrics(rows.predictions)
    by_type = [scores["rows"] for name, scores in metrics.items() if name != "all"]
    assert sum(by_type) == metrics["all"]["rows"]
    points = evaluation.points_metrics(rows.rons)
    assert points["rows"] == len(rows.rons)


def test_no_rons_make_empty_tables() -> None:
    nothing = prediction_rows.rows([], [houjuu.load()])[0]
    assert evaluation.table_2(*nothing).empty
    assert evaluation.table_3(nothing.rons)["share"].isna().all()
    assert evaluation.points_metrics(nothing.rons)["rows"] == 0
    assert evaluation.score_metrics(evaluation.score_calibration(nothing.rons)) == {}
    assert evaluation.deal_in_metrics(nothing.predictions) == {}


@pytest.mark.deep
@pytest.mark.real_logs
def test_labels_agree_with_other_programs(real_limit: int) -> None:
    """With the labels of the peers' benchmark, which leave houtei out."""
    truth = pd.read_parquet(real.archive("peer-bench").parents[1] / "peers" / "tiles.parquet")
    truth = truth.rename(columns={"game_id": "game", "tile": "kind", "discard": "turn"}).astype(
        {"game": str}
    )
    games = [mjlog.parse(*member[::-1]) for member in real.games("peer-bench", min(real_limit, 6))]
    predictions = prediction_rows.rows(games, [houjuu.load()])[0].predictions.astype({"game": str})
    both = predictions.merge(truth, on=KEY)
    assert len(both) > 1000 * len(games)
    different = both[both["label"] != both["ronable"]]
    assert not (different["ronable"] | (different["turn"] < 15)).any()
    assert len(different) <= 3 * len(games)
