"""Stage ``count``: how often riichi wait for what, of the games that are not held out."""

from __future__ import annotations

import numpy as np
import pandas as pd

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
    counts = corpus.each(waits.count, wanted, params.run, "count")
    total = sum(counts, WaitCounts.none())
    with replacing(COUNTS) as path, path.open("wb") as file:
        np.savez(file, allow_pickle=False, **total.arrays())
    print(f"{total.riichi} riichi, {total.live.sum()} decisions that faced one")


if __name__ == "__main__":
    stage.run(main)
