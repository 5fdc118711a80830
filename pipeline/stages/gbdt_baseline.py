"""Stage ``gbdt_baseline``: gradient-boosted trees on rows that the default model is fitted to.

data/gbdt_baseline.json has the scores of the trees on the same held-out rows as
data/houjuu/fit_metrics.json; the difference shows the information that the default model leaves
unused.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from joblib import Parallel, delayed
from tqdm import tqdm

from models.gbdt_baseline import TenpaiTrees, WinTrees
from models.metrics import evaluation
from models.metrics.eval_tasks import TASKS, win_metrics
from pipeline import eval_data, paths, settings, stage
from pipeline.eval_data import TaskRows
from pipeline.files import save_json


class BaselineFit(NamedTuple):
    """The number of games that the trees of a task were fitted to, and their scores."""

    games: int
    scores: dict[str, Any]


def main() -> None:
    """Fit the trees of every task, and measure them on held-out rows."""
    params = settings.load()
    limits = params.gbdt_baseline
    fits = Parallel(n_jobs=params.run.jobs, return_as="generator", pre_dispatch="n_jobs")(
        delayed(_fit)(limits, rows) for rows in eval_data.task_rows(limits.games)
    )
    by_task = dict(zip(TASKS, tqdm(fits, "gbdt_baseline", total=len(TASKS)), strict=True))
    metrics: dict[str, Any] = {"games": {}, "tenpai": {}, "waits": {}}
    for task, fit in by_task.items():
        metrics["games"][task] = fit.games
        metrics["tenpai" if task == "tenpai" else "waits"] |= fit.scores
    save_json(metrics, paths.BASELINE_METRICS)


def _fit(params: settings.BaselineSettings, rows: TaskRows) -> BaselineFit:
    boosting = params.trees | {"max_iter": params.iterations[rows.task]}
    trees: TenpaiTrees | WinTrees = WinTrees(boosting)
    if rows.task == "tenpai":
        trees = TenpaiTrees(boosting, params.subsample_stride)
    trees.fit(rows.fitted)
    return BaselineFit(int(rows.fitted["game"].nunique()), _scores(trees, rows))


def _scores(trees: TenpaiTrees | WinTrees, rows: TaskRows) -> dict[str, Any]:
    held_out = rows.held_out
    if isinstance(trees, WinTrees):
        return win_metrics(held_out, rows.task, trees.predict_rows)
    predicted = trees.predict_proba(held_out)[:, 1]
    return evaluation.tenpai_metrics(held_out.assign(predicted=predicted), trees.rates_)


if __name__ == "__main__":
    stage.run(main)
