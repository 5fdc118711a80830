"""Stage ``report``: the measurements of a model as one HTML file, and as a run of MLflow."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import mlflow
import pandas as pd
import yaml
from matplotlib.figure import Figure

from houjuu import parameters
from models.evaluation import PAPER_EDGES
from pipeline import figures, measured, record, settings, stage
from pipeline.evaluate import METRICS, TABLES
from pipeline.files import replacing
from pipeline.pages import missed, template
from pipeline.parse import GAMES, REJECTS
from pipeline.regress import HOUJUU
from pipeline.regress import METRICS as OURS
from pipeline.yardstick import METRICS as TREES

REPORT = "report.html"
PEERS = Path("data/peers.json")
"""What ``python -m benchmarks.peers --keep`` found, by model."""

DETAILS = (
    ("Tenpai by predicted probability", "open melds", "predicted", "tenpai_by_bin"),
    ("Tenpai by turn", "open melds", "discards", "tenpai_by_turn"),
    ("Dealing in by predicted probability", "opponent", "predicted", "deal_in_by_bin"),
    ("Dealing in by turn", "opponent", "turn", "deal_in_by_turn"),
    ("Dealing in by class of tile", "opponent", "tile", "deal_in_by_tile"),
)

Tables = dict[str, pd.DataFrame]
Figures = dict[str, Figure]


def main(model: str) -> None:
    """Write the report, and record the run."""
    params = settings.load().evaluate
    folder = measured.place(model, TABLES)
    tables = {path.stem: pd.read_csv(path) for path in sorted(folder.glob("*.csv"))}
    drawn = draw(tables, params)
    metrics = json.loads(measured.place(model, METRICS).read_text())
    header = dict(parameters.read(measured.FILES[model]).header)
    report = measured.place(model, REPORT)
    with replacing(report) as path:
        path.write_text(page(header, metrics, tables, drawn, params))
    exported = measured.FILES[model]
    files = exported, report, measured.place(model, METRICS)
    with record.run(header, yaml.safe_load(settings.PATH.read_text()), metrics, files):
        for name, figure in drawn.items():
            mlflow.log_figure(figure, f"{name}.png")
        record.register(exported, model)
    print(f"{report}: open it in a browser; `make ui` shows this run beside earlier ones")


def draw(tables: Tables, params: settings.Evaluate) -> Figures:
    """Every figure of the report."""
    return {
        "tenpai_by_bin": figures.by_bin(tables["tenpai_by_bin"], params.edges),
        "tenpai_by_turn": figures.by_turn(tables["tenpai_by_turn"]),
        "deal_in_by_bin": figures.deal_in_by_bin(tables["deal_in_by_bin"], params.edges_deal_in),
        "deal_in_by_turn": figures.deal_in_by_turn(tables["deal_in_by_turn"]),
        "deal_in_by_tile": figures.deal_in_by_tile(tables["deal_in_by_tile"]),
        **{
            f"deal_in_to_{name.replace(' ', '_')}": figures.deal_in_by_tile_and_bin(
                tables["deal_in_by_tile_and_bin"], name, params.edges_deal_in
            )
            for name in figures.CLASSES
        },
        "table_2": figures.table_2(tables["table_2"]),
        "table_3": figures.table_3(tables["table_3"]),
    }


def page(
    header: dict[str, Any],
    metrics: dict[str, Any],
    tables: Tables,
    drawn: Figures,
    params: settings.Evaluate,
) -> str:
    """The report as one HTML text."""
    games = pd.read_parquet(GAMES, columns=["validate"])
    return template("report.html.j2").render(
        header=header,
        metrics=metrics,
        held_out=int(games["validate"].sum()),
        asked=min(settings.load().ask.games, int(games["validate"].sum())),
        rejected=len(pd.read_csv(REJECTS)),
        melds_name=figures.melds_name,
        least_games=figures.LEAST_GAMES,
        svg={name: figures.svg(figure) for name, figure in drawn.items()},
        table_2=_lines(tables["table_2"], "bin", PAPER_EDGES),
        table_2_of_all=_lines(tables["table_2_of_all"], "bin", PAPER_EDGES),
        table_3=tables["table_3"].to_dict("records"),
        details=list(_details(tables, params)),
        trees=list(_trees()) if measured.FILES[header["model"]] == HOUJUU else [],
        classes=figures.CLASSES,
        peers=beside_peers(header),
    )


def _trees() -> Iterator[dict[str, Any]]:
    """Yield what "houjuu" and the trees make of the same rows, a line a class of opponents."""
    ours, trees = (json.loads(Path(path).read_text()) for path in (OURS, TREES))
    for question in ("tenpai", "waits"):
        for name, scores in ours[question].items():
            if name in trees[question]:
                asked = {"question": question, "of": name}
                yield asked | {"ours": scores, "trees": trees[question][name]}


def beside_peers(header: dict[str, Any]) -> dict[str, Any] | None:
    """What the model of that name had beside other programs: a line a question, in the order asked.

    It was asked of the file that ships, which another run need not have made.
    """
    kept = json.loads(PEERS.read_text()).get(header["model"])
    if kept is None:
        return None
    lines = pd.DataFrame(kept["lines"])
    return {
        "fitted_on": kept["fitted_on"],
        "same": kept["fitted_on"] == header["fitted_on"],
        "names": list(dict.fromkeys(lines["peer"])),
        "lines": [
            of.iloc[0].to_dict() | {"by": of.set_index("peer").to_dict("index")}
            for _, of in lines.groupby("row", sort=False)
        ],
    }


def _details(tables: Tables, params: settings.Evaluate) -> Iterator[dict[str, Any]]:
    """Yield the tables that lie folded at the end."""
    for title, first, second, name in DETAILS:
        by, key = tables[name].columns[:2]
        edges = params.edges if name.startswith("tenpai") else params.edges_deal_in
        lines = _lines(tables[name], key, edges)
        yield {"title": title, "heads": (first, second), "by": by, "lines": lines}


def _lines(table: pd.DataFrame, key: str, edges: list[float]) -> list[dict[Hashable, Any]]:
    """The lines of a table: `group` is what `key` says, `out` whether the interval is missed."""
    names = [f"{100 * low:g}–{100 * high:g}%" for low, high in pairwise(edges)]
    group = [names[value] if key == "bin" else value for value in table[key]]
    return missed(table).assign(group=group).to_dict("records")


if __name__ == "__main__":
    stage.run(partial(main, measured.chosen()))
