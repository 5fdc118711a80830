"""Stage ``adapt``: the default model of few real games, which starts from another model.

The factors of P(tenpai) are fitted first (`houjuu.estimators.log_linear.rooms`). Each part of
the prior is then pulled away from its weights by these games as far as kept games allow
(`models.fitting.pull`). Without a prior the model is the one that was fitted from nothing. In
data/houjuu/prior.json are the strengths and what each of them gains.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from tqdm import tqdm

from features.schema.tenpai import TENPAI, TENPAI_FEATURES
from features.unseen_rows import UNSEEN
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.log_linear.rooms import (
    UNCHANGED,
    Gain,
    TenpaiRows,
    fitted,
    in_room,
    with_line,
)
from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.estimators.log_linear.unseen_tiles import UnseenTileModel
from houjuu.estimators.log_linear.wait_models import WaitModels
from houjuu.util import parameters
from houjuu.util.parameters import Parameters
from models import export
from models.fitting import pull
from models.fitting.pull import PulledPart
from models.houjuu import tenpai_compact, tenpai_gam, unseen_tiles
from models.houjuu.export import HOUJUU
from models.houjuu.tenpai_gam import TenpaiGAM
from models.houjuu.unseen_tiles import UnseenTileLogit
from models.metrics import evaluation
from pipeline import fit_metrics, paths, prior, settings, stage, wait_fits
from pipeline.engine import open_engine
from pipeline.files import save_json
from pipeline.game_shards import accepted_games
from pipeline.provenance import commit_of, fit_name, fitted_on, n_fitted, seen_games
from pipeline.tables import OpenTable, stored_shards

_SECONDS, _MEGABYTES = 0.9, 0.2  # of one core and of scratch, a hanchan


def main() -> None:
    """Fit with the prior, or copy."""
    params = settings.load()
    chosen = prior.chosen(params.prior, accepted_games())
    if chosen is None:
        print("no prior: the model is fitted from nothing")
        save_json({"prior": None}, paths.PRIOR_FITS)
        parameters.write(paths.HOUJUU_MODEL, parameters.read(paths.OWN_MODEL))
        return
    name, start = chosen
    n_games = n_fitted(None)
    minutes, scratch = n_games * _SECONDS / 60, n_games * _MEGABYTES
    cost = f"some {minutes:.0f} minutes of one core, {scratch:.0f} MB of scratch"
    print(f"{n_games:,} games: {cost}", flush=True)
    # The games are those of one room, or of several: their most frequent one
    start = in_room(start, accepted_games()["room"].mode()[0])
    with open_engine(params.run) as engine, stored_shards("adapt", engine) as open_table:
        rates = evaluation.tenpai_rates(open_table(paths.TENPAI_ROWS, TENPAI_FEATURES))
        start, gain = _with_line(start, open_table)
        parts = _pulled_parts(params.train, open_table, start)
    model = export.with_parts(start, parts, {})
    model = Parameters(model.header, {**model.arrays, **seen_games(start)})
    about = {
        "model": HOUJUU,
        "fitted_on": fitted_on(),
        "prior": {"model": start.header["model"], "fitted_on": start.header["fitted_on"]},
        "metrics": fit_metrics.measured(model, rates),
        "base_rates": parameters.read(paths.OWN_MODEL).header["base_rates"],
        "name": fit_name(),
        "commit": commit_of("adapt"),
    }
    header = {name: entry for name, entry in model.header.items() if name != "evaluated"}
    parameters.write(paths.HOUJUU_MODEL, Parameters({**header, **about}, model.arrays))
    about_parts = {n: _line(p) for n, p in parts.items()}
    save_json({"prior": name, "factors": gain._asdict(), "parts": about_parts}, paths.PRIOR_FITS)


def _pulled_parts(
    of_fits: dict[str, Any], open_table: OpenTable, start: Parameters
) -> dict[str, PulledPart]:
    """All parts of the additive model, by name."""
    tenpai, waits = TenpaiModel.from_parameters(start), WaitModels.from_parameters(start)
    unseen = UnseenTileModel.from_parameters(start)
    paper = KuritaHoki(start)

    def fit(name: str) -> PulledPart:
        if name == paths.TENPAI_FIT:
            return pull.fit(
                TenpaiGAM(**of_fits[name]),
                open_table(paths.TENPAI_ROWS, TENPAI),
                tenpai.gam,
                partial(tenpai_gam.losses, network=tenpai.network),
                network=tenpai.network,
            )
        if name == paths.UNSEEN_FIT:
            shards = open_table(paths.UNSEEN_ROWS, UNSEEN)
            return pull.fit(UnseenTileLogit(**of_fits[name]), shards, unseen, unseen_tiles.losses)
        of_name = paper if name in paths.MELDED_FITS else None
        return wait_fits.pulled(name, of_fits, open_table, getattr(waits, name), of_name)

    names = [name for name in paths.FITS if name != paths.UNSEEN_FIT or unseen]
    parts = {name: fit(name) for name in tqdm(names, desc="adapt", unit="part")}
    for name, part in parts.items():
        strength = part.settings["pull"]
        print(f"{name}: {'the prior' if strength is None else f'pulled by {strength:g}'}")
    return parts


def _with_line(start: Parameters, open_table: OpenTable) -> tuple[Parameters, Gain]:
    """The prior with factors of P(tenpai) for these games, and what they gain."""
    tenpai = TenpaiModel.from_parameters(start)
    shards = open_table(paths.TENPAI_ROWS, TENPAI).map(partial(tenpai_compact.line_rows, tenpai))
    rows = TenpaiRows(*map(np.concatenate, zip(*shards, strict=True)))
    factors, gain = fitted(rows, np.tile(UNCHANGED, (MELD_GROUPS, 1)))
    return Parameters(start.header, {**start.arrays, **with_line(start.arrays, factors)}), gain


def _line(part: PulledPart) -> dict[str, Any]:
    gains = {name: {"gain": mean, "error": error} for name, (mean, error) in part.gains.items()}
    return {"pull": part.settings["pull"], "gains": gains}


if __name__ == "__main__":
    stage.run(main)
