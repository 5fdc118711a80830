"""Stage ``regress``: fit what "houjuu" reads otherwise than the paper, and write that model.

P(tenpai) from signs, waits and han of closed hands, what the river adds to melded ones. The rest of
the model is that of the paper, as ``export`` wrote it.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, parallel_config
from sklearn.base import BaseEstimator

from features import schema
from features.signs import numbers
from houjuu import parameters
from models import calibration, export, rivers
from models.signs import SignsRegression
from pipeline import settings, stage
from pipeline.export import ESTIMATOR, code, fitted_on
from pipeline.files import replacing
from pipeline.fit import read_rows
from pipeline.signs import ROWS
from pipeline.situations import SITUATIONS, WINS

HOUJUU = "models/houjuu.npz"
METRICS = "data/houjuu.json"
RIICHI, CLOSED = schema.READ_AS[:2]


def main() -> None:
    """Fit, check, measure on held-out rows, and export."""
    params = settings.load()
    fitted = read_rows(held_out=False, path=ROWS, columns=schema.SIGNS)
    with parallel_config(n_jobs=params.run.jobs):
        signs = SignsRegression(**params.regress["signs"]).fit(fitted)
        parts = {"signs": signs, **_rivers(params.regress)}
    games = {"signs": int(fitted["game"].nunique())}
    scores = {"tenpai": _tenpai(signs, fitted), "waits": _waits(parts)}
    for name, of in scores.items():
        print(name, ", ".join(f"{cls}: {score['log_loss']:.4f}" for cls, score in of.items()))
    with replacing(METRICS) as path:
        path.write_text(json.dumps(scores, indent=1, allow_nan=False) + "\n")
    about = {
        "fitted_on": fitted_on() | games,
        "metrics": scores,
        "commit": export.commit(code("regress")),
    }
    with replacing(HOUJUU) as path:
        parameters.write(path, export.houjuu(parameters.read(ESTIMATOR), parts, about))


def _rivers(params: dict[str, Any]) -> dict[str, BaseEstimator]:
    """The parts that read the river, fitted, by name."""
    of = {"riichi": {RIICHI}, "closed": {CLOSED}, "melded": schema.READ_AS[2:]}
    hands = _rows(SITUATIONS, schema.SITUATIONS, held_out=False)
    wins = _rows(WINS, schema.WINS, held_out=False)
    work: list[tuple[str, Any, pd.DataFrame]] = [
        ("riichi", rivers.WaitChoice, hands),
        ("closed", rivers.WaitChoice, hands),
        ("melded_river", rivers.KindChoice, hands),
        ("riichi_han", rivers.HanChoice, wins),
        ("closed_han", rivers.HanChoice, wins),
        ("melded_han", rivers.MeldedHanChoice, wins),
    ]
    fitted = Parallel()(
        delayed(kind(**params[name]).fit)(rows[rows["read_as"].isin(of[name.split("_")[0]])])
        for name, kind, rows in work
    )
    return dict(zip([name for name, *_ in work], fitted, strict=True))


def _rows(path: str, columns: tuple[schema.Column, ...], *, held_out: bool) -> pd.DataFrame:
    return read_rows(held_out=held_out, path=path, columns=columns)


def _tenpai(regression: SignsRegression, fitted: pd.DataFrame) -> dict[str, Any]:
    """Scores of P(tenpai) of held-out rows, by open melds."""
    rows = _rows(ROWS, schema.SIGNS, held_out=True)
    model = regression.model()
    worst = export.check_additive(regression, model, rows)
    print(f"runtime and fit agree to {worst:.1e} on {len(rows)} held-out rows")
    rows["predicted"] = model.read(rows["melds"].to_numpy(np.int64), numbers(rows))
    return scores_by_melds(rows, fitted)


def _waits(parts: dict[str, Any]) -> dict[str, Any]:
    """Scores of P(wins on a kind of the hand | tenpai), of held-out hands, by how they are read."""
    rows = _rows(SITUATIONS, schema.SITUATIONS, held_out=True)
    found = {}
    for read_as in schema.READ_AS:
        name = read_as if read_as in (RIICHI, CLOSED) else "melded_river"
        hands = rows[rows["read_as"] == read_as]
        if hands.empty:
            continue
        predicted, measured, asked = rivers.kinds_asked(parts[name].model(), hands)
        predicted, measured = predicted[asked], measured[asked]
        if len(np.unique(measured)) == 2:
            base = float(measured.mean())
            found[read_as] = calibration.scores(predicted, measured, base)
    return found


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
