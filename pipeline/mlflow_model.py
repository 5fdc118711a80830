"""An exported estimator becomes a registered model of MLflow."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from houjuu.game.events import Game
from houjuu.logs import mjai_writer
from models import pyfunc
from pipeline.game_shards import accepted_games, game_tasks, select_games


def register(path: str | Path, name: str) -> None:
    """Add an exported estimator to the open run, as the next version of ``models:/NAME``."""
    (task,) = game_tasks(select_games(accepted_games(), held_out=1))
    (game,) = task.games(task.held_out)
    pyfunc.log(path, name, position(game))


def position(game: Game) -> pd.DataFrame:
    """The first draw after the first riichi, or the first draw, as input of `models.pyfunc`."""
    messages = list(mjai_writer.messages(game))
    types = [message["type"] for message in messages]
    draws = [index for index, name in enumerate(types) if name == "tsumo"]
    riichi = types.index("reach") if "reach" in types else 0
    last = next((draw for draw in draws if draw > riichi), draws[0])
    lines = [json.dumps(message, ensure_ascii=False) for message in messages[: last + 1]]
    return pd.DataFrame({"events": ["\n".join(lines)], "seat": [messages[last]["actor"]]})
