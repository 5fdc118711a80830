"""Predicted against measured: scores, and calibration tables with intervals.

The rows of one game are not independent (a hand that is tenpai is so for several decisions). Every
interval therefore has the game as its unit: the variance of a rate is that of a ratio of sums over
games (Cochran 1977, section 6.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.optimize import isotonic_regression
from scipy.special import logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from features.columns import floats
from houjuu.util.arrays import Bools, Floats, Ints
from houjuu.util.intervals import FEWEST, Z95, clustered_mean, half_width

CLIP = 1e-6
"""Probabilities are clipped to [CLIP, 1 - CLIP] before their logarithm is taken."""


def metrics(predicted: Floats, label: Bools, base_rate: float) -> dict[str, float]:
    """Scores of probabilities, beside those of a constant prediction.

    Parameters
    ----------
    predicted : (n,) array
        Probabilities, 0–1.
    label : (n,) array
    base_rate : float
        The constant prediction: the rate of the rows that were fitted to, not of these.

    Returns
    -------
    dict
        rows, rate (of the label), log_loss and log_loss_base (nats), brier and brier_base, auc
        (NaN where only one label occurs).
    """
    clipped = np.clip(predicted, CLIP, 1 - CLIP)
    rate = np.clip(base_rate, CLIP, 1 - CLIP)
    constant = np.full(len(clipped), rate)
    labels = [False, True]
    both = len(np.unique(label)) == 2
    return {
        "rows": len(clipped),
        "rate": float(np.mean(label)),
        "log_loss": float(log_loss(label, clipped, labels=labels)),
        "log_loss_base": float(log_loss(label, constant, labels=labels)),
        "brier": float(brier_score_loss(label, clipped, labels=labels)),
        "brier_base": float(brier_score_loss(label, constant, labels=labels)),
        "auc": float(roc_auc_score(label, clipped)) if both else float("nan"),
    }


_QUANTILES, _DRAWS = 200, 200  # groups of rows, and samples of games, for a band
_NO_WEIGHT = 1e-9

LINE = ("slope", "slope_half", "intercept", "intercept_half")
"""What `logit_line` returns besides the number of rows."""


def logit_line(predicted: Floats, label: Bools, games: npt.NDArray[Any]) -> dict[str, float]:
    """The logistic regression of the label on the logit of the prediction (Cox 1958).

    A calibrated model has the slope 1 and the intercept 0. A slope below 1: high predictions are
    too high and low ones too low. Predictions below `CLIP`, which are certain, are left out.

    Parameters
    ----------
    predicted, label, games : (n,) arrays

    Returns
    -------
    dict
        rows, and `LINE`: slope and intercept, each with half of its 95% interval, which counts a
        game once (the sandwich estimator of White 1982). All four are NaN with fewer than `FEWEST`
        rows of a label, or one prediction.
    """
    uncertain = (predicted > CLIP) & (predicted < 1 - CLIP)
    logits = logit(predicted[uncertain])
    label = label[uncertain]
    values = [float("nan")] * len(LINE)
    if min(label.sum(), (~label).sum()) >= FEWEST and np.ptp(logits) > 0:
        line = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-8)
        line.fit(logits[:, None], label)
        inputs = np.column_stack([logits, np.ones(len(logits))])
        fitted = line.predict_proba(logits[:, None])[:, 1]
        slope_half, intercept_half = _half_widths(inputs, fitted, label, games[uncertain])
        values = [line.coef_[0, 0], slope_half, line.intercept_[0], intercept_half]
    return {"rows": len(label), **dict(zip(LINE, map(float, values), strict=True))}


def _half_widths(inputs: Floats, fitted: Floats, label: Bools, games: npt.NDArray[Any]) -> Floats:
    """Half of the 95% interval of every coefficient of a logistic regression, by game."""
    weighted = inputs * (fitted * (1 - fitted))[:, None]
    inverse = np.linalg.pinv(inputs.T @ weighted)
    codes, names = pd.factorize(games)
    scores = np.zeros((len(names), inputs.shape[1]))
    np.add.at(scores, codes, inputs * (label - fitted)[:, None])
    covariance = inverse @ scores.T @ scores @ inverse
    return np.array([half_width(square, len(names)) for square in np.diag(covariance)])


PARTS = ("miscalibration", "discrimination", "uncertainty")
"""The parts of a log loss: the first, less the second, plus the third."""


def loss_parts(predicted: Floats, label: Bools, games: npt.NDArray[Any]) -> dict[str, float]:
    """The log loss in the three parts of `PARTS`, with intervals.

    The recalibrated prediction is the isotonic regression of the label on the prediction, the best
    monotonic correction for these rows (CORP: Dimitriadis, Gneiting and Jordan 2021). The log loss
    less that of it is the miscalibration. The loss of the base rate, the uncertainty, less that of
    it is the discrimination. In few games the correction fits chance, too: the miscalibration is
    then too high.

    Parameters
    ----------
    predicted, label, games : (n,) arrays

    Returns
    -------
    dict
        log_loss and each part in nats; ``PART_half`` is half of its 95% interval, which counts a
        game once and takes the correction as given; NaN where there is none.
    """
    clipped = np.clip(predicted, CLIP, 1 - CLIP)
    own = row_losses(clipped, label)
    best = row_losses(isotonic(predicted, label).predict(predicted), label)
    base = row_losses(np.full(len(label), label.mean()), label)
    codes = pd.factorize(games)[0].tolist()
    parts = {"log_loss": float(own.mean())}
    for name, losses in zip(PARTS, (own - best, base - best, base), strict=True):
        parts[name], half = clustered_mean(losses.tolist(), codes)
        parts[f"{name}_half"] = half if label.sum() >= FEWEST else float("nan")
    return parts


def isotonic(predicted: Floats, label: Bools) -> IsotonicRegression:
    """The isotonic regression of the label on the prediction."""
    regression = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    return regression.fit(predicted, label)


def curves(rows: pd.DataFrame, by: str) -> pd.DataFrame:
    """Measured by predicted frequency without bins: the `isotonic` regression of each group.

    Parameters
    ----------
    rows : DataFrame
        Columns game, predicted and label, and that of the groups.
    by : str

    Returns
    -------
    DataFrame
        The group ("all", then each), and at the ends of each step predicted, measured, and low and
        high: the 95% band of measured, from samples of the games with replacement. Groups with
        fewer than `FEWEST` events are left out.
    """
    steps = []
    for group, of_group in [("all", rows), *rows.groupby(by, observed=True)]:
        label = of_group["label"].to_numpy(bool)
        if label.sum() >= FEWEST:
            predicted, games = floats(of_group, "predicted"), of_group["game"].to_numpy(object)
            regression = isotonic(predicted, label)
            low, high = _band(regression, predicted, label, games)
            step = {"predicted": regression.X_thresholds_, "measured": regression.y_thresholds_}
            steps.append(pd.DataFrame({by: group, **step, "low": low, "high": high}))
    names = [by, "predicted", "measured", "low", "high"]
    return pd.concat(steps) if steps else pd.DataFrame(columns=names)


def _band(
    regression: IsotonicRegression, predicted: Floats, label: Bools, games: npt.NDArray[Any]
) -> Floats:
    """The 95% band of an isotonic regression at its ends, (2, n), from samples of games.

    Rows between two quantiles of the predictions, and of one step, are pooled.
    """
    at = regression.X_thresholds_
    ends = np.union1d(np.quantile(predicted, np.linspace(0, 1, _QUANTILES)[1:-1]), at[1:])
    cell = np.searchsorted(ends, predicted, side="right")
    codes, names = pd.factorize(games)
    sums = np.zeros((2, len(names), len(ends) + 1))
    np.add.at(sums[0], (codes, cell), 1)
    np.add.at(sums[1], (codes, cell), label)
    shares = np.full(len(names), 1 / len(names))
    drawn = np.random.default_rng(0).multinomial(len(names), shares, _DRAWS)
    usual = sums[1].sum(axis=0) / np.maximum(sums[0].sum(axis=0), 1)
    curves = []
    for rows, events in zip(drawn @ sums[0], drawn @ sums[1], strict=True):
        rates = np.divide(events, rows, out=usual.copy(), where=rows > 0)
        curves.append(isotonic_regression(rates, weights=np.maximum(rows, _NO_WEIGHT)).x)
    band = np.percentile(curves, (2.5, 97.5), axis=0)
    return np.asarray(band[:, np.searchsorted(ends, at, side="right")])


def row_losses(predicted: Floats, label: Bools) -> Floats:
    """Log loss of each row, nats, (n,)."""
    clipped = np.clip(predicted, CLIP, 1 - CLIP)
    likelihood = np.where(label, clipped, 1 - clipped)
    return np.asarray(-np.log(likelihood))


def compared(losses: Floats, base_losses: Floats, games: npt.NDArray[Any]) -> dict[str, float]:
    """Log losses beside those of a baseline.

    Parameters
    ----------
    losses, base_losses : (n,) or (n, k) arrays
        Losses of n rows with k predictions each, nats.
    games : (n,) array

    Returns
    -------
    dict
        Number of predictions, both means, their difference and half of its 95% interval, which
        counts a game once.
    """
    gains = losses - base_losses
    if gains.ndim > 1:
        gains = gains.mean(axis=1)
    game_codes, _ = pd.factorize(games)
    difference, half = clustered_mean(gains.tolist(), game_codes.tolist())
    return {
        "rows": losses.size,
        "log_loss": float(losses.mean()),
        "log_loss_base": float(base_losses.mean()),
        "difference": difference,
        "half_interval": half,
    }


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The lines of a table, for a JSON file."""
    lines = table.to_dict("records")
    return [{str(column): value for column, value in line.items()} for line in lines]


