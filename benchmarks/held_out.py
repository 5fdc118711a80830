"""Two models on the same held-out games of a run, paired: log loss of dealing in.

Run it in the folder of a run on real logs. "difference" is the first model's log loss less the
second's, with half of its 95% interval, clustered by game. Neither may have been fitted to these
games: a run holds out the same ones whatever else it has, because a hash of the id selects them.

    python -m benchmarks.held_out models/houjuu.npz houjuu --games 400
"""

from __future__ import annotations

from functools import partial

import pandas as pd

import houjuu
from benchmarks import output
from features import prediction_rows
from houjuu.game.events import Game
from models.metrics import calibration
from models.metrics.model_comparison import paired
from pipeline import settings
from pipeline.engine import open_engine
from pipeline.game_shards import accepted_games, map_games, select_games


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("models", nargs=2, help="names of models, or parameter files")
    options.add_argument("--games", type=int, default=400)
    arguments = options.parse_args()
    wanted = select_games(accepted_games(), 0, arguments.games)
    with open_engine(settings.load().run) as engine:
        function = partial(_predictions, tuple(arguments.models))
        parts = list(map_games(function, wanted, engine, "predict"))
    first, second = (pd.concat(tables) for tables in zip(*parts, strict=True))
    lines = paired(second, first).rename(
        columns={"first": arguments.models[1], "second": arguments.models[0]}
    )
    output.show(calibration.records(lines), as_json=arguments.json)


def _predictions(models: tuple[str, str], games: list[Game]) -> list[pd.DataFrame]:
    """The rows of some games for each of the two models."""
    estimators = [houjuu.load(model) for model in models]
    return [rows.predictions for rows in prediction_rows.rows(games, estimators)]


if __name__ == "__main__":
    main()
