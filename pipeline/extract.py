"""Stage ``extract``: replay the accepted games and write their rows to data/tenpai.parquet."""

from __future__ import annotations

import pandas as pd

from features import schema, tenpai
from pipeline import corpus, settings, stage
from pipeline.files import write_rows
from pipeline.parse import GAMES

ROWS = "data/tenpai.parquet"


def main() -> None:
    """Extract the rows of every accepted game, in the order of the files."""
    params = settings.load()
    games = pd.read_parquet(GAMES)
    wanted = frozenset(games["source"])
    rows = corpus.each(tenpai.rows, wanted, params.run, "extract")
    count = write_rows(ROWS, rows, schema.TENPAI)
    print(f"{count} rows of {len(schema.TENPAI)} columns")


if __name__ == "__main__":
    stage.run(main)
