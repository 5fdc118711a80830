"""Stage ``regress``: fit the tenpai regression of "houjuu", and write that model as a file.

The rest of the model is that of the paper, as ``export`` wrote it.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from features import schema
from features.signs import numbers
from houjuu import parameters
from models import calibration, export
from models.signs import SignsRegression
from pipeline import settings, stage
from pipeline.export import ESTIMATOR, code, fitted_on
from pipeline.files import replacing
from pipeline.fit import read_rows
from pipeline.signs import ROWS

HOUJUU = "models/houjuu.npz"
METRICS = "data/houjuu.json"


def main() -> None:
    """Fit, check, measure on held-out rows, and export."""
    params = settings.load()
    fitted = read_rows(held_out=False, path=ROWS, columns=schema.SIGNS)
    regression = SignsRegression(**params.regress).fit(fitted)
    rows = read_rows(held_out=True, path=ROWS, columns=schema.SIGNS)
    model = regression.model()
    worst = export.check_additive(regression, model, rows)
    print(f"runtime and scikit-learn agree to {worst:.1e} on {len(rows)} held-out rows")
    rows["predicted"] = model.read(rows["melds"].to_numpy(np.int64), numbers(rows))
    scores = scores_by_melds(rows, fitted)
    print(", ".join(f"{name}: {of['log_loss']:.4f}" for name, of in scores.items()))
    with replacing(METRICS) as path:
        path.write_text(json.dumps({"tenpai": scores}, indent=1, allow_nan=False) + "\n")
    about = {
        "fitted_on": fitted_on() | {"signs": int(fitted["game"].nunique())},
        "metrics": {"tenpai": scores},
        "commit": export.commit(code("regress")),
    }
    with replacing(HOUJUU) as path:
        whole = export.with_signs(parameters.read(ESTIMATOR), regression, about)
        parameters.write(path, whole)


def scores_by_melds(rows: pd.DataFrame, fitted: pd.DataFrame) -> dict[str, Any]:
    """Scores of all rows and of those with 0–3 open melds, where both outcomes occur."""
    found = {}
    for name in ("all", *range(4)):
        of, base = (t if name == "all" else t[t["melds"] == name] for t in (rows, fitted))
        if of["tenpai"].nunique() == 2 and len(base):
            measured = of["tenpai"].to_numpy()
            rate = float(base["tenpai"].mean())
            found[str(name)] = calibration.scores(of["predicted"].to_numpy(), measured, rate)
    return found


if __name__ == "__main__":
    stage.run(main)
