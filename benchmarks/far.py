"""Discard rules for hands of shanten 3 and more, compared with the discards of players.

Decisions before any riichi in held-out games of data/games.parquet. "agree" is the share in which
a rule selects the kind that the player discarded; "±" is half its 95% interval, clustered by game.
All rules select among the discards with the lowest shanten. The last line is the time to summarize
and evaluate a hand after a discard, in microseconds of one core.
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
from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.player.hand_value import yaku_model, yaku_targets
from houjuu.player.hand_value.shanten import useful
from houjuu.player.hand_value.yaku_model import Evaluation, YakuModel
from houjuu.player.rules.discard import distinct
from houjuu.util.intervals import clustered_mean
from models.metrics.yaku_metrics import FAR
from pipeline.game_shards import accepted_games, game_tasks, select_games


class RemainingHand(NamedTuple):
    """The hand after a discard: unseen tiles that lower its shanten, and its evaluation."""

    tiles: int
    evaluation: Evaluation


RULES: Mapping[str, Callable[[RemainingHand], Any]] = {
    "tiles (v3)": lambda hand: hand.tiles,
    "tiles, then the best group": lambda hand: (hand.tiles, hand.evaluation.total),
    "P(wins)": lambda hand: hand.evaluation.win,
    "the best group": lambda hand: hand.evaluation.total,
    "all yaku": lambda hand: hand.evaluation.expected,
    "tiles × P(wins)": lambda hand: hand.tiles * hand.evaluation.win,
    "tiles × the best group": lambda hand: hand.tiles * hand.evaluation.total,
    "tiles × all yaku": lambda hand: hand.tiles * hand.evaluation.expected,
}
"""Value that each rule maximizes; ties are broken by the order of the tiles, the last first."""


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument(
        "--games", type=int, default=300, help="number of held-out games (%(default)s)"
    )
    arguments = options.parse_args()
    selected = select_games(accepted_games(), held_out=arguments.games)
    model, times = yaku_model.load(), list[float]()
    agreements: list[dict[str, Any]] = []
    tasks = game_tasks(selected)
    with tqdm(total=len(selected), desc="games") as progress:
        for task in tasks:
            for game in task.games(task.held_out):
                agreements += ({"game": game.id} | row for row in _agreements(game, model, times))
                progress.update()
    rows = pd.DataFrame(agreements)
    output.show([_line(rows, name) for name in RULES], as_json=arguments.json)
    if not arguments.json:
        median, p99 = 1e6 * np.quantile(times, [0.5, 0.99])
        print(f"{len(times):,} evaluations: median {median:.0f}, 99th percentile {p99:.0f}")


def _agreements(game: Any, model: YakuModel, times: list[float]) -> list[dict[str, bool]]:
    rows = []
    for table, _, discard in decisions(game):
        view = table.view(discard.seat)
        if any(seat.declared for seat in view.opponents):
            continue
        hands = _remaining_hands(view, model, times)
        if hands:
            kinds = {name: KIND[_selected(hands, rule)] for name, rule in RULES.items()}
            rows.append({name: kind == KIND[discard.tile] for name, kind in kinds.items()})
    return rows


def _selected(hands: dict[int, RemainingHand], rule: Callable[[RemainingHand], Any]) -> int:
    return max(reversed(hands), key=lambda tile: rule(hands[tile]))


def _remaining_hands(view: View, model: YakuModel, times: list[float]) -> dict[int, RemainingHand]:
    """The remaining hands after the discards of lowest shanten; empty below shanten `FAR`."""
    hands = {
        tile: [other for other in view.hand if other != tile]
        for tile in distinct(view.hand, view.hand)
    }
    shanten = {tile: int(calculate_shanten(hand)) for tile, hand in hands.items()}
    least, unseen = min(shanten.values()), view.unseen().tolist()
    remaining = {}
    for tile, hand in hands.items():
        if shanten[tile] == least >= FAR:
            start = time.process_time()
            evaluation = model.evaluate(yaku_targets.summarize_view(view, hand, least))
            times.append(time.process_time() - start)
            remaining[tile] = RemainingHand(
                sum(unseen[kind] for kind in useful([KIND[other] for other in hand])), evaluation
            )
    return remaining


def _line(rows: pd.DataFrame, name: str) -> dict[str, Any]:
    games = rows["game"].to_numpy(object)
    agree, v3 = (rows[rule].to_numpy(float) for rule in (name, next(iter(RULES))))
    mean, half = clustered_mean(agree, games)
    more, half_more = clustered_mean(agree - v3, games)
    return {
        "rule": name,
        "decisions": len(rows),
        "agree": mean,
        "±": half,
        "more than v3": more,
        "± of the difference": half_more,
    }


if __name__ == "__main__":
    main()
