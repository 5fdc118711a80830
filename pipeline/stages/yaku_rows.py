"""Stage ``yaku_rows``: hands after a discard and the yaku that they won with."""

from __future__ import annotations

from functools import partial

from features import yaku_rows
from pipeline import paths, settings, stage
from pipeline.game_shards import extract_table


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    limits = settings.load().yaku_rows
    rows = partial(yaku_rows.rows, decision_stride=limits.decision_stride)
    extract_table("yaku_rows", rows, (paths.YAKU_ROWS, yaku_rows.YAKU), limits)


if __name__ == "__main__":
    stage.run(main)
