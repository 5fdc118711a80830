"""Accuracy of the estimator and of other programs on the same positions of held-out games.

The rows are those of the peers' tables, and `benchmarks.tasks` has the tasks. "difference" is
houjuu minus the peer, with its 95% interval. Negative is better than the peer, but for AUC, S, H
and W.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from tqdm import tqdm

import houjuu
from benchmarks import output, tasks
from houjuu.game.events import Deal, Discard, Game
from houjuu.game.table import View
from houjuu.logs import mjlog
from houjuu.util.arrays import Floats
from houjuu.util.files import atomic_path

NAMES = {
    "akochan": "akochan",
    "manue": "mjai-manue",
    "mahjong-helper": "mahjong-helper",
    "killer": "killer_mortal_gui",
    "majiang": "majiang",
    "tomohxx": "tile-share predictor",
    "other": "the other model",
}
OTHER = "other"
OURS = "houjuu"
Key = tuple[str, int, int, int]


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument(
        "--model", default="kurita-hoki-2017", help="model name, or parameter file (.npz)"
    )
    options.add_argument("--against", help="another model or parameter file to compare with")
    options.add_argument("--keep", type=Path, help="output file (docs/real-run/peers.json)")
    arguments = options.parse_args()
    games = mjlog.read(arguments.shared / "tenhou" / "peer-bench.tar.xz")
    estimator = houjuu.load(arguments.model)
    other = houjuu.load(arguments.against) if arguments.against else None
    predictions = predict(games, estimator, other)
    results = list(lines(*peer_tables(arguments.shared / "peers", predictions)))
    if arguments.keep:
        write_results(arguments.keep, estimator.header, results)
    output.show(results, as_json=arguments.json)


def write_results(
    path: Path, header: Mapping[str, Any], results: Sequence[Mapping[str, Any]]
) -> None:
    """Write the results to a file, under the name of the model."""
    content = json.loads(path.read_text()) if path.exists() else {}
    origin = {name: header[name] for name in ("fitted_on", "commit")}
    content[header["model"]] = origin | {"lines": results}
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


class Prediction(NamedTuple):
    """The predictions for a position: right, across, left.

    Attributes
    ----------
    tenpai : (3,) array
    by_opponent : (3, 34) array
    points : (3,) array
        Expected points of the real discard if it deals in; NaN without a prediction.
    """

    tenpai: Floats
    by_opponent: Floats
    points: Floats

    @property
    def any(self) -> Floats:
        """P(deals in to anybody), (34,)."""
        return np.asarray(1.0 - np.prod(1.0 - self.by_opponent, axis=0))


def predict(
    games: Iterable[Game],
    estimator: houjuu.Estimator,
    other: houjuu.Estimator | None = None,
) -> dict[str, dict[Key, Prediction]]:
    """Predictions for every decision, by name: of the estimator, and of the other one."""
    models = {OURS: estimator} | ({} if other is None else {OTHER: other})
    predictions: dict[str, dict[Key, Prediction]] = {name: {} for name in models}
    for game in tqdm(games, "replay"):
        for key, view, cache, tile in _decisions(game):
            for name, model in models.items():
                risk = model.deal_in(view, cache)
                points = np.array([_points(risk, opponent, tile) for opponent in range(3)])
                predictions[name][key] = Prediction(risk.tenpai, risk.by_opponent, points)
    return predictions


def peer_tables(
    peers: Path, predictions: Mapping[str, Mapping[Key, Prediction]]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The three tables of the peers, with columns for our predictions of the same positions."""
    names = ("opponents", "tiles", "discards")
    tables = [pd.read_parquet(peers / f"{name}.parquet").astype({"game_id": str}) for name in names]
    opponents, tiles, discards = tables
    for name, by_key in predictions.items():
        opponents[f"tenpai_{name}"] = [
            by_key[row[:4]].tenpai[_relative_seat(row[2], row[4])]
            for row in _rows(opponents, "opponent")
        ]
        tiles[f"dealin_{name}"] = [
            by_key[row[:4]].by_opponent[_relative_seat(row[2], row[4]), row[5]]
            for row in _rows(tiles, "opponent", "tile")
        ]
        rows = list(_rows(discards, "tile", "winner"))
        discards[f"dealin_{name}"] = [by_key[row[:4]].any[row[4]] for row in rows]
        discards[f"points_{name}"] = [
            by_key[row[:4]].points[_relative_seat(row[2], row[5])] if row[5] >= 0 else np.nan
            for row in rows
        ]
    return opponents, tiles, discards


def _rows(table: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    return table[[*tasks.KEY, *columns]].itertuples(index=False, name=None)


def _relative_seat(seat: int, opponent: int) -> int:
    """The opponent as 0, 1, 2 for right, across, left."""
    return (opponent - seat) % 4 - 1


def _points(risk: houjuu.DealIn, opponent: int, tile: int) -> float:
    """Expected points of a real deal-in, without honba."""
    weight = risk.tile_scores(tile)[opponent]
    points = risk.opponents[opponent].points
    return float(weight @ points / weight.sum()) if weight.any() else np.nan


def _decisions(game: Game) -> Iterator[tuple[Key, View, houjuu.HandCache, int]]:
    """Yield key, view, cache of the seat and discarded tile of every decision."""
    table = houjuu.Table(game.rules)
    caches = [houjuu.HandCache() for _ in range(4)]
    index = -1
    for event in game:
        index += isinstance(event, Deal)
        if isinstance(event, Discard) and not table.seats[event.seat].in_riichi:
            view = table.view(event.seat)
            key = (game.id, index, event.seat, len(view.seats[event.seat].river))
            yield key, view, caches[event.seat], event.tile
        table.apply(event)


def lines(
    opponents: pd.DataFrame, tiles: pd.DataFrame, discards: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    """Yield a line for each task and peer: both metrics, the difference and its interval."""
    programs = [OURS, *NAMES]
    rons = discards[discards["ronned"] & discards["points"].notna()]
    for task in chain(
        tasks.tenpai_tasks(opponents, programs),
        tasks.tile_tasks(tiles, programs),
        tasks.discard_tasks(discards, programs),
        tasks.points_tasks(rons, programs),
    ):
        own = task.scores[OURS]
        for column, other in task.scores.items():
            if column == OURS:
                continue
            yield {
                "row": task.name,
                "rows": task.rows,
                "base": task.base,
                "prior": task.prior,
                OURS: own,
                "peer": NAMES[column],
                "theirs": other,
                "difference": own - other,
                "95%": task.interval(OURS, less=column),
            }


if __name__ == "__main__":
    main()
