"""Variants of a player against the same opponents on the same deals: points behind a riichi.

Every variant ("relative:safe=2.5", "estimator:model=models/houjuu.npz") plays seat 0 of its own
match in FOLDER. The tables report its rounds in which another seat was first in riichi, as the
articles of 小林聡 do, and compare them with those of the first variant, paired by deal and by
round.

    python -m benchmarks.sweep FOLDER relative relative:poor=3 --deals 1000 --seed 2
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from benchmarks import output
from houjuu.arena import match_report
from houjuu.arena.match_report import ByPlayer, TextTable
from houjuu.player.players import with_model


def main() -> None:
    options = output.parser(__doc__)
    add_arguments(options, seed=1)
    options.add_argument("variants", nargs="+", help="players with named parameters")
    options.add_argument("--others", default="relative", help="player of the other three seats")
    arguments = options.parse_args()
    records = play(arguments.variants, arguments, others=arguments.others)
    print("\n\n".join(table.text() for table in tables(records)))


def add_arguments(options: ArgumentParser, *, deals: int = 1000, seed: int = 2) -> None:
    """Add the arguments that `play` reads, with these numbers by default."""
    options.add_argument("folder", type=Path, help="folder of the matches")
    options.add_argument("--deals", type=int, default=deals)
    options.add_argument("--seed", type=int, default=seed)
    options.add_argument("--jobs", type=int)
    options.add_argument("--model", help="of the players that query one and name none")


def play(variants: Sequence[str], arguments: Namespace, *, others: str) -> ByPlayer:
    """Play the matches of the variants that are not in the folder yet; returns their games.

    Parameters
    ----------
    variants : sequence of str
        The players in seat 0.
    arguments : Namespace
        Those of `add_arguments`: the matches are in folders of `folder` with the names of the
        variants, to which `model` is added; the numbers are as in `houjuu.arena.matches`.
    others : str
        The player of the other three seats.
    """
    *names, others = with_model([*variants, others], arguments.model)
    return match_report.play_variants(
        names,
        others,
        arguments.folder,
        arguments.seed,
        deals=arguments.deals,
        jobs=arguments.jobs,
    )


def tables(records: ByPlayer) -> list[TextTable]:
    """The results of the variants, and each but the first beside the first."""
    first, *rest = records
    compared = [
        compare(records[name], records[first], f"{name} less {first}")
        for name in rest
        for compare in (match_report.against, match_report.paired_by_round)
    ]
    return [match_report.results(records), match_report.behind(records), *compared]


if __name__ == "__main__":
    main()
