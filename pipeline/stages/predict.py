"""Stage ``predict``: the predictions of the fitted models at the decisions of held-out games.

A query takes milliseconds: params.yaml limits the number of games.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from features import prediction_rows, schema
from houjuu.estimators.loading import load
from houjuu.game.events import Game
from houjuu.util.errors import Error
from pipeline import paths, settings, stage
from pipeline.game_parts import Tables, accepted_games, extract, select_games
from pipeline.paths import GAMES, MODELS, result_path


def main() -> None:
    """Predict every decision of the held-out games with the smallest digests."""
    games = accepted_games()
    wanted = select_games(games, held_out=settings.load().predict.games)
    if wanted.empty:
        reason = f"none of its {len(games)} games is held out for the evaluation"
        raise Error(f"{reason}; see parse.validate_share", file=GAMES)
    tables = [
        (str(result_path(model, name)), columns)
        for model in MODELS
        for name, columns in (
            (paths.PREDICTIONS, schema.PREDICTIONS),
            (paths.RONS, schema.RONS),
        )
    ]
    models = tuple(str(Path(path).resolve()) for path in MODELS.values())
    extract("predict", partial(predict, models), tables, wanted, inputs=MODELS.values())


def predict(models: tuple[str, ...], games: list[Game]) -> Tables:
    """The two tables of each model, for some games."""
    of_models = prediction_rows.rows(games, [load(path) for path in models])
    return [table for of_model in of_models for table in of_model]


if __name__ == "__main__":
    stage.run(main)
