"""Transfer of the shipped models: other rooms, lengths and years.

Log loss of "deals in to this opponent" for every kind in the hand, by opponent type. With --data,
the predictions for the held-out games of a run, by archive. The games of the other archives are
predicted in this run. Bots (names that begin with ⓝ) are left out as opponents.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

import houjuu
from benchmarks import output
from features import prediction_rows, schema
from houjuu.estimator import shipped_models
from houjuu.events import Game
from houjuu.logs import mjlog
from models.metrics.evaluation import deal_in_metrics

MODELS = shipped_models()
BOT = "ⓝ"
ARCHIVES = {
    "tokujou 2020–2023, hanchan": ("tokujou-hanchan.tar.xz", True),
    "phoenix 2024, hanchan": ("phoenix-2024.tar.xz", True),
    "phoenix 2024, East-only": ("phoenix-2024.tar.xz", False),
}
"""File of each archive, and whether its hanchan are asked about."""


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--data", type=Path, help="data of a run on real logs")
    options.add_argument("--games", type=int, default=200, help="number of games of an archive")
    arguments = options.parse_args()
    rooms: dict[str, list[pd.DataFrame]] = {}
    if arguments.data is not None:
        of_models = [dict(phoenix(arguments.data, model)) for model in MODELS]
        rooms = {name: [of_model[name] for of_model in of_models] for name in of_models[0]}
    for name, (archive, hanchan) in ARCHIVES.items():
        games = mjlog.read(arguments.shared / "tenhou" / archive)
        wanted = (game for game in games if game.rules.hanchan == hanchan)
        rooms[name] = list(human_rows(list(islice(wanted, arguments.games))))
    lines = [
        {"room": room, "model": model, **line}
        for room, of_models in rooms.items()
        for model, rows in zip(MODELS, of_models, strict=True)
        for line in metrics(rows)
    ]
    output.show(lines, as_json=arguments.json)


def phoenix(data: Path, model: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield each archive of a run with the predictions for its held-out games."""
    predictions = pd.read_parquet(data / model / "predictions" / "held_out")
    games = pd.read_parquet(data / "games.parquet", columns=["game", "source"])
    archive = games.set_index("game")["source"].str.split("/").str[0]
    archives = predictions["game"].astype(str).map(archive)
    yield from ((str(name), rows) for name, rows in predictions.groupby(archives))


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
