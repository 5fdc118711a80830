"""Stage ``final_rank_rows``: the scores at the start of every round, and the final ranks."""

from __future__ import annotations

from features import final_rank_rows
from pipeline import paths, stage
from pipeline.game_shards import extract_table
from pipeline.settings import RowSettings


def main() -> None:
    """Extract the rows of all games."""
    table = (paths.FINAL_RANK_ROWS, final_rank_rows.FINAL_RANKS)
    extract_table("final_rank_rows", final_rank_rows.rows, table, RowSettings(None, None))


if __name__ == "__main__":
    stage.run(main)
