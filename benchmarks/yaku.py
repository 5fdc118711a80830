"""Ablation of the yaku model on held-out hands of data/yaku.

Run it after `make train`. The log loss is summed over all yaku: P(wins with it) against the result
of the hand, in nats. "more" is the difference to the default, and "±" half its 95% interval,
clustered by game. "far" are hands of shanten 3 and more. "correlation" is between the expected han
of the best group and the han of the win, 0 if the hand did not win.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import parallel_config
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tqdm import tqdm

from benchmarks import output
from benchmarks.markdown import row
from features.yaku_rows import YAKU
from houjuu.player.hand_value.yaku_model import target_flags, terms
from houjuu.player.hand_value.yaku_targets import HAND_NUMBERS, TARGETS
from houjuu.util.arrays import Floats
from houjuu.util.intervals import clustered_mean
from models import ablation
from models.fitting.shards import FrameShards
from models.metrics import yaku_metrics
from models.metrics.calibration import row_losses
from models.metrics.yaku_metrics import EVALUATED
from models.player.yaku import YakuRegression, split_counts
from pipeline import settings
from pipeline.paths import YAKU_METRICS, YAKU_ROWS
from pipeline.tables import read_rows

_NAMES = [name for name, _ in HAND_NUMBERS]

VARIANTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "the default": ({}, []),
    "fitted to the mean of all splits": ({"iterations": 0}, []),
    "splits chosen once": ({"iterations": 1}, []),
    "penalty 30": ({"penalty": 30.0}, []),
    "without the suits": ({}, ["off_suit", "honours", "sanshoku", "ittsuu"]),
    "without draws and shanten": ({}, ["draws", "shanten"]),
    "the 21 classes alone": ({}, [name for name in _NAMES if name != "dora"]),
}
"""By name: changed parameters, and features that are left out."""


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument(
        "--games", type=int, default=2000, help="number of training games (%(default)s)"
    )
    options.add_argument("--tables", action="store_true", help="print data/yaku.json as Markdown")
    arguments = options.parse_args()
    if arguments.tables:
        print("\n".join(tables(json.loads(Path(YAKU_METRICS).read_text()))))
        return
    rows = read_rows(YAKU_ROWS, YAKU, held_out=False)
    held_out = read_rows(YAKU_ROWS, YAKU, held_out=True)
    rows = rows[rows["game"].isin(rows["game"].drop_duplicates()[: arguments.games])]
    with parallel_config(n_jobs=settings.load().run.jobs):
        predictions = dict(tqdm(_all(rows, held_out), total=len(VARIANTS) + 2))
    base = predictions["the default"][0]
    lines = [_line(name, base, *of_variant, held_out) for name, of_variant in predictions.items()]
    output.show(lines, as_json=arguments.json)


def tables(results: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the tables in docs/yaku.md."""
    yaku = results["yaku"]
    yield row(
        *("", "won", "mean predicted", "log loss", "baseline", "better by, 95%", "AUC", "baseline"),
        *("far: better by, 95%", "AUC"),
    )
    yield "|" + "---|" * 10
    for name, metrics in yaku["all"].items():
        far = yaku["far"].get(name)
        yield row(
            *(name, f"{metrics['wins']:,} ({metrics['rate']:.3%})", f"{metrics['mean']:.3%}"),
            *(_short(metrics["log_loss"]), _short(metrics["log_loss_baseline"]), _better(metrics)),
            *(f"{metrics['auc']:.3f}", f"{metrics['auc_baseline']:.3f}"),
            *((_better(far), f"{far['auc']:.3f}") if far else ("", "")),
        )
    yield ""
    columns = "han | predicted | error, 95% | r |"
    yield f"| shanten | wins | {columns} hands | {columns}"
    yield "|" + "---|" * 11
    for name, metrics in results["han"].items():
        yield row(name, *(cell for sample in ("wins", "all") for cell in _han(metrics[sample])))


def _short(number: float) -> str:
    return f"{number:.5f}".replace("0.", ".", 1)


def _better(metrics: dict[str, float]) -> str:
    return f"{metrics['improvement']:.5f} ± {metrics['half_interval']:.5f}".replace("0.", ".")


