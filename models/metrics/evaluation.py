"""The tables of an evaluation: predictions at real decisions against the truth.

`predictions` and `rons` are the tables of `features.prediction_rows`. Intervals are those of
`models.metrics.calibration`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from features import schema
from features.columns import floats
from features.schema.opponents import OPPONENT_TYPES
from features.schema.predictions import SAFETY_CLASSES, SCORES
from houjuu.reading.opponent import OpponentType
from houjuu.util.arrays import Ints
from houjuu.util.intervals import clustered_mean
from models.fitting.shards import Shards, sums
from models.metrics import calibration
from models.metrics.wait_ranks import hand_aucs, rank_metrics, wait_ranks

DECISION = [column.name for column in schema.KEY]
ALL = "all"
WINNERS = (ALL, "riichi", "melds", "dama")
"""Types of winner: in riichi, with open melds, and closed without riichi (黙聴)."""
_CLOSED_WINNERS = {"riichi": "riichi", "closed": "dama"}
_SCORE_KEYS = ("winner", "safety_class", "points")
MOST_MELDS = 3
TILES_OF_BIN = 4
"""Tiles left are binned by a round of turns: 0 to 3, which forbid riichi, then 4 to 7 and so on."""

PAPER_TURN = 10
PAPER_EDGES = [*(i / 100 for i in range(9)), 1.0]
PAPER_2 = (0.002, 0.017, 0.028, 0.043, 0.054, 0.058, 0.075, 0.084)
"""Kurita & Hoki 2017, table 2: measured frequency of the bins 0–1% … 7–8%."""

PAPER_3 = (
    (0.231, 0.126, 0.034, 0.012),
    (0.105, 0.190, 0.112, 0.052),
    (0.025, 0.029, 0.028, 0.012),
    (0.010, 0.012, 0.005, 0.013),
)
"""Kurita & Hoki 2017, table 3: shares of deal-ins by most probable (rows) and real han, 1–4+."""


def tenpai_metrics(rows: pd.DataFrame, rates: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Scores of P(tenpai), of all rows and by 0–3 open melds, where both labels occur.

    Parameters
    ----------
    rows : DataFrame
        Columns n_open_melds, tenpai and predicted.
    rates : mapping
        `tenpai_rates` of the rows that were fitted to.
    """
    scores = {}
    for name, group in by_melds(rows):
        if name in rates and group["tenpai"].nunique() == 2:
            predicted = group["predicted"].to_numpy()
            label = group["tenpai"].to_numpy()
            scores[name] = calibration.metrics(predicted, label, rates[name])
    return scores


def tenpai_rates(shards: Shards) -> dict[str, float]:
    """Rate of tenpai, of all rows and by 0–3 open melds."""
    (counts,) = sums(shards.map(_tenpai_counts))
    names = ("all", *map(str, range(MOST_MELDS + 1)))
    rates = {}
    for name, (n_rows, n_tenpai) in zip(names, counts.tolist(), strict=True):
        if n_rows:
            rates[name] = n_tenpai / n_rows
    return rates


def _tenpai_counts(rows: pd.DataFrame) -> tuple[Ints]:
    """Number of rows and of those that are tenpai, (groups, 2)."""
    counts = []
    for _, group in by_melds(rows):
        counts.append((len(group), int(group["tenpai"].sum())))
    return (np.array(counts),)


