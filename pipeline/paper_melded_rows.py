"""Stage ``paper_melded_rows``: the true hands of tenpai opponents with open melds.

A row takes milliseconds and two weights are fitted: a part of the games to fit to is enough.
"""

from __future__ import annotations

from features import paper_melded_rows, schema
from pipeline import log_batches, paths, settings, stage
from pipeline.tables import accepted_games, write_rows


def main() -> None:
    """Extract rows of the games with the smallest digests."""
    params = settings.load()
    wanted = log_batches.select_games(accepted_games(), params.paper_melded_rows.games)
    name = "paper_melded_rows"
    rows = log_batches.map_games(paper_melded_rows.rows, wanted, params.run, name)
    count = write_rows(paths.PAPER_MELDED_ROWS, rows, schema.PAPER_MELDED)
    print(f"{count} hands")


if __name__ == "__main__":
    stage.run(main)
