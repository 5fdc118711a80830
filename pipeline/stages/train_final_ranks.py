"""Stage ``train_final_ranks``: fit the model of final ranks, evaluate it on held-out games, export.

data/final_ranks.json has the scores by phase of the game, and the calibration of each rank.
"""

from __future__ import annotations

from features.final_rank_rows import FINAL_RANKS
from houjuu.player.values.final_ranks import FEATURES, MODEL, PHASES
from models.metrics import final_rank_metrics
from models.player.final_ranks import FinalRankRegression
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.player_export import export
from pipeline.tables import read_rows, stored_shards


def main() -> None:
    """Fit, evaluate on held-out rows, export, and record the run."""
    params = settings.load()
    with (
        open_engine(params.run) as engine,
        stored_shards("train_final_ranks", engine) as open_table,
    ):
        shards = open_table(paths.FINAL_RANK_ROWS, FINAL_RANKS)
        rates = final_rank_metrics.rates(shards)
        regression = FinalRankRegression(**params.train_final_ranks).fit(shards)
    held_out = read_rows(paths.FINAL_RANK_ROWS, FINAL_RANKS, held_out=True)
    metrics = final_rank_metrics.evaluate(regression.to_runtime(), rates, held_out)
    header = {
        "model": MODEL,
        "phases": list(PHASES),
        "terms": list(FEATURES),
        "metrics": metrics["log_loss"],
    }
    export(
        "train_final_ranks",
        (paths.FINAL_RANK_MODEL, paths.FINAL_RANK_METRICS),
        regression,
        header=header,
        arrays={"final_ranks/weights": regression.weights_},
        metrics=metrics,
        recorded={"final_ranks": metrics["log_loss"]},
    )


if __name__ == "__main__":
    stage.run(main)
