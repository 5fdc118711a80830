"""Stage ``report``: the evaluation of a model as one HTML file, and as a run of MLflow."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import mlflow
import pandas as pd
from matplotlib.figure import Figure

from features.schema.opponents import OPPONENT_TYPES
from features.schema.predictions import SCORES
from houjuu.estimators.loading import DEFAULT_MODEL
from houjuu.game.events import Game
from houjuu.logs import mjai_writer
from houjuu.util import parameters
from houjuu.util.files import atomic_path
from models import pyfunc
from models.metrics.evaluation import PAPER_EDGES
from pipeline import figures, mlflow_run, paths, report_parts, settings, stage
from pipeline.game_shards import accepted_games, game_tasks, select_games
from pipeline.pages import flag_outside, lines, template
from pipeline.paths import MODELS, result_path
from pipeline.provenance import LOGS_OF_PEOPLE

DETAILS = (
    ("tenpai", "by_bin", "n_open_melds predicted"),
    ("tenpai", "by_turn", "n_open_melds discards"),
    ("tenpai", "by_tiles_left", "n_open_melds tiles_left"),
    ("deal_in", "by_bin", "opponent_type predicted"),
    ("deal_in", "by_turn", "opponent_type turn"),
    ("deal_in", "by_tiles_left", "opponent_type tiles_left"),
    ("deal_in", "by_tile", "opponent_type tile"),
)
"""Measure, grouping and heads of the tables at the end: names of messages of the report."""

Tables = dict[str, pd.DataFrame]
Figures = dict[str, Figure]


def main(model: str) -> None:
    """Write the report, and record the run."""
    params = settings.load().evaluate
    folder = result_path(model, paths.TABLES)
    tables = {path.stem: pd.read_csv(path) for path in sorted(folder.glob("*.csv"))}
    drawn = report_parts.svgs(draw(tables, params))
    metrics_file = result_path(model, paths.METRICS)
    metrics = json.loads(metrics_file.read_text())
    header = dict(parameters.read(MODELS[model]).header)
    report = result_path(model, paths.REPORT)
    choice = json.loads(Path(paths.CHOICE).read_text()) if model == DEFAULT_MODEL else None
    with atomic_path(report) as path:
        path.write_text(
            page(header, metrics, tables, drawn, params, choice=choice, hands=whole_hands(header)),
            encoding="utf-8",
        )
    exported = MODELS[model]
    files: list[str | Path] = [exported, report, metrics_file, *sorted(folder.glob("*_edges.csv"))]
    with mlflow_run.of_model(model, metrics, files, **of_fit(header, tables)):
        for name, svg in drawn.items():
            mlflow.log_text(svg, f"{name}.svg")
        register_model(exported, model)
    print(
        f"{learnt(metrics)}; open {report} in a browser, `make ui` shows this run and earlier ones"
    )


def whole_hands(header: Mapping[str, Any]) -> dict[str, Any] | None:
    """The header of the whole hands of a model; None if those of its games are not fitted."""
    file = Path(paths.HAND_MODEL)
    if not file.exists():
        return None
    found = dict(parameters.read(file).header)
    return found if found["fitted_on"]["hash"] == header["fitted_on"]["hash"] else None


def learnt(metrics: dict[str, Any]) -> str:
    """What was learnt, in one sentence: the slope of dealing in, and log losses."""
    scores, slope = metrics["deal_in"]["all"], metrics["deal_in_line"]["slope"]
    return (
        f"dealing in on {scores['rows']:,} held-out rows: slope {slope or math.nan:.3f} (1 is "
        f"calibrated), log loss {scores['log_loss']:.4f}, that of the constant "
        f"{scores['log_loss_base']:.4f}"
    )


def of_fit(header: dict[str, Any], tables: Tables) -> dict[str, Any]:
    """What else the report shows: slopes at the edges, and the scores of the fits."""
    metrics: dict[str, Any] = {
        "edges": {
            question: edges.set_index(edges["group"] + " " + edges["part"])["slope"].to_dict()
            for question in ("tenpai", "deal_in")
            for edges in [tables[f"{question}_edges"].astype({"group": str})]
        }
    }
    fitted = {name: scores for name, scores in header["metrics"].items() if name != "tenpai"}
    if header["model"] == DEFAULT_MODEL:
        network = json.loads(Path(paths.NETWORK_METRICS).read_text())
        fitted["train_network"] = network | {"tenpai": {}}  # the evaluation has them
    return metrics | fitted


def draw(tables: Tables, params: settings.EvaluateSettings) -> Figures:
    drawn = {
        **report_parts.draw(tables, params),
        "tenpai_by_turn": figures.by_turn(tables["tenpai_by_turn"]),
        "tenpai_by_tiles_left": figures.by_tiles_left(tables["tenpai_by_tiles_left"]),
        "deal_in_by_turn": figures.deal_in_by_turn(tables["deal_in_by_turn"]),
        "deal_in_by_tiles_left": figures.deal_in_by_tiles_left(tables["deal_in_by_tiles_left"]),
        "deal_in_by_tile": figures.deal_in_by_tile(tables["deal_in_by_tile"]),
        **{
            f"deal_in_to_{name.replace(' ', '_')}": figures.deal_in_by_tile_and_bin(
                tables["deal_in_by_tile_and_bin"], name, params.edges_deal_in
            )
            for name in figures.TYPES
        },
        "table_2": figures.table_2(tables["table_2"]),
        "table_3": figures.table_3(tables["table_3"]),
    }
    without_dora = tables["table_3_without_dora"]
    if without_dora["share"].notna().all():  # the paper's models alone predict these han
        drawn["table_3_without_dora"] = figures.table_3(without_dora)
    return drawn


def page(
    header: dict[str, Any],
    metrics: dict[str, Any],
    tables: Tables,
    drawn: Mapping[str, str],
    params: settings.EvaluateSettings,
    *,
    choice: dict[str, Any] | None = None,
    hands: dict[str, Any] | None = None,
) -> str:
    """The report as one HTML text in every language; `drawn` has the SVG of each figure by name.

    `choice` is the comparison of ``choose``, for the default model alone, and `hands` the result of
    `whole_hands`.
    """
    n_held_out = int(accepted_games()["validate"].sum())
    return template("report.html.j2").render(
        header=header,
        metrics=metrics,
        own_games=header["fitted_on"]["source"] != LOGS_OF_PEOPLE,
        questions=report_parts.questions(metrics, tables, drawn, params),
        unseen={
            part: scores
            for part, scores in header["metrics"].items()
            if part not in ("tenpai", "waits")
        },
        unseen_types=OPPONENT_TYPES,
        points=tables["points"].to_dict("records"),
        score_lines=list(score_lines(tables["scores"])),
        archive=report_parts.archive(report_parts.contents(drawn, tables)),
        rooms=[
            line
            for name in ("tenpai", "deal_in")
            for line in report_parts.edge_lines(tables[f"{name}_by_room"])
        ],
        held_out=n_held_out,
        predicted_games=min(settings.load().predict.games, n_held_out),
        rejected=len(pd.read_csv(paths.REJECTS)),
        least_games=figures.LEAST_GAMES,
        svg=drawn,
        table_2=lines(tables["table_2"], "bin", PAPER_EDGES),
        table_2_of_all=lines(tables["table_2_of_all"], "bin", PAPER_EDGES),
        tables_3={
            name: tables[name].to_dict("records")
            for name in ("table_3", "table_3_without_dora")
            if name in drawn
        },
        details=list(_details(tables, params)),
        types=figures.TYPES,
        score_heads=SCORES,
        peers=beside_peers(header),
        choice=choice,
        hands=hands,
    )


def score_lines(table: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield a line for each winner and safety class, with a cell for each of `SCORES`."""
    flagged = flag_outside(table)
    for (winner, safety_class), rows in flagged.groupby(["winner", "safety_class"], sort=False):
        cells = rows.to_dict("records")
        line = {"winner": winner, "safety_class": safety_class, "rows": cells[0]["rows"]}
        yield line | {"cells": cells}


