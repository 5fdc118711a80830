"""Tables 2 and 3 of Kurita & Hoki 2017 for all models, on every held-out game of a run.

Table 2 takes every player's 10th discard where another player is in riichi or has a meld. Table 3
takes the real deal-ins. Run it in the folder of a run on real logs: it reads data/games.parquet,
data/logs and the exported models. Prints Markdown.

    python -m benchmarks.paper_tables
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import houjuu
from benchmarks import output
from features import prediction_rows
from houjuu.events import Game
from models.metrics import evaluation
from pipeline import settings
from pipeline.engine import open_engine
from pipeline.game_parts import accepted_games, map_games, select_games
from pipeline.paths import MODELS

FU = (30, 40)
LIMIT = 0.08


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, default=1_000_000, help="number of held-out games")
    arguments = options.parse_args()
    games = accepted_games()
    wanted = select_games(games, held_out=arguments.games)
    with open_engine(settings.load().run) as engine:
        parts = list(map_games(predict, wanted, engine, "paper tables"))
    print(f"{len(wanted):,} held-out games\n")
    for number, model in enumerate(MODELS):
        predictions, rons = (
            pd.concat([part[number][table] for part in parts], ignore_index=True)
            for table in range(2)
        )
        print(f"{model}\n\n" + "\n".join(lines(predictions, rons)) + "\n", flush=True)


def predict(games: list[Game]) -> list[prediction_rows.Rows]:
    """The 10th discards and the rons of some games, for each model."""
    estimators = [houjuu.load(path) for path in MODELS.values()]
    return prediction_rows.rows(games, estimators, turn=evaluation.PAPER_TURN)


def lines(predictions: pd.DataFrame, rons: pd.DataFrame) -> Iterator[str]:
    """Yield the two tables of a model, line by line."""
    table = evaluation.table_2(predictions, rons)
    distance = (table["measured"] - table["predicted"]).abs()[:-1]
    yield f"{table['rows'].sum():,} discards; mean distance {100 * distance.mean():.2f} points"
    yield "| predicted | discards | mean predicted | measured, 95% | paper, measured |"
    yield "|---|---|---|---|---|"
    for number, row in enumerate(table.to_dict("records")):
        last = number == len(table) - 1
        name = "more" if last else f"{number}–{number + 1}%"
        paper = "" if pd.isna(row["paper"]) else f"{row['paper']:.1%}"
        yield f"| {name} | {row['rows']:,} | {row['predicted']:.2%} | {_interval(row)} | {paper} |"
    below = table.loc[table["bin"] < len(evaluation.PAPER_2), "share"].sum()
    yield f"\nbelow {LIMIT:.0%}: {below:.1%} of the discards\n"
    cells = evaluation.table_3(rons)
    yield "| most probable | " + " | ".join(["1", "2", "3", "4 and more"]) + " |"
    yield "|---|---|---|---|---|"
    for likely, row_cells in cells[cells["likely"] > 0].groupby("likely"):
        shares = " | ".join(
            f"{row['share']:.3f} ({row['paper']:.3f})" for row in row_cells.to_dict("records")
        )
        yield f"| {likely} | {shares} |"
    diagonal = cells.iloc[-1].to_dict()
    yield f"\n{len(rons):,} rons; right: {_interval(diagonal, 'share')} ({diagonal['paper']:.1%})"
    yield evaluation.table_3_countings(rons).round(3).to_string(index=False)
    fu = rons.loc[rons["fu"] > 0, "fu"]
    yield f"{' or '.join(map(str, FU))} fu: {np.isin(fu, FU).mean():.1%} of the rons"


def _interval(row: dict[Any, Any], name: str = "measured") -> str:
    return f"{row[name]:.2%} [{100 * row['low']:.2f}, {100 * row['high']:.2f}]"


if __name__ == "__main__":
    main()
