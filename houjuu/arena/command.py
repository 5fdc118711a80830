"""What ``houjuu arena`` does: play a match, print its tables, and write them where asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from houjuu.arena import tables
from houjuu.arena.matches import Match, of_folder, played
from houjuu.arena.statistics import by_player
from houjuu.arena.tables import Players, Table

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  body {{ font: 16px/1.5 system-ui, sans-serif; color: #1c2833; margin: 2rem; }}
  table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; margin-bottom: 2rem; }}
  caption {{ text-align: left; font-weight: bold; padding: .5rem 0; }}
  th, td {{ padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #d9dee4; }}
  th:first-child, td:first-child {{ text-align: left; }}
</style>
<h1>{title}</h1>
{tables}
</html>
"""


def run(
    match: Match,
    folder: Path,
    games: tuple[int, int],
    *,
    jobs: int | None = None,
    beside: Path | None = None,
    written: Sequence[Path] = (),
) -> str:
    """Play a match and give its tables as text.

    Parameters
    ----------
    match, folder, jobs
        As `houjuu.arena.matches.played` takes them.
    games : tuple of int
        How many deals, and how often each is played.
    beside : Path, optional
        A match on the same deals that was played before: its tables stand beside these, and the
        first players of both line-ups are compared deal by deal.
    written : sequence of Path
        Files to write the tables to, as CSV or HTML by their ending.
    """
    told = by_player(played(match, folder, *games, jobs=jobs))
    shown: Players = told
    pair: list[Table] = []
    if beside is not None:
        other, others = of_folder(beside, match.seed, *games)
        theirs = by_player(others)
        shown = {f"{folder.name}: {name}": of for name, of in told.items()}
        shown |= {f"{beside.name}: {name}": of for name, of in theirs.items()}
        first, second = match.line_up[0], other.line_up[0]
        title = f"{folder.name}: {first} less {beside.name}: {second}"
        pair = [tables.against(told[first], theirs[second], title)]
    made = [tables.results(shown), tables.yaku(shown), tables.behind(shown), *pair]
    for path in written:
        path.write_text(_page(folder.name, made) if path.suffix == ".html" else _csv(made))
    return "\n\n".join(table.text() for table in made)


def _page(title: str, made: Sequence[Table]) -> str:
    return _PAGE.format(title=title, tables="\n".join(table.html() for table in made))


def _csv(made: Sequence[Table]) -> str:
    return "\n".join(table.csv() for table in made)
