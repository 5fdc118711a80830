"""Variants of a player against the same opponents on the same deals: points behind a riichi.

Every variant ("relative:safe=2.5", "estimator:value_scale=0.5") plays seat 0 of its own match in
FOLDER. The tables report its rounds in which another seat was first in riichi, as the articles of
小林聡 do, and compare them with those of the first variant, deal by deal.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks import output
from houjuu.arena import match_report
from houjuu.arena.matches import Match, play_matches, read_match
from houjuu.arena.statistics import by_player


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("folder", type=Path, help="folder of the matches")
    options.add_argument("variants", nargs="+", help="players with named parameters")
    options.add_argument("--others", default="relative", help="player of the other three seats")
    options.add_argument("--deals", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int)
    arguments = options.parse_args()
    others = (arguments.others,) * 3
    matches = [
        (Match((name, *others), arguments.seed), arguments.folder / name)
        for name in arguments.variants
    ]
    play_matches(matches, arguments.deals, jobs=arguments.jobs)
    players = {}
    for match, folder in matches:
        _, games = read_match(folder, match.seed, arguments.deals, 1)
        name = match.line_up[0]
        players[name] = by_player(games)[name]
    first, *rest = players
    tables = [match_report.results(players), match_report.behind(players)]
    tables += [
        match_report.against(players[name], players[first], f"{name} less {first}") for name in rest
    ]
    print("\n\n".join(table.text() for table in tables))


if __name__ == "__main__":
    main()
