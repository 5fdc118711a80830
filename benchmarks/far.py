"""Discards of hands that are three and more from tenpai: what rules pick, and what players did.

Held-out games of data/games.parquet, decisions before any riichi. "picked" is how often a rule
picks the kind that the player discarded, "±" half its 95% interval, games being the units. All
rules pick among the discards that leave the lowest shanten. Then how long it takes to read and
evaluate what is left of a hand, in microseconds of one core.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from riichienv import calculate_shanten
from tqdm import tqdm

from benchmarks import output
from features.replay import decisions
from houjuu import logs
from houjuu.player import aims, prospects
from houjuu.player.discard import differing
from houjuu.player.prospects import Evaluation, Prospects
from houjuu.player.shanten import useful
from houjuu.table import View
from houjuu.tiles import COPIES
from models.comparison import difference
from models.prospects_scores import FAR
from pipeline import corpus
from pipeline.parse import GAMES


class Rest(NamedTuple):
    """What a discard leaves: unseen tiles that lower the shanten, and what the hand promises."""

    tiles: int
    told: Evaluation


RULES: Mapping[str, Callable[[Rest], Any]] = {
    "tiles (v3)": lambda rest: rest.tiles,
    "tiles, of equals the best group": lambda rest: (rest.tiles, rest.told.total),
    "P(wins)": lambda rest: rest.told.win,
    "the best group": lambda rest: rest.told.total,
    "all yaku": lambda rest: rest.told.expected,
    "tiles × P(wins)": lambda rest: rest.tiles * rest.told.win,
    "tiles × the best group": lambda rest: rest.tiles * rest.told.total,
    "tiles × all yaku": lambda rest: rest.tiles * rest.told.expected,
}
"""What is most where a rule discards; of equals the last in the order of the tiles."""


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, default=300, help="held-out ones (%(default)s)")
    arguments = options.parse_args()
    wanted = corpus.some(pd.read_parquet(GAMES), held_out=arguments.games)
    model, times = prospects.load(), list[float]()
    found: list[dict[str, Any]] = []
    with tqdm(total=len(wanted), desc="games") as progress:
        for batch in corpus.batches(wanted):
            for name, data in batch:
                if isinstance(data, bytes):
                    game = logs.parse(data, name)
                    found += ({"game": game.id} | picks for picks in _picks(game, model, times))
                progress.update()
    rows = pd.DataFrame(found)
    output.show([_line(rows, name) for name in RULES], as_json=arguments.json)
    if not arguments.json:
        half, most = 1e6 * np.quantile(times, [0.5, 0.99])
        print(f"{len(times):,} evaluations: median {half:.0f}, 99th percentile {most:.0f}")


def _picks(game: Any, model: Prospects, times: list[float]) -> list[dict[str, bool]]:
    found = []
    for table, _, discard in decisions(game):
        view = table.view(discard.seat)
        if any(seat.declared for seat in view.opponents):
            continue
        rests = _rests(view, model, times)
        if rests:
            kinds = {name: _picked(rests, rule) // COPIES for name, rule in RULES.items()}
            found.append({name: kind == discard.tile // COPIES for name, kind in kinds.items()})
    return found


def _picked(rests: dict[int, Rest], rule: Callable[[Rest], Any]) -> int:
    return max(reversed(rests), key=lambda tile: rule(rests[tile]))


def _rests(view: View, model: Prospects, times: list[float]) -> dict[int, Rest]:
    """By discard what is left of a hand that is far from tenpai, of the nearest discards."""
    hands = {
        tile: [other for other in view.hand if other != tile]
        for tile in differing(view.hand, view.hand)
    }
    shanten = {tile: int(calculate_shanten(hand)) for tile, hand in hands.items()}
    least, unseen = min(shanten.values()), view.unseen().tolist()
    found = {}
    for tile, hand in hands.items():
        if shanten[tile] == least >= FAR:
            start = time.process_time()
            told = model.evaluate(aims.of_view(view, hand, least))
            times.append(time.process_time() - start)
            found[tile] = Rest(
                sum(unseen[kind] for kind in useful([of // COPIES for of in hand])), told
            )
    return found


def _line(rows: pd.DataFrame, name: str) -> dict[str, Any]:
    games = rows["game"].to_numpy(object)
    picked, of_v3 = (rows[of].to_numpy(float) for of in (name, next(iter(RULES))))
    mean, half = difference(picked, np.zeros(len(picked)), games)
    more, half_more = difference(picked, of_v3, games)
    return {
        "rule": name,
        "decisions": len(rows),
        "picked": mean,
        "±": half,
        "more than v3": more,
        "± of that": half_more,
    }


if __name__ == "__main__":
    main()
