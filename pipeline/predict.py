"""Stage ``predict``: the predictions of the fitted models at the decisions of held-out games.

A query takes milliseconds: params.yaml limits the number of games.
"""

from __future__ import annotations

from contextlib import ExitStack

import houjuu
from features import prediction_rows, schema
from houjuu.errors import Error
from houjuu.events import Game
from pipeline import log_batches, paths, settings, stage
from pipeline.paths import GAMES, MODELS, result_path
from pipeline.tables import accepted_games, row_writer


def main() -> None:
    """Predict every decision of the held-out games with the smallest digests."""
    params = settings.load()
    games = accepted_games()
    wanted = log_batches.select_games(games, held_out=params.predict.games)
    if not wanted:
        reason = f"none of its {len(games)} games is held out for the evaluation"
        raise Error(f"{reason}; see parse.validate_share", file=GAMES)
    with ExitStack() as stack:
        writers = {
            model: [
                stack.enter_context(row_writer(result_path(model, name), columns))
                for name, columns in (
                    (paths.PREDICTIONS, schema.PREDICTIONS),
                    (paths.RONS, schema.RONS),
                )
            ]
            for model in MODELS
        }
        for of_models in log_batches.map_games(predict, wanted, params.run, "predict"):
            for of_model, rows in zip(writers.values(), of_models, strict=True):
                for write, part in zip(of_model, rows, strict=True):
                    write(part)


def predict(games: list[Game]) -> list[prediction_rows.Rows]:
    """The rows of some games, for each of `pipeline.paths.MODELS`."""
    return prediction_rows.rows(games, [houjuu.load(path) for path in MODELS.values()])


if __name__ == "__main__":
    stage.run(main)
