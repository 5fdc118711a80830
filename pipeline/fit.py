"""Stage ``fit``: fit every part of the model to the games that are not held out."""

from __future__ import annotations

import numpy as np
import pandas as pd

from features import schema
from features.waits import WaitCounts
from houjuu.errors import Error
from models.hands import MeldedWeights
from models.tenpai import TenpaiGrid
from models.waits import WaitFrequencies
from pipeline import settings, stage
from pipeline.count import COUNTS
from pipeline.extract import ROWS
from pipeline.files import keep
from pipeline.hands import ROWS as HANDS
from pipeline.parse import GAMES

TENPAI = "data/tenpai.joblib"
WAITS = "data/waits.joblib"
MELDED = "data/melded.joblib"


def main() -> None:
    """Fit, and keep the estimators."""
    params = settings.load()
    rows = read_rows(held_out=False)
    print(f"{len(rows)} rows")
    grid = TenpaiGrid(**params.tenpai).fit(rows)
    keep(grid, TENPAI)
    thin = sum(count < grid.borrow_below for count in grid.counts_.values())
    print(
        f"{len(grid.cells_)} regressions, {thin} of them with fewer than {grid.borrow_below} rows"
    )
    with np.load(COUNTS) as counts:
        keep(WaitFrequencies(**params.waits).fit(WaitCounts(**counts)), WAITS)
    melded = MeldedWeights(**params.melded).fit(pd.read_parquet(HANDS))
    keep(melded, MELDED)
    print(
        f"other forms of wait weigh {melded.other_forms_:.3f} ± {melded.other_forms_error_:.3f},"
        f" hands without a yaku {melded.no_yaku_:.3f} ± {melded.no_yaku_error_:.3f},"
        f" kinds that none explains {melded.floor_:.6f}"
    )


def read_rows(
    *,
    held_out: bool,
    path: str = ROWS,
    columns: tuple[schema.Column, ...] = schema.TENPAI,
) -> pd.DataFrame:
    """The rows of the games that are held out for measuring, or of all others."""
    games = pd.read_parquet(GAMES, columns=["game", "validate"])
    chosen = games.loc[games["validate"] == held_out, "game"]
    rows = pd.read_parquet(path, filters=[("game", "in", list(chosen))] if len(chosen) else None)
    rows = rows[rows["game"].isin(chosen)]
    if rows.empty:
        kind = "held out to be measured on" if held_out else "left to fit to"
        raise Error(
            f"none of its {len(games)} games is {kind}; see parse.validate_share", file=GAMES
        )
    return schema.check(rows, columns)


if __name__ == "__main__":
    stage.run(main)
