"""Stage ``wait_rows``: rows for the wait and score models."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from features import ron_score_rows, wait_rows
from features.schema.waits import RON_SCORES, WAITS
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.game.events import Game
from houjuu.util import parameters
from pipeline import paths, settings, stage
from pipeline.game_shards import Tables, accepted_games, extract, select_games


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    limits = settings.load().wait_rows
    wanted = select_games(accepted_games(), limits.games, limits.held_out)
    rows = partial(_rows, str(Path(paths.PAPER_MODEL).resolve()))
    tables = (
        (paths.WAIT_ROWS, WAITS),
        (paths.RON_SCORE_ROWS, RON_SCORES),
    )
    extract("wait_rows", rows, tables, wanted, inputs=[paths.PAPER_MODEL])


def _rows(model: str, games: list[Game]) -> Tables:
    paper = KuritaHoki(parameters.read(model))
    return wait_rows.rows(games, paper), ron_score_rows.rows(games, paper)


if __name__ == "__main__":
    stage.run(main)
