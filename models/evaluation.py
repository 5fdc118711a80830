"""What an estimator said of real decisions against what happened, as tables.

`dangers` and `rons` are those of `features.decisions`. Intervals are those of
`models.calibration`, in which a game counts once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from features import schema
from models import calibration

DECISION = ["game", "round", "seat", "discard"]
MOST_MELDS = 3
PAPER_TURN = 10
PAPER_EDGES = [*(i / 100 for i in range(9)), 1.0]
PAPER_2 = (0.002, 0.017, 0.028, 0.043, 0.054, 0.058, 0.075, 0.084)
"""Kurita & Hoki 2017, table 2: how often discards of 0–1% … 7–8% dealt in."""

PAPER_3 = (
    (0.231, 0.126, 0.034, 0.012),
    (0.105, 0.190, 0.112, 0.052),
    (0.025, 0.029, 0.028, 0.012),
    (0.010, 0.012, 0.005, 0.013),
)
"""Kurita & Hoki 2017, table 3: shares of deal-ins by most probable (rows) and real han, 1–4+."""


def tenpai_scores(rows: pd.DataFrame, rates: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Scores of P(tenpai) of all rows and of those with 0–3 open melds, where both outcomes occur.

    Parameters
    ----------
    rows : DataFrame
        Columns melds, tenpai and predicted.
    rates : mapping
        How often it was so among the rows that were fitted to, as `tenpai_rates`.
    """
    return {
        name: calibration.scores(of["predicted"].to_numpy(), of["tenpai"].to_numpy(), rates[name])
        for name, of in _by_melds(rows)
        if name in rates and of["tenpai"].nunique() == 2
    }


def tenpai_rates(rows: pd.DataFrame) -> dict[str, float]:
    """How often opponents are tenpai, of all rows and of those with 0–3 open melds."""
    return {name: float(of["tenpai"].mean()) for name, of in _by_melds(rows) if len(of)}


def _by_melds(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    yield "all", rows
    yield from ((str(melds), rows[rows["melds"] == melds]) for melds in range(MOST_MELDS + 1))


def by_class(
    dangers: pd.DataFrame, edges: Sequence[float], last_turn: int
) -> dict[str, pd.DataFrame]:
    """Calibration by class of opponent and, within it, by bin, turn, tile, and tile and bin.

    Parameters
    ----------
    dangers : DataFrame
        `features.schema.DANGERS`.
    edges : sequence of float
        Of the bins of the predicted probability.
    last_turn : int
        Later ones count as this one.
    """
    rows = dangers[["game", "read_as", "tile", "predicted", "measured"]].copy()
    rows["bin"] = calibration.bins(rows["predicted"].to_numpy(), edges)
    rows["turn"] = (dangers["discard"] + 1).clip(upper=last_turn)
    groups = {"bin": ["bin"], "turn": ["turn"], "tile": ["tile"], "tile_and_bin": ["tile", "bin"]}
    return {name: calibration.calibration(rows, ["read_as", *of]) for name, of in groups.items()}


def table_2(
    dangers: pd.DataFrame, rons: pd.DataFrame, turn: int | None = PAPER_TURN
) -> pd.DataFrame:
    """Table 2 of the paper: how often discards dealt in, by what was said.

    Every player's 10th discard, that of another turn, or all of them (None), where somebody else is
    in riichi or has a meld; the probability is the sum over opponents.

    Returns
    -------
    DataFrame
        As `models.calibration.calibration` by `bin` (of `PAPER_EDGES`), and share (of all rows)
        and paper (measured there; NaN in the last bin).
    """
    made = dangers[dangers["discarded"]]
    if turn is not None:
        made = made[made["discard"] == turn - 1]
    made = made.assign(threat=made["read_as"] != "closed")
    grouped = made.groupby(DECISION, observed=True)
    rows = grouped.agg(predicted=("predicted", "sum"), threat=("threat", "any")).reset_index()
    rows = rows[rows["threat"]]
    dealt_in = set(rons[DECISION].itertuples(index=False, name=None))
    rows["measured"] = [
        key in dealt_in for key in rows[DECISION].itertuples(index=False, name=None)
    ]
    rows["bin"] = calibration.bins(rows["predicted"].to_numpy(), PAPER_EDGES)
    table = calibration.calibration(rows, ["bin"])
    table["share"] = table["rows"] / table["rows"].sum()
    table["paper"] = table["bin"].map(dict(enumerate(PAPER_2)))
    return table


def table_3(rons: pd.DataFrame) -> pd.DataFrame:
    """Table 3 of the paper: shares of deal-ins by most probable and by real han.

    Returns
    -------
    DataFrame
        A row a cell: likely and real (1–4, 4 standing for more too), share, low and high (its 95%
        interval), paper; and one for the diagonal, with likely and real 0.
    """
    han = rons[["likely_han", "han"]].clip(upper=len(PAPER_3))
    cells = []
    for likely, of_paper in enumerate(PAPER_3, start=1):
        for real, paper in enumerate(of_paper, start=1):
            here = (han["likely_han"] == likely) & (han["han"] == real)
            cells.append((likely, real, here, paper))
    paper = sum(PAPER_3[i][i] for i in range(len(PAPER_3)))
    cells.append((0, 0, han["likely_han"] == han["han"], paper))
    return pd.DataFrame([_cell(rons, *cell) for cell in cells])


def _cell(
    rons: pd.DataFrame, likely: int, real: int, here: pd.Series[bool], paper: float
) -> dict[str, float]:
    rows = pd.DataFrame({"game": rons["game"], "predicted": 0.0, "measured": here, "all": 0})
    (line,) = calibration.calibration(rows, ["all"]).to_dict("records") or [{}]
    share, low, high = (line.get(name, np.nan) for name in ("measured", "low", "high"))
    row = {"likely": likely, "real": real, "share": share, "low": low, "high": high}
    return {**row, "paper": paper}


def deal_in_scores(dangers: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Scores of all rows and by class of opponent; the base rate is that of the rows themselves."""
    found = {}
    for name in ("all", *schema.READ_AS):
        rows = dangers if name == "all" else dangers[dangers["read_as"] == name]
        if len(rows):
            measured = rows["measured"].to_numpy()
            predicted = rows["predicted"].to_numpy(dtype=float)
            found[name] = calibration.scores(predicted, measured, float(measured.mean()))
    return found


def points_scores(rons: pd.DataFrame) -> dict[str, float]:
    """How far the expected points of rons were off, beside always saying the median."""
    points, expected = rons["points"], rons["expected_points"]
    return {
        "rows": len(rons),
        "mean": float(points.mean()),
        "mean_expected": float(expected.mean()),
        "mean_absolute_error": float((points - expected).abs().mean()),
        "mean_absolute_error_base": float((points - points.median()).abs().mean()),
    }
