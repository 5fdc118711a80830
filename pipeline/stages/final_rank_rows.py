"""Stage ``final_rank_rows``: the scores at the start of every round, and the final ranks."""

from __future__ import annotations

from features import final_rank_rows
from houjuu.game.events import Game
from pipeline import paths, stage
from pipeline.game_shards import Tables, accepted_games, extract, select_games


def main() -> None:
    """Extract the rows of all games."""
    tables = ((paths.FINAL_RANK_ROWS, final_rank_rows.FINAL_RANKS),)
    extract("final_rank_rows", _rows, tables, select_games(accepted_games(), None, None))


def _rows(games: list[Game]) -> Tables:
    return (final_rank_rows.rows(games),)


if __name__ == "__main__":
    stage.run(main)
