"""Stage ``unseen_rows``: rows for the model of unseen tiles."""

from __future__ import annotations

from features import unseen_rows
from pipeline import paths, settings, stage
from pipeline.game_shards import extract_table


def main() -> None:
    """Extract the rows of the games with the smallest digests."""
    table = (paths.UNSEEN_ROWS, unseen_rows.UNSEEN)
    extract_table("unseen_rows", unseen_rows.rows, table, settings.load().unseen_rows)


if __name__ == "__main__":
    stage.run(main)
