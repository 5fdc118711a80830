"""Stage ``train_network``: fit the network of discards on top of the GAM of P(tenpai).

data/houjuu/network_metrics.json has the scores of P(tenpai) on held-out rows, and the difference to
the GAM alone: of all rows, by open melds, and late in the round; and the loss of each epoch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from features import schema
from features.schema.tenpai import TENPAI
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.util import parameters
from houjuu.util.intervals import clustered_mean
from houjuu.util.parameters import Parameters
from models.houjuu import export
from models.houjuu.discard_network import DiscardNetworkFit
from models.metrics import evaluation
from models.metrics.calibration import row_losses
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.files import save_json
from pipeline.resume import UNFINISHED
from pipeline.tables import read_rows, stored_shards

_CHECKED = 10_000  # unit: rows
_LATE = 20  # tiles left


def main() -> None:
    """Fit, check, evaluate on held-out rows, and export."""
    params = settings.load()
    additive = parameters.read(paths.fit_path(paths.TENPAI_FIT))
    before = TenpaiModel.from_parameters(additive)
    with open_engine(params.run) as engine, stored_shards("train_network", engine) as open_table:
        shards = open_table(paths.TENPAI_ROWS, TENPAI)
        network = DiscardNetworkFit(**params.train_network).fit(shards, before.gam, UNFINISHED)
        rates = evaluation.tenpai_rates(shards)
    rows = read_rows(paths.TENPAI_ROWS, TENPAI, held_out=True)
    worst = export.check_network(network, rows[:_CHECKED])
    print(f"runtime and fit agree to {worst:.1e} on {len(rows[:_CHECKED])} held-out rows")
    columns = schema.arrays(rows)
    part = export.network_part(before.gam, network)
    fitted = TenpaiModel.from_parameters(export.network_parameters(additive, part, {}))
    predicted = fitted.predict_rows(columns)
    tenpai = evaluation.tenpai_metrics(rows.assign(predicted=predicted), rates)
    gain = _differences(rows, predicted, before.predict_rows(columns))
    print(", ".join(f"{name}: {numbers['difference']:+.4f}" for name, numbers in gain.items()))
    scores = {"tenpai": tenpai, "less_additive": gain, "loss_by_epoch": network.losses_}
    save_json(scores, paths.NETWORK_METRICS)
    header = {**part.header, "metrics": {"tenpai": tenpai}}
    parameters.write(paths.fit_path(paths.NETWORK_FIT), Parameters(header, part.arrays))


def _differences(rows: pd.DataFrame, predicted: Any, before: Any) -> dict[str, dict[str, float]]:
    """Log loss less that of the additive model, with half of its 95% interval over games."""
    label, melds = rows["tenpai"].to_numpy(), rows["n_open_melds"].to_numpy()
    losses = row_losses(predicted, label) - row_losses(before, label)
    groups = {"all": np.ones(len(rows), bool)}
    groups |= {f"{n} open melds": melds == n for n in range(4)}
    groups[f"under {_LATE} tiles left"] = rows["tiles_left"].to_numpy() < _LATE
    games = rows["game"].to_numpy()
    means = {name: clustered_mean(losses[mask], games[mask]) for name, mask in groups.items()}
    return {
        name: {"difference": mean, "half_width": half}
        for name, (mean, half) in means.items()
        if groups[name].any()
    }


if __name__ == "__main__":
    stage.run(main)
