"""Stage ``signs``: what opponents have shown and whether they were tenpai, for the model "houjuu".

A part of the games is enough: params.yaml says how many, of those that are fitted to and of those
that are held out.
"""

from __future__ import annotations

import pandas as pd

from features import schema, signs
from pipeline import corpus, settings, stage
from pipeline.files import write_rows
from pipeline.parse import GAMES

ROWS = "data/signs.parquet"


def main() -> None:
    """Extract rows of the games with the smallest digests."""
    params = settings.load()
    wanted = corpus.some(pd.read_parquet(GAMES), params.signs.games, params.signs.held_out)
    count = write_rows(ROWS, corpus.each(signs.rows, wanted, params.run, "signs"), schema.SIGNS)
    print(f"{count} rows of {len(schema.SIGNS)} columns")


if __name__ == "__main__":
    stage.run(main)