def by_melds(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield all rows, then those of 0–3 open melds; there may be none."""
    yield "all", rows
    for n_open_melds in range(MOST_MELDS + 1):
        yield str(n_open_melds), rows[rows["n_open_melds"] == n_open_melds]


def calibration_tables(
    predictions: pd.DataFrame, edges: Sequence[float], last_turn: int
) -> dict[str, pd.DataFrame]:
    """Calibration by type of opponent and bin, turn, tiles left, tile, and tile and bin.

    Parameters
    ----------
    predictions : DataFrame
        `features.schema.predictions.PREDICTIONS`.
    edges : sequence of float
        Edges of the bins of the predicted probability.
    last_turn : int
        Later turns count as this one.
    """
    columns = ["game", "opponent_type", "safety_class", "predicted", "label"]
    rows = predictions[columns].copy()
    rows["bin"] = calibration.bins(rows["predicted"].to_numpy(), edges)
    rows["turn"] = (predictions["turn"] + 1).clip(upper=last_turn)
    rows["tiles_left"] = tiles_left_bin(predictions["tiles_left"])
    groups = {
        "bin": ["bin"],
        "turn": ["turn"],
        "tiles_left": ["tiles_left"],
        "tile": ["safety_class"],
        "tile_and_bin": ["safety_class", "bin"],
    }
    return {
        name: calibration.calibration(rows, ["opponent_type", *group])
        for name, group in groups.items()
    }


def tiles_left_bin(tiles_left: pd.Series[int]) -> pd.Series[int]:
    """The least number of tiles in the wall of the bin."""
    return tiles_left - tiles_left % TILES_OF_BIN


def table_2(
    predictions: pd.DataFrame, rons: pd.DataFrame, turn: int | None = PAPER_TURN
) -> pd.DataFrame:
    """Table 2 of the paper: frequency of deal-ins by predicted probability.

    Every player's 10th discard, that of another turn, or all of them (None), where another player
    is in riichi or has a meld; the probability is the sum over opponents.

    Returns
    -------
    DataFrame
        As `models.metrics.calibration.calibration` by `bin` (of `PAPER_EDGES`), and share (of all
        rows) and paper (measured there; NaN in the last bin).
    """
    discards = predictions[predictions["was_discarded"]]
    if turn is not None:
        discards = discards[discards["turn"] == turn - 1]
    discards = discards.assign(threat=discards["opponent_type"] != "closed")
    grouped = discards.groupby(DECISION, observed=True)
    rows = grouped.agg(
        predicted=("predicted", "sum"),
        threat=("threat", "any"),
    ).reset_index()
    rows = rows[rows["threat"]]
    dealt_in = set(_decisions(rons))
    rows["label"] = [decision in dealt_in for decision in _decisions(rows)]
    rows["bin"] = calibration.bins(rows["predicted"].to_numpy(), PAPER_EDGES)
    table = calibration.calibration(rows, ["bin"])
    table["share"] = table["rows"] / table["rows"].sum()
    table["paper"] = table["bin"].map(dict(enumerate(PAPER_2)))
    return table


def _decisions(rows: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    """The key of the decision of every row."""
    return rows[DECISION].itertuples(index=False, name=None)


def table_3(rons: pd.DataFrame) -> pd.DataFrame:
    """Table 3 of the paper: shares of deal-ins by most probable and by real han.

    Both include dora; `rons_without_dora` has the rons for a table without.

    Returns
    -------
    DataFrame
        A row per cell: likely and real (1–4, 4 includes more), share, low and high (its 95%
        interval), paper; and one for the diagonal, with likely and real 0.
    """
    han = rons[["likely_han", "han"]].clip(upper=len(PAPER_3))
    cells = []
    for likely, paper_row in enumerate(PAPER_3, start=1):
        for real, paper in enumerate(paper_row, start=1):
            in_cell = (han["likely_han"] == likely) & (han["han"] == real)
            cells.append((likely, real, in_cell, paper))
    diagonal = sum(PAPER_3[i][i] for i in range(len(PAPER_3)))
    is_right = han["likely_han"] == han["han"]
    cells.append((0, 0, is_right, diagonal))
    return pd.DataFrame([_cell(rons, *cell) for cell in cells])


def rons_without_dora(rons: pd.DataFrame) -> pd.DataFrame:
    """The rons for `table_3` in the counting without dora, in the prediction and in the real han.

    Dora and ura dora are left out, and red fives count. The paper does not print its counting; the
    shares of its real han are close to those of this one. Rons of models that do not predict these
    han are left out.
    """
    predicted = rons[rons["likely_han_without_dora"] > 0]
    return predicted.assign(
        likely_han=predicted["likely_han_without_dora"], han=predicted["han_without_dora"]
    )


def _cell(
    rons: pd.DataFrame, likely: int, real: int, in_cell: pd.Series[bool], paper: float
) -> dict[str, float]:
    rows = pd.DataFrame(
        {
            "game": rons["game"],
            "predicted": 0.0,
            "label": in_cell,
            "all": 0,
        }
    )
    (line,) = calibration.calibration(rows, ["all"]).to_dict("records") or [{}]
    return {
        "likely": likely,
        "real": real,
        "share": line.get("measured", np.nan),
        "low": line.get("low", np.nan),
        "high": line.get("high", np.nan),
        "paper": paper,
    }


def deal_in_metrics(predictions: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Scores of all rows and by type of opponent; the base rate is that of the rows themselves."""
    scores = {}
    for name, rows in by_opponent_type(predictions):
        label = rows["label"].to_numpy()
        predicted = floats(rows, "predicted")
        scores[name] = calibration.metrics(predicted, label, float(label.mean()))
    return scores


def by_opponent_type(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield all rows, then those of each type of opponent, where there are any."""
    for name in ("all", *OPPONENT_TYPES):
        chosen = rows if name == "all" else rows[rows["opponent_type"] == name]
        if len(chosen):
            yield name, chosen


def parts_of_losses(
    groups: Iterator[tuple[str, pd.DataFrame]], label: str
) -> dict[str, dict[str, float]]:
    """`models.metrics.calibration.loss_parts` of groups with both labels, such as `by_melds`."""
    return {
        name: calibration.loss_parts(
            floats(rows, "predicted"), rows[label].to_numpy(bool), rows["game"].to_numpy(object)
        )
        for name, rows in groups
        if rows[label].nunique() == 2
    }


def within_hands(predictions: pd.DataFrame) -> dict[str, dict[str, float]]:
    """The mean of `models.metrics.wait_ranks.hand_aucs`, of all hands and by type of opponent.

    Returns
    -------
    dict
        By "all" and type: hands, auc and half of its 95% interval, which counts a game once.
    """
    means = {}
    for name, rows in by_opponent_type(predictions):
        hands = ["game", *DECISION[1:], "opponent"]
        aucs = hand_aucs(rows, hands, floats(rows, "predicted"), rows["label"].to_numpy(bool))
        if len(aucs):
            games = pd.factorize(aucs.index.get_level_values("game"))[0]
            mean, half = clustered_mean(aucs.tolist(), games.tolist())
            means[name] = {"hands": len(aucs), "auc": mean, "half_interval": half}
    return means


def rank_of_waits(predictions: pd.DataFrame) -> dict[str, dict[str, float]]:
    """`models.metrics.wait_ranks` of all opponents that win on a tile held, and by their type."""
    ranks = wait_ranks(predictions, [*DECISION, "opponent", "opponent_type"])
    if ranks.empty:
        return {}
    metrics = {"all": rank_metrics(ranks)}
    for name, type_ranks in ranks.groupby(level="opponent_type", observed=True):
        metrics[str(name)] = rank_metrics(type_ranks)
    return metrics


def points_by_type(rons: pd.DataFrame) -> pd.DataFrame:
    """`points_metrics` of all rons and by type of opponent, a row each."""
    groups = by_opponent_type(rons)
    return pd.DataFrame([{"opponent_type": name, **points_metrics(rows)} for name, rows in groups])


def score_calibration(rons: pd.DataFrame) -> pd.DataFrame:
    """P(points ≥ 3,900, 8,000, 12,000 | ron), by type of the winner and safety class of the tile.

    Parameters
    ----------
    rons : DataFrame
        `features.schema.predictions.RONS`.

    Returns
    -------
    DataFrame
        As `models.metrics.calibration.calibration` by winner (of `WINNERS`), safety_class and
        points (of `SCORES`). "all" stands for every winner or class.
    """
    winner = rons["opponent_type"].astype(str).map(_winner)
    safety_class = rons["safety_class"].astype(str)
    groups = pd.concat(
        rons[["game"]].assign(
            winner=pd.Categorical(winner if by_winner else [ALL] * len(rons), WINNERS),
            safety_class=pd.Categorical(
                safety_class if by_class else [ALL] * len(rons), (ALL, *SAFETY_CLASSES)
            ),
            points=points,
            predicted=rons[f"at_least_{points}"],
            label=rons["points"] >= points,
        )
        for by_winner in (False, True)
        for by_class in (False, True)
        for points in SCORES
    )
    return calibration.calibration(groups, ["winner", "safety_class", "points"])


def _winner(opponent_type: str) -> str:
    return "melds" if OpponentType(opponent_type).is_melded else _CLOSED_WINNERS[opponent_type]


def score_metrics(table: pd.DataFrame) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """`score_calibration` by winner, safety class and points, for a JSON file."""
    metrics: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for line in table.to_dict("records"):
        winner, safety_class, points = (str(line.pop(key)) for key in _SCORE_KEYS)
        by_points = metrics.setdefault(winner, {}).setdefault(safety_class, {})
        by_points[points] = {str(name): value for name, value in line.items()}
    return metrics


def points_metrics(rons: pd.DataFrame) -> dict[str, float]:
    """Error of the expected points of rons, beside that of a constant, the median; unit: points."""
    points = rons["points"]
    expected = rons["expected_points"]
    return {
        "rows": len(rons),
        "mean": float(points.mean()),
        "mean_expected": float(expected.mean()),
        "mean_absolute_error": float((points - expected).abs().mean()),
        "mean_absolute_error_base": float((points - points.median()).abs().mean()),
    }
