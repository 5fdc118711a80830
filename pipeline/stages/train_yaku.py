"""Stage ``train_yaku``: fit the yaku model, evaluate it on held-out games, and export it."""

from __future__ import annotations

from joblib import parallel_config

from features.yaku_rows import YAKU
from houjuu.player.hand_value.yaku_model import COLUMNS, MODEL, NAMES
from models.metrics import yaku_metrics
from models.player.yaku import YakuRegression
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.player_export import export
from pipeline.tables import read_rows, stored_shards


def main() -> None:
    """Fit, evaluate on held-out rows, export, and record the run."""
    params = settings.load()
    held_out = read_rows(paths.YAKU_ROWS, YAKU, held_out=True)
    with open_engine(params.run) as engine, stored_shards("train_yaku", engine) as open_table:
        shards = open_table(paths.YAKU_ROWS, YAKU)
        sums = yaku_metrics.label_sums(shards)
        regression = YakuRegression(**params.train_yaku).fit(shards)
    with parallel_config(n_jobs=params.run.jobs):
        predicted = yaku_metrics.predict(regression.to_runtime(), held_out)
    baseline = yaku_metrics.predict_baseline(sums, held_out)
    metrics = {
        "yaku": yaku_metrics.of_yaku(held_out, predicted, baseline),
        "han": yaku_metrics.of_han(held_out, predicted),
    }
    header = {
        "model": MODEL,
        "columns": list(COLUMNS),
        "targets": NAMES,
        "base_rates": dict(zip(NAMES, yaku_metrics.rates(sums).tolist(), strict=True)),
        "metrics": metrics,
    }
    arrays = ("weights", "yakuhai", "dora")
    export(
        "train_yaku",
        (paths.YAKU_MODEL, paths.YAKU_METRICS),
        regression,
        header=header,
        arrays={f"yaku/{name}": getattr(regression, f"{name}_") for name in arrays},
        metrics=metrics,
        recorded={"han": metrics["han"]},
        games=("yaku_games", params.yaku_rows.games),
    )


if __name__ == "__main__":
    stage.run(main)
