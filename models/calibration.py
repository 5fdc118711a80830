"""Predicted against measured: scores, and calibration tables with intervals.

Rows of one game are not independent (a hand that is tenpai is so for several decisions), so every
interval takes the game as the unit: the variance of a rate is that of a ratio of sums over games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

CLIP = 1e-6
"""Probabilities are held within [CLIP, 1 - CLIP] where their logarithm is taken."""

Z95 = 1.959964
"""Half width of a normal 95% interval, in standard errors."""

Floats = npt.NDArray[np.float64]


def scores(predicted: Floats, measured: npt.NDArray[np.bool_], base: float) -> dict[str, float]:
    """How good probabilities are, beside those of always saying the base rate.

    Parameters
    ----------
    predicted : (n,) array of probabilities
    measured : (n,) array of bool
    base : float
        The rate that the baseline says: of the rows that were fitted to, not of these.

    Returns
    -------
    dict
        rows, rate (measured), log_loss and log_loss_base (nats), brier and brier_base, auc
        (NaN where only one outcome occurs).
    """
    held = np.clip(predicted, CLIP, 1 - CLIP)
    constant = np.full(len(held), np.clip(base, CLIP, 1 - CLIP))
    both = len(np.unique(measured)) == 2
    return {
        "rows": len(held),
        "rate": float(np.mean(measured)),
        "log_loss": float(log_loss(measured, held, labels=[False, True])),
        "log_loss_base": float(log_loss(measured, constant, labels=[False, True])),
        "brier": float(brier_score_loss(measured, held, labels=[False, True])),
        "brier_base": float(brier_score_loss(measured, constant, labels=[False, True])),
        "auc": float(roc_auc_score(measured, held)) if both else float("nan"),
    }


def calibration(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Predicted against measured frequency, by the values of some columns.

    Parameters
    ----------
    rows : DataFrame
        Columns game, predicted and measured, and those of `by`.
    by : sequence of str
        The columns whose values make the groups.

    Returns
    -------
    DataFrame
        The columns of `by`, then games, rows, predicted, measured, and low and high, the 95%
        interval of measured (Wilson's, on the number of rows that the games are worth).
    """
    sums = _sums_by_game(rows, by)
    groups = sums.groupby(list(by), observed=True)
    table = groups.agg(
        games=("rows", "size"),
        rows=("rows", "sum"),
        predicted=("predicted", "sum"),
        measured=("measured", "sum"),
    )
    table["predicted"] /= table["rows"]
    table["measured"] /= table["rows"]
    rate = groups["measured"].transform("sum") / groups["rows"].transform("sum")
    sums["squares"] = (sums["measured"] - rate * sums["rows"]) ** 2
    squares = sums.groupby(list(by), observed=True)["squares"].sum()
    effective = _effective(
        table["measured"].to_numpy(dtype=float),
        table["rows"].to_numpy(dtype=float),
        table["games"].to_numpy(dtype=float),
        squares.to_numpy(dtype=float),
    )
    table["low"], table["high"] = _wilson(table["measured"].to_numpy(dtype=float), effective)
    return table.reset_index()


def _effective(rate: Floats, rows: Floats, games: Floats, squares: Floats) -> Floats:
    """How many independent rows would leave the rate as uncertain as these rows do."""
    variance = squares * games / np.maximum(games - 1, 1) / rows**2
    one_sided = (variance <= 0) | (games < 2)
    worth = rate * (1 - rate) / np.where(one_sided, 1.0, variance)
    return np.minimum(np.where(one_sided, games, worth), rows)


def _wilson(rate: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Wilson's interval, which stays within 0–1 and is honest at 0 and at 1."""
    z2 = Z95**2
    middle = (rate + z2 / (2 * rows)) / (1 + z2 / rows)
    half = Z95 / (1 + z2 / rows) * np.sqrt(rate * (1 - rate) / rows + z2 / (4 * rows**2))
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def _sums_by_game(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    keys: list[Any] = [*by, "game"]
    grouped = rows.groupby(keys, observed=True)
    sums = grouped.agg(
        rows=("measured", "size"), predicted=("predicted", "sum"), measured=("measured", "sum")
    )
    return sums.reset_index()


def bins(predicted: Floats, edges: Sequence[float]) -> npt.NDArray[np.int64]:
    """Index of the bin that each probability falls in; the last edge belongs to the last bin."""
    inner = np.asarray(edges)[1:-1]
    return np.searchsorted(inner, predicted, side="right")
