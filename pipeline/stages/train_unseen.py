"""Stage ``train_unseen``: fit the places of the unseen tiles."""

from __future__ import annotations

from features.unseen_rows import UNSEEN
from houjuu.util import parameters
from models.export import part_parameters
from models.houjuu.unseen_tiles import UnseenTileLogit
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.tables import stored_shards


def main() -> None:
    """Fit, and save the part."""
    params, name = settings.load(), paths.UNSEEN_FIT
    with open_engine(params.run) as engine, stored_shards(name, engine) as open_table:
        unseen = UnseenTileLogit(**params.train[name]).fit(open_table(paths.UNSEEN_ROWS, UNSEEN))
    parameters.write(paths.fit_path(name), part_parameters(name, unseen))


if __name__ == "__main__":
    stage.run(main)
