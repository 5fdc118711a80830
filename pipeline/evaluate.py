"""Stage ``evaluate``: measure the exported estimator on the games that no fit has seen.

data/metrics.json has the scores, of tenpai by number of open melds and of dealing in by class of
opponent; data/evaluation/ the tables that the report draws.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import houjuu
from features.tenpai import shown
from models import calibration, evaluation
from pipeline import settings, stage
from pipeline.ask import DANGERS, RONS
from pipeline.export import ESTIMATOR
from pipeline.files import replacing
from pipeline.fit import read_rows

METRICS = "data/metrics.json"
TABLES = Path("data/evaluation")
MOST_MELDS = 3
LAST_TURN = 18

Measured = tuple[dict[str, Any], dict[str, pd.DataFrame]]
"""Scores and tables, by name."""


def main() -> None:
    """Write the scores and the tables."""
    params = settings.load().evaluate
    metrics: dict[str, Any] = {}
    tables: dict[str, pd.DataFrame] = {}
    for measure in (tenpai, deal_in):
        scores, found = measure(params)
        metrics |= scores
        tables |= found
    with replacing(METRICS) as path:
        path.write_text(json.dumps(_plain(metrics), indent=1) + "\n")
    for name, table in tables.items():
        with replacing(TABLES / f"{name}.csv") as path:
            table.to_csv(path, index=False, float_format="%.6g")


def tenpai(params: settings.Evaluate) -> Measured:
    """Is an opponent that is not in riichi tenpai: on the rows of all held-out games."""
    estimator = houjuu.load(ESTIMATOR)
    rows = read_rows(held_out=True)
    rows["predicted"] = estimator.tenpai_model.read(shown(rows)).tenpai
    rows["measured"] = rows["tenpai"]
    rows["bin"] = calibration.bins(rows["predicted"].to_numpy(), params.edges)
    rows["turn"] = rows["discards"].clip(upper=LAST_TURN)
    rows["melds"] = rows["melds"].clip(upper=MOST_MELDS + 1)
    scores = scores_by_melds(rows, estimator.header["base_rates"]["tenpai"])
    by = {name: calibration.calibration(rows, ["melds", name]) for name in ("bin", "turn")}
    return {"tenpai": scores}, {f"tenpai_by_{name}": table for name, table in by.items()}


def deal_in(params: settings.Evaluate) -> Measured:
    """Would a tile of the hand deal in, and for how much: on the games that were asked about."""
    dangers, rons = pd.read_parquet(DANGERS), pd.read_parquet(RONS)
    by = evaluation.by_class(dangers, params.edges_deal_in, LAST_TURN)
    paper = {"table_2": evaluation.table_2(dangers, rons), "table_3": evaluation.table_3(rons)}
    scores = evaluation.deal_in_scores(dangers), evaluation.points_scores(rons)
    return (
        dict(zip(("deal_in", "points"), scores, strict=True)),
        {f"deal_in_by_{name}": table for name, table in by.items()} | paper,
    )


def scores_by_melds(rows: pd.DataFrame, rates: dict[str, float]) -> dict[str, Any]:
    """Scores of all rows and of those with 0, 1, 2 and 3 open melds."""
    found = {}
    for name in ("all", *map(str, range(MOST_MELDS + 1))):
        of = rows if name == "all" else rows[rows["melds"] == int(name)]
        if len(of):
            predicted = of["predicted"].to_numpy()
            found[name] = calibration.scores(predicted, of["measured"].to_numpy(), rates[name])
    return found


def _plain(tree: Any) -> Any:
    """The tree as JSON can hold it: None where a number is none."""
    if isinstance(tree, dict):
        return {key: _plain(value) for key, value in tree.items()}
    return None if np.isnan(tree) else tree


if __name__ == "__main__":
    stage.run(main)
