"""Stage ``last_fit``: the default model, fitted to the held-out games too: the one that ships.

The stages ``train_…`` keep games from the model that the reports evaluate.
After the evaluation this stage fits the same parts with the same parameters to all rows of the run.
The prior of the waits is that of the paper's model, which the held-out games have not seen.
"""

from __future__ import annotations

from typing import Any

from features.schema.tenpai import TENPAI, TENPAI_FEATURES
from features.unseen_rows import UNSEEN
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.util import parameters
from houjuu.util.parameters import Parameters
from models.export import Trainer, part_parameters
from models.houjuu import export, tenpai_gam
from models.houjuu.discard_network import DiscardNetworkFit
from models.houjuu.unseen_tiles import UnseenTileLogit
from pipeline import paths, settings, stage, wait_fits
from pipeline.engine import open_engine
from pipeline.provenance import commit_of, fit_name, fitted_on, n_fitted, seen_games
from pipeline.resume import UNFINISHED
from pipeline.tables import OpenTable, all_files, stored_shards


def main() -> None:
    """Fit and export both models, with the network and without."""
    params = settings.load()
    paper = parameters.read(paths.PAPER_MODEL)
    about = {
        "fitted_on": fitted_on(held_out_too=True),
        "name": fit_name(),
        "commit": commit_of("last_fit"),
    }
    with (
        open_engine(params.run) as engine,
        stored_shards("last_fit", engine, all_files) as open_table,
    ):
        parts = _additive_parts(params.train, open_table, KuritaHoki(paper))
        base = Parameters(paper.header, {**paper.arrays, **seen_games(held_out_too=True)})
        additive = export.log_linear_parameters(base, parts, about)
        parameters.write(paths.LAST_ADDITIVE_MODEL, additive)
        additive = parameters.read(paths.LAST_ADDITIVE_MODEL)
        gam = TenpaiModel.from_parameters(additive).gam
        shards = open_table(paths.TENPAI_ROWS, TENPAI)
        network = DiscardNetworkFit(**params.train_network).fit(shards, gam, UNFINISHED)
    part = export.network_part(gam, network)
    parameters.write(paths.LAST_MODEL, export.network_parameters(additive, part, about))


def _additive_parts(
    of_fits: dict[str, Any], open_table: OpenTable, paper: KuritaHoki
) -> list[Parameters]:
    """The parts that the stages before ``train`` fit, to more rows."""
    tenpai, unseen = (of_fits[name] for name in (paths.TENPAI_FIT, paths.UNSEEN_FIT))
    rows = open_table(paths.TENPAI_ROWS, TENPAI_FEATURES)
    parts: dict[str, Trainer] = {
        paths.TENPAI_FIT: tenpai_gam.from_nothing(tenpai, rows, n_fitted(None)),
        **{name: wait_fits.fitted(name, of_fits, open_table) for name in paths.CLOSED_FITS},
        **{name: wait_fits.fitted(name, of_fits, open_table, paper) for name in paths.MELDED_FITS},
        paths.UNSEEN_FIT: UnseenTileLogit(**unseen).fit(open_table(paths.UNSEEN_ROWS, UNSEEN)),
    }
    return [part_parameters(name, parts[name]) for name in paths.FITS]


if __name__ == "__main__":
    stage.run(main)
