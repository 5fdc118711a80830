"""Stage ``train_tenpai``: fit P(tenpai) of the default model."""

from __future__ import annotations

from features.schema.tenpai import TENPAI_FEATURES
from houjuu.util import parameters
from models.export import part_parameters
from models.houjuu import export, tenpai_gam
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.provenance import n_fitted
from pipeline.tables import read_rows, stored_shards


def main() -> None:
    """Fit, check, and save the part."""
    params, name = settings.load(), paths.TENPAI_FIT
    with open_engine(params.run) as engine, stored_shards(name, engine) as open_table:
        rows = open_table(paths.TENPAI_ROWS, TENPAI_FEATURES)
        gam = tenpai_gam.from_nothing(params.train[name], rows, n_fitted(params.tenpai_rows.games))
    held_out = read_rows(paths.TENPAI_ROWS, TENPAI_FEATURES, held_out=True)
    worst = export.check_tenpai_gam(gam, held_out)
    print(f"runtime and fit agree to {worst:.1e} on {len(held_out)} held-out rows")
    parameters.write(paths.fit_path(name), part_parameters(name, gam))


if __name__ == "__main__":
    stage.run(main)
