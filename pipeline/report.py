"""Stage ``report``: the measurements as one HTML file, and the run as MLflow keeps it."""

from __future__ import annotations

import json
from collections.abc import Hashable
from itertools import pairwise
from pathlib import Path
from typing import Any

import mlflow
import pandas as pd
import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from matplotlib.figure import Figure

from houjuu import parameters
from pipeline import figures, settings, stage
from pipeline.evaluate import METRICS, TABLES
from pipeline.export import ESTIMATOR
from pipeline.files import replacing
from pipeline.parse import GAMES, REJECTS

REPORT = "data/report.html"
TRACKING = "sqlite:///mlflow.db"


def main() -> None:
    """Write the report, and record the run."""
    params = settings.load()
    tables = {name: pd.read_csv(TABLES / f"tenpai_by_{name}.csv") for name in ("bin", "turn")}
    drawn = {
        "by_bin": figures.by_bin(tables["bin"], params.evaluate.edges),
        "by_turn": figures.by_turn(tables["turn"]),
    }
    metrics = json.loads(Path(METRICS).read_text())
    header = dict(parameters.read(ESTIMATOR).header)
    with replacing(REPORT) as path:
        path.write_text(page(header, metrics, tables, drawn, params.evaluate.edges))
    record(header, metrics, drawn)
    print(f"{REPORT}: open it in a browser; `make ui` shows this run beside earlier ones")


def page(
    header: dict[str, Any],
    metrics: dict[str, Any],
    tables: dict[str, pd.DataFrame],
    drawn: dict[str, Figure],
    edges: list[float],
) -> str:
    """The report as one HTML text."""
    names = [f"{low:.0%}–{high:.0%}" for low, high in pairwise(edges)]
    by_bin = tables["bin"].assign(group=[names[i] for i in tables["bin"]["bin"]])
    by_turn = tables["turn"].assign(group=tables["turn"]["turn"])
    text: str = _template().render(
        header=header,
        scores=metrics["tenpai"],
        held_out=int(pd.read_parquet(GAMES, columns=["validate"])["validate"].sum()),
        rejected=len(pd.read_csv(REJECTS)),
        melds_name=figures.melds_name,
        tables=[
            ("By predicted probability", "predicted", _rows(by_bin)),
            ("By turn", "discards", _rows(by_turn)),
        ],
        **{name: figures.svg(figure) for name, figure in drawn.items()},
    )
    return text


def _template() -> Any:
    folder = FileSystemLoader(Path(__file__).parent)
    return Environment(loader=folder, autoescape=True, undefined=StrictUndefined).get_template(
        "report.html.j2"
    )


def _rows(table: pd.DataFrame) -> list[dict[Hashable, Any]]:
    outside = (table["predicted"] < table["low"]) | (table["predicted"] > table["high"])
    return table.assign(out=outside).to_dict("records")


def record(header: dict[str, Any], metrics: dict[str, Any], drawn: dict[str, Figure]) -> None:
    """Record parameters, metrics, plots and the exported file as a run of MLflow."""
    mlflow.set_tracking_uri(TRACKING)
    mlflow.set_experiment("houjuu")
    with mlflow.start_run():
        mlflow.log_params(_flat(yaml.safe_load(settings.PATH.read_text())))
        mlflow.log_params(_flat({"fitted_on": header["fitted_on"], "commit": header["commit"]}))
        scores = _flat(metrics)
        mlflow.log_metrics({k: v for k, v in scores.items() if v is not None})
        for name, figure in drawn.items():
            mlflow.log_figure(figure, f"{name}.png")
        for artifact in (ESTIMATOR, REPORT, METRICS):
            mlflow.log_artifact(artifact)


def _flat(tree: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        name = f"{prefix}{key}"
        flat |= _flat(value, name + ".") if isinstance(value, dict) else {name: value}
    return flat


if __name__ == "__main__":
    stage.run(main)
