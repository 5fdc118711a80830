"""What is measured of an estimator: the rows, and the tables made of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import houjuu
from features import prediction_rows, schema
from features.prediction_rows import Rows, safety_label
from houjuu.events import Discard, Game, Win
from houjuu.logs import mjlog
from houjuu.table import Table
from models.metrics import evaluation
from tests import real

KEY = ["game", "round", "seat", "discard", "opponent", "kind"]


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> Rows:
    return prediction_rows.rows(own_games[:2], [houjuu.load()])[0]


def test_rows_keep_to_the_schema(rows: Rows) -> None:
    for table, columns in zip(rows, (schema.PREDICTIONS, schema.RONS), strict=True):
        assert list(table.columns) == schema.names(columns)
        assert [str(kind) for kind in table.dtypes] == [column.dtype for column in columns]
    assert not rows.dangers.duplicated(KEY).any()
    assert set(rows.dangers["read_as"]) <= set(schema.OPPONENT_TYPES)
    assert set(rows.dangers["tile"]) == set(schema.SAFETY_CLASSES)
    nothing = prediction_rows.rows([], [houjuu.load()])[0]
    assert nothing.dangers.empty
    assert nothing.rons.empty


def test_every_ron_on_a_decision_is_there(own_games: list[Game], rows: Rows) -> None:
    """And its tile was one that would deal in; nothing else of that decision did so sooner."""
    expected = []
    for game in own_games[:2]:
        table, decided = Table(game.rules), False
        for event in game:
            if isinstance(event, Discard):
                decided = not table.seats[event.seat].in_riichi
            if isinstance(event, Win) and event.source != event.seat and decided:
                expected.append((game.id, event.source, event.seat, event.points))
            table.apply(event)
    found = rows.rons[["game", "seat", "winner", "points"]]
    assert list(found.itertuples(index=False, name=None)) == expected
    made = rows.dangers[rows.dangers["discarded"] & rows.dangers["measured"]]
    rons = rows.rons.rename(columns={"winner": "opponent"})
    assert len(made.merge(rons, on=KEY[:5])) == len(rons)


def test_genbutsu_never_deal_in(rows: Rows) -> None:
    genbutsu = rows.dangers[rows.dangers["tile"] == schema.GENBUTSU]
    assert len(genbutsu) > 100
    assert not genbutsu["measured"].any()
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
def test_classes_of_tiles(kind: int, genbutsu: list[int], seen: int, name: str) -> None:
    assert safety_label(kind, sum(1 << safe for safe in genbutsu), seen) == name


def danger(game: str, seat: int, **values: object) -> dict[str, object]:
    row = {"game": game, "round": 0, "seat": seat, "discard": 9, "opponent": 3, "read_as": "riichi"}
    row |= {"kind": 0, "tile": "suji", "discarded": True, "predicted": 0.004, "measured": False}
    return row | values


def test_table_2_by_hand() -> None:
    """Opponents are summed; who faces no threat, other turns and tiles kept do not count."""
    dangers = pd.DataFrame(
        [
            danger("a", 0),
            danger("a", 0, opponent=2, read_as="closed", predicted=0.003),
            danger("a", 1, predicted=0.015),
            danger("b", 1, predicted=0.5),
            danger("b", 2, read_as="closed", predicted=0.025),
            danger("b", 0, discard=8, predicted=0.025),
            danger("b", 0, discarded=False, predicted=0.025),
        ]
    )
    rons = pd.DataFrame([{"game": "a", "round": 0, "seat": 1, "discard": 9}])
    table = evaluation.table_2(dangers, rons)
    assert table["bin"].tolist() == [0, 1, 8]
    assert table["predicted"].tolist() == pytest.approx([0.007, 0.015, 0.5])
    assert table["measured"].tolist() == [0, 1, 0]
    assert table["share"].tolist() == pytest.approx([1 / 3] * 3)
    assert table["paper"][:2].tolist() == [0.002, 0.017]
    assert np.isnan(table["paper"][2])
    of_all = evaluation.table_2(dangers, rons, None)
    assert of_all["bin"].tolist() == [0, 1, 2, 8]
    assert of_all["rows"].sum() == 4
    assert evaluation.table_2(dangers, rons, 9)["bin"].tolist() == [2]


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


def test_tables_by_class(rows: Rows) -> None:
    tables = evaluation.calibration_tables(rows.dangers, [0.0, 0.01, 0.1, 1.0], 12)
    for table in tables.values():
        assert table["rows"].sum() == len(rows.dangers)
        assert (table["measured"] * table["rows"]).sum() == pytest.approx(
            rows.dangers["measured"].sum()
        )
    assert tables["turn"]["turn"].max() == 12
    scores = evaluation.deal_in_metrics(rows.dangers)
    assert sum(of["rows"] for name, of in scores.items() if name != "all") == scores["all"]["rows"]
    points = evaluation.points_metrics(rows.rons)
    assert points["rows"] == len(rows.rons)


def test_no_rons_make_empty_tables() -> None:
    nothing = prediction_rows.rows([], [houjuu.load()])[0]
    assert evaluation.table_2(*nothing).empty
    assert evaluation.table_3(nothing.rons)["share"].isna().all()
    assert evaluation.points_metrics(nothing.rons)["rows"] == 0
    assert evaluation.deal_in_metrics(nothing.dangers) == {}


@pytest.mark.real_logs
def test_what_deals_in_is_what_others_say(real_limit: int) -> None:
    """The truth that lies beside the peers' answers, which leaves 河底 out."""
    truth = pd.read_parquet(real.archive("peer-bench").parents[1] / "peers" / "tiles.parquet")
    truth = truth.rename(columns={"game_id": "game", "tile": "kind"}).astype({"game": str})
    games = [mjlog.parse(*member[::-1]) for member in real.games("peer-bench", min(real_limit, 6))]
    dangers = prediction_rows.rows(games, [houjuu.load()])[0].dangers.astype({"game": str})
    both = dangers.merge(truth, on=KEY)
    assert len(both) > 1000 * len(games)
    different = both[both["measured"] != both["ronable"]]
    assert not (different["ronable"] | (different["discard"] < 15)).any()
    assert len(different) <= 3 * len(games)
