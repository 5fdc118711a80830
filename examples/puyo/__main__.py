"""Play games of all players with the same pieces, and print and draw their chains."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TypeVar

from joblib import Parallel, delayed
from tqdm import tqdm

from examples.puyo import drawing, report, variations
from examples.puyo.game import Puyo
from examples.puyo.players import GAMES, KNOWN, Game, pieces, play
from examples.puyo.variations import VARIATIONS, VARIED

QUESTION_INTERVAL = 10
"""Every tenth position is given to all players; the first one differs by game."""

_Key = TypeVar("_Key")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    options = _options(arguments)
    if options.vary:
        varied = {
            (variation, player): (player, searched)
            for (variation, searched), player in product(VARIATIONS.items(), VARIED)
        }
        print(variations.tables(_played(options, varied)))
        return
    games = _played(options, {player: (player, searched) for player, searched in GAMES.items()})
    print(report.tables(games))
    if options.output:
        options.output.write_text(drawing.svg(games))


def _played(
    options: argparse.Namespace, players: Mapping[_Key, tuple[str, Puyo]]
) -> dict[_Key, list[Game]]:
    """The games of each player, which searches a game with its limits and cuts."""
    work = list(product(players.values(), range(options.games)))
    results = Parallel(n_jobs=options.jobs, return_as="generator")(
        delayed(play)(
            player,
            pieces(options.seed, number, options.pieces + KNOWN - 1),
            _questions(options, number),
            searched,
        )
        for (player, searched), number in work
    )
    progress = iter(tqdm(results, "puyo", total=len(work), unit="game"))
    return {key: [next(progress) for _ in range(options.games)] for key in players}


def _questions(options: argparse.Namespace, number: int) -> range:
    """The turns of a game at which all players choose: none if the variations are played."""
    first = options.pieces if options.vary else number % QUESTION_INTERVAL
    return range(first, options.pieces, QUESTION_INTERVAL)


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
    output = parser.add_mutually_exclusive_group()
    output.add_argument("-o", "--output", type=Path, help="output figure (SVG)")
    output.add_argument(
        "--vary", action="store_true", help="vary the limits of danger and the cuts"
    )
    options = parser.parse_args(arguments)
    if options.output and not options.output.parent.is_dir():
        parser.error(f"{options.output}: no such folder")
    return options


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least {least}")
        return int(text)

    return number


if __name__ == "__main__":
    main()
