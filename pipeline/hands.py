"""Stage ``hands``: what melded, tenpai opponents truly held, of some games that are not held out.

A row takes milliseconds and the weights are two: a part of the games is enough.
"""

from __future__ import annotations

import pandas as pd

from features import hands, schema
from pipeline import corpus, settings, stage
from pipeline.files import write_rows
from pipeline.parse import GAMES

ROWS = "data/hands.parquet"


def main() -> None:
    """Extract rows of as many games as params.yaml says, those with the smallest digests."""
    params = settings.load()
    wanted = corpus.some(pd.read_parquet(GAMES), params.hands.games)
    rows = corpus.each(hands.rows, wanted, params.run, "hands")
    count = write_rows(ROWS, rows, schema.HANDS)
    print(f"{count} hands")


if __name__ == "__main__":
    stage.run(main)
