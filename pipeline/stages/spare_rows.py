"""Stage ``spare_rows``: rows of the held-out games that no evaluation needs, for the last fit.

`tenpai_rows.held_out` and `wait_rows.held_out` games are evaluated; these are the others.
"""

from __future__ import annotations

import pandas as pd

from features import ron_score_rows, tenpai_rows
from features.schema.tenpai import TENPAI
from features.schema.waits import RON_SCORES, WAITS
from houjuu.game.events import Game
from pipeline import paths, settings, stage
from pipeline.game_shards import Tables, accepted_games, extract, select_games


def main() -> None:
    """Extract the rows of the tables that the last fit needs."""
    params = settings.load()
    games = accepted_games()
    columns = {
        paths.TENPAI_ROWS: TENPAI,
        paths.WAIT_ROWS: WAITS,
        paths.RON_SCORE_ROWS: RON_SCORES,
    }
    tables = [(paths.SPARE_ROWS[table], columns[table]) for table in columns]
    evaluated = pd.concat(
        [
            select_games(games, held_out=limits.held_out)
            for limits in (params.tenpai_rows, params.wait_rows)
        ]
    )
    is_spare = games["validate"] & ~games["game"].isin(evaluated["game"])
    extract("spare_rows", _rows, tables, games[is_spare])


def _rows(games: list[Game]) -> Tables:
    waits, _, rons = ron_score_rows.rows_with_waits(games)
    return tenpai_rows.rows(games), waits, rons


if __name__ == "__main__":
    stage.run(main)
