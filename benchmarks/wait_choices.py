"""The choices that section 5.3 of the paper leaves open: log loss of the waits of held-out riichi.

Run it in the folder of a run on real logs. Each variant of `models.paper.waits.WaitFrequencies` is
fitted to the counts of all games that are not held out, and to those of a few games. A row is a
decision that faces a riichi, and a kind of the hand that is no genbutsu; the label is whether the
riichi wins on it. "difference" is to the default of params.yaml, in thousandths of a nat, with its
95% interval clustered by game; negative is better.

    python -m benchmarks.wait_choices
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from benchmarks import output
from features import paper_wait_counts
from features.paper_wait_counts import WaitCounts, riichi_opponents
from features.replay import decisions
from features.true_waits import ron_kinds
from houjuu.estimators.kurita_hoki.riichi_waits import RiichiWaitModel
from houjuu.game.events import Game
from houjuu.game.table import Seat, mask_to_array
from houjuu.game.tiles import KIND, KINDS
from houjuu.util.arrays import Bools, Floats, Int8s
from houjuu.util.intervals import clustered_mean
from models.metrics.calibration import row_losses
from models.paper.waits import WaitFrequencies
from pipeline import settings
from pipeline.engine import open_engine
from pipeline.game_shards import accepted_games, map_games, select_games
from pipeline.paths import PAPER_WAIT_COUNTS

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"share_suits": False},
    *({"smoothing": count} for count in (0.5, 1.0, 20.0, 100.0)),
    *({"smoothing_live": count} for count in (0.0, 5.0, 100.0, 1000.0)),
)
NO_KOKUSHI = "no kokushi"


class Query(NamedTuple):
    """A riichi that a decision faces, and the truth."""

    game: str
    seat: Seat
    unseen: Int8s
    furiten: int
    red_fives: bool
    asked: Bools
    wins: Bools


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--few", type=int, default=300, help="number of games of the small fit")
    options.add_argument("--games", type=int, default=600, help="number of held-out games")
    arguments = options.parse_args()
    games = accepted_games()
    held_out = select_games(games, held_out=arguments.games)
    few = select_games(games, fitted=arguments.few)
    with open_engine(settings.load().run) as engine:
        parts = map_games(queries, held_out, engine, "held-out games")
        asked = [query for part in parts for query in part]
        small = reduce(add, map_games(paper_wait_counts.count, few, engine, "small fit"))
    with np.load(PAPER_WAIT_COUNTS) as arrays:
        counts = {"all": WaitCounts(**arrays), str(arguments.few): small}
    lines = [line for name, of_games in counts.items() for line in compare(name, of_games, asked)]
    output.show(lines, as_json=arguments.json)


def queries(games: list[Game]) -> list[Query]:
    """Every riichi that a decision of some games faces."""
    return [query for game in games for query in _queries(game)]


def _queries(game: Game) -> Iterator[Query]:
    for table, _, discard in decisions(game):
        for opponent, furiten in riichi_opponents(table, discard.seat):
            view = table.view(discard.seat)
            asked = np.zeros(KINDS, dtype=bool)
            asked[[KIND[tile] for tile in view.hand]] = True
            asked &= ~mask_to_array(furiten)
            seat = view.seats[opponent]
            wins = mask_to_array(ron_kinds(table, view, seat))
            red_fives = view.rules.red_fives
            yield Query(game.id, seat, view.unseen(), furiten, red_fives, asked, wins)


def compare(name: str, counts: WaitCounts, asked: list[Query]) -> Iterator[dict[str, Any]]:
    """Yield a line for each variant, the default first."""
    default = settings.load().paper_waits
    games = np.repeat([query.game for query in asked], [query.asked.sum() for query in asked])
    base: Floats | None = None
    for changed, model in _models(default, counts):
        loss = np.concatenate([_losses(model, query) for query in asked])
        base = loss if base is None else base
        mean, half = clustered_mean(1000 * (loss - base), games.astype(object))
        yield {
            "games": name,
            "changed": changed,
            "rows": len(loss),
            "log loss": float(loss.mean()),
            "difference": mean,
            "95%": [mean - half, mean + half],
        }


def _models(default: dict[str, Any], counts: WaitCounts) -> Iterator[tuple[str, RiichiWaitModel]]:
    for variant in VARIANTS:
        changed = ", ".join(f"{key} {value}" for key, value in variant.items())
        model = WaitFrequencies(**default | variant).fit(counts).to_runtime()
        yield changed or "the default", model
        if not variant:
            yield NO_KOKUSHI, replace(model, floor=np.zeros(KINDS))


def _losses(model: RiichiWaitModel, query: Query) -> Floats:
    prediction = model.predict(query.seat, query.unseen, query.furiten, red_fives=query.red_fives)
    return row_losses(prediction.kind[query.asked], query.wins[query.asked])


if __name__ == "__main__":
    main()
