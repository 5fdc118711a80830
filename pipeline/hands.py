"""Stage ``hands``: what melded, tenpai opponents truly held, of some games that are not held out.

A row takes milliseconds and the weights are two: a part of the games is enough.
"""

from __future__ import annotations

import pandas as pd
from tqdm import tqdm

from features import hands
from pipeline import corpus, settings, stage
from pipeline.files import replacing
from pipeline.parse import GAMES

ROWS = "data/hands.parquet"


def main() -> None:
    """Extract rows of as many games as params.yaml says, those with the smallest digests."""
    params = settings.load()
    games = pd.read_parquet(GAMES)
    fitted = games[~games["validate"]].sort_values("digest")
    wanted = frozenset(fitted["source"][: params.hands.games])
    parts = []
    with tqdm(total=len(wanted), desc="hands", unit="game") as progress:
        for number, rows in corpus.mapped(extract, corpus.batches(wanted), params.run):
            parts.append(rows)
            progress.update(number)
    table = pd.concat(parts, ignore_index=True).astype({"game": "category"})
    with replacing(ROWS) as path:
        table.to_parquet(path, index=False)
    print(f"{len(table)} hands")


def extract(batch: list[corpus.Entry]) -> tuple[int, pd.DataFrame]:
    """Number of games in a batch, and their rows."""
    games = corpus.games(batch)
    return len(games), hands.rows(games)


if __name__ == "__main__":
    stage.run(main)
