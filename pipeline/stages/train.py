"""Stage ``train``: join the fitted parts of the additive model, evaluate them, and export them.

``train_tenpai``, ``train_waits``, ``train_melded`` and ``train_unseen`` fit them, each on its own.
The other parts are those of the paper's model, from the stage ``export``. The stage
``train_network`` adds the network.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from features.schema.tenpai import TENPAI_FEATURES
from features.tenpai_rows import feature_matrix
from features.unseen_rows import UNSEEN
from houjuu.estimators.log_linear.tenpai_gam import TenpaiGAMModel
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.estimators.log_linear.unseen_tiles import UnseenTileModel
from houjuu.estimators.log_linear.wait_models import WaitModels
from houjuu.util import parameters
from houjuu.util.parameters import Parameters
from models.houjuu import export
from models.houjuu.wait_models import predict_kinds
from models.metrics import calibration, evaluation, unseen_metrics
from models.metrics.eval_tasks import WAIT_TASKS, win_metrics
from pipeline import eval_data, paths, settings, stage
from pipeline.engine import open_engine
from pipeline.files import save_json
from pipeline.provenance import commit_of, fit_name, fitted_on, n_fitted
from pipeline.tables import read_rows, stored_shards


def main() -> None:
    """Join, evaluate on held-out rows, and export."""
    params = settings.load()
    parameters_of_paper = parameters.read(paths.PAPER_MODEL)
    with open_engine(params.run) as engine, stored_shards("train", engine) as open_table:
        rates = evaluation.tenpai_rates(open_table(paths.TENPAI_ROWS, TENPAI_FEATURES))
    parts = [parameters.read(paths.fit_path(name)) for name in paths.FITS]
    fitted = export.log_linear_parameters(parameters_of_paper, parts, {})
    unseen = UnseenTileModel.from_parameters(fitted)
    assert unseen is not None
    held_out = read_rows(paths.UNSEEN_ROWS, UNSEEN, held_out=True)
    metrics = {
        "tenpai": _tenpai_metrics(TenpaiModel.from_parameters(fitted).gam, rates),
        "waits": _wait_metrics(WaitModels.from_parameters(fitted)),
        **unseen_metrics.evaluate(unseen, held_out),
    }
    for task, scores in metrics.items():
        losses = (f"{name}: {score['log_loss']:.4f}" for name, score in scores.items())
        print(task, ", ".join(losses))
    reliability = calibration.records(unseen_metrics.reliability(unseen, held_out))
    save_json(metrics | {"reliability": reliability}, paths.FIT_METRICS)
    about = {
        "fitted_on": fitted_on()
        | {
            "tenpai_games": n_fitted(params.tenpai_rows.games),
            "unseen_games": n_fitted(params.unseen_rows.games),
        },
        "metrics": metrics,
        "name": fit_name(),
        "commit": commit_of("train"),
    }
    exported = Parameters({**fitted.header, **about}, fitted.arrays)
    parameters.write(paths.ADDITIVE_MODEL, exported)


def _tenpai_metrics(gam: TenpaiGAMModel, rates: dict[str, float]) -> dict[str, Any]:
    """Scores of P(tenpai) on held-out rows, by open melds."""
    rows = read_rows(paths.TENPAI_ROWS, TENPAI_FEATURES, held_out=True)
    n_open_melds = rows["n_open_melds"].to_numpy(np.int64)
    rows["predicted"] = gam.predict(n_open_melds, feature_matrix(rows))
    return evaluation.tenpai_metrics(rows, rates)


def _wait_metrics(waits: WaitModels) -> dict[str, Any]:
    """Scores of P(wins on a kind of the hand | tenpai) on held-out hands, by type of opponent."""
    rows = eval_data.hand_rows(held_out=True)
    metrics: dict[str, Any] = {}
    for task in WAIT_TASKS:
        model = getattr(waits, f"{task}_waits")
        metrics |= win_metrics(rows, task, partial(predict_kinds, model))
    return metrics


if __name__ == "__main__":
    stage.run(main)
