"""Stage ``unseen_rows``: rows for the model of unseen tiles."""

from __future__ import annotations

from features import unseen_rows
from houjuu.game.events import Game
from pipeline import paths, settings, stage
from pipeline.game_shards import Tables, accepted_games, extract, select_games


def main() -> None:
    """Extract the rows of the games with the smallest digests."""
    limits = settings.load().unseen_rows
    wanted = select_games(accepted_games(), limits.games, limits.held_out)
    extract("unseen_rows", _rows, ((paths.UNSEEN_ROWS, unseen_rows.UNSEEN),), wanted)


def _rows(games: list[Game]) -> Tables:
    return (unseen_rows.rows(games),)


if __name__ == "__main__":
    stage.run(main)
