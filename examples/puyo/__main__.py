"""Play games of all players with the same pieces, and print their chains."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from itertools import product

from joblib import Parallel, delayed
from tqdm import tqdm

from examples.puyo import report
from examples.puyo.players import KNOWN, PLAYERS, pieces, play

QUESTION_INTERVAL = 10
"""Every tenth position is given to all players; the first one differs by game."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    options = _options(arguments)
    work = list(product(PLAYERS, range(options.games)))
    results = Parallel(n_jobs=options.jobs, return_as="generator")(
        delayed(play)(
            player,
            pieces(options.seed, number, options.pieces + KNOWN - 1),
            range(number % QUESTION_INTERVAL, options.pieces, QUESTION_INTERVAL),
        )
        for player, number in work
    )
    progress = iter(tqdm(results, "puyo", total=len(work), unit="game"))
    print(report.tables({name: [next(progress) for _ in range(options.games)] for name in PLAYERS}))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m examples.puyo", description=__doc__)
    parser.add_argument(
        "--games", type=_at_least(2), default=200, help="games per player (%(default)s)"
    )
    parser.add_argument(
        "--pieces", type=_at_least(1), default=80, help="pieces per game (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=_at_least(0), default=1, help="seed of the pieces (%(default)s)"
    )
    parser.add_argument("--jobs", type=_at_least(1), default=1, help="processes (%(default)s)")
    return parser.parse_args(arguments)


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least {least}")
        return int(text)

    return number


if __name__ == "__main__":
    main()
