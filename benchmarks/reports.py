"""Score the final ranks that reports of Mortal predict, beside ours, at the start of each round.

FILES are reports of mjai-reviewer (``--json``), whole games. A row is a seat at the start of a
round. "log loss" is of its final rank; "value" is the mean squared error of the expected value,
with 90, 45, 0 and -135 for the ranks. "difference" is ours less theirs, with its 95% interval;
negative is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from benchmarks import output
from houjuu.game import game_end
from houjuu.game.events import SEATS, Deal, Game
from houjuu.logs import any_format
from houjuu.logs.engine_reports import ReportedGame
from houjuu.player import RoundStarts, load_final_ranks
from houjuu.scoring.seat_rounds import final_scores
from houjuu.util.arrays import Floats
from houjuu.util.errors import Error
from houjuu.util.intervals import clustered_mean

VALUES = np.array([90.0, 45.0, 0.0, -135.0])
LEAST = 1e-6
"""The least probability: a report may have rounded one to 0."""


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("files", nargs="+", metavar="FILE", help="reports, folders or archives")
    arguments = options.parse_args()
    try:
        games = chain.from_iterable(map(any_format.games, arguments.files))
        output.show(list(lines(games)), as_json=arguments.json)
    except Error as problem:
        raise SystemExit(f"reports: {problem}") from None


def lines(games: Iterable[Game]) -> Iterator[dict[str, Any]]:
    """Yield a line for the log loss, and one for the value.

    Raises
    ------
    Error
        A game is none of a report with the final ranks of every round.
    """
    model = load_final_ranks()
    losses: dict[str, list[Floats]] = {"log loss": [], "value": []}
    clusters: list[int] = []
    for number, game in enumerate(games):
        deals = [event for event in game if isinstance(event, Deal)]
        theirs = game.report.ranks if isinstance(game, ReportedGame) else None
        if theirs is None or len(theirs) != len(deals):
            raise Error("has no relative_phi_matrix of every round", file=game.id)
        true = game_end.ranks(final_scores(game))
        for deal, of_round in zip(deals, theirs, strict=True):
            start = (game.rules.hanchan, deal.round, deal.honba, deal.riichi_sticks, deal.scores)
            at = RoundStarts._make(np.array([one]) for one in (*start, game.rules.profile.target))
            both = np.array([model.predict(at)[0], of_round])
            losses["log loss"].append(-np.log(np.maximum(both[:, range(SEATS), true], LEAST)))
            losses["value"].append((both @ VALUES - VALUES[true]) ** 2)
            clusters += [number] * SEATS
    for name, by_round in losses.items():
        ours, others = np.concatenate(by_round, axis=1)
        mean, half = clustered_mean(ours - others, clusters)
        counts = {"row": name, "games": len({*clusters}), "rows": len(clusters)}
        yield (
            counts
            | {"ours": float(ours.mean()), "theirs": float(others.mean())}
            | {
                "difference": mean,
                "± 95%": half,
            }
        )


if __name__ == "__main__":
    main()
