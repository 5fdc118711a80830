"""Stage ``paper_wait_counts``: counts of the waits of riichi, of the games to fit to."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from features import paper_wait_counts
from features.paper_wait_counts import WaitCounts
from houjuu.util.files import atomic_path
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.game_shards import GameTask, accepted_games, game_tasks, select_games
from pipeline.resume import Counts, Job, make_shards, shard_file


def main() -> None:
    """Count every shard of the games, and add the counts."""
    wanted = select_games(accepted_games(), fitted=None)
    with open_engine(settings.load().run) as engine:
        made = make_shards(Job("paper_wait_counts"), _count, game_tasks(wanted), engine)
    counts = (WaitCounts.load(str(_file(shard.folder))) for shard in made)
    total = sum(counts, WaitCounts.zeros())
    _save(total, Path(paths.PAPER_WAIT_COUNTS))
    print(f"{total.riichi} riichi, {total.live_suji.sum()} decisions that faced one")


def _count(task: GameTask, folder: Path) -> Counts:
    _save(paper_wait_counts.count(task.games()), _file(folder))
    return {}


def _file(folder: Path) -> Path:
    return shard_file(folder, paths.PAPER_WAIT_COUNTS, "npz")


def _save(counts: WaitCounts, target: Path) -> None:
    with atomic_path(target) as path, path.open("wb") as file:
        np.savez(file, allow_pickle=False, **counts.arrays())


if __name__ == "__main__":
    stage.run(main)
