"""Predictions against the truth, of one question: scores, slope, parts of the loss, and tables.

The stage ``evaluate`` measures a model of the pipeline by it, and ``houjuu report`` any models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from features.columns import floats
from models.metrics import calibration, edges, evaluation

Measured = tuple[dict[str, Any], dict[str, pd.DataFrame]]
"""Scores and tables, by name."""


def tenpai(rows: pd.DataFrame, bins: Sequence[float], rates: Mapping[str, float]) -> Measured:
    """P(tenpai) of opponents that are not in riichi.

    Parameters
    ----------
    rows : DataFrame
        Columns of `features.schema.KEY`, opponent, n_open_melds, predicted and tenpai.
    bins : sequence of float
        Edges of the bins of the predicted probability.
    rates : mapping
        Of `evaluation.tenpai_rates`, the baseline.
    """
    rows = rows.assign(
        label=rows["tenpai"],
        n_open_melds=rows["n_open_melds"].clip(upper=evaluation.MOST_MELDS + 1),
    )
    groups = evaluation.by_melds(rows)
    scores = {
        "tenpai": evaluation.tenpai_metrics(rows, rates),
        "tenpai_parts": evaluation.parts_of_losses(groups, "label"),
        "tenpai_line": _line(rows),
    }
    tables = _tables(rows, "n_open_melds", bins) | {"edges": edges.tenpai_edges(rows)}
    return scores, {f"tenpai_{name}": table for name, table in tables.items()}


def deal_in(rows: pd.DataFrame, bins: Sequence[float]) -> Measured:
    """P(deals in) of the kinds of a hand.

    Parameters
    ----------
    rows : DataFrame
        Columns game, opponent_type, safety_class, was_discarded, predicted and label of
        `features.schema.predictions.PREDICTIONS`.
    bins : sequence of float
    """
    groups = evaluation.by_opponent_type(rows)
    scores = {
        "deal_in": evaluation.deal_in_metrics(rows),
        "deal_in_parts": evaluation.parts_of_losses(groups, "label"),
        "deal_in_line": _line(rows),
    }
    tables = _tables(rows, "opponent_type", bins) | {"edges": edges.deal_in_edges(rows)}
    return scores, {f"deal_in_{name}": table for name, table in tables.items()}


def _line(rows: pd.DataFrame) -> dict[str, float]:
    games, label = rows["game"].to_numpy(object), rows["label"].to_numpy(bool)
    return calibration.logit_line(floats(rows, "predicted"), label, games)


def _tables(rows: pd.DataFrame, by: str, bins: Sequence[float]) -> dict[str, pd.DataFrame]:
    columns = rows[["game", by, "predicted", "label"]]
    binned = columns.assign(bin=calibration.bins(floats(rows, "predicted"), bins))
    return {
        "by_bin": calibration.calibration(binned, [by, "bin"]),
        "of_all": calibration.calibration(binned.assign(**{by: evaluation.ALL}), [by, "bin"]),
        "curve": calibration.curves(rows, by),
    }
