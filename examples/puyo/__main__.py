"""Lets the players place the same pieces, and prints and draws what chains they make."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

from joblib import Parallel, delayed
from tqdm import tqdm

from examples.puyo import drawing, report
from examples.puyo.players import KNOWN, PLAYERS, pieces, play

ASKED = 10
"""All players are asked before every tenth piece, in each game from another on."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    options = _options(arguments)
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


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m examples.puyo", description=__doc__)
    parser.add_argument("--games", type=_least(2), default=200, help="of each player (%(default)s)")
    parser.add_argument("--pieces", type=_least(1), default=80, help="in a game (%(default)s)")
    parser.add_argument("--seed", type=_least(0), default=1, help="of the pieces (%(default)s)")
    parser.add_argument("--jobs", type=_least(1), default=1, help="processes (%(default)s)")
    parser.add_argument("-o", "--output", type=Path, help="an SVG to draw")
    options = parser.parse_args(arguments)
    if options.output and not options.output.parent.is_dir():
        parser.error(f"{options.output}: there is no such folder")
    return options


def _least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} on")
        return int(text)

    return number


if __name__ == "__main__":
    main()
