"""Stage ``predict``: the predictions of a fitted model at the decisions of held-out games.

A query takes milliseconds: params.yaml limits the number of games.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from features import prediction_rows
from features.dora_free import paper_without_dora
from features.paper_wait_counts import WaitCounts
from features.schema.predictions import PREDICTIONS, RONS
from houjuu.estimators.loading import load
from houjuu.estimators.seen_games import are_seen
from houjuu.game.events import Game
from houjuu.util.errors import Error
from pipeline import paths, settings, stage
from pipeline.game_shards import Tables, accepted_games, extract, select_games
from pipeline.paths import GAMES, MODELS, result_path


def main(model: str) -> None:
    """Predict every decision of the held-out games with the smallest digests."""
    games = accepted_games()
    wanted = select_games(games, held_out=settings.load().predict.games)
    if len(wanted):
        wanted = wanted[~are_seen(wanted["game"], MODELS[model])]
    if wanted.empty:
        reason = f"none of its {len(games)} games is held out, or {model} has seen those"
        raise Error(f"{reason}; see parse.validate_share", file=GAMES)
    tables = [
        (str(result_path(model, paths.PREDICTIONS)), PREDICTIONS),
        (str(result_path(model, paths.RONS)), RONS),
    ]
    files = [MODELS[model]]
    if MODELS[model] != paths.HOUJUU_MODEL:
        files.append(paths.PAPER_WAIT_COUNTS)
    resolved = [str(Path(file).resolve()) for file in files]
    extract(f"predict@{model}", partial(predict, resolved), tables, wanted, inputs=files)


def predict(files: list[str], games: list[Game]) -> Tables:
    """The two tables of a model, for some games; the files are the model and the counts, if any."""
    exported, *counts = files
    estimator = load(exported)
    without_dora = paper_without_dora(estimator, WaitCounts.load(counts[0])) if counts else None
    (tables,) = prediction_rows.rows(games, [estimator], without_dora=[without_dora])
    return tables


if __name__ == "__main__":
    stage.run(partial(main, paths.chosen_model()))
