"""Lets the players place the same pieces, and prints and draws what chains they make."""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

from joblib import Parallel, delayed
from tqdm import tqdm

from examples.puyo import drawing, report
from examples.puyo.players import KNOWN, PLAYERS, pieces, play

ASKED = 10
"""All players are asked before every so manieth piece, in each game from another on."""


def main() -> None:
    """Run the command."""
    options = _parser().parse_args()
    work = list(product(PLAYERS, range(options.games)))
    played = Parallel(n_jobs=options.jobs, return_as="generator")(
        delayed(play)(
            player,
            pieces(options.seed, number, options.pieces + KNOWN - 1),
            range(number % ASKED, options.pieces, ASKED),
        )
        for player, number in work
    )
    done = iter(tqdm(played, "puyo", total=len(work), unit="game"))
    games = {player: [next(done) for _ in range(options.games)] for player in PLAYERS}
    print(report.tables(games))
    if options.output:
        options.output.write_text(drawing.svg(games))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m examples.puyo", description=__doc__)
    parser.add_argument("--games", type=_positive, default=200, help="of each player (%(default)s)")
    parser.add_argument("--pieces", type=_positive, default=80, help="in a game (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the pieces (%(default)s)")
    parser.add_argument("--jobs", type=_positive, default=1, help="processes (%(default)s)")
    parser.add_argument("-o", "--output", type=Path, help="an SVG to draw")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


if __name__ == "__main__":
    main()
