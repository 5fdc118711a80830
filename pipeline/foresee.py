"""Stage ``foresee``: fit what hands promise, measure it on held-out games, and export it."""

from __future__ import annotations

import json
from typing import Any

from joblib import parallel_config

from features.prospects import PROSPECTS
from houjuu import parameters
from houjuu.parameters import Parameters
from houjuu.player.prospects import COLUMNS, MODEL, NAMES, bits
from models import export
from models import prospects_scores as scores
from models.prospects import YakuRegression
from pipeline import record, settings, stage
from pipeline.export import code, fitted_on
from pipeline.files import replacing
from pipeline.fit import read_rows
from pipeline.prospects import ROWS

YAKU = "models/yaku.npz"
METRICS = "data/yaku.json"


def main() -> None:
    """Fit, measure on held-out rows, export, and record the run."""
    params = settings.load()
    fitted, held_out = (
        read_rows(held_out=held_out, path=ROWS, columns=PROSPECTS) for held_out in (False, True)
    )
    rates = bits(fitted["won"]).mean(axis=0)
    with parallel_config(n_jobs=params.run.jobs):
        regression = YakuRegression(**params.foresee).fit(fitted)
        told = scores.said(regression.model(), held_out)
    guess = scores.guessed(fitted, held_out)
    metrics = {
        "yaku": scores.of_yaku(held_out, told, guess, rates),
        "han": scores.of_han(held_out, told, guess),
    }
    header = {
        "model": MODEL,
        "columns": list(COLUMNS),
        "aims": NAMES,
        "fitted_on": fitted_on() | {"prospects": int(fitted["game"].nunique())},
        "parameters": regression.get_params(),
        "base_rates": dict(zip(NAMES, map(float, rates), strict=True)),
        "metrics": metrics,
        "commit": export.commit(code("foresee")),
    }
    with replacing(METRICS) as path:
        path.write_text(json.dumps(metrics, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    with replacing(YAKU) as path:
        parameters.write(path, Parameters(header, arrays(regression)))
    with record.run(header, {"foresee": params.foresee}, {"han": metrics["han"]}, (YAKU, METRICS)):
        pass


def arrays(regression: YakuRegression) -> dict[str, Any]:
    """What was fitted, as the parameter file has it."""
    names = ("weights", "yakuhai", "dora")
    return {f"yaku/{name}": getattr(regression, f"{name}_") for name in names}


if __name__ == "__main__":
    stage.run(main)
