"""Stage ``paper_melded_rows``: the true hands of tenpai opponents with open melds."""

from __future__ import annotations

from features import paper_melded_rows
from features.schema.paper import PAPER_MELDED
from houjuu.game.events import Game
from pipeline import paths, settings, stage
from pipeline.game_shards import Tables, accepted_games, extract, select_games


def main() -> None:
    """Extract the rows of the games with the smallest digests that are not held out."""
    wanted = select_games(accepted_games(), settings.load().paper_melded_rows.games)
    tables = ((paths.PAPER_MELDED_ROWS, PAPER_MELDED),)
    extract("paper_melded_rows", _rows, tables, wanted)


def _rows(games: list[Game]) -> Tables:
    return (paper_melded_rows.rows(games),)


if __name__ == "__main__":
    stage.run(main)
