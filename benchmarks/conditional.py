"""Where a model is wrong, although its probabilities are calibrated over all: on what people do.

Run it in the folder of a run on real logs, with a model that has not seen the held-out games. Each
row is a group of predictions beside what happened, with 95% intervals that count a game once: the
points of deal-ins by length of the game and after a kan, high risks against a riichi, the tile that
was thrown, damaten, and hands with three melds that are nearly certainly tenpai.

    python -m benchmarks.conditional --games 400
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd

from benchmarks import output
from features import prediction_rows, schema, tenpai_rows
from features.columns import floats
from houjuu.estimators import seen_games
from houjuu.estimators.loading import EVALUATED_MODEL, load
from houjuu.game.decisions import Decision
from houjuu.game.events import Game
from houjuu.hands.shanten import shanten_of_tiles
from houjuu.scoring.labelled_decisions import labelled_decisions
from houjuu.util.intervals import clustered_mean
from pipeline import settings
from pipeline.engine import open_engine
from pipeline.game_shards import accepted_games, map_games, select_games

_KEY = ["game", "round", "seat", "turn"]
_HIGH = 0.4
_SURE = 0.95


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--model", default=EVALUATED_MODEL, help="as houjuu.load (%(default)s)")
    options.add_argument("--games", type=int, default=400)
    arguments = options.parse_args()
    wanted = select_games(accepted_games(), 0, arguments.games)
    seen = seen_games.are_seen(wanted["game"], arguments.model)
    if seen.any():
        print(seen_games.sentence(int(seen.sum()), len(seen)), file=sys.stderr)
    with open_engine(settings.load().run) as engine:
        parts = [*map_games(partial(tables, arguments.model), wanted[~seen], engine, "predict")]
    joined = [pd.concat(of_part, ignore_index=True) for of_part in zip(*parts, strict=True)]
    output.show(list(lines(*joined)), as_json=arguments.json)


def tables(model: str, games: list[Game]) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Predictions of dealing in, rons and P(tenpai) of some games, with what is conditioned on."""
    estimator = load(model)
    ((deal_ins, rons),) = prediction_rows.rows(games, [estimator])
    about = [
        (game.id, *decision.key, *_conditions(decision), game.rules.hanchan)
        for game in games
        for decision, _ in labelled_decisions(game)
    ]
    conditions = pd.DataFrame(about, columns=[*_KEY, "indicators", "own_shanten", "hanchan"])
    rows = tenpai_rows.rows(games)
    rows["predicted"] = estimator.tenpai_of_rows(schema.arrays(rows))
    deal_ins = deal_ins.merge(conditions, on=_KEY, validate="m:1")
    rons = rons.merge(conditions, on=_KEY, validate="m:1")
    return deal_ins, rons, rows[["game", "n_open_melds", "tenpai", "predicted"]]


def _conditions(decision: Decision) -> tuple[int, int]:
    """The number of dora indicators, and the shanten of the hand that the discard leaves."""
    tiles = list(decision.view.hand)
    tiles.remove(decision.discard)
    return len(decision.view.dora_indicators), shanten_of_tiles(tuple(tiles))


def lines(
    deal_ins: pd.DataFrame, rons: pd.DataFrame, tenpai: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    """Yield a line for each group of the three tables of `tables`.

    `difference` is predicted less measured: points of rons, else probabilities.
    """
    points = rons.rename(columns={"expected_points": "predicted", "points": "measured"})
    riichi = points["opponent_type"] == "riichi"
    after_kan = points["indicators"] > 1
    yield _line("points, hanchan", points[points["hanchan"]])
    yield _line("points, East-only", points[~points["hanchan"]])
    yield _line("points, after a kan", points[after_kan])
    least = points.assign(predicted=points["at_least_3900"], measured=points["measured"] >= 3900)
    yield _line("3,900 points or more, riichi", least[riichi])
    table = deal_ins.rename(columns={"label": "measured"})
    faced = table[table["opponent_type"] == "riichi"]
    yield _line("40% or more, riichi", faced[faced["predicted"] >= _HIGH])
    thrown = table[table["was_discarded"]]
    yield _line("the tile thrown", thrown)
    for name, group in (
        ("from a tenpai hand", thrown["own_shanten"] <= 0),
        ("1 from tenpai", thrown["own_shanten"] == 1),
        ("2 or more from tenpai", thrown["own_shanten"] >= 2),
    ):
        yield _line(f"the tile thrown, {name}", thrown[group])
    yield _line("tiles kept", table[~table["was_discarded"]])
    closed = table[table["opponent_type"] == "closed"]
    yield _line("damaten, the tile thrown", closed[closed["was_discarded"]])
    yield _line("damaten, tiles kept", closed[~closed["was_discarded"]])
    sure = tenpai[(tenpai["n_open_melds"] == 3) & (tenpai["predicted"] >= _SURE)]
    yield _line("tenpai, three melds, 95% or more", sure.rename(columns={"tenpai": "measured"}))


def _line(name: str, rows: pd.DataFrame) -> dict[str, Any]:
    predicted, measured = floats(rows, "predicted"), floats(rows, "measured")
    difference, half = clustered_mean(predicted - measured, rows["game"].to_numpy(object))
    return {
        "group": name,
        "rows": len(rows),
        "predicted": float(predicted.mean()) if len(rows) else None,
        "measured": float(measured.mean()) if len(rows) else None,
        "difference": difference,
        "half_width": half,
    }


if __name__ == "__main__":
    main()
