"""Stage ``train_paper``: fit every part of the paper's model to the games that are not held out."""

from __future__ import annotations

from features.paper_wait_counts import WaitCounts
from features.schema.paper import PAPER_MELDED, PAPER_TENPAI
from models.paper.melded import MeldedWeights
from models.paper.tenpai import TenpaiGrid
from models.paper.waits import WaitFrequencies
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.files import save
from pipeline.tables import stored_shards


def main() -> None:
    """Fit, and save the estimators."""
    params = settings.load()
    with open_engine(params.run) as engine, stored_shards("train_paper", engine) as open_table:
        rows = open_table(paths.PAPER_TENPAI_ROWS, PAPER_TENPAI)
        grid = TenpaiGrid(**params.paper_tenpai).fit(rows)
        hands = open_table(paths.PAPER_MELDED_ROWS, PAPER_MELDED)
        melded = MeldedWeights(**params.paper_melded).fit(hands)
    save(grid, paths.PAPER_TENPAI_FIT)
    thin = sum(count < grid.borrow_below for count in grid.counts_.values())
    print(
        f"{len(grid.cells_)} regressions, {thin} of them with fewer than {grid.borrow_below} rows"
    )
    counts = WaitCounts.load(paths.PAPER_WAIT_COUNTS)
    save(WaitFrequencies(**params.paper_waits).fit(counts), paths.PAPER_WAITS_FIT)
    save(melded, paths.PAPER_MELDED_FIT)
    print(
        f"weights: other forms of wait {melded.other_forms_:.3f} ± {melded.other_forms_error_:.3f},"
        f" no yaku {melded.no_yaku_:.3f} ± {melded.no_yaku_error_:.3f};"
        f" uncovered kinds {melded.floor_:.6f}"
    )


if __name__ == "__main__":
    stage.run(main)
