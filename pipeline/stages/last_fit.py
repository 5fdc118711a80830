"""Stage ``last_fit``: the default model, fitted to the held-out games too: the one that ships.

The stages ``train`` and ``train_network`` keep games from the model that the reports evaluate.
After the evaluation this stage fits the same parts with the same parameters to all rows of the run.
The prior of the waits is that of the paper's model, which the held-out games have not seen.
"""

from __future__ import annotations

from pathlib import Path

from features.schema.tenpai import TENPAI
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.util import parameters
from models.houjuu import export
from models.houjuu.discard_network import DiscardNetworkFit
from pipeline import additive_parts, paths, settings, stage
from pipeline.engine import open_engine
from pipeline.provenance import commit_of, fitted_on
from pipeline.tables import all_files, stored_shards


def main() -> None:
    """Fit and export both models, with the network and without."""
    params = settings.load()
    Path(paths.LAST_MODEL).parent.mkdir(parents=True, exist_ok=True)
    paper = parameters.read(paths.PAPER_MODEL)
    about = {"fitted_on": fitted_on(held_out_too=True), "commit": commit_of("last_fit")}
    with (
        open_engine(params.run) as engine,
        stored_shards("last_fit", engine, all_files) as open_table,
    ):
        parts = additive_parts.fitted(params.train, open_table, KuritaHoki(paper))
        additive = export.log_linear_parameters(paper, parts, about)
        parameters.write(paths.LAST_ADDITIVE_MODEL, additive)
        additive = parameters.read(paths.LAST_ADDITIVE_MODEL)
        gam = TenpaiModel.from_parameters(additive).gam
        shards = open_table(paths.TENPAI_ROWS, TENPAI)
        network = DiscardNetworkFit(**params.train_network).fit(shards, gam)
    parameters.write(paths.LAST_MODEL, export.network_parameters(additive, network, about))


if __name__ == "__main__":
    stage.run(main)