def _han(metrics: dict[str, Any]) -> Iterator[str]:
    yield f"{metrics['rows']:,}"
    yield f"{metrics['measured']:.3f}"
    yield f"{metrics['predicted']:.3f}"
    yield f"{metrics['error']:+.3f} ± {metrics['half_interval']:.3f}".replace("-", "−")
    yield "" if metrics["correlation"] is None else f"{metrics['correlation']:.2f}"


Prediction = tuple[Floats, Floats | None]
"""Log loss of every hand, and the expected han of the best group where there is one."""


def _all(rows: pd.DataFrame, held_out: pd.DataFrame) -> Iterator[tuple[str, Prediction]]:
    default = settings.load().train_yaku
    for name, (changed, left_out) in VARIANTS.items():
        fitted = ablation.without(rows, left_out)
        evaluated = ablation.without(held_out, left_out)
        model = YakuRegression(**default | changed).fit(FrameShards(fitted)).to_runtime()
        predicted = yaku_metrics.predict(model, evaluated)
        yield (
            name,
            (_loss(predicted[EVALUATED].to_numpy(), held_out), predicted["total"].to_numpy()),
        )
        if name == "the default":
            split = model.split
    counts = [split_counts(table, split) for table in (rows, held_out)]
    for name, logistic in (("one regression per yaku", True), ("… linear, no link", False)):
        yield name, (_loss(_direct(rows, held_out, counts, logistic=logistic), held_out), None)


def _loss(predicted: Floats, rows: pd.DataFrame) -> Floats:
    """Sum over the targets, (n,)."""
    return np.asarray(
        row_losses(predicted, target_flags(rows["won_targets"])[:, EVALUATED]).sum(axis=1)
    )


def _direct(
    rows: pd.DataFrame, held_out: pd.DataFrame, counts: list[Any], *, logistic: bool
) -> Floats:
    """P(wins with it) by target, fitted directly to "this hand won with Y"."""
    won = target_flags(rows["won_targets"])
    possible = [target_flags(table["possible_targets"]) for table in (rows, held_out)]
    closed = [table["closed"].to_numpy() for table in (rows, held_out)]
    numbers = [terms(table[_NAMES].to_numpy()) for table in (rows, held_out)]
    predicted = np.zeros((len(held_out), len(EVALUATED)))
    for column, target in enumerate(EVALUATED):
        form = TARGETS[target].form
        for is_closed in (True, False):
            fit, evaluate = (
                allowed[:, target] & (flags == is_closed)
                for allowed, flags in zip(possible, closed, strict=True)
            )
            if not won[fit, target].any() or not evaluate.any():
                continue
            x, x_evaluate = (
                np.hstack([count[form][mask], number[mask]])
                for count, number, mask in zip(counts, numbers, (fit, evaluate), strict=True)
            )
            if logistic:
                model = make_pipeline(StandardScaler(), LogisticRegression(C=1 / 3, max_iter=500))
                model.fit(x, won[fit, target])
                predicted[evaluate, column] = model.predict_proba(x_evaluate)[:, 1]
            else:
                linear = LinearRegression().fit(x, won[fit, target])
                predicted[evaluate, column] = linear.predict(x_evaluate)
    return predicted


def _line(
    name: str, base: Floats, loss: Floats, total: Floats | None, rows: pd.DataFrame
) -> dict[str, Any]:
    line: dict[str, Any] = {"": name}
    far = rows["shanten"].to_numpy() >= yaku_metrics.FAR
    for part, mask in (("all", np.full(len(rows), True)), ("far", far)):
        games = rows["game"].to_numpy(object)[mask]
        more, half = clustered_mean(loss[mask] - base[mask], games)
        line[part] = float(loss[mask].mean())
        line[f"{part}: more"] = more
        line[f"{part}: ±"] = half
        han = rows["won_han"].to_numpy(float)[mask]
        line[f"{part}: correlation"] = (
            None if total is None else float(np.corrcoef(total[mask], han)[0, 1])
        )
    return line


if __name__ == "__main__":
    main()
