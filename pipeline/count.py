"""Stage ``count``: how often riichi wait for what, of the games that are not held out."""

from __future__ import annotations

import numpy as np
import pandas as pd
from tqdm import tqdm

from features import waits
from features.waits import WaitCounts
from pipeline import corpus, settings, stage
from pipeline.files import replacing
from pipeline.parse import GAMES

COUNTS = "data/waits.npz"


def main() -> None:
    """Count, and add up."""
    params = settings.load()
    games = pd.read_parquet(GAMES)
    wanted = frozenset(games.loc[~games["validate"], "source"])
    total = WaitCounts.none()
    with tqdm(total=len(wanted), desc="count", unit="game") as progress:
        for number, counts in corpus.mapped(count, corpus.batches(wanted), params.run):
            total += counts
            progress.update(number)
    with replacing(COUNTS) as path, path.open("wb") as file:
        np.savez(file, allow_pickle=False, **total.arrays())
    print(f"{total.riichi} riichi, {total.live.sum()} decisions that faced one")


def count(batch: list[corpus.Entry]) -> tuple[int, WaitCounts]:
    """Number of games in a batch, and their counts."""
    games = corpus.games(batch)
    return len(games), waits.count(games)


if __name__ == "__main__":
    stage.run(main)
