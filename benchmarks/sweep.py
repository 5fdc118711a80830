"""Variants of a player against the same opponents on the same deals: points behind a riichi.

Every variant ("relative:safe=2.5", "estimator:model=models/houjuu.npz") plays seat 0 of its own
match in FOLDER. The tables report its rounds in which another seat was first in riichi, as the
articles of 小林聡 do, and compare them with those of the first variant, paired by deal and by
round.

`--sweep` names the variants of 小林聡, 牌の危険度計算アルゴリズム(3): the limits A to G over the
ranges of the article, the article's choice first, and "versions", the player before its
improvements beside the improvements (1) to (3).

    python -m benchmarks.sweep FOLDER --sweep E --deals 1000 --seed 2
    python -m benchmarks.sweep FOLDER --sweep versions --deals 1000 --seed 2
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from benchmarks import output
from houjuu.arena import match_report
from houjuu.arena.match_report import ByPlayer
from houjuu.arena.matches import Match, play_matches, read_match
from houjuu.arena.statistics import SeatGame, by_player
from houjuu.arena.text_table import TextTable
from houjuu.player.players import with_model

_NO_UPPER_LIMITS = "very_good=inf,good=inf,poor=inf,poor_tenpai=inf,formal_tenpai=inf"


def _variants(numbers: str, *values: float) -> dict[str, str]:
    """The player "relative" with these numbers, where X stands for a value, by that value."""
    return {f"{value:g}": f"relative:{numbers.replace('X', f'{value:g}')}" for value in values}


_VERSIONS = ("before", "improved-1", "improved-2", "relative")

SWEEPS: Mapping[str, Mapping[str, str]] = {
    "A": _variants(f"safe=X,no_safe=inf,{_NO_UPPER_LIMITS}", 3, 2, 2.5, 3.5, 4),
    "B": _variants(f"no_safe=X,{_NO_UPPER_LIMITS}", 3, 3.5),
    "C": _variants(
        "very_good=X,good=inf,poor=inf,poor_tenpai=X,formal_tenpai=X", 12, 11, 11.5, 12.5, 13
    ),
    "D": _variants("good=X,poor=X", 8, 7, 7.5, 8.5, 9),
    "E": _variants("poor=X", 8, 3, 4, 5, 6, 7),
    "F": _variants("poor_tenpai=X,formal_tenpai=X", 12, 8, 9, 10, 11),
    "G": _variants("formal_tenpai=X", 12, 4.5, 6, 7.5, 9, 10.5),
    "versions": dict(zip(_VERSIONS, _VERSIONS, strict=True)),
}
"""The variants of each sweep by the head of their column.

The article has no steps for E to G, only the ranges 3–8, 8–12 and 4.5–12. In F a tenpai without
value counts as one of low value; G is that limit alone.
"""


def main() -> None:
    options = output.parser(__doc__)
    add_arguments(options, seed=1)
    options.add_argument("variants", nargs="*", help="players with named parameters")
    options.add_argument("--sweep", choices=SWEEPS, help="variants of the article")
    options.add_argument("--others", default="relative", help="player of the other three seats")
    options.add_argument("--markdown", action="store_true", help="print the tables of the docs")
    arguments = options.parse_args()
    of_sweep = SWEEPS.get(arguments.sweep, {})
    variants = [*of_sweep.values(), *arguments.variants]
    if not variants:
        options.error("there is no variant: name players, or a sweep with --sweep")
    records = play(variants, arguments, others=arguments.others)
    if arguments.markdown:
        heads = {name: head for head, name in of_sweep.items()}
        by_head = {heads.get(name, name): games for name, games in records.items()}
        shown = [match_report.beside_first(by_head), match_report.results(by_head)]
        print("\n\n".join(table.markdown() for table in shown))
    else:
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
    matches = [
        (Match((name, *(others,) * 3), arguments.seed), arguments.folder / folder_name(name))
        for name in names
    ]
    play_matches(matches, arguments.deals, jobs=arguments.jobs)
    records = {}
    for match, match_folder in matches:
        records[match.line_up[0]] = first_players(match_folder, match.seed, arguments.deals)
    return records


def first_players(folder: Path, seed: int, deals: int) -> list[SeatGame]:
    """The records of the first player of the line-up in the games of a match."""
    _, games = read_match(folder, seed, deals, 1)
    by_name = by_player(games).values()
    return [game for of_player in by_name for game in of_player if not game.position]


def folder_name(player: str) -> str:
    """The name of the folder of a player: that of the player without slashes."""
    return quote(player, safe=":=,")


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
