"""Stage ``paper_tenpai_rows``: rows for the paper's tenpai model, of the games of `tenpai_rows`."""

from __future__ import annotations

from features import paper_tenpai_rows
from features.schema.paper import PAPER_TENPAI
from houjuu.game.events import Game
from pipeline import paths, settings, stage
from pipeline.game_shards import Tables, accepted_games, extract, select_games


def main() -> None:
    """Extract the rows of all games, or of those with the smallest digests."""
    limits = settings.load().tenpai_rows
    wanted = select_games(accepted_games(), limits.games, limits.held_out)
    tables = ((paths.PAPER_TENPAI_ROWS, PAPER_TENPAI),)
    extract("paper_tenpai_rows", _rows, tables, wanted)


def _rows(games: list[Game]) -> Tables:
    return (paper_tenpai_rows.rows(games),)


if __name__ == "__main__":
    stage.run(main)
