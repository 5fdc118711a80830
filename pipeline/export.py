"""Stage ``export``: models/estimator.npz from what was fitted, checked on held-out rows."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import joblib
import pandas as pd
import yaml

from features.tenpai import shown
from houjuu import parameters
from models import calibration, export
from pipeline import corpus, settings, stage
from pipeline.files import replacing
from pipeline.fit import MELDED, TENPAI, WAITS, read_rows
from pipeline.parse import GAMES

ESTIMATOR = "models/estimator.npz"


def main() -> None:
    """Export, and refuse to when the runtime does not say what scikit-learn says."""
    grid, waits, melded = (joblib.load(path) for path in (TENPAI, WAITS, MELDED))
    rows = read_rows(held_out=True)
    worst = export.check_against_sklearn(grid, grid.model(), rows)
    print(f"runtime and scikit-learn agree to {worst:.1e} on {len(rows)} held-out rows")
    predicted = grid.model().read(shown(rows)).tenpai
    scores = calibration.scores(predicted, rows["tenpai"].to_numpy(), grid.rates_["all"])
    commit = export.commit(code())
    about = {"fitted_on": fitted_on(), "metrics": {"tenpai": scores}, "commit": commit}
    fitted = export.parameters(grid, waits, melded, about)
    with replacing(ESTIMATOR) as path:
        parameters.write(path, fitted)


def code(last: str = "export") -> list[str]:
    """The files of code and settings that a stage's numbers hang on, as dvc.yaml has them."""
    stages = yaml.safe_load(Path("dvc.yaml").read_text())["stages"]
    before = list(stages)[: list(stages).index(last) + 1]
    deps = {dep for name in before for dep in stages[name]["deps"]}
    return sorted({str(settings.PATH), *(dep for dep in deps if not dep.startswith("data/"))})


def fitted_on() -> dict[str, Any]:
    """What the header says of the games that were fitted to."""
    games = pd.read_parquet(GAMES)
    games = games[~games["validate"]]
    dates = games["date"].dropna()
    return {
        "source": "Tenhou logs" if corpus.has_logs() else "self-play of houjuu's own bots",
        "games": len(games),
        "rounds": int(games["rounds"].sum()),
        "dates": [dates.min(), dates.max()] if len(dates) else None,
        "hash": hashlib.sha256("".join(sorted(games["digest"])).encode()).hexdigest(),
    }


if __name__ == "__main__":
    stage.run(main)
