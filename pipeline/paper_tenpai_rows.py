"""Stage ``paper_tenpai_rows``: rows for the tenpai model of the paper, of every accepted game."""

from __future__ import annotations

from features import paper_tenpai_rows, schema
from pipeline import log_batches, paths, settings, stage
from pipeline.tables import accepted_games, write_rows


def main() -> None:
    """Extract the rows, in the order of the files."""
    params = settings.load()
    wanted = frozenset(accepted_games()["source"])
    name = "paper_tenpai_rows"
    rows = log_batches.map_games(paper_tenpai_rows.rows, wanted, params.run, name)
    count = write_rows(paths.PAPER_TENPAI_ROWS, rows, schema.PAPER_TENPAI)
    print(f"{count} rows of {len(schema.PAPER_TENPAI)} columns")


if __name__ == "__main__":
    stage.run(main)
