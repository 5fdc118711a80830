"""Stage ``train_preferences``: fit what strong players prefer beyond the values, and export it.

data/preferences.json has the agreement with them by kind of decision.
"""

from __future__ import annotations

from features.action_rows import ACTIONS
from houjuu.player.preference.preferences import HEADER, MODEL, PreferenceModel
from models.metrics import preference_metrics
from models.player.preference_network import PreferenceNetworkFit
from models.player.preferences import PreferenceRegression
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
        terms = PreferenceRegression(**of_fits["terms"]).fit(shards)
        network = PreferenceNetworkFit(**of_fits["network"]).fit(shards, terms.weights_)
        model = PreferenceModel(terms.weights_, network.to_runtime())
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
        games=params.action_rows.games,
    )


if __name__ == "__main__":
    stage.run(main)
