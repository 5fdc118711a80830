"""The four versions of 小林聡, 牌の危険度計算アルゴリズム(3), his players and ours, at one table.

Each plays seat 0 against three of his player before the improvements, on the same deals. The tables
report its rounds in which another seat was first in riichi, as the article does, and compare the
improvements with the player before, paired by deal. `benchmarks/majiang/versions.js` has his.

    python -m benchmarks.majiang.versions FOLDER --deals 1000 --jobs 1

Run again with more deals, the matches continue.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import output
from benchmarks.majiang.host import VERSIONS
from benchmarks.majiang.matches import Match, mismatches
from benchmarks.sweep import first_players
from houjuu.arena import match_report
from houjuu.arena.matches import play_matches

OPPONENT = f"majiang-{VERSIONS[0]}"
TABLES: Mapping[str, Sequence[str]] = {
    "his versions": [f"majiang-{name}" for name in VERSIONS],
    "our versions": VERSIONS,
}
"""The players in seat 0, by table."""


def main() -> None:
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.majiang.versions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("folder", type=Path, help="folder of the matches")
    options.add_argument("--deals", type=int, default=1000)
    options.add_argument("--seed", type=int, default=2)
    options.add_argument("--jobs", type=int)
    options.add_argument("--json", action="store_true", help="print docs/real-run/versions.json")
    arguments = options.parse_args()
    matches = {
        name: Match((name, *(OPPONENT,) * 3), arguments.folder / name, arguments.seed)
        for names in TABLES.values()
        for name in names
    }
    folders = [(match, arguments.folder / name) for name, match in matches.items()]
    play_matches(folders, arguments.deals, jobs=arguments.jobs)
    tables = []
    for title, names in TABLES.items():
        games = {
            name: first_players(arguments.folder / name, arguments.seed, arguments.deals)
            for name in names
        }
        for table in (match_report.beside_first(games), match_report.results(games)):
            tables.append(replace(table, head=(title, *table.head[1:])))
    output.show_tables(tables, as_json=arguments.json)
    if arguments.json:
        return
    differences = [line for _, folder in folders for line in mismatches(folder)]
    print(f"{len(differences)} mismatches between majiang and the referee", *differences, sep="\n")


if __name__ == "__main__":
    main()
