"""Stage ``train_preferences``: fit what strong players prefer beyond the values, and export it.

data/preferences.json has the agreement with them by kind of decision.
"""

from __future__ import annotations

from features.action_rows import ACTIONS
from houjuu.player.preference.features import LATER_RIICHI
from houjuu.player.preference.preferences import HEADER, MODEL, PreferenceModel
from houjuu.util import parameters
from houjuu.util.parameters import Parameters
from models.metrics import preference_metrics
from models.player.preference_network import PreferenceNetworkFit
from models.player.preferences import PreferenceRegression, decisions, joined, with_shares
from pipeline import mlflow_run, paths, settings, stage
from pipeline.engine import open_engine
from pipeline.files import save_json
from pipeline.provenance import commit_of, fitted_on, n_fitted
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
        chosen = joined(shards.map(decisions))
    held_out = read_rows(paths.ACTION_ROWS, ACTIONS, held_out=True)
    fitted = PreferenceModel(terms.weights_, network.to_runtime())
    model = with_shares(fitted, chosen, LATER_RIICHI)
    metrics = preference_metrics.evaluate(model, held_out)
    header = {
        "model": MODEL,
        **HEADER,
        "fitted_on": fitted_on() | {"action_games": n_fitted(params.action_rows.games)},
        "parameters": {"terms": terms.get_params(), "network": network.get_params()},
        "metrics": metrics,
        "commit": commit_of("train_preferences"),
    }
    save_json(metrics, paths.PREFERENCE_METRICS)
    weights = {"weights": model.weights, **network.weights_}
    arrays = {f"preferences/{name}": array for name, array in weights.items()}
    parameters.write(paths.PREFERENCE_MODEL, Parameters(header, arrays))
    files = (paths.PREFERENCE_MODEL, paths.PREFERENCE_METRICS)
    of_stage = {"train_preferences": of_fits}
    losses = {name: value for name, value in metrics.items() if name.startswith("log_loss")}
    with mlflow_run.run(header, of_stage, {"preferences": losses}, files):
        pass


if __name__ == "__main__":
    stage.run(main)