def calibration(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Mean prediction against measured frequency, by the values of some columns.

    Parameters
    ----------
    rows : DataFrame
        Columns game, predicted and label, and those of `by`.
    by : sequence of str
        The columns whose values make the groups.

    Returns
    -------
    DataFrame
        The columns of `by`, then games, rows, predicted, measured, and low and high: the 95%
        interval of measured (Wilson's, with the number of independent rows of equal variance).
    """
    sums = _sums_by_game(rows, by)
    groups = sums.groupby(list(by), observed=True)
    table = groups.agg(
        games=("rows", "size"),
        rows=("rows", "sum"),
        predicted=("predicted", "sum"),
        measured=("label", "sum"),
    )
    table["predicted"] /= table["rows"]
    table["measured"] /= table["rows"]
    rate = groups["label"].transform("sum") / groups["rows"].transform("sum")
    residual = sums["label"] - rate * sums["rows"]
    sums["squares"] = residual**2
    squares = sums.groupby(list(by), observed=True)["squares"].sum()
    measured = floats(table, "measured")
    effective = _effective_rows(
        measured,
        floats(table, "rows"),
        floats(table, "games"),
        squares.to_numpy(dtype=float),
    )
    table["low"], table["high"] = _wilson(measured, effective)
    return table.reset_index()


def _effective_rows(rate: Floats, rows: Floats, games: Floats, squares: Floats) -> Floats:
    """Number of independent rows with the same variance of the rate, at most the rows."""
    variance = squares * games / np.maximum(games - 1, 1) / rows**2
    degenerate = (variance <= 0) | (games < 2)
    effective = rate * (1 - rate) / np.where(degenerate, 1.0, variance)
    return np.minimum(np.where(degenerate, games, effective), rows)


def _wilson(rate: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Wilson's interval, which stays within 0–1 and has a positive width at 0 and at 1."""
    z2 = Z95**2
    scale = 1 + z2 / rows
    middle = (rate + z2 / (2 * rows)) / scale
    variance = rate * (1 - rate) / rows + z2 / (4 * rows**2)
    half = Z95 / scale * np.sqrt(variance)
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def _sums_by_game(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    keys: list[Any] = [*by, "game"]
    grouped = rows.groupby(keys, observed=True)
    sums = grouped.agg(
        rows=("label", "size"), predicted=("predicted", "sum"), label=("label", "sum")
    )
    return sums.reset_index()


def bins(predicted: Floats, edges: Sequence[float]) -> Ints:
    """Index of the bin of each probability; the last edge belongs to the last bin."""
    inner = np.asarray(edges)[1:-1]
    return np.searchsorted(inner, predicted, side="right")
