"""Stage ``action_rows``: the actions of decisions with their values, and those that were taken."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd

from features import action_rows
from houjuu.estimators.loading import load
from houjuu.game.events import Game
from houjuu.player.round_end import round_ends
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values import final_ranks
from houjuu.player.values.next_round import AVERAGE_RANK
from houjuu.player.values.round_values import RankValues
from pipeline import paths, settings, stage
from pipeline.game_shards import extract_table

_MODELS = (paths.HOUJUU_MODEL, paths.FINAL_RANK_MODEL, paths.ROUND_END_MODEL)


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    limits = settings.load().action_rows
    models = [str(Path(path).resolve()) for path in _MODELS]
    rows = partial(_rows, models, (limits.decision_stride, limits.rare_stride))
    table = (paths.ACTION_ROWS, action_rows.ACTIONS)
    extract_table("action_rows", rows, table, limits, inputs=_MODELS)


def _rows(models: list[str], strides: tuple[int, int], games: list[Game]) -> pd.DataFrame:
    estimator, ranks, ends = models
    rank_values = RankValues(final_ranks.load(ranks), AVERAGE_RANK)
    player = ValuePlayer(load(estimator), rank_values, round_ends.load(ends))
    return action_rows.rows(games, player, *strides)


if __name__ == "__main__":
    stage.run(main)
