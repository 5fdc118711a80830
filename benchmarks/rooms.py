"""How far what was fitted in one room serves another: hanchan, East-only games, 特上卓.

Log loss of "deals in to this opponent" for every kind in the hand, by how the opponent is read. The
phoenix rows are those of the last run's held-out games (data/MODEL/dangers.parquet), by the archive
that they came from; those of 特上卓 are asked now. Bots (names that begin with ⓝ) are no opponents.
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
from features import decisions, schema
from houjuu.estimator import shipped_models
from houjuu.events import Game
from houjuu.logs import mjlog
from models.evaluation import deal_in_scores

MODELS = shipped_models()
BOT = "ⓝ"


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--data", type=Path, default=Path("data"), help="of a run on real logs")
    options.add_argument("--games", type=int, default=200, help="of 特上卓")
    arguments = options.parse_args()
    games = mjlog.read(arguments.shared / "tenhou" / "tokujou-hanchan.tar.xz")
    asked = list(islice(games, arguments.games))
    lines = [
        {"room": room, "model": model, **line}
        for model, rows_of in zip(MODELS, people(asked), strict=True)
        for room, rows in {
            **dict(phoenix(arguments.data, model)),
            "特上卓, hanchan": rows_of,
        }.items()
        for line in scores(rows)
    ]
    output.show(lines, as_json=arguments.json)


def phoenix(data: Path, model: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the archives of a run and the rows of their held-out games."""
    dangers = pd.read_parquet(data / model / "dangers.parquet")
    games = pd.read_parquet(data / "games.parquet", columns=["game", "source"])
    archive = games.set_index("game")["source"].str.split("/").str[0]
    of = dangers["game"].astype(str).map(archive)
    yield from ((str(name), rows) for name, rows in dangers.groupby(of))


def people(games: list[Game]) -> Iterator[pd.DataFrame]:
    """Yield the rows of games for each model, without those that tell of a bot."""
    estimators = [houjuu.load(model) for model in MODELS]
    asked = [decisions.rows([game], estimators) for game in tqdm(games)]
    bots = {
        (game.id, seat)
        for game in games
        for seat, player in enumerate(game.players)
        if player.name.startswith(BOT)
    }
    for of in zip(*asked, strict=True):
        rows = pd.concat([found.dangers for found in of])
        key = pd.MultiIndex.from_frame(rows[["game", "opponent"]].astype({"game": str}))
        yield rows[~key.isin(list(bots))]


def scores(rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield a line for all opponents and for each class."""
    for name, of in deal_in_scores(rows).items():
        if name in ("all", *schema.READ_AS[:5]):
            told = {key: of[key] for key in ("rows", "rate", "log_loss", "log_loss_base", "auc")}
            said = rows if name == "all" else rows[rows["read_as"] == name]
            yield {"opponent": name, **told, "said": float(np.mean(said["predicted"]))}


if __name__ == "__main__":
    main()
