"""Stage ``wait_rows``: rows for the wait and score models, and for the weights of melded hands."""

from __future__ import annotations

from features import ron_score_rows
from features.schema.paper import PAPER_MELDED
from features.schema.waits import RON_SCORES, WAITS
from pipeline import paths, settings, stage
from pipeline.game_shards import accepted_games, extract, select_games


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    limits = settings.load().wait_rows
    wanted = select_games(accepted_games(), limits.games, limits.held_out)
    tables = (
        (paths.WAIT_ROWS, WAITS),
        (paths.PAPER_MELDED_ROWS, PAPER_MELDED),
        (paths.RON_SCORE_ROWS, RON_SCORES),
    )
    extract("wait_rows", ron_score_rows.rows_with_waits, tables, wanted)


if __name__ == "__main__":
    stage.run(main)
