"""Two runs side by side: what each said, how good it was, and by how much they differ.

Of the folders in which runs leave what was measured, `data/houjuu` say, and the same of another
clone or an earlier commit. What dealt in is compared row by row where both were asked about the
same games. The stage of that name does it for the two models of one run.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Hashable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from features import schema
from houjuu.errors import Error
from models.differences import paired
from pipeline import figures, settings, stage
from pipeline.ask import DANGERS
from pipeline.evaluate import METRICS, TABLES
from pipeline.files import replacing
from pipeline.pages import missed, template

PAGE = "data/differences.html"


class Run(NamedTuple):
    """What a run measured.

    Attributes
    ----------
    name : str
        Of its folder.
    metrics : dict
    by_bin, by_tile : DataFrame
        Calibration of dealing in.
    dangers : DataFrame
        Everything that it was asked.
    """

    name: str
    metrics: dict[str, Any]
    by_bin: pd.DataFrame
    by_tile: pd.DataFrame
    dangers: pd.DataFrame


def main() -> None:
    """Write the page."""
    options = argparse.ArgumentParser(prog="python -m pipeline.differences", description=__doc__)
    options.add_argument("first", type=Path, help="folder of a run, such as data/kurita-hoki-2017")
    options.add_argument("second", type=Path, help="folder of another")
    options.add_argument("--output", "-o", type=Path, default=PAGE, help="(%(default)s)")
    arguments = options.parse_args()
    with replacing(arguments.output) as path:
        path.write_text(page(read(arguments.first), read(arguments.second)))
    print(f"{arguments.output}: open it in a browser")


def read(folder: Path) -> Run:
    """What stands in the folder of a run.

    Raises
    ------
    Error
        It is none, or not all of it is there.
    """
    names = METRICS, f"{TABLES}/deal_in_by_bin.csv", f"{TABLES}/deal_in_by_tile.csv", DANGERS
    metrics, by_bin, by_tile, dangers = paths = [folder / name for name in names]
    for path in paths:
        if not path.exists():
            raise Error("is missing: a folder is wanted that a run has measured", file=str(path))
    tables = pd.read_csv(by_bin), pd.read_csv(by_tile), pd.read_parquet(dangers)
    return Run(str(folder), json.loads(metrics.read_text()), *tables)


def page(first: Run, second: Run) -> str:
    """The comparison as one HTML text."""
    edges = settings.load().evaluate.edges_deal_in
    drawn = figures.beside(first.by_bin, second.by_bin, edges)
    return template("differences.html.j2").render(
        first=first,
        second=second,
        paired=paired(first.dangers, second.dangers).to_dict("records"),
        by_tile=tiles(first.by_tile, second.by_tile),
        melds_name=figures.melds_name,
        svg=figures.svg(drawn),
    )


def tiles(first: pd.DataFrame, second: pd.DataFrame) -> list[dict[Hashable, Any]]:
    """Calibration by classes of opponent and tile of two runs; what is out of its interval."""
    keys, suffixes = ["read_as", "tile"], ("_first", "_second")
    both = missed(first).merge(missed(second), on=keys, suffixes=suffixes)
    order = both["read_as"].map(schema.READ_AS.index), both["tile"].map(schema.TILES.index)
    both = both.iloc[np.lexsort(order[::-1])]
    return both[both["games_second"] >= figures.LEAST_GAMES].to_dict("records")


if __name__ == "__main__":
    stage.run(main)
