"""Stage ``yaku_rows``: hands after a discard and the yaku that they won with."""

from __future__ import annotations

from functools import partial

from features import yaku_rows
from houjuu.game.events import Game
from pipeline import paths, settings, stage
from pipeline.game_shards import Tables, accepted_games, extract, select_games


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    limits = settings.load().yaku_rows
    wanted = select_games(accepted_games(), limits.games, limits.held_out)
    rows = partial(_rows, limits.decision_stride)
    extract("yaku_rows", rows, ((paths.YAKU_ROWS, yaku_rows.YAKU),), wanted)


def _rows(decision_stride: int, games: list[Game]) -> Tables:
    return (yaku_rows.rows(games, decision_stride=decision_stride),)


if __name__ == "__main__":
    stage.run(main)
