"""Two runs side by side: their predictions, their scores, and the differences.

A run is a folder of results such as `data/houjuu`, or that of another clone or an earlier commit.
Deal-ins are compared row by row where both runs predicted the same games. The stage of this name
compares the two models of one run.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from features.schema.opponents import OPPONENT_TYPES
from features.schema.predictions import PREDICTIONS, SAFETY_CLASSES
from houjuu.util.errors import Error
from houjuu.util.files import atomic_path
from models.metrics.model_comparison import paired
from pipeline import figures, paths, settings, stage
from pipeline.pages import flag_outside, template
from pipeline.tables import read_rows


class MeasuredRun(NamedTuple):
    """The results of a run.

    Attributes
    ----------
    folder : Path
    metrics : dict
    by_bin, by_tile : DataFrame
        Calibration of deal-ins.
    predictions : DataFrame
        `features.schema.predictions.PREDICTIONS`.
    """

    folder: Path
    metrics: dict[str, Any]
    by_bin: pd.DataFrame
    by_tile: pd.DataFrame
    predictions: pd.DataFrame


def main() -> None:
    """Write the page."""
    options = argparse.ArgumentParser(
        prog="python -m pipeline.stages.compare_models", description=__doc__
    )
    options.add_argument("first", type=Path, help="folder of a run, such as data/kurita-hoki-2017")
    options.add_argument("second", type=Path, help="folder of another run")
    options.add_argument(
        "--output", "-o", type=Path, default=paths.COMPARISON_PAGE, help="(%(default)s)"
    )
    arguments = options.parse_args()
    with atomic_path(arguments.output) as path:
        path.write_text(page(load(arguments.first), load(arguments.second)), encoding="utf-8")
    print(f"{arguments.output}: open it in a browser")


def load(folder: Path) -> MeasuredRun:
    """The results in the folder of a run.

    Raises
    ------
    Error
        A file is missing.
    """
    tables = folder / paths.TABLES
    metrics, by_bin, by_tile, predictions = files = (
        folder / paths.METRICS,
        tables / "deal_in_by_bin.csv",
        tables / "deal_in_by_tile.csv",
        folder / paths.PREDICTIONS,
    )
    for path in files:
        if not path.exists():
            raise Error("is missing: name the folder of an evaluated run", file=str(path))
    rows = read_rows(str(predictions), PREDICTIONS, held_out=True)
    scores = json.loads(metrics.read_text())
    return MeasuredRun(folder, scores, pd.read_csv(by_bin), pd.read_csv(by_tile), rows)


def page(first: MeasuredRun, second: MeasuredRun) -> str:
    """The comparison as one HTML text in every language; the figure is labelled in English."""
    edges = settings.load().evaluate.edges_deal_in
    drawn = figures.side_by_side(first.by_bin, second.by_bin, edges)
    return template("compare_models.html.j2").render(
        first=first,
        second=second,
        paired=paired(first.predictions, second.predictions).to_dict("records"),
        by_tile=by_tile(first.by_tile, second.by_tile),
        svg=figures.svg(drawn),
        baseline=list(beside_trees(second.folder)),
    )


def beside_trees(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the scores of a run and of trees on the same rows, by task and opponents.

    Nothing where the run was not evaluated on the rows of the tasks, or has no trees beside it.
    """
    fit = folder / Path(paths.FIT_METRICS).name
    network = folder / Path(paths.NETWORK_METRICS).name
    trees = folder.parent / Path(paths.BASELINE_METRICS).name
    if not all(path.exists() for path in (fit, network, trees)):
        return
    fits, tenpai, baseline = (json.loads(path.read_text()) for path in (fit, network, trees))
    for task, ours in (("tenpai", tenpai["tenpai"]), ("waits", fits["waits"])):
        for name, scores in ours.items():
            if name in baseline[task]:
                yield {"task": task, "name": name, "ours": scores, "baseline": baseline[task][name]}


def by_tile(first: pd.DataFrame, second: pd.DataFrame) -> list[dict[Hashable, Any]]:
    """Calibration by type of opponent and safety class of two runs, with flags `outside`."""
    keys, suffixes = ["opponent_type", "safety_class"], ("_first", "_second")
    both = flag_outside(first).merge(flag_outside(second), on=keys, suffixes=suffixes)
    order = (
        both["opponent_type"].map(OPPONENT_TYPES.index),
        both["safety_class"].map(SAFETY_CLASSES.index),
    )
    both = both.iloc[np.lexsort(order[::-1])]
    return both[both["games_second"] >= figures.LEAST_GAMES].to_dict("records")


if __name__ == "__main__":
    stage.run(main)
