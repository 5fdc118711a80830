"""Stage ``train_paper``: fit every part of the paper's model to the games that are not held out."""

from __future__ import annotations

import numpy as np

from features import schema
from features.paper_wait_counts import WaitCounts
from models.paper_melded import MeldedWeights
from models.paper_tenpai import TenpaiGrid
from models.paper_waits import WaitFrequencies
from pipeline import paths, settings, stage
from pipeline.files import save
from pipeline.tables import read_rows


def main() -> None:
    """Fit, and save the estimators."""
    params = settings.load()
    rows = read_rows(paths.PAPER_TENPAI_ROWS, schema.PAPER_TENPAI, held_out=False)
    print(f"{len(rows)} rows")
    grid = TenpaiGrid(**params.paper_tenpai).fit(rows)
    save(grid, paths.PAPER_TENPAI_FIT)
    thin = sum(count < grid.borrow_below for count in grid.counts_.values())
    print(
        f"{len(grid.cells_)} regressions, {thin} of them with fewer than {grid.borrow_below} rows"
    )
    with np.load(paths.PAPER_WAIT_COUNTS) as counts:
        save(WaitFrequencies(**params.paper_waits).fit(WaitCounts(**counts)), paths.PAPER_WAITS_FIT)
    hands = read_rows(paths.PAPER_MELDED_ROWS, schema.PAPER_MELDED, held_out=False)
    melded = MeldedWeights(**params.paper_melded).fit(hands)
    save(melded, paths.PAPER_MELDED_FIT)
    print(
        f"weights: other forms of wait {melded.other_forms_:.3f} ± {melded.other_forms_error_:.3f},"
        f" no yaku {melded.no_yaku_:.3f} ± {melded.no_yaku_error_:.3f};"
        f" uncovered kinds {melded.floor_:.6f}"
    )


if __name__ == "__main__":
    stage.run(main)
