"""Variants of a player against the same three, on the same deals: points behind another's riichi.

Every variant ("relative:safe=2.5", "estimator:appetite=0.5") sits in seat 0 of a match of its own,
kept in FOLDER; its rounds in which another seat was first in riichi are told as 小林聡 tells them,
and compared with those of the first variant, deal by deal.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks import output
from houjuu.arena import tables
from houjuu.arena.matches import Match, of_folder, play
from houjuu.arena.statistics import by_player


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("folder", type=Path, help="where the games are kept")
    options.add_argument("variants", nargs="+", help="players, their numbers named")
    options.add_argument("--others", default="relative", help="who sits in the other three seats")
    options.add_argument("--deals", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int)
    arguments = options.parse_args()
    others = (arguments.others,) * 3
    matches = [
        (Match((name, *others), arguments.seed), arguments.folder / name)
        for name in arguments.variants
    ]
    play(matches, arguments.deals, jobs=arguments.jobs)
    told = {}
    for match, folder in matches:
        _, games = of_folder(folder, match.seed, arguments.deals, 1)
        name = match.line_up[0]
        told[name] = by_player(games)[name]
    first, *rest = told
    made = [tables.results(told), tables.behind(told)]
    made += [tables.against(told[name], told[first], f"{name} less {first}") for name in rest]
    print("\n\n".join(table.text() for table in made))


if __name__ == "__main__":
    main()
