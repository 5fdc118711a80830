"""What few games of one's own are worth: P(tenpai) fitted from nothing and from a prior.

Run it in the folder of a run. A line has the log loss on held-out rows of the fits to so many
games, of the prior, and the differences to the prior with half of their 95% intervals by game.
Held-out games in the fit of the prior are left out.

    python -m benchmarks.prior_curve --games 30 100 300
"""

from __future__ import annotations

import sys
from functools import partial

import numpy as np
import pandas as pd

from benchmarks import output
from features import schema
from features.schema.tenpai import TENPAI
from houjuu.estimators import seen_games
from houjuu.estimators.loading import EVALUATED_MODEL, parameter_file
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.util import parameters
from houjuu.util.arrays import Floats
from houjuu.util.intervals import clustered_mean
from models.fitting import pull
from models.fitting.shards import FrameShards
from models.houjuu import tenpai_gam
from models.houjuu.discard_network import AdaptedNetwork
from models.houjuu.tenpai_gam import TenpaiGAM
from models.metrics.calibration import row_losses
from pipeline import paths, settings
from pipeline.tables import read_rows, without_seen


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--prior", default=EVALUATED_MODEL, help="(%(default)s)")
    options.add_argument("--games", type=int, nargs="+", default=[30, 100, 300])
    arguments = options.parse_args()
    held_out = read_rows(paths.TENPAI_ROWS, TENPAI, held_out=True)
    left = without_seen(held_out, seen_games.seen_by(arguments.prior))
    n_games, n_left = (rows["game"].nunique() for rows in (held_out, left))
    if n_left < n_games:
        print(seen_games.sentence(n_games - n_left, n_games), file=sys.stderr)
    lines = []
    for count in arguments.games:
        fitted = read_rows(paths.TENPAI_ROWS, TENPAI, held_out=False, games=count)
        lines.append(line(fitted, left, arguments.prior))
    output.show(lines, as_json=arguments.json)


def line(fitted: pd.DataFrame, held_out: pd.DataFrame, prior: str) -> dict[str, object]:
    """The log losses of the fits to some rows, on others."""
    label, games = held_out["tenpai"].to_numpy(), held_out["game"].to_numpy(object)
    columns = schema.arrays(held_out)
    shards = FrameShards(fitted)
    estimator = TenpaiGAM(**settings.load().train[paths.TENPAI_FIT])
    own = TenpaiModel(estimator.fit(shards).to_runtime(), None)
    start = TenpaiModel.from_parameters(parameters.from_bytes(parameter_file(prior), prior))
    adapted, strength = with_prior(estimator, shards, start)
    losses: dict[str, Floats] = {
        name: row_losses(model.predict_rows(columns), label)
        for name, model in (("own", own), ("with prior", adapted), ("prior", start))
    }
    result: dict[str, object] = {"games": fitted["game"].nunique(), "pull": strength}
    result |= {name: float(np.mean(loss)) for name, loss in losses.items()}
    for name in ("own", "with prior"):
        difference, half = clustered_mean(losses[name] - losses["prior"], games)
        result |= {f"{name} less prior": difference, f"half of {name}": half}
    return result


def with_prior(
    estimator: TenpaiGAM, shards: FrameShards, start: TenpaiModel
) -> tuple[TenpaiModel, float | None]:
    """The fit with a prior, as the stage ``adapt`` makes it, and its pull."""
    losses = partial(tenpai_gam.losses, network=start.network)
    part = pull.fit(estimator, shards, start.gam, losses, network=start.network)
    gam, strength = part.to_runtime(), part.settings["pull"]
    if start.network is None:
        return TenpaiModel(gam, None), strength
    network = AdaptedNetwork.fit(shards, gam, start.network)
    return TenpaiModel(gam.scaled(network.gam_factors_), network.network), strength


if __name__ == "__main__":
    main()
