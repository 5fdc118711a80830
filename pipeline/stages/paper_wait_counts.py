"""Stage ``paper_wait_counts``: counts of the waits of riichi, of the games to fit to."""

from __future__ import annotations

import numpy as np

from features import paper_wait_counts
from features.paper_wait_counts import WaitCounts
from houjuu.util.files import atomic_path
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.game_shards import accepted_games, map_games, select_games


def main() -> None:
    """Count every shard of the games, and add the counts."""
    wanted = select_games(accepted_games(), fitted=None)
    with open_engine(settings.load().run) as engine:
        counts = map_games(paper_wait_counts.count, wanted, engine, "paper_wait_counts")
        total = sum(counts, WaitCounts.zeros())
    with atomic_path(paths.PAPER_WAIT_COUNTS) as path, path.open("wb") as file:
        np.savez(file, allow_pickle=False, **total.arrays())
    print(f"{total.riichi} riichi, {total.live_suji.sum()} decisions that faced one")


if __name__ == "__main__":
    stage.run(main)
