"""Stage ``ask``: what the fitted models say at the decisions of games that no fit has seen.

A query takes milliseconds: params.yaml says of how many of the held-out games.
"""

from __future__ import annotations

from contextlib import ExitStack

import pandas as pd

import houjuu
from features import decisions, schema
from houjuu.errors import Error
from houjuu.events import Game
from pipeline import corpus, measured, settings, stage
from pipeline.files import writing
from pipeline.parse import GAMES

DANGERS = "dangers.parquet"
RONS = "rons.parquet"


def main() -> None:
    """Ask at every decision of as many games as params.yaml says, those of smallest digests."""
    params = settings.load()
    games = pd.read_parquet(GAMES)
    wanted = corpus.some(games, held_out=params.ask.games)
    if not wanted:
        reason = f"none of its {len(games)} games is held out to be measured on"
        raise Error(f"{reason}; see parse.validate_share", file=GAMES)
    with ExitStack() as stack:
        files = {
            model: [
                stack.enter_context(writing(measured.place(model, name), columns))
                for name, columns in ((DANGERS, schema.DANGERS), (RONS, schema.RONS))
            ]
            for model in measured.FILES
        }
        for asked_of in corpus.each(asked, wanted, params.run, "ask"):
            for write, rows in zip(files.values(), asked_of, strict=True):
                for file, part in zip(write, rows, strict=True):
                    file(part)


def asked(games: list[Game]) -> list[decisions.Rows]:
    """The rows of some games, for each of `measured.FILES`."""
    return decisions.rows(games, [houjuu.load(path) for path in measured.FILES.values()])


if __name__ == "__main__":
    stage.run(main)
