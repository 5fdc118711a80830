"""Stage ``evaluate``: measure the exported estimator on the games that no fit has seen.

data/metrics.json has the scores, by number of open melds; data/evaluation/ the calibration tables
that the report draws.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import houjuu
from features.tenpai import shown
from models import calibration
from pipeline import settings, stage
from pipeline.export import ESTIMATOR
from pipeline.files import replacing
from pipeline.fit import read_rows

METRICS = "data/metrics.json"
TABLES = Path("data/evaluation")
MOST_MELDS = 3
LAST_TURN = 18


def main() -> None:
    """Write the scores and the tables."""
    params = settings.load()
    estimator = houjuu.load(ESTIMATOR)
    rows = read_rows(held_out=True)
    rows["predicted"] = estimator.tenpai_model.read(shown(rows)).tenpai
    rows["measured"] = rows["tenpai"]
    rows["bin"] = calibration.bins(rows["predicted"].to_numpy(), params.evaluate.edges)
    rows["turn"] = rows["discards"].clip(upper=LAST_TURN)
    rows["melds"] = rows["melds"].clip(upper=MOST_MELDS + 1)
    metrics = {"tenpai": scores_by_melds(rows, estimator.header["base_rates"]["tenpai"])}
    with replacing(METRICS) as path:
        path.write_text(json.dumps(metrics, indent=1) + "\n")
    for name, by in {"bin": ["melds", "bin"], "turn": ["melds", "turn"]}.items():
        table = calibration.calibration(rows, by)
        with replacing(TABLES / f"tenpai_by_{name}.csv") as path:
            table.to_csv(path, index=False, float_format="%.6g")


def scores_by_melds(rows: pd.DataFrame, rates: dict[str, float]) -> dict[str, Any]:
    """Scores of all rows and of those with 0, 1, 2 and 3 open melds."""
    found = {}
    for name in ("all", *map(str, range(MOST_MELDS + 1))):
        of = rows if name == "all" else rows[rows["melds"] == int(name)]
        if len(of):
            predicted = of["predicted"].to_numpy()
            scores = calibration.scores(predicted, of["measured"].to_numpy(), rates[name])
            found[name] = {k: None if np.isnan(v) else v for k, v in scores.items()}
    return found


if __name__ == "__main__":
    stage.run(main)
