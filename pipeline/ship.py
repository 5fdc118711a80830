"""``make ship``: the models that were just trained on real logs become those of the package.

Their figures go to docs/real-run, with the commit and the games of the run. Of the default model
the last fit ships, which has seen the held-out games too, with the figures of the evaluated fit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from houjuu.estimators import hand_model
from houjuu.estimators.loading import DEFAULT_MODEL, EVALUATED_MODEL
from houjuu.player.hand_value import yaku_model
from houjuu.player.preference import preferences
from houjuu.player.round_end import round_ends
from houjuu.player.values import final_ranks
from houjuu.util import parameters
from houjuu.util.errors import Error
from houjuu.util.files import atomic_path
from houjuu.util.parameters import Parameters
from models.houjuu import export
from models.metrics import round_end_metrics
from models.metrics.round_end_metrics import OWN_WIN
from pipeline import figures, paths, stage
from pipeline.files import save_json
from pipeline.paths import MODELS, REAL_RUN, result_path

FITTED = Path("houjuu/fitted")
EVALUATED = "evaluated"
"""Key of the evaluated fit, which has the file of the default model."""


def _table(name: str) -> pd.DataFrame:
    """A table of the evaluation of the default model."""
    return pd.read_csv(result_path(DEFAULT_MODEL, paths.TABLES) / f"{name}.csv")


def _of_peers() -> pd.DataFrame:
    return pd.DataFrame(json.loads(paths.PEERS.read_text())[DEFAULT_MODEL]["lines"])


def _own_wins() -> Figure:
    lines = pd.DataFrame(json.loads(Path(paths.ROUND_END_METRICS).read_text())["calibration"])
    return figures.by_shanten(lines[lines["event"] == OWN_WIN], round_end_metrics.EDGES)


PICTURES: Mapping[str, Callable[[], Figure]] = {
    "tenpai-by-turn": lambda: figures.by_turn(_table("tenpai_by_turn")),
    "deal-in-by-tile": lambda: figures.deal_in_by_tile(_table("deal_in_by_tile")),
    "edges": lambda: figures.edges(_table("tenpai_edges"), _table("deal_in_edges")),
    "own-win": _own_wins,
    "silent-tenpai": lambda: figures.silent(_of_peers()),
}
"""Figures in docs/, by the names of their files."""

RESULTS = (
    *(str(result_path(model, paths.METRICS)) for model in MODELS),
    *(
        str(result_path(DEFAULT_MODEL, paths.TABLES) / f"{question}_edges.csv")
        for question in ("tenpai", "deal_in")
    ),
    paths.FIT_METRICS,
    paths.NETWORK_METRICS,
    paths.ABLATION,
    paths.YAKU_METRICS,
    paths.FINAL_RANK_METRICS,
    paths.ROUND_END_METRICS,
    paths.PREFERENCE_METRICS,
    paths.HAND_METRICS,
)
"""Files with results, which docs/real-run repeats."""


LAST_FITS = {
    paths.HOUJUU_MODEL: paths.LAST_MODEL,
    paths.ADDITIVE_MODEL: paths.LAST_ADDITIVE_MODEL,
}
"""The file of the last fit that ships in the place of an evaluated one."""


def main() -> None:
    """Copy models and results; refuse models that nobody could make again."""
    targets = {path: FITTED / f"{model}.npz" for model, path in MODELS.items()}
    targets[paths.ADDITIVE_MODEL] = FITTED / f"{export.ADDITIVE}.npz"
    targets[paths.YAKU_MODEL] = Path("houjuu") / yaku_model.SHIPPED
    targets[paths.FINAL_RANK_MODEL] = Path("houjuu") / final_ranks.SHIPPED
    targets[paths.ROUND_END_MODEL] = Path("houjuu") / round_ends.SHIPPED
    targets[paths.PREFERENCE_MODEL] = Path("houjuu") / preferences.SHIPPED
    targets[paths.HAND_MODEL] = Path("houjuu") / hand_model.SHIPPED
    models = {path: _shipped(path) for path in targets}
    targets[EVALUATED] = FITTED / f"{EVALUATED_MODEL}.npz"
    models[EVALUATED] = _evaluated()
    missing = [path for path in RESULTS if not Path(path).exists()]
    if missing:
        raise Error("is missing: run `make train` to its end first", file=missing[0])
    for source, target in targets.items():
        parameters.write(target, models[source])
    for result in RESULTS:
        with atomic_path(REAL_RUN / Path(result).relative_to("data")) as path:
            path.write_bytes(Path(result).read_bytes())
    about = {str(model.header["model"]): _origin(model) for model in models.values()}
    save_json(about, REAL_RUN / "run.json")
    for name, draw in PICTURES.items():
        with atomic_path(f"docs/{name}.svg") as path:
            path.write_text(figures.svg(draw()))


def _shipped(path: str) -> Parameters:
    """The parameters that ship for a model of the run."""
    model = _checked(path)
    if path not in LAST_FITS:
        return model
    last = _checked(LAST_FITS[path])
    evaluation = {"metrics": model.header["metrics"], "evaluated": _origin(model)}
    return Parameters({**last.header, **evaluation}, last.arrays)


def _evaluated() -> Parameters:
    """The default model of the figures, under a name of its own."""
    model = _checked(paths.HOUJUU_MODEL)
    return Parameters({**model.header, "model": EVALUATED_MODEL}, model.arrays)


def _origin(model: Parameters) -> dict[str, Any]:
    """The entries of a header about the games and the code."""
    names = ("commit", "fitted_on", "evaluated")
    return {name: model.header[name] for name in names if name in model.header}


def _checked(path: str) -> Parameters:
    """The parameters of a file that may ship, without the name of the run."""
    model = parameters.read(path)
    header = {name: value for name, value in model.header.items() if name != "name"}
    if header["fitted_on"]["source"] != "Tenhou logs":
        raise Error("was fitted on self-played games, which are unlike people's", file=path)
    if header["commit"] is None or header["commit"].endswith("+"):
        raise Error(f"was fitted by code that is not committed ({header['commit']})", file=path)
    return Parameters(header, model.arrays)


if __name__ == "__main__":
    stage.run(main)
