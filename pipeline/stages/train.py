"""Stage ``train``: join the fitted parts of the default model, without and with the network.

``train_tenpai``, ``train_waits``, ``train_melded``, ``train_unseen`` and ``train_network`` fit
them. The other parts are those of the paper's model, from the stage ``export``.
"""

from __future__ import annotations

from features.schema.tenpai import TENPAI_FEATURES
from features.unseen_rows import UNSEEN
from houjuu.estimators.log_linear.unseen_tiles import UnseenTileModel
from houjuu.util import parameters
from houjuu.util.parameters import Parameters
from models.houjuu import export
from models.metrics import calibration, evaluation, unseen_metrics
from pipeline import fit_metrics, paths, settings, stage
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
    metrics = fit_metrics.measured(fitted, rates)
    unseen = UnseenTileModel.from_parameters(fitted)
    held_out = read_rows(paths.UNSEEN_ROWS, UNSEEN, held_out=True)
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
    additive = Parameters({**fitted.header, **about}, fitted.arrays)
    parameters.write(paths.ADDITIVE_MODEL, additive)
    network = parameters.read(paths.fit_path(paths.NETWORK_FIT))
    about = {"metrics": metrics | network.header["metrics"]}
    parameters.write(paths.OWN_MODEL, export.network_parameters(additive, network, about))


if __name__ == "__main__":
    stage.run(main)
