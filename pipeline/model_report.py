"""``houjuu report``: the calibration of models as a page, without a stage.

It measures any models on any games by the tables of
`houjuu risks`, side by side and paired by game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from features.schema.opponents import OPPONENT_TYPES
from features.schema.predictions import GENBUTSU
from houjuu.arena.risk_files import CSV, PARQUET, write_risks
from houjuu.reading.opponent import OpponentType
from houjuu.util.errors import Error
from houjuu.util.files import atomic_path, without_nan
from models.metrics import calibrated
from models.metrics.evaluation import MOST_MELDS, by_melds
from models.metrics.model_comparison import comparison
from pipeline import figures, report_parts, settings
from pipeline.pages import template
from pipeline.risk_tables import KEY, RiskTable, read

Tables = Mapping[str, pd.DataFrame]
_PARAMS = Path(__file__).parents[1] / settings.PATH
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
    made = {
        output.with_suffix(f".{n}{PARQUET}"): model
        for n, model in enumerate(models if logs else ())
    }
    for file, model in made.items():
        problems |= {str(one): one for one in write_risks(logs, file, model, jobs, report=report)}
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
        *comparison(tenpai.assign(label=tenpai["tenpai"]), names, names[0], "tenpai"),
        *comparison(deal_in, names, names[0]),
    ]
    both = {"tenpai": params.edges, "deal_in": params.edges_deal_in}
    side_by_side = report_parts.svgs(
        {name: figures.by_model(measured, name, edges) for name, edges in both.items()}
    )
    of_lines = {"models": pd.json_normalize(compared)}
    return template("models.html.j2").render(
        models=names,
        titles=dict(zip(names, names, strict=True)),
        games=n_games,
        lines=compared,
        by_model=by_model,
        side_by_side=side_by_side,
        archive=report_parts.archive(files | report_parts.contents(side_by_side, of_lines)),
    )


def _rows(tables: Sequence[RiskTable]) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """The rows of P(tenpai) and of dealing in that all tables have, and their models' columns."""
    by_model: dict[str, RiskTable] = {}
    for table in tables:
        name = table.rows["model"].iloc[0] or Path(table.file).stem
        by_model[f"{name}, {table.file}" if name in by_model else name] = table
    frames = [table.rows.set_index(KEY) for table in tables]
    common = reduce(pd.MultiIndex.intersection, (frame.index for frame in frames))
    if common.empty:
        raise Error("no row is in all tables: they are of other games", file=tables[0].file)
    aligned = [
        RiskTable(table.file, frame.loc[common].reset_index())
        for table, frame in zip(tables, frames, strict=True)
    ]
    known = next((table for table in aligned if table.has_truth), None)
    if known is None:
        raise Error("no table has the hand and the truth: add the logs", file=tables[0].file)
    keys, types = known.rows[KEY], known.rows["opponent_type"]
    melds = types.map({name: number for number, name in enumerate(OPPONENT_TYPES[1:])})
    turn = (keys["seat"] + keys["turn"]) % _OPPONENTS  # a third, as in `features.tenpai_rows`
    chosen = (keys["opponent"] - keys["seat"]) % 4 - 1 == turn
    chosen &= (melds <= MOST_MELDS) & known.rows["is_tenpai"].notna()
    tenpai = keys.assign(n_open_melds=melds, tenpai=known.rows["is_tenpai"] == 1)[chosen]
    hands = known.masks("hand") & (known.rows["wins"] != "").to_numpy()[:, None]
    row, kind = np.nonzero(hands)
    deal_in = pd.DataFrame(
        {
            "game": keys["game"].to_numpy()[row],
            "opponent_type": types.to_numpy()[row],
            "safety_class": np.where(known.masks("genbutsu")[row, kind], GENBUTSU, ""),
            "was_discarded": known.masks("discard")[row, kind],
            "label": known.masks("wins")[row, kind],
        }
    )
    for name, table in zip(by_model, aligned, strict=True):
        table.require_predictions(hands, known.rows["opponent_type"] == OpponentType.RIICHI)
        empty = table.rows["tenpai"].isna().to_numpy()
        table.refuse(empty & empty.all(), "tenpai", "is empty: the report needs it")
        tenpai[name] = table.rows["tenpai"][chosen]
        deal_in[name] = table.risks[row, kind]
    return tenpai.astype({"n_open_melds": int}), deal_in, [*by_model]
