"""Stage ``wait_rows``: rows for the wait and score models, of some games of either split.

Rows of open hands take longer, since their hands are enumerated: they come from fewer games.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import pandas as pd

from features import ron_score_rows, schema, wait_rows
from houjuu import parameters
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.events import Game
from houjuu.reading.opponent import OpponentType
from pipeline import log_batches, paths, settings, stage
from pipeline.tables import accepted_games, row_writer


class _Rows(NamedTuple):
    waits: pd.DataFrame
    ron_scores: pd.DataFrame


def main() -> None:
    """Extract rows of the games with the smallest digests."""
    params = settings.load()
    games, limits = accepted_games(), params.wait_rows
    with (
        row_writer(paths.WAIT_ROWS, schema.WAITS) as write_waits,
        row_writer(paths.RON_SCORE_ROWS, schema.RON_SCORES) as write_scores,
    ):
        for melded, most in ((False, limits.closed), (True, limits.melded)):
            wanted = log_batches.select_games(games, most, limits.held_out)
            name = f"wait_rows, {'melded' if melded else 'closed'}"
            for rows in log_batches.map_games(partial(_extract, melded), wanted, params.run, name):
                write_waits(rows.waits)
                write_scores(rows.ron_scores)


def _extract(melded: bool, games: list[Game]) -> _Rows:
    types = frozenset(of_type for of_type in OpponentType if of_type.is_melded is melded)
    paper = KuritaHoki(parameters.read(paths.PAPER_MODEL))
    return _Rows(*(table.rows(games, paper, types) for table in (wait_rows, ron_score_rows)))


if __name__ == "__main__":
    stage.run(main)
