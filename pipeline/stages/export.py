"""Stage ``export``: the parameter files of the paper's model, checked on held-out rows.

One has the fitted weights of melded hands, the other the printed ones.
"""

from __future__ import annotations

import joblib

from features import schema
from features.schema.paper import PAPER_TENPAI
from houjuu.reading.table1 import Table1Features
from houjuu.util import parameters
from houjuu.util.parameters import Parameters
from models.metrics import calibration
from models.paper import export
from pipeline import paths, stage
from pipeline.provenance import commit_of, fit_name, fitted_on, seen_games
from pipeline.tables import read_rows

FITS = (paths.PAPER_TENPAI_FIT, paths.PAPER_WAITS_FIT, paths.PAPER_MELDED_FIT)


def main() -> None:
    """Export; fail if the runtime and scikit-learn predict differently."""
    grid, waits, melded = map(joblib.load, FITS)
    rows = read_rows(paths.PAPER_TENPAI_ROWS, PAPER_TENPAI, held_out=True)
    worst = export.check_paper_tenpai(grid, rows)
    print(f"runtime and scikit-learn agree to {worst:.1e} on {len(rows)} held-out rows")
    features = Table1Features.from_columns(schema.arrays(rows))
    predicted = grid.to_runtime().predict(features).tenpai
    metrics = calibration.metrics(predicted, rows["tenpai"].to_numpy(), grid.rates_["all"])
    about = {
        "fitted_on": fitted_on(),
        "metrics": {"tenpai": metrics},
        "name": fit_name(),
        "commit": commit_of("export"),
    }
    paper = export.paper_parameters(grid, waits, melded, about)
    paper = Parameters(paper.header, {**paper.arrays, **seen_games()})
    for target, content in (
        (paths.PAPER_MODEL, paper),
        (paths.PRINTED_MODEL, export.printed_parameters(paper)),
    ):
        parameters.write(target, content)


if __name__ == "__main__":
    stage.run(main)
