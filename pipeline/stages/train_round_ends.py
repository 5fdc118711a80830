"""Stage ``train_round_ends``: fit the models of the round's end, evaluate them, and export them.

data/round_ends.json has the scores of each, and the calibration of each event by shanten.
"""

from __future__ import annotations

import numpy as np

from features.round_end_rows import ROUND_ENDS
from houjuu.player.round_end.round_ends import MODEL, NAMES
from models.metrics import round_end_metrics
from models.player.round_ends import RoundEndRegression
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.player_export import export
from pipeline.tables import read_rows, stored_shards


def main() -> None:
    """Fit, evaluate on held-out rows, export, and record the run."""
    params = settings.load()
    with open_engine(params.run) as engine, stored_shards("train_round_ends", engine) as open_table:
        shards = open_table(paths.ROUND_END_ROWS, ROUND_ENDS)
        rates = round_end_metrics.rates(shards)
        regression = RoundEndRegression(**params.train_round_ends).fit(shards)
    held_out = read_rows(paths.ROUND_END_ROWS, ROUND_ENDS, held_out=True)
    metrics = round_end_metrics.evaluate(regression.to_runtime(), rates, held_out)
    header = {
        "model": MODEL,
        "terms": {name: list(names) for name, names in NAMES.items()},
        "metrics": metrics["log_loss"],
    }
    export(
        "train_round_ends",
        (paths.ROUND_END_MODEL, paths.ROUND_END_METRICS),
        regression,
        header=header,
        arrays={f"round_ends/{name}": array for name, array in regression.weights_.items()}
        | {f"ranges/{name}": np.array(edges) for name, edges in regression.ranges_.items()},
        metrics=metrics,
        recorded={"round_ends": metrics["log_loss"]},
        games=("round_end_games", params.round_end_rows.games),
    )


if __name__ == "__main__":
    stage.run(main)
