"""Stage ``paper_tenpai_rows``: rows for the paper's tenpai model, of the games of `tenpai_rows`."""

from __future__ import annotations

from features import paper_tenpai_rows
from features.schema.paper import PAPER_TENPAI
from pipeline import paths, settings, stage
from pipeline.game_shards import extract_table


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    table = (paths.PAPER_TENPAI_ROWS, PAPER_TENPAI)
    limits = settings.load().tenpai_rows
    extract_table("paper_tenpai_rows", paper_tenpai_rows.rows, table, limits)


if __name__ == "__main__":
    stage.run(main)
