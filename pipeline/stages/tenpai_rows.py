"""Stage ``tenpai_rows``: rows for the tenpai GAM."""

from __future__ import annotations

from features import tenpai_rows
from features.schema.tenpai import TENPAI
from houjuu.game.events import Game
from pipeline import paths, settings, stage
from pipeline.game_shards import Tables, accepted_games, extract, select_games


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    limits = settings.load().tenpai_rows
    wanted = select_games(accepted_games(), limits.games, limits.held_out)
    extract("tenpai_rows", _rows, ((paths.TENPAI_ROWS, TENPAI),), wanted)


def _rows(games: list[Game]) -> Tables:
    return (tenpai_rows.rows(games),)


if __name__ == "__main__":
    stage.run(main)
