"""Stage ``train_tenpai``: fit P(tenpai) of the default model."""

from __future__ import annotations

from features.schema.tenpai import TENPAI_FEATURES
from models.houjuu.tenpai_gam import TenpaiGAM
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.files import save
from pipeline.tables import stored_shards


def main() -> None:
    """Fit, and save the estimator."""
    params, name = settings.load(), paths.TENPAI_FIT
    with open_engine(params.run) as engine, stored_shards(name, engine) as open_table:
        gam = TenpaiGAM(**params.train[name]).fit(open_table(paths.TENPAI_ROWS, TENPAI_FEATURES))
    save(gam, paths.fit_path(name))


if __name__ == "__main__":
    stage.run(main)
