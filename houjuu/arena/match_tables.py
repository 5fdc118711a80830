"""``houjuu arena``: play a match, return its tables as text, and write them to files."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from houjuu.arena import match_report
from houjuu.arena.match_report import ByPlayer
from houjuu.arena.matches import Match, play_match, read_match
from houjuu.arena.statistics import by_player
from houjuu.arena.text_table import TextTable
from houjuu.util.errors import Error
from houjuu.util.files import atomic_path
from houjuu.util.languages import DEFAULT, translate

_PAGE = """<!doctype html>
<html lang="{tag}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
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
    language: str = DEFAULT,
) -> str:
    """Play a match and return its tables as text.

    Parameters
    ----------
    match, folder, jobs
        As in `houjuu.arena.matches.play_match`.
    games : tuple of int
        Number of deals, and of rotations of each.
    beside : Path, optional
        The folder of an earlier match on the same deals. Its columns are added to the tables, and
        the first players of both line-ups are compared deal by deal.
    written : sequence of Path
        Files for the tables, HTML or CSV by their suffix.
    language : str
        One of `houjuu.util.languages.LANGUAGES`.

    Raises
    ------
    Error
        A file for the tables has another suffix or no folder; nothing is played then.
    """
    _check(written)
    ours = by_player(play_match(match, folder, *games, jobs=jobs))
    columns: ByPlayer = ours
    comparison: list[TextTable] = []
    if beside is not None:
        other, other_games = read_match(beside, match.seed, *games)
        theirs = by_player(other_games)
        columns = {f"{folder.name}: {name}": records for name, records in ours.items()}
        columns |= {f"{beside.name}: {name}": records for name, records in theirs.items()}
        first, second = match.line_up[0], other.line_up[0]
        title = translate(language)(
            "match.less",
            first=f"{folder.name}: {first}",
            second=f"{beside.name}: {second}",
        )
        comparison = [match_report.against(ours[first], theirs[second], title, language)]
    tables = [
        match_report.results(columns, language),
        match_report.yaku(columns, language),
        match_report.behind(columns, language),
        *comparison,
    ]
    for path in written:
        is_page = path.suffix == ".html"
        text = _page(folder.name, tables, language) if is_page else _csv(tables)
        with atomic_path(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return "\n\n".join(table.text() for table in tables)


def _check(files: Sequence[Path]) -> None:
    for path in files:
        if path.suffix not in (".csv", ".html"):
            raise Error("cannot be written; the tables are .csv or .html files", file=str(path))
        if path.is_dir() or not path.parent.is_dir():
            raise Error("cannot be written: it is a folder, or in no folder", file=str(path))


def _page(title: str, tables: Sequence[TextTable], language: str) -> str:
    rendered = "\n".join(table.html() for table in tables)
    return _PAGE.format(tag=translate(language).tag, title=escape(title), tables=rendered)


def _csv(tables: Sequence[TextTable]) -> str:
    return "\n".join(table.csv() for table in tables)
