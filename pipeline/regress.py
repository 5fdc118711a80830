"""Stage ``regress``: fit what "houjuu" reads otherwise than the paper, and write that model.

P(tenpai) from signs, waits and han of closed hands, what the river adds to melded ones. The rest of
the model is that of the paper, as ``export`` wrote it.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, parallel_config
from sklearn.base import BaseEstimator

from features import schema
from features.signs import numbers
from houjuu import parameters
from models import evaluation, export, rivers
from models.questions import rows_read_as, win_scores
from models.signs import SignsRegression
from pipeline import settings, stage
from pipeline.export import ESTIMATOR, code, fitted_on
from pipeline.files import replacing
from pipeline.fit import read_rows
from pipeline.signs import ROWS
from pipeline.situations import SITUATIONS, WINS

HOUJUU = "models/houjuu.npz"
METRICS = "data/houjuu.json"
RIVERS = ("riichi", "closed", "melded_river")
"""The parts that say what a hand wins on."""


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
        delayed(kind(**params[name]).fit)(rows_read_as(rows, _question(name)))
        for name, kind, rows in work
    )
    return dict(zip([name for name, *_ in work], fitted, strict=True))


def _question(part: str) -> str:
    """The question whose rows a part is fitted to."""
    return part.partition("_")[0]


def _rows(path: str, columns: tuple[schema.Column, ...], *, held_out: bool) -> pd.DataFrame:
    return read_rows(held_out=held_out, path=path, columns=columns)


def _tenpai(regression: SignsRegression, fitted: pd.DataFrame) -> dict[str, Any]:
    """Scores of P(tenpai) of held-out rows, by open melds."""
    rows = _rows(ROWS, schema.SIGNS, held_out=True)
    model = regression.model()
    worst = export.check_additive(regression, model, rows)
    print(f"runtime and fit agree to {worst:.1e} on {len(rows)} held-out rows")
    rows["predicted"] = model.read(rows["melds"].to_numpy(np.int64), numbers(rows))
    return evaluation.tenpai_scores(rows, evaluation.tenpai_rates(fitted))


def _waits(parts: dict[str, Any]) -> dict[str, Any]:
    """Scores of P(wins on a kind of the hand | tenpai), of held-out hands, by how they are read."""
    rows = _rows(SITUATIONS, schema.SITUATIONS, held_out=True)
    found: dict[str, Any] = {}
    for name in RIVERS:
        found |= win_scores(rows, _question(name), partial(rivers.kinds_of, parts[name].model()))
    return found


if __name__ == "__main__":
    stage.run(main)