def beside_peers(header: dict[str, Any]) -> dict[str, Any] | None:
    """The shipped model of that name beside other programs, a line for each row of the table.

    The model of this run may be another one: ``same`` compares the games of the fits.
    """
    measured = json.loads(paths.PEERS.read_text()).get(header["model"])
    if measured is None:
        return None
    lines = pd.DataFrame(measured["lines"])
    return {
        "fitted_on": measured["fitted_on"],
        "same": measured["fitted_on"] == header["fitted_on"],
        "names": list(dict.fromkeys(lines["peer"])),
        "lines": [
            of_row.iloc[0].to_dict() | {"by": of_row.set_index("peer").to_dict("index")}
            for _, of_row in lines.groupby("row", sort=False)
        ],
    }


def _details(tables: Tables, params: settings.EvaluateSettings) -> Iterator[dict[str, Any]]:
    """Yield the folded tables at the end."""
    for measure, grouping, heads in DETAILS:
        table = tables[f"{measure}_{grouping}"]
        by, key = table.columns[:2]
        edges = params.edges if measure == "tenpai" else params.edges_deal_in
        shown = {"measure": measure, "grouping": grouping, "heads": heads}
        yield shown | {"by": by, "lines": lines(table, key, edges)}


def register_model(path: str | Path, name: str) -> None:
    """Add an exported estimator to the open run, as the next version of ``models:/NAME``."""
    (task,) = game_tasks(select_games(accepted_games(), held_out=1))
    (game,) = task.games()
    pyfunc.log(path, name, model_input(game))


def model_input(game: Game) -> pd.DataFrame:
    """The first draw after the first riichi, or the first draw, as input of `models.pyfunc`."""
    messages = list(mjai_writer.messages(game))
    types = [message["type"] for message in messages]
    draws = [index for index, name in enumerate(types) if name == "tsumo"]
    riichi = types.index("reach") if "reach" in types else 0
    last = next((draw for draw in draws if draw > riichi), draws[0])
    lines = [json.dumps(message, ensure_ascii=False) for message in messages[: last + 1]]
    return pd.DataFrame({"events": ["\n".join(lines)], "seat": [messages[last]["actor"]]})


if __name__ == "__main__":
    stage.run(partial(main, paths.chosen_model()))
