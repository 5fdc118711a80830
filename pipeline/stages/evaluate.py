"""Stage ``evaluate``: measure a fitted model on games that no fit has seen.

metrics.json has the scores, of tenpai by open melds and of dealing in by type of opponent,
summary.json ten of them; the folder evaluation has the tables that the report draws. MLflow gets a
run, to which ``report`` adds.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import pandas as pd

from features import schema
from features.schema.predictions import PREDICTIONS, RONS
from houjuu.estimators.loading import load
from houjuu.estimators.seen_games import seen_by
from houjuu.reading.opponent import OpponentType
from houjuu.util.files import atomic_path
from models.metrics import calibrated, calibration, edges, evaluation
from models.metrics.calibrated import Measured
from pipeline import mlflow_run, paths, settings, stage
from pipeline.files import save_json
from pipeline.game_shards import accepted_games
from pipeline.paths import MODELS, result_path
from pipeline.tables import read_rows, without_seen

LAST_TURN = 18
SCHEMAS = {"paper_tenpai": "features.schema.paper", "tenpai": "features.schema.tenpai"}
"""The module of the schema of each table that `Estimator.tenpai_table` may name: data/NAME."""


def main(model: str) -> None:
    """Write the scores and the tables."""
    params = settings.load().evaluate
    metrics: dict[str, Any] = {}
    tables: dict[str, pd.DataFrame] = {}
    for measure in (tenpai, deal_in):
        scores, of_measure = measure(model, params)
        metrics |= scores
        tables |= of_measure
    metrics_file = result_path(model, paths.METRICS)
    save_json(metrics, metrics_file)
    save_json(mlflow_run.summary(metrics), result_path(model, paths.SUMMARY))
    for name, table in tables.items():
        with atomic_path(result_path(model, paths.TABLES) / f"{name}.csv") as path:
            table.to_csv(path, index=False, float_format="%.6g")
    with mlflow_run.of_model(model, metrics, [MODELS[model], metrics_file]):
        pass


def tenpai(model: str, params: settings.EvaluateSettings) -> Measured:
    """P(tenpai) of opponents that are not in riichi, on the rows of held-out games."""
    estimator = load(MODELS[model])
    table = estimator.tenpai_table
    columns = getattr(import_module(SCHEMAS[table]), table.upper())
    rows = read_rows(f"data/{table}", columns, held_out=True)
    rows = without_seen(rows, seen_by(MODELS[model]))
    rooms = _rooms()
    columns_of_rows = schema.arrays(rows) | {"room": rows["game"].map(rooms).to_numpy()}
    rows["predicted"] = estimator.tenpai_of_rows(columns_of_rows)
    rates = estimator.header["base_rates"]["tenpai"]
    scores, measured = calibrated.tenpai(rows, params.edges, rates)
    rows["label"] = rows["tenpai"]
    rows["discards"] = rows["discards"].clip(upper=LAST_TURN)
    rows["tiles_left"] = evaluation.tiles_left_bin(rows["tiles_left"])
    rows["n_open_melds"] = rows["n_open_melds"].clip(upper=evaluation.MOST_MELDS + 1)
    tables = {
        f"tenpai_by_{name}": calibration.calibration(rows, ["n_open_melds", column])
        for name, column in (("turn", "discards"), ("tiles_left", "tiles_left"))
    }
    tables["tenpai_by_room"] = edges.by_room({"T": rows}, rooms)
    return scores, measured | tables


def deal_in(model: str, params: settings.EvaluateSettings) -> Measured:
    """Deal-ins of the tiles in the hand, and their points, on the games of ``predict``."""
    predictions, rons = (
        read_rows(str(result_path(model, name)), columns, held_out=True)
        for name, columns in ((paths.PREDICTIONS, PREDICTIONS), (paths.RONS, RONS))
    )
    tables = evaluation.calibration_tables(predictions, params.edges_deal_in, LAST_TURN)
    tasks = {
        "R": predictions[predictions["opponent_type"] == OpponentType.RIICHI],
        "D": predictions,
        "A": predictions[predictions["was_discarded"]],
    }
    tables["room"] = edges.by_room(tasks, _rooms())
    of_paper = {
        "table_2": evaluation.table_2(predictions, rons),
        "table_2_of_all": evaluation.table_2(predictions, rons, None),
        "table_3": evaluation.table_3(rons),
        "table_3_without_dora": evaluation.table_3(evaluation.rons_without_dora(rons)),
        "points": evaluation.points_by_type(rons),
        "scores": evaluation.score_calibration(rons),
    }
    scores, measured = calibrated.deal_in(predictions, params.edges_deal_in)
    scores |= {
        "within_hand": evaluation.within_hands(predictions),
        "wait_rank": evaluation.rank_of_waits(predictions),
        "points": evaluation.points_metrics(rons),
        "scores": evaluation.score_metrics(of_paper["scores"]),
    }
    named = {f"deal_in_by_{name}": table for name, table in tables.items()}
    return scores, named | measured | of_paper


def _rooms() -> pd.Series[str]:
    """The room of each game, by its id."""
    return accepted_games().set_index("game")["room"]


if __name__ == "__main__":
    stage.run(partial(main, paths.chosen_model()))
