"""Stage ``round_end_rows``: states after a discard, and how their rounds ended."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd

from features import round_end_rows
from houjuu.estimators.loading import load
from houjuu.game.events import Game
from pipeline import paths, settings, stage
from pipeline.game_shards import extract_table


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    limits = settings.load().round_end_rows
    rows = partial(_rows, str(Path(paths.HOUJUU_MODEL).resolve()), limits.decision_stride)
    table = (paths.ROUND_END_ROWS, round_end_rows.ROUND_ENDS)
    extract_table("round_end_rows", rows, table, limits, inputs=[paths.HOUJUU_MODEL])


def _rows(model: str, decision_stride: int, games: list[Game]) -> pd.DataFrame:
    return round_end_rows.rows(games, load(model), decision_stride)


if __name__ == "__main__":
    stage.run(main)
