"""Stage ``paper_wait_counts``: counts of the waits of riichi, of the games to fit to."""

from __future__ import annotations

import numpy as np

from features import paper_wait_counts
from features.paper_wait_counts import WaitCounts
from pipeline import log_batches, paths, settings, stage
from pipeline.files import atomic_path
from pipeline.tables import accepted_games


def main() -> None:
    """Count every batch of games, and add the counts."""
    params = settings.load()
    games = accepted_games()
    wanted = frozenset(games.loc[~games["validate"], "source"])
    counts = log_batches.map_games(paper_wait_counts.count, wanted, params.run, "paper_wait_counts")
    total = sum(counts, WaitCounts.zeros())
    with atomic_path(paths.PAPER_WAIT_COUNTS) as path, path.open("wb") as file:
        np.savez(file, allow_pickle=False, **total.arrays())
    print(f"{total.riichi} riichi, {total.live_suji.sum()} decisions that faced one")


if __name__ == "__main__":
    stage.run(main)
