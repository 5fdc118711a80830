"""Two models on the same held-out games of a run, paired: log loss of dealing in.

Run it in the folder of a run on real logs. "difference" is the first model's log loss less the
second's, with half of its 95% interval, clustered by game. A run holds out the same games whatever
else it has, because a hash of the id selects them; games in the fit of a model are left out.

    python -m benchmarks.held_out models/houjuu.npz --games 400
"""

from __future__ import annotations

import sys
from functools import partial

import pandas as pd

import houjuu
from benchmarks import output
from features import prediction_rows
from houjuu.estimators import seen_games
from houjuu.estimators.loading import EVALUATED_MODEL
from houjuu.game.events import Game
from models.metrics import calibration
from models.metrics.model_comparison import paired
from pipeline import settings
from pipeline.engine import open_engine
from pipeline.game_shards import accepted_games, map_games, select_games


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("first", help="name of a model, or a parameter file")
    options.add_argument("second", nargs="?", default=EVALUATED_MODEL, help="(%(default)s)")
    options.add_argument("--games", type=int, default=400)
    arguments = options.parse_args()
    models = (arguments.first, arguments.second)
    wanted = select_games(accepted_games(), 0, arguments.games)
    seen = seen_games.are_seen(wanted["game"], *models)
    if seen.any():
        print(seen_games.sentence(int(seen.sum()), len(seen)), file=sys.stderr)
    wanted = wanted[~seen]
    if wanted.empty:
        raise SystemExit("held_out: no held-out game is left to measure on")
    with open_engine(settings.load().run) as engine:
        function = partial(_predictions, models)
        parts = list(map_games(function, wanted, engine, "predict"))
    first, second = (pd.concat(tables) for tables in zip(*parts, strict=True))
    lines = paired(second, first).rename(
        columns={"first": arguments.second, "second": arguments.first}
    )
    output.show(calibration.records(lines), as_json=arguments.json)


def _predictions(models: tuple[str, str], games: list[Game]) -> list[pd.DataFrame]:
    """The rows of some games for each of the two models."""
    estimators = [houjuu.load(model) for model in models]
    return [rows.predictions for rows in prediction_rows.rows(games, estimators)]


if __name__ == "__main__":
    main()
