"""Stage ``train_waits``: fit the waits or the han of closed hands, with riichi or without."""

from __future__ import annotations

from functools import partial

from houjuu.util import parameters
from models.export import part_parameters
from pipeline import paths, settings, stage, wait_fits
from pipeline.engine import open_engine
from pipeline.tables import stored_shards


def main(name: str) -> None:
    """Fit, and save the part."""
    params = settings.load()
    with open_engine(params.run) as engine, stored_shards(name, engine) as open_table:
        fitted = wait_fits.fitted(name, params.train, open_table)
    parameters.write(paths.fit_path(name), part_parameters(name, fitted))


if __name__ == "__main__":
    stage.run(partial(main, paths.chosen("part", paths.CLOSED_FITS)))
