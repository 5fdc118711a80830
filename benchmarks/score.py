"""Score the risks of any program, beside those of a model on the same rows.

FILE is a table of risks as `houjuu risks` writes it (docs/for-researchers.md). It needs the key,
from game to opponent, and predictions; the truth comes from --ours, or from FILE itself without it.
The tasks are those of `benchmarks.tasks`. "95%" is the interval of the program's score, and
"difference" is the program minus ours, paired by row, with its interval. Negative is better than
ours, but for AUC, S, H and W.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from benchmarks import output, tasks
from houjuu.estimators import seen_games
from houjuu.estimators.loading import DEFAULT_MODEL
from houjuu.game.tiles import KINDS
from houjuu.util.arrays import Bools
from houjuu.util.errors import Error
from pipeline.risk_tables import KEY, RiskTable, read

THEIRS, OURS = "theirs", "ours"
PROGRAMS = (THEIRS, OURS)
_KEY_NAMES = dict(zip(KEY, tasks.HAND, strict=True))


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("file", type=Path, metavar="FILE", help="a table, .csv or .parquet")
    options.add_argument("--ours", type=Path, help="table of houjuu risks on the same games")
    options.add_argument("--model", default=DEFAULT_MODEL, help="that of --ours (%(default)s)")
    arguments = options.parse_args()
    try:
        results = list(lines(arguments.file, arguments.ours, arguments.model))
    except Error as problem:
        raise SystemExit(f"score: {problem}") from None
    output.show(results, as_json=arguments.json)


def lines(
    file: Path, ours: Path | None = None, model: str = DEFAULT_MODEL
) -> Iterator[dict[str, Any]]:
    """Yield a line for each task that the program of a file predicts.

    Raises
    ------
    Error
        A table is bad, has no truth, or lacks rows of the other one.
    """
    table = read(file)
    reference = table if ours is None else read(ours)
    if not reference.has_truth:
        remedy = "pass --ours with a table of houjuu risks"
        raise Error(f"does not have the hand and the truth in every row; {remedy}", file=str(file))
    by_program = {THEIRS: table}
    if ours is not None:
        table = _unseen(table, reference, model)
        reference = _of_games(reference, table)
        by_program = {THEIRS: _aligned(table, reference), OURS: reference}
    for task in score(reference, by_program):
        if THEIRS in task.scores:
            yield _line(task)


def _line(task: tasks.Task) -> dict[str, Any]:
    line = {"row": task.name, "rows": task.rows, "base": task.base, "prior": task.prior}
    line |= {THEIRS: task.scores[THEIRS], "95%": task.interval(THEIRS)}
    if OURS in task.scores:
        line |= {
            OURS: task.scores[OURS],
            "difference": task.scores[THEIRS] - task.scores[OURS],
            "its 95%": task.interval(THEIRS, less=OURS),
        }
    return line


def _of_games(reference: RiskTable, table: RiskTable) -> RiskTable:
    """The rows of the games that the table of the program has."""
    rows = reference.rows[reference.rows["game"].isin(table.rows["game"])]
    return RiskTable(reference.file, rows.reset_index(drop=True))


def _unseen(table: RiskTable, reference: RiskTable, model: str) -> RiskTable:
    """The table without the games of our fit, which `houjuu risks` leaves out of ours."""
    games = table.rows["game"].drop_duplicates()
    absent = games[~games.isin(reference.rows["game"])]
    seen = absent[seen_games.are_seen(absent, model)]
    if len(seen):
        print(seen_games.sentence(len(seen), len(games)), file=sys.stderr)
    rows = table.rows[~table.rows["game"].isin(seen)]
    return RiskTable(table.file, rows.reset_index(drop=True))


def _aligned(table: RiskTable, reference: RiskTable) -> RiskTable:
    """The table with the rows of the reference in their order; both must have the same."""
    position = pd.MultiIndex.from_frame(table.rows[KEY])
    expected = pd.MultiIndex.from_frame(reference.rows[KEY])
    table.refuse(~position.isin(expected), "game", f"{reference.file} has no such row")
    order = position.get_indexer(expected)
    reference.refuse(order < 0, "game", f"{table.file} has its game, but not this row")
    return RiskTable(table.file, table.rows.iloc[order].reset_index(drop=True))


def score(reference: RiskTable, by_program: Mapping[str, RiskTable]) -> Iterator[tasks.Task]:
    """Yield the tasks, with the truth of a table and the predictions of several on its rows.

    Raises
    ------
    Error
        A program predicts P(tenpai), the tiles of a hand or the next draw in some rows and not in
        others, or two probabilities of one draw.
    """
    rows = reference.rows
    truth = rows[KEY].rename(columns=_KEY_NAMES)
    truth["riichi"] = rows["opponent_type"] == "riichi"
    truth["melds"] = _melds(rows["opponent_type"])
    hands = reference.masks("hand")
    for table in by_program.values():
        table.require_predictions(hands, truth["riichi"])
        _require_draws(table, rows["drawn"] != "")
    of = _Compared(truth, reference, by_program)
    yield from chain(
        tasks.tenpai_tasks(_opponents(of), PROGRAMS),
        tasks.tile_tasks(_kinds(of, hands), PROGRAMS),
        tasks.discard_tasks(_discards(of), PROGRAMS),
        tasks.points_tasks(_rons(of), PROGRAMS),
        tasks.position_tasks(_winning(of), PROGRAMS),
        tasks.draw_tasks(_draws(of), PROGRAMS),
    )


def _melds(types: pd.Series[str]) -> pd.Series[int]:
    return types.str.extract(r"(\d)", expand=False).fillna("0").astype(int)


def _require_draws(table: RiskTable, drawn: pd.Series[bool]) -> None:
    draws = table.rows["next_draw"].where(drawn)
    empty = draws.isna() & drawn
    table.refuse(
        empty & bool(draws.notna().any()), "next_draw", "is empty, and other rows have one"
    )
    first = draws.groupby([table.rows[name] for name in KEY[:-1]]).transform("first")
    differs = drawn & draws.notna() & (draws != first)
    table.refuse(differs, "next_draw", "differs from another row of the decision")


class _Compared(NamedTuple):
    """The key of each row, with riichi and melds; the truth; and the predictions by program."""

    key: pd.DataFrame
    truth: RiskTable
    by_program: Mapping[str, RiskTable]

    def columns(self, task: str, column: str) -> dict[str, Any]:
        """A column of each program under the name of a task."""
        return {f"{task}_{name}": table.rows[column] for name, table in self.by_program.items()}


def _opponents(of: _Compared) -> pd.DataFrame:
    """A row per hand whose tenpai is known."""
    columns = of.columns("tenpai", "tenpai")
    rows = of.key.assign(tenpai=of.truth.rows["is_tenpai"], **columns)
    rows = rows[rows["tenpai"].notna()]
    return rows.assign(tenpai=rows["tenpai"].astype(bool))


def _kinds(of: _Compared, chosen: Bools) -> pd.DataFrame:
    """A row per chosen kind of the hands whose winning kinds are known."""
    labelled = np.asarray(of.truth.rows["wins"] != "")
    row, kind = np.nonzero(chosen & labelled[:, None])
    frame = of.key.iloc[row].reset_index(drop=True)
    frame["ronable"] = of.truth.masks("wins")[row, kind]
    frame["genbutsu"] = of.truth.masks("genbutsu")[row, kind]
    for name, table in of.by_program.items():
        frame[f"dealin_{name}"] = table.risks[row, kind]
    return frame


def _winning(of: _Compared) -> pd.DataFrame:
    """All 34 kinds of the hands that win on any."""
    wins = np.asarray(of.truth.masks("wins").any(axis=1))
    return _kinds(of, np.repeat(wins[:, None], KINDS, axis=1))


def _discards(of: _Compared) -> pd.DataFrame:
    """A row per decision: whether anybody won on the discard, and the probability of that."""
    kind = of.truth.masks("discard").argmax(axis=1)
    columns: dict[str, Any] = {
        f"dealin_{name}": 1 - table.risks[np.arange(len(kind)), kind]
        for name, table in of.by_program.items()
    }
    rows = of.key[tasks.KEY].assign(ronned=of.truth.rows["ronned"], **columns)
    groups = rows[rows["ronned"].notna()].groupby(tasks.KEY, observed=True, sort=False)
    discards = groups.agg({"ronned": "max", **dict.fromkeys(columns, "prod")}).reset_index()
    discards[list(columns)] = 1 - discards[list(columns)]
    return discards.assign(ronned=discards["ronned"].astype(bool))


def _rons(of: _Compared) -> pd.DataFrame:
    """A row per real deal-in whose points are known and that every program predicts."""
    columns = of.columns("points", "points")
    rows = of.key[tasks.HAND].assign(points=of.truth.rows["paid"], **columns)
    rows = rows[(of.truth.rows["ronned"] == 1) & rows["points"].notna()]
    predicted = [name for name in columns if rows[name].notna().any()]
    return rows.dropna(subset=predicted)


def _draws(of: _Compared) -> pd.DataFrame:
    """A row per decision after which a tile is drawn: its probability, and that by counting."""
    columns = of.columns("draw", "next_draw")
    rows = of.key[tasks.KEY].assign(counted=of.truth.rows["counted_draw"], **columns)
    return rows[of.truth.rows["drawn"] != ""].drop_duplicates(tasks.KEY)


if __name__ == "__main__":
    main()
