"""Stage ``train_preferences``: fit what strong players prefer beyond the values, and export it.

data/preferences.json has the agreement with them by kind of decision.
"""

from __future__ import annotations

from features.action_rows import ACTIONS
from houjuu import parameters
from houjuu.parameters import Parameters
from houjuu.player.action_value.preference_terms import TERMS
from houjuu.player.action_value.preferences import MODEL
from models.metrics import preference_metrics
from models.preferences import PreferenceRegression
from pipeline import mlflow_run, paths, settings, stage
from pipeline.engine import open_engine
from pipeline.files import save_json
from pipeline.provenance import commit_of, fitted_on, n_fitted
from pipeline.tables import read_rows, stored_parts


def main() -> None:
    """Fit, evaluate on held-out rows, export, and record the run."""
    params = settings.load()
    with (
        open_engine(params.run) as engine,
        stored_parts("train_preferences", engine) as open_table,
    ):
        parts = open_table(paths.ACTION_ROWS, ACTIONS)
        regression = PreferenceRegression(**params.train_preferences).fit(parts)
    held_out = read_rows(paths.ACTION_ROWS, ACTIONS, held_out=True)
    metrics = preference_metrics.evaluate(regression.to_runtime(), held_out)
    header = {
        "model": MODEL,
        "terms": list(TERMS),
        "fitted_on": fitted_on() | {"action_games": n_fitted(params.action_rows.games)},
        "parameters": regression.get_params(),
        "metrics": metrics,
        "commit": commit_of("train_preferences"),
    }
    save_json(metrics, paths.PREFERENCE_METRICS)
    arrays = {"preferences/weights": regression.weights_}
    parameters.write(paths.PREFERENCE_MODEL, Parameters(header, arrays))
    files = (paths.PREFERENCE_MODEL, paths.PREFERENCE_METRICS)
    of_stage = {"train_preferences": params.train_preferences}
    losses = {name: metrics[name] for name in ("log_loss", "log_loss_values")}
    with mlflow_run.run(header, of_stage, {"preferences": losses}, files):
        pass


if __name__ == "__main__":
    stage.run(main)
