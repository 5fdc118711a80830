"""Evaluation of the yaku model on held-out games: each target, and the han.

The baseline predicts the training mean for each (closed, shanten). Intervals are 95% intervals,
clustered by game.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed

from features.columns import row_chunks
from features.yaku_rows import hands
from houjuu.player.hand_value.yaku_model import YakuModel, target_flags
from houjuu.player.hand_value.yaku_targets import SURE, TARGETS, WIN
from houjuu.util.arrays import Bools, Floats
from houjuu.util.intervals import clustered_mean
from models.fitting.shards import Shards
from models.metrics import calibration
from models.metrics.calibration import row_losses

FAR = 3
"""The shanten from which `houjuu.player.hand_value.value` has no value of a hand."""

GROUPS = ("all", *map(str, range(6)), "far")
"""Groups of rows: all hands, those of each shanten, and those of shanten `FAR` and more."""

EVALUATED = [
    index for index, target in enumerate(TARGETS) if target.yaku == WIN or target.yaku not in SURE
]
"""Indices in `TARGETS` of those that are evaluated: every win has the others."""

_CHUNK = 10_000  # unit: rows
_WINS = [index for index, target in enumerate(TARGETS) if target.yaku == WIN]


def predict(model: YakuModel, rows: pd.DataFrame) -> pd.DataFrame:
    """Evaluate the hands of rows of `features.yaku_rows`.

    Returns
    -------
    DataFrame
        total, expected and win, as in `Evaluation`, and P(wins so) by index of the target.
    """
    work = (delayed(_predict)(model, chunk) for chunk in row_chunks(rows, _CHUNK))
    parts = Parallel(return_as="generator")(work)
    predicted = np.concatenate(list(parts))
    columns = ["total", "expected", "win", *range(len(TARGETS))]
    return pd.DataFrame(predicted, columns=columns, index=rows.index)


def _predict(model: YakuModel, rows: pd.DataFrame) -> Floats:
    predicted = []
    for hand in hands(rows):
        evaluation = model.evaluate(hand)
        chances = evaluation.chances.values()
        predicted.append([evaluation.total, evaluation.expected, evaluation.win, *chances])
    return np.array(predicted)


def label_sums(shards: Shards) -> pd.DataFrame:
    """Number of rows, of wins by target, and Σ of the han, for each (closed, shanten)."""
    return reduce(_added, shards.map(_label_sums))


def _label_sums(rows: pd.DataFrame) -> pd.DataFrame:
    won = target_flags(rows["won_targets"]).astype(int)
    labels = pd.DataFrame(won, index=rows.index)
    labels["han"] = rows["won_han"].astype(int)
    labels["rows"] = 1
    return labels.groupby(_cell(rows)).sum()


def _added(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    return first.add(second, fill_value=0)


def rates(sums: pd.DataFrame) -> Floats:
    """P(wins so) by target of the rows of `label_sums`."""
    total = sums.sum()
    wins = total[list(range(len(TARGETS)))]
    return np.asarray(wins / total["rows"], dtype=np.float64)


def predict_baseline(sums: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """The baseline: mean han of a win, and P(wins so) by target.

    Parameters
    ----------
    sums : DataFrame
        `label_sums` of the rows that were fitted to.
    rows : DataFrame
    """
    total = sums.sum()
    means = sums.div(sums["rows"], axis=0).drop(columns="rows")
    predicted = means.reindex(_cell(rows)).fillna(total / total["rows"])
    mean_han = total["han"] / total[_WINS].sum()
    wins = predicted[_WINS].sum(axis=1)
    predicted["han"] = (predicted["han"] / wins).fillna(mean_han)
    return predicted.set_axis(rows.index)


def _cell(rows: pd.DataFrame) -> pd.Series[str]:
    closed = rows["closed"].map({True: "closed ", False: "open "})
    return closed + rows["shanten"].astype(str)


def of_yaku(
    rows: pd.DataFrame, predicted: pd.DataFrame, baseline: pd.DataFrame, rates: Floats
) -> dict[str, dict[str, Any]]:
    """Scores of P(wins so) by target, of all hands and of those that are far.

    Parameters
    ----------
    rows : DataFrame
        `features.yaku_rows.YAKU`.
    predicted, baseline : DataFrame
        Results of `predict` and `predict_baseline`.
    rates : (targets,) array
        Base rates: those of the rows that were fitted to.

    Returns
    -------
    dict
        By group and target, where both labels occur: `calibration.metrics` of the model, mean (of
        the predictions), wins, log loss, Brier score and AUC of the baseline, improvement (log loss
        of the baseline less that of the model) and half_interval (half its interval).
    """
    won = target_flags(rows["won_targets"])
    games = rows["game"].to_numpy(object)
    scores: dict[str, dict[str, Any]] = {}
    for name, mask in _groups(rows):
        if name not in ("all", "far"):
            continue
        scores[name] = {}
        for target in EVALUATED:
            label = won[mask, target]
            if label.any() and not label.all():
                scores[name][TARGETS[target].name] = _scores(
                    _floats(predicted[target])[mask],
                    _floats(baseline[target])[mask],
                    label,
                    games[mask],
                    rates[target],
                )
    return scores


def _scores(
    predicted: Floats, baseline: Floats, won: Bools, games: npt.NDArray[np.object_], rate: float
) -> dict[str, Any]:
    base_metrics = calibration.metrics(baseline, won, rate)
    losses = row_losses(baseline, won) - row_losses(predicted, won)
    improvement, half_interval = clustered_mean(losses, games)
    return {
        **calibration.metrics(predicted, won, rate),
        "mean": float(predicted.mean()),
        "wins": int(won.sum()),
        "log_loss_baseline": base_metrics["log_loss"],
        "brier_baseline": base_metrics["brier"],
        "auc_baseline": base_metrics["auc"],
        "improvement": improvement,
        "half_interval": half_interval,
    }


def of_han(
    rows: pd.DataFrame, predicted: pd.DataFrame, baseline: pd.DataFrame
) -> dict[str, dict[str, Any]]:
    """Predicted against measured han, by group.

    Parameters
    ----------
    rows, predicted, baseline : DataFrame
        As in `of_yaku`.

    Returns
    -------
    dict
        By group: `wins`, the hands that won, with the han predicted for a win; and `all` hands,
        with the expected han, where a hand that does not win has 0, and the total of the best
        group of yaku. Each has the means, the error with half its interval, and the correlations
        with the measured han.
    """
    wins = rows["won_form"].to_numpy() >= 0
    if_won = predicted["expected"] / predicted["win"]
    others = {
        "group": predicted["total"],
        "baseline": baseline["han"] * baseline[_WINS].sum(axis=1),
    }
    return {
        name: {
            "wins": _han(rows, mask & wins, if_won, {"baseline": baseline["han"]}),
            "all": _han(rows, mask, predicted["expected"], others),
        }
        for name, mask in _groups(rows)
        if (mask & wins).any()
    }


def _han(
    rows: pd.DataFrame,
    mask: Bools,
    expected: pd.Series[float],
    others: dict[str, pd.Series[float]],
) -> dict[str, Any]:
    measured = _floats(rows["won_han"])[mask]
    predicted = _floats(expected)[mask]
    games = rows["game"].to_numpy(object)[mask]
    error, half_interval = clustered_mean(predicted - measured, games)
    metrics = {
        "rows": len(measured),
        "measured": float(measured.mean()),
        "predicted": float(predicted.mean()),
        "error": error,
        "half_interval": half_interval,
        "correlation": _correlation(predicted, measured),
    }
    for name, column in others.items():
        han = _floats(column)[mask]
        metrics[name] = float(han.mean())
        metrics[f"correlation_{name}"] = _correlation(han, measured)
    return metrics


def _floats(column: pd.Series[Any]) -> Floats:
    return column.to_numpy(np.float64)


def _correlation(first: Floats, second: Floats) -> float | None:
    if len(first) < 3 or not first.std() or not second.std():
        return None
    return float(np.corrcoef(first, second)[0, 1])


def _groups(rows: pd.DataFrame) -> Iterator[tuple[str, Bools]]:
    shanten = rows["shanten"].to_numpy()
    yield GROUPS[0], np.full(len(rows), True)
    yield from ((str(away), shanten == away) for away in range(6))
    yield GROUPS[-1], shanten >= FAR
