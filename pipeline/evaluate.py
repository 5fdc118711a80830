"""Stage ``evaluate``: measure a fitted model on the games that no fit has seen.

Its metrics.json has the scores, of tenpai by number of open melds and of dealing in by class of
opponent; its folder evaluation the tables that the report draws.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import houjuu
from features import schema
from features.signs import numbers
from features.tenpai import shown
from models import calibration, evaluation
from pipeline import measured, settings, stage
from pipeline.ask import DANGERS, RONS
from pipeline.files import replacing
from pipeline.fit import read_rows
from pipeline.signs import ROWS as SIGNS

METRICS = "metrics.json"
TABLES = "evaluation"
LAST_TURN = 18

Measured = tuple[dict[str, Any], dict[str, pd.DataFrame]]
"""Scores and tables, by name."""


def main(model: str) -> None:
    """Write the scores and the tables."""
    params = settings.load().evaluate
    metrics: dict[str, Any] = {}
    tables: dict[str, pd.DataFrame] = {}
    for measure in (tenpai, deal_in):
        scores, found = measure(model, params)
        metrics |= scores
        tables |= found
    with replacing(measured.place(model, METRICS)) as path:
        path.write_text(json.dumps(_plain(metrics), indent=1) + "\n")
    for name, table in tables.items():
        with replacing(measured.place(model, TABLES) / f"{name}.csv") as path:
            table.to_csv(path, index=False, float_format="%.6g")


def tenpai(model: str, params: settings.Evaluate) -> Measured:
    """Is an opponent that is not in riichi tenpai: on the rows of held-out games."""
    estimator = houjuu.load(measured.FILES[model])
    if estimator.signs_model is None:
        rows = read_rows(held_out=True)
        rows["predicted"] = estimator.tenpai_model.read(shown(rows)).tenpai
    else:
        rows = read_rows(held_out=True, path=SIGNS, columns=schema.SIGNS)
        melds = rows["melds"].to_numpy(np.int64)
        rows["predicted"] = estimator.signs_model.read(melds, numbers(rows))
    rows["measured"] = rows["tenpai"]
    rows["bin"] = calibration.bins(rows["predicted"].to_numpy(), params.edges)
    rows["turn"] = rows["discards"].clip(upper=LAST_TURN)
    rows["melds"] = rows["melds"].clip(upper=evaluation.MOST_MELDS + 1)
    scores = evaluation.tenpai_scores(rows, estimator.header["base_rates"]["tenpai"])
    by = {name: calibration.calibration(rows, ["melds", name]) for name in ("bin", "turn")}
    return {"tenpai": scores}, {f"tenpai_by_{name}": table for name, table in by.items()}


def deal_in(model: str, params: settings.Evaluate) -> Measured:
    """Would a tile of the hand deal in, and for how much: on the games that were asked about."""
    dangers, rons = (pd.read_parquet(measured.place(model, name)) for name in (DANGERS, RONS))
    by = evaluation.by_class(dangers, params.edges_deal_in, LAST_TURN)
    paper = {
        "table_2": evaluation.table_2(dangers, rons),
        "table_2_of_all": evaluation.table_2(dangers, rons, None),
        "table_3": evaluation.table_3(rons),
    }
    scores = evaluation.deal_in_scores(dangers), evaluation.points_scores(rons)
    return (
        dict(zip(("deal_in", "points"), scores, strict=True)),
        {f"deal_in_by_{name}": table for name, table in by.items()} | paper,
    )


def _plain(tree: Any) -> Any:
    """The tree as JSON can hold it: None where a number is none."""
    if isinstance(tree, dict):
        return {key: _plain(value) for key, value in tree.items()}
    return None if np.isnan(tree) else tree


if __name__ == "__main__":
    stage.run(partial(main, measured.chosen()))
