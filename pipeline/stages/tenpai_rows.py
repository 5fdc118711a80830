"""Stage ``tenpai_rows``: rows for the tenpai GAM."""

from __future__ import annotations

from features import tenpai_rows
from features.schema.tenpai import TENPAI
from pipeline import paths, settings, stage
from pipeline.game_shards import extract_table


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    table = (paths.TENPAI_ROWS, TENPAI)
    extract_table("tenpai_rows", tenpai_rows.rows, table, settings.load().tenpai_rows)


if __name__ == "__main__":
    stage.run(main)
