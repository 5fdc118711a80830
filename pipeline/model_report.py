"""``houjuu report``: the calibration of models as a page, without a stage.

It measures any models on any games by the tables of
`houjuu risks`, side by side and paired by game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from features.risk_tables import KEY, RiskTable, read
from features.schema.opponents import OPPONENT_TYPES
from features.schema.predictions import GENBUTSU
from houjuu.arena.risk_files import CSV, PARQUET, write_risks
from houjuu.arena.risk_table import KIND_NAMES
from houjuu.util.errors import Error
from houjuu.util.files import atomic_path, without_nan
from models.metrics import calibrated
from models.metrics.evaluation import by_melds
from models.metrics.model_comparison import comparison
from pipeline import figures, report_parts, settings
from pipeline.pages import template

Tables = Mapping[str, pd.DataFrame]
_PARAMS = Path(__file__).parents[1] / settings.PATH
_RIICHI, _MOST_MELDS = OPPONENT_TYPES[0], 3
_OPPONENTS = 3


def write(
    paths: Sequence[str],
    models: Sequence[str],
    output: Path,
    jobs: int | None = None,
    report: Callable[[str], None] = print,
) -> list[Error]:
    """Write the report of some models.

    Parameters
    ----------
    paths : sequence of str
        Logs, folders and archives, and tables as `houjuu risks` writes them, of any program.
    models : sequence of str
        For the logs, as `houjuu.load` takes them. The first, or that of the first table, is the one
        with which the others are compared.
    output : Path
    jobs, report
        As of `houjuu.arena.risk_files.write_risks`.

    Returns
    -------
    list of Error
        A reason for each log that is left out.

    Raises
    ------
    Error
        There is no such model or table, no table has the truth, or no row is in all of them.
    """
    logs = [path for path in paths if Path(path).suffix not in (CSV, PARQUET)]
    tables = [read(Path(path)) for path in paths if path not in logs]
    problems: dict[str, Error] = {}
    made = [
        output.with_suffix(f".{number}{CSV}") for number, _ in enumerate(models if logs else ())
    ]
    for file, model in zip(made, models, strict=False):
        for problem in write_risks(logs, file, model, jobs, report=report):
            problems[str(problem)] = problem
        tables.append(read(file))
    text = page(tables)
    with atomic_path(output) as path:
        path.write_text(text, encoding="utf-8")
    for file in made:
        file.unlink()
    return [*problems.values()]


def page(tables: Sequence[RiskTable]) -> str:
    """The report of the models of some tables as one HTML text in every language."""
    params = settings.load(_PARAMS).evaluate
    tenpai, deal_in, names = _rows(tables)
    n_games = deal_in["game"].nunique()
    least_games = min(figures.LEAST_GAMES, max(2, n_games // 4))
    labelled = tenpai.assign(label=tenpai["tenpai"])
    rates = {name: float(rows["tenpai"].mean()) for name, rows in by_melds(tenpai) if len(rows)}
    by_model: dict[str, Any] = {}
    measured: dict[str, dict[str, pd.DataFrame]] = {}
    files: dict[str, str] = {}
    for name in names:
        of_tenpai, of_deal_in = (rows.assign(predicted=rows[name]) for rows in (tenpai, deal_in))
        scores, tables_of = calibrated.deal_in(of_deal_in, params.edges_deal_in)
        more, further = calibrated.tenpai(of_tenpai, params.edges, rates)
        measured[name] = tables_of | further
        drawn = report_parts.svgs(report_parts.draw(measured[name], params, least_games))
        metrics = without_nan(scores | more)
        by_model[name] = report_parts.questions(metrics, measured[name], drawn, params)
        files |= report_parts.contents(drawn, measured[name], f"{name}/")
    compared = [
        *comparison(labelled, names, names[0], "tenpai"),
        *comparison(deal_in, names, names[0]),
    ]
    side_by_side = report_parts.svgs(
        {
            "tenpai": figures.by_model(measured, "tenpai", params.edges),
            "deal_in": figures.by_model(measured, "deal_in", params.edges_deal_in),
        }
    )
    of_lines = {"models": pd.json_normalize(compared)}
    return template("models.html.j2").render(
        models=names,
        titles={name: name for name in names},
        games=n_games,
        lines=compared,
        by_model=by_model,
        side_by_side=side_by_side,
        archive=report_parts.archive(files | report_parts.contents(side_by_side, of_lines)),
    )


def _rows(tables: Sequence[RiskTable]) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """The rows of P(tenpai) and of dealing in that all tables have, and their models' columns."""
    truth = next((table for table in tables if table.has_truth), None)
    if truth is None:
        raise Error("no table has the hand and the truth: add the logs", file=tables[0].file)
    indices = [pd.MultiIndex.from_frame(table.rows[KEY]) for table in tables]
    common = pd.MultiIndex.from_frame(truth.rows[KEY])
    for index in indices:
        common = common[common.isin(index)]
    if common.empty:
        raise Error("no row is in all tables: they are of other games", file=tables[0].file)
    aligned = [
        RiskTable(table.file, table.rows.iloc[index.get_indexer(common)].reset_index(drop=True))
        for table, index in zip(tables, indices, strict=True)
    ]
    names = [_name(table, number, tables) for number, table in enumerate(tables)]
    known = aligned[[*tables].index(truth)]
    kinds = known.rows["opponent_type"]
    keys = known.rows[KEY]

    melds = kinds.map({name: number for number, name in enumerate(OPPONENT_TYPES[1:])})
    turn = (keys["seat"] + keys["turn"]) % _OPPONENTS  # as in `features.tenpai_rows`
    chosen = (keys["opponent"] - keys["seat"]) % 4 - 1 == turn
    chosen &= (melds <= _MOST_MELDS) & known.rows["is_tenpai"].notna()
    tenpai = keys.assign(n_open_melds=melds, tenpai=known.rows["is_tenpai"] == 1)
    for name, table in zip(names, aligned, strict=True):
        tenpai[name] = table.rows["tenpai"]
        _require(table, "tenpai", table.rows["tenpai"].isna() & chosen)

    place, kind = np.nonzero(known.masks("hand") & (known.rows["wins"] != "").to_numpy()[:, None])
    deal_in = (
        keys.iloc[place]
        .reset_index(drop=True)
        .assign(
            opponent_type=kinds.to_numpy()[place],
            kind=kind,
            safety_class=np.where(known.masks("genbutsu")[place, kind], GENBUTSU, ""),
            was_discarded=known.masks("discard")[place, kind],
            label=known.masks("wins")[place, kind],
        )
    )
    for name, table in zip(names, aligned, strict=True):
        deal_in[name] = table.risks[place, kind]
        for number, of_kind in enumerate(KIND_NAMES):
            bad = np.zeros(len(keys), bool)
            bad[place[(kind == number) & deal_in[name].isna()]] = True
            _require(table, of_kind, bad)
    return tenpai[chosen].astype({"n_open_melds": int}), deal_in, names


def _require(table: RiskTable, column: str, bad: Any) -> None:
    flags = np.asarray(bad, bool)
    if flags.any():
        raise table.refuse(int(np.argmax(flags)), column, "is empty: the report needs it")


def _name(table: RiskTable, number: int, tables: Sequence[RiskTable]) -> str:
    """The model of a table, or its file; numbered where it is not the first of its name."""
    names = [one.rows["model"].iloc[0] or Path(one.file).stem for one in tables]
    before = names[:number].count(names[number])
    return f"{names[number]} ({before + 1})" if before else str(names[number])
