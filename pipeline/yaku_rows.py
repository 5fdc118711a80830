"""Stage ``yaku_rows``: hands after a discard and the yaku that they won with, of some games."""

from __future__ import annotations

from functools import partial

from features import yaku_rows
from pipeline import log_batches, paths, settings, stage
from pipeline.tables import accepted_games, write_rows


def main() -> None:
    """Extract rows of the games with the smallest digests."""
    params = settings.load()
    limits = params.yaku_rows
    wanted = log_batches.select_games(accepted_games(), limits.games, limits.held_out)
    extract = partial(yaku_rows.rows, decision_stride=limits.decision_stride)
    rows = log_batches.map_games(extract, wanted, params.run, "yaku_rows")
    print(f"{write_rows(paths.YAKU_ROWS, rows, yaku_rows.YAKU)} rows")


if __name__ == "__main__":
    stage.run(main)
