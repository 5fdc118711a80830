"""Evaluation of the yaku model on held-out games: each target, and the han.

The baseline predicts the training mean for each (closed, shanten). Intervals are 95% intervals,
clustered by game.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from features.columns import floats, row_chunks
from features.yaku_rows import hands
from houjuu.player.hand_value.yaku_model import YakuModel, target_flags
from houjuu.player.hand_value.yaku_targets import SURE, TARGETS, WIN
from houjuu.util.arrays import Bools, Floats
from houjuu.util.intervals import clustered_mean
from models.fitting.shards import Shards
from models.metrics import calibration

FAR = 3
"""The shanten from which `houjuu.player.hand_value.value` has no value of a hand."""

_CHUNK = 10_000  # unit: rows


def predict(model: YakuModel, rows: pd.DataFrame) -> pd.DataFrame:
    """Evaluate the hands of rows of `features.yaku_rows`.

    Returns
    -------
    DataFrame
        expected and win, as in `Evaluation`, and P(wins so) by index of the target.
    """
    work = (delayed(_predict)(model, chunk) for chunk in row_chunks(rows, _CHUNK))
    parts = Parallel(return_as="generator")(work)
    columns = ["expected", "win", *range(len(TARGETS))]
    return pd.DataFrame(np.concatenate([*parts]), columns=columns, index=rows.index)


def _predict(model: YakuModel, rows: pd.DataFrame) -> Floats:
    evaluations = map(model.evaluate, hands(rows))
    return np.array([[one.expected, one.win, *one.chances.values()] for one in evaluations])


def label_sums(shards: Shards) -> pd.DataFrame:
    """Number of rows, and of wins by target, for each (closed, shanten)."""
    return reduce(_added, shards.map(_label_sums))


def _label_sums(rows: pd.DataFrame) -> pd.DataFrame:
    labels = pd.DataFrame(target_flags(rows["won_targets"]).astype(int), index=rows.index)
    labels["rows"] = 1
    return labels.groupby(_cell(rows)).sum()


def _added(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    return first.add(second, fill_value=0)


def rates(sums: pd.DataFrame) -> Floats:
    """P(wins so) by target of the rows of `label_sums`."""
    total = sums.sum()
    return np.asarray(total.drop("rows") / total["rows"], dtype=np.float64)


def predict_baseline(sums: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """P(wins so) by target, by the `label_sums` of the rows that were fitted to."""
    means = sums.div(sums["rows"], axis=0).drop(columns="rows").reindex(_cell(rows))
    return means.fillna(dict(enumerate(rates(sums)))).set_axis(rows.index)


def _cell(rows: pd.DataFrame) -> pd.Series[str]:
    closed = rows["closed"].map({True: "closed ", False: "open "})
    return closed + rows["shanten"].astype(str)


def of_yaku(
    rows: pd.DataFrame, predicted: pd.DataFrame, baseline: pd.DataFrame
) -> dict[str, dict[str, Any]]:
    """Scores of P(wins so) by target, of all hands and of those that are far.

    Parameters
    ----------
    rows : DataFrame
        `features.yaku_rows.YAKU`.
    predicted, baseline : DataFrame
        Results of `predict` and `predict_baseline`.

    Returns
    -------
    dict
        By group and target, where both labels occur and not every win has it: rate (of the labels),
        mean (of the predictions), improvement (of the log loss), and rows, log_loss, log_loss_base
        and half_interval as in `calibration.compared`.
    """
    won = target_flags(rows["won_targets"])
    return {
        group: {
            target.name: _scores(predicted[index], baseline[index], won[:, index], rows, mask)
            for index, target in enumerate(TARGETS)
            if target.yaku == WIN or target.yaku not in SURE
            if 0 < won[mask, index].sum() < mask.sum()
        }
        for group, mask in _groups(rows)
        if not group.isdecimal()
    }


def _scores(
    predicted: pd.Series[float],
    baseline: pd.Series[float],
    won: Bools,
    rows: pd.DataFrame,
    mask: Bools,
) -> dict[str, float]:
    losses, base_losses = (
        calibration.row_losses(np.asarray(one, np.float64)[mask], won[mask])
        for one in (predicted, baseline)
    )
    scores = calibration.compared(losses, base_losses, rows["game"].to_numpy()[mask])
    return {
        "rate": float(won[mask].mean()),
        "mean": float(predicted[mask].mean()),
        "improvement": -scores.pop("difference"),
        **scores,
    }


def of_han(rows: pd.DataFrame, predicted: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Predicted against measured han, by group.

    Parameters
    ----------
    rows, predicted : DataFrame
        As in `of_yaku`.

    Returns
    -------
    dict
        By group: `wins`, the hands that won, with the han predicted for a win; and `all` hands,
        with the expected han, where a hand that does not win has 0. Each has the means, and the
        error with half its interval.
    """
    wins = rows["won_form"].to_numpy() >= 0
    if_won = predicted["expected"] / predicted["win"]
    return {
        name: {
            "wins": _han(rows[mask & wins], if_won[mask & wins]),
            "all": _han(rows[mask], predicted["expected"][mask]),
        }
        for name, mask in _groups(rows)
        if (mask & wins).any()
    }


def _han(rows: pd.DataFrame, predicted: pd.Series[float]) -> dict[str, float]:
    measured, games = floats(rows, "won_han"), rows["game"].to_numpy(object)
    error, half_interval = clustered_mean(predicted.to_numpy() - measured, games)
    return {
        "rows": len(rows),
        "measured": float(measured.mean()),
        "predicted": float(predicted.mean()),
        "error": error,
        "half_interval": half_interval,
    }


def _groups(rows: pd.DataFrame) -> Iterator[tuple[str, Bools]]:
    """Yield all hands, those of each shanten, and those of shanten `FAR` and more."""
    shanten = rows["shanten"].to_numpy()
    yield "all", np.full(len(rows), True)
    yield from ((str(away), shanten == away) for away in range(6))
    yield "far", shanten >= FAR
