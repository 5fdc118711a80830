"""Stage ``prospects``: hands after a discard and what became of them, to learn yaku from."""

from __future__ import annotations

from functools import partial

import pandas as pd

from features import prospects
from pipeline import corpus, settings, stage
from pipeline.files import write_rows
from pipeline.parse import GAMES

ROWS = "data/prospects.parquet"


def main() -> None:
    """Extract rows of the games with the smallest digests."""
    params = settings.load()
    look = params.prospects
    wanted = corpus.some(pd.read_parquet(GAMES), look.games, look.held_out)
    made = corpus.each(partial(prospects.rows, every=look.every), wanted, params.run, "prospects")
    print(f"{write_rows(ROWS, made, prospects.PROSPECTS)} rows")


if __name__ == "__main__":
    stage.run(main)
