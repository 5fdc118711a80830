"""Stage ``tenpai_rows``: rows for the tenpai GAM, of some games of either split."""

from __future__ import annotations

from features import schema, tenpai_rows
from pipeline import log_batches, paths, settings, stage
from pipeline.tables import accepted_games, write_rows


def main() -> None:
    """Extract rows of the games with the smallest digests."""
    params = settings.load()
    limits = params.tenpai_rows
    wanted = log_batches.select_games(accepted_games(), limits.games, limits.held_out)
    rows = log_batches.map_games(tenpai_rows.rows, wanted, params.run, "tenpai_rows")
    count = write_rows(paths.TENPAI_ROWS, rows, schema.TENPAI)
    print(f"{count} rows of {len(schema.TENPAI)} columns")


if __name__ == "__main__":
    stage.run(main)
