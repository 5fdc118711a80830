"""Stage ``train_preferences``: fit what strong players prefer beyond the values, and export it.

data/preferences.json has the agreement with them by kind of decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from features.action_rows import ACTIONS
from houjuu.player.preference.features import LATER_RIICHI
from houjuu.player.preference.preferences import HEADER, MODEL, PreferenceModel
from models.fitting.shards import SelectedShards, Shards
from models.metrics import preference_metrics
from models.player.preference_network import PreferenceNetworkFit
from models.player.preferences import PreferenceRegression, with_shares
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.player_export import export
from pipeline.provenance import fitted_on, n_fitted
from pipeline.tables import read_rows, stored_shards


def main() -> None:
    """Fit, evaluate on held-out rows, export, and record the run."""
    params = settings.load()
    of_fits = params.train_preferences
    with (
        open_engine(params.run) as engine,
        stored_shards("train_preferences", engine) as open_table,
    ):
        shards = open_table(paths.ACTION_ROWS, ACTIONS)
        terms, network = _fitted(shards, of_fits)
        model = with_shares(_model(terms, network), _unseen(shards, of_fits), LATER_RIICHI)
    held_out = read_rows(paths.ACTION_ROWS, ACTIONS, held_out=True)
    metrics = preference_metrics.evaluate(model, held_out)
    header = {
        "model": MODEL,
        **HEADER,
        "fitted_on": fitted_on() | {"action_games": n_fitted(params.action_rows.games)},
        "parameters": {"terms": terms.get_params(), "network": network.get_params()},
        "metrics": metrics,
    }
    weights = {"weights": model.weights, **network.weights_}
    losses = {name: value for name, value in metrics.items() if name.startswith("log_loss")}
    export(
        "train_preferences",
        of_fits,
        (paths.PREFERENCE_MODEL, paths.PREFERENCE_METRICS),
        header=header,
        arrays={f"preferences/{name}": array for name, array in weights.items()},
        metrics=metrics,
        recorded={"preferences": losses},
    )


def _fitted(
    shards: Shards, of_fits: Mapping[str, Any]
) -> tuple[PreferenceRegression, PreferenceNetworkFit]:
    terms = PreferenceRegression(**of_fits["terms"]).fit(shards)
    return terms, PreferenceNetworkFit(**of_fits["network"]).fit(shards, terms.weights_)


def _model(terms: PreferenceRegression, network: PreferenceNetworkFit) -> PreferenceModel:
    return PreferenceModel(terms.weights_, network.to_runtime())


def _unseen(shards: Shards, of_fits: Mapping[str, Any]) -> list[tuple[PreferenceModel, Shards]]:
    """The rows of each half of the games, with a model that was fitted to the other half.

    None if there are too few games for halves.
    """
    halves = [SelectedShards(shards, partial(_half_of_games, half)) for half in range(2)]
    if not all(any(half.map(len)) for half in halves):
        return []
    models = [_model(*_fitted(half, of_fits)) for half in halves[::-1]]
    return [*zip(models, halves, strict=True)]


def _half_of_games(half: int, rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(rows[pd.factorize(rows["game"])[0] % 2 == half])


if __name__ == "__main__":
    stage.run(main)
