"""Stage ``situations``: what tenpai opponents had shown, what they won on and for how much.

A part of the games is enough: params.yaml says how many are looked at for closed hands and, since
their hands have to be worked out, how many for melded ones.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import pandas as pd

import houjuu
from features import schema, situations, wins
from houjuu.events import Game
from pipeline import corpus, settings, stage
from pipeline.export import ESTIMATOR
from pipeline.files import writing
from pipeline.parse import GAMES

SITUATIONS = "data/situations.parquet"
WINS = "data/wins.parquet"


class _Rows(NamedTuple):
    situations: pd.DataFrame
    wins: pd.DataFrame


def main() -> None:
    """Extract rows of the games with the smallest digests."""
    params = settings.load()
    games = pd.read_parquet(GAMES)
    with writing(SITUATIONS, schema.SITUATIONS) as hand, writing(WINS, schema.WINS) as win:
        for melded, most in ((False, params.situations.closed), (True, params.situations.melded)):
            wanted = corpus.some(games, most, params.situations.held_out)
            name = "melded" if melded else "closed"
            for rows in corpus.each(partial(_look, melded), wanted, params.run, name):
                hand(rows.situations)
                win(rows.wins)


def _look(melded: bool, games: list[Game]) -> _Rows:
    classes = frozenset(read for read in schema.READ_AS if ("meld" in read) is melded)
    estimator = houjuu.load(ESTIMATOR)
    return _Rows(*(of.rows(games, estimator, classes) for of in (situations, wins)))


if __name__ == "__main__":
    stage.run(main)
