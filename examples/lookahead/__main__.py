"""Matches of "ahead-4", "ahead-6" and "ahead-7" against three "relative", beside "estimator".

The players are "estimator" with values from a look-ahead search; each has a formula of
`examples.lookahead.reading_ahead`. All play seat 0 of the same deals. The tables are those of
`benchmarks.sweep`.

    python -m examples.lookahead FOLDER --deals 1000 --seed 2
    python -m examples.lookahead FOLDER estimator ahead-7:fold_threshold=0.25 --deals 1000
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

from benchmarks import sweep
from examples.lookahead.player import Lookahead
from examples.lookahead.reading_ahead import FORMULAS
from houjuu.estimators import Estimator
from houjuu.player import ESTIMATOR_PLAYERS, HandValuePlayer, Player


def _player(formula: str, estimator: Estimator, **weights: float) -> Player:
    return HandValuePlayer(Lookahead(estimator, formula=formula, **weights))


NAMES = {f"ahead-{formula[-1]}": formula for formula in FORMULAS}
"""The formula of each player."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m examples.lookahead", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    sweep.add_arguments(parser)
    parser.add_argument("players", nargs="*", help="players, perhaps with other numbers")
    parser.add_argument("--others", default="relative", help="player of the other three seats")
    options = parser.parse_args(arguments)
    players = {name: partial(_player, formula) for name, formula in NAMES.items()}
    ESTIMATOR_PLAYERS.update(players)
    records = sweep.play(options.players or ["estimator", *NAMES], options, others=options.others)
    print("\n\n".join(table.text() for table in sweep.tables(records)))


if __name__ == "__main__":
    main()
