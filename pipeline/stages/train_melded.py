"""Stage ``train_melded``: fit the waits or the han of open hands, whose prior is the paper's."""

from __future__ import annotations

from functools import partial

from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.util import parameters
from models.export import part_parameters
from pipeline import paths, settings, stage, wait_fits
from pipeline.engine import open_engine
from pipeline.tables import stored_shards


def main(name: str) -> None:
    """Fit, and save the part."""
    params = settings.load()
    paper = KuritaHoki(parameters.read(paths.PAPER_MODEL))
    with open_engine(params.run) as engine, stored_shards(name, engine) as open_table:
        fitted = wait_fits.fitted(name, params.train, open_table, paper)
    parameters.write(paths.fit_path(name), part_parameters(name, fitted))


if __name__ == "__main__":
    stage.run(partial(main, paths.chosen("part", paths.MELDED_FITS)))
