"""Stage ``choose``: one's own fit, the fit with a prior and the shipped model, on the same games.

Beside them stands a logistic regression of scikit-learn on the same columns, for P(tenpai).
Held-out games that one of them has seen are left out. data/houjuu/choice.json is the first table of
the report: log loss of P(tenpai) and of dealing in, by type of opponent, paired, and what to use.
Where there is nothing to choose, it has the reason: bots play as nobody else does, so that a fit to
their games alone is compared with no model of people.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from features import prediction_rows, schema
from features.schema.tenpai import TENPAI, TENPAI_FEATURES
from houjuu.estimators import seen_games
from houjuu.estimators.loading import load
from houjuu.game.events import Game
from houjuu.util import parameters
from models.houjuu import tenpai_gam
from models.houjuu.tenpai_gam import baseline_columns
from models.metrics.model_comparison import comparison
from pipeline import log_tasks, paths, settings, stage
from pipeline.engine import open_engine
from pipeline.files import save_json
from pipeline.game_shards import accepted_games, map_games, select_games
from pipeline.tables import read_rows

LINE, OWN, PRIOR, SHIPPED = "line", "own", "prior", "shipped"
LINE_GAMES = 1000
"""The most games that the logistic regression is fitted to: all rows are in memory."""
TENPAI_ROW = "tenpai"
SELF_PLAYED = "self-played"
"""Why nothing was compared."""


def main() -> None:
    """Predict, compare and choose, or note why not."""
    params = settings.load()
    has_prior = "prior" in parameters.read(paths.HOUJUU_MODEL).header
    if not (has_prior or log_tasks.has_logs()):
        print("nothing to choose: the games are self-played, and the fit has no prior")
        save_json(
            {"games": 0, "seen": 0, "use": None, "lines": [], "why": SELF_PLAYED}, paths.CHOICE
        )
        return
    wanted = select_games(accepted_games(), held_out=params.predict.games)
    shipped = seen_games.least_seen(wanted["game"])
    files = {OWN: paths.OWN_MODEL, PRIOR: paths.HOUJUU_MODEL, SHIPPED: shipped}
    if not has_prior:
        del files[PRIOR]
    seen = seen_games.are_seen(wanted["game"], *files.values())
    wanted = wanted[~seen]
    lines = []
    if len(wanted):
        resolved = {n: str(Path(f).resolve()) if n != SHIPPED else f for n, f in files.items()}
        with open_engine(params.run) as engine:
            parts = [*map_games(partial(predicted, resolved), wanted, engine, "compare")]
        lines = [*_tenpai_lines(files, wanted["game"]), *compared(pd.concat(parts))]
    choice = {"games": len(wanted), "seen": int(seen.sum()), "use": best(lines), "lines": lines}
    if seen.any():
        print(seen_games.sentence(int(seen.sum()), len(seen)))
    save_json(choice, paths.CHOICE)


def predicted(files: dict[str, str], games: list[Game]) -> pd.DataFrame:
    """The predictions of every model, a column each, with the labels."""
    tables = prediction_rows.rows(games, [load(file) for file in files.values()])
    columns = {
        name: table.predictions["predicted"] for name, table in zip(files, tables, strict=True)
    }
    return tables[0].predictions[["game", "opponent_type", "label"]].assign(**columns)


def _tenpai_lines(files: dict[str, str], games: pd.Series[str]) -> list[dict[str, Any]]:
    rows = read_rows(paths.TENPAI_ROWS, TENPAI, held_out=True)
    rows = rows[rows["game"].isin(games)]
    rooms = accepted_games().set_index("game")["room"]
    columns = schema.arrays(rows) | {"room": rows["game"].map(rooms).to_numpy()}
    predictions = {name: load(file).tenpai_of_rows(columns) for name, file in files.items()}
    fitted = read_rows(paths.TENPAI_ROWS, TENPAI_FEATURES, held_out=False, games=LINE_GAMES)
    if len(rows) and fitted["tenpai"].nunique() > 1:
        baseline = tenpai_gam.baseline().fit(baseline_columns(fitted), fitted["tenpai"])
        predictions[LINE] = baseline.predict_proba(baseline_columns(rows))[:, 1]
    table = pd.DataFrame(predictions).assign(game=rows["game"].to_numpy(), label=columns["tenpai"])
    return compared(table, TENPAI_ROW)


def compared(table: pd.DataFrame, name: str | None = None) -> list[dict[str, Any]]:
    """The lines of a table with a column for each model; the base is the model that ships."""
    models = [model for model in (LINE, OWN, PRIOR, SHIPPED) if model in table]
    return comparison(table, models, SHIPPED, name)


def best(lines: list[dict[str, Any]]) -> str | None:
    """The model to use: one that is certainly better than the shipped one, else the shipped one.

    P(tenpai) or dealing in of all opponents must be certainly better, and neither certainly worse.
    Of two such models the one with the lower log loss of dealing in.
    """
    by_row = {line["row"]: line for line in lines}
    if not {TENPAI_ROW, "all"} <= by_row.keys():
        return None
    better = []
    for model in (PRIOR, OWN):
        scores = [by_row[row][model] for row in (TENPAI_ROW, "all") if model in by_row[row]]
        ends = [
            (s["difference"] - s["half_width"], s["difference"] + s["half_width"]) for s in scores
        ]
        if any(high < 0 for _, high in ends) and not any(low > 0 for low, _ in ends):
            better.append(model)
    return min(better, key=lambda model: by_row["all"][model]["log_loss"], default=SHIPPED)


if __name__ == "__main__":
    stage.run(main)
