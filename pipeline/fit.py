"""Stage ``fit``: fit the tenpai regressions to the games that are not held out."""

from __future__ import annotations

import joblib
import pandas as pd

from features import schema
from houjuu.errors import Error
from models.tenpai import TenpaiGrid
from pipeline import settings, stage
from pipeline.extract import ROWS
from pipeline.files import replacing
from pipeline.parse import GAMES

FITTED = "data/tenpai.joblib"


def main() -> None:
    """Fit, and keep the scikit-learn estimators."""
    params = settings.load()
    rows = read_rows(held_out=False)
    print(f"{len(rows)} rows")
    grid = TenpaiGrid(**params.tenpai).fit(rows)
    with replacing(FITTED) as path:
        joblib.dump(grid, path)
    thin = sum(count < grid.borrow_below for count in grid.counts_.values())
    print(
        f"{len(grid.cells_)} regressions, {thin} of them with fewer than {grid.borrow_below} rows"
    )


def read_rows(*, held_out: bool) -> pd.DataFrame:
    """The rows of the games that are held out for measuring, or of all others."""
    games = pd.read_parquet(GAMES, columns=["game", "validate"])
    chosen = games.loc[games["validate"] == held_out, "game"]
    rows = pd.read_parquet(ROWS, filters=[("game", "in", list(chosen))] if len(chosen) else None)
    rows = rows[rows["game"].isin(chosen)]
    if rows.empty:
        kind = "held out to be measured on" if held_out else "left to fit to"
        raise Error(
            f"none of its {len(games)} games is {kind}; see parse.validate_share", file=GAMES
        )
    return schema.check(rows, schema.TENPAI)


if __name__ == "__main__":
    stage.run(main)
