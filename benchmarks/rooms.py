"""Transfer of the shipped models: other rooms, lengths and years.

Log loss of "deals in to this opponent" for every kind in the hand, by opponent type. The games of
the phoenix room are held out of the fits: the hash of params.yaml selects them. Bots (names that
begin with ⓝ) are left out as opponents.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from tqdm import tqdm

import houjuu
from benchmarks import output
from features import prediction_rows, schema
from houjuu.estimators.loading import shipped_models
from houjuu.game.events import Game
from houjuu.logs import mjlog
from models.metrics.evaluation import deal_in_metrics
from pipeline import settings
from pipeline.stages.parse import held_out

MODELS = shipped_models()
BOT = "ⓝ"


class Room(NamedTuple):
    """The hanchan or the East-only games of an archive, and whether the models are fitted to it."""

    archive: str
    hanchan: bool
    fitted: bool


ROOMS = {
    "phoenix 2009–2021, hanchan": Room("phoenix-hanchan.tar.xz", hanchan=True, fitted=True),
    "phoenix 2018–2023, East-only": Room("phoenix-tonpuu.tar.xz", hanchan=False, fitted=True),
    "phoenix 2024, hanchan": Room("phoenix-2024.tar.xz", hanchan=True, fitted=True),
    "phoenix 2024, East-only": Room("phoenix-2024.tar.xz", hanchan=False, fitted=True),
    "tokujou 2020–2023, hanchan": Room("tokujou-hanchan.tar.xz", hanchan=True, fitted=False),
}


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, default=200, help="number of games of a room")
    options.add_argument("--jobs", type=int, default=-1, help="processes; -1: one a core")
    arguments = options.parse_args()
    results = Parallel(n_jobs=arguments.jobs, return_as="generator")(
        delayed(room_lines)(name, arguments.shared / "tenhou", arguments.games) for name in ROOMS
    )
    lines = [line for of_room in tqdm(results, total=len(ROOMS)) for line in of_room]
    output.show(lines, as_json=arguments.json)


def room_lines(name: str, folder: Path, n_games: int) -> list[dict[str, Any]]:
    """The lines of all models for a room, whose archive is in the folder."""
    room, params = ROOMS[name], settings.load().parse
    of_length = (
        game
        for game in mjlog.read(folder / room.archive)
        if game.rules.hanchan == room.hanchan and (not room.fitted or held_out(game.id, params))
    )
    games = list(islice(of_length, n_games))
    return [
        {"room": name, "games": len(games), "model": model, **line}
        for model, rows in zip(MODELS, human_rows(games), strict=True)
        for line in metrics(rows)
    ]


def human_rows(games: list[Game]) -> Iterator[pd.DataFrame]:
    """Yield the rows of games for each model, without opponents that are bots."""
    estimators = [houjuu.load(model) for model in MODELS]
    rows_by_game = [prediction_rows.rows([game], estimators) for game in tqdm(games)]
    bots = {
        (game.id, seat)
        for game in games
        for seat, player in enumerate(game.players)
        if player.name.startswith(BOT)
    }
    for model_rows in zip(*rows_by_game, strict=True):
        rows = pd.concat([tables.predictions for tables in model_rows])
        key = pd.MultiIndex.from_frame(rows[["game", "opponent"]].astype({"game": str}))
        yield rows[~key.isin(list(bots))]


def metrics(rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield a line for all opponents and for each opponent type."""
    for name, values in deal_in_metrics(rows).items():
        if name in ("all", *schema.OPPONENT_TYPES[:5]):
            names = ("rows", "rate", "log_loss", "log_loss_base", "auc")
            same_type = rows if name == "all" else rows[rows["opponent_type"] == name]
            mean = float(np.mean(same_type["predicted"]))
            yield {"opponent": name, **{key: values[key] for key in names}, "mean predicted": mean}


if __name__ == "__main__":
    main()
