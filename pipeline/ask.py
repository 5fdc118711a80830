"""Stage ``ask``: what a fitted model says at the decisions of games that no fit has seen.

A query takes milliseconds: params.yaml says of how many of the held-out games.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pandas as pd

import houjuu
from features import decisions, schema
from houjuu.errors import Error
from houjuu.events import Game
from pipeline import corpus, measured, settings, stage
from pipeline.files import write_rows
from pipeline.parse import GAMES

DANGERS = "dangers.parquet"
RONS = "rons.parquet"


def main(model: str) -> None:
    """Ask at every decision of as many games as params.yaml says, those of smallest digests."""
    params = settings.load()
    games = pd.read_parquet(GAMES)
    wanted = corpus.some(games, held_out=params.ask.games)
    if not wanted:
        reason = f"none of its {len(games)} games is held out to be measured on"
        raise Error(f"{reason}; see parse.validate_share", file=GAMES)
    rons: list[pd.DataFrame] = []

    def dangers() -> Iterator[pd.DataFrame]:
        for rows in corpus.each(partial(asked, model), wanted, params.run, "ask"):
            rons.append(rows.rons)
            yield rows.dangers

    count = write_rows(measured.place(model, DANGERS), dangers(), schema.DANGERS)
    write_rows(measured.place(model, RONS), rons, schema.RONS)
    print(f"{count} rows; {sum(map(len, rons))} rons")


def asked(model: str, games: list[Game]) -> decisions.Rows:
    """The rows of some games."""
    return decisions.rows(games, houjuu.load(measured.FILES[model]))


if __name__ == "__main__":
    stage.run(partial(main, measured.chosen()))
