"""Stage ``train_preferences``: fit what strong players prefer beyond the values, and export it.

data/preferences.json has the agreement with them by kind of decision.
"""

from __future__ import annotations

from features.action_rows import ACTIONS
from houjuu.player.preference.features import FEATURES
from houjuu.player.preference.preferences import MODEL
from models.metrics import preference_metrics
from models.player.preferences import PreferenceFit
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.player_export import export
from pipeline.tables import read_rows, stored_shards


def main() -> None:
    """Fit, evaluate on held-out rows, export, and record the run."""
    params = settings.load()
    with (
        open_engine(params.run) as engine,
        stored_shards("train_preferences", engine) as open_table,
    ):
        shards = open_table(paths.ACTION_ROWS, ACTIONS)
        network = PreferenceFit(**params.train_preferences).fit(shards)
    held_out = read_rows(paths.ACTION_ROWS, ACTIONS, held_out=True)
    metrics = preference_metrics.evaluate(network.to_runtime(), held_out)
    header = {
        "model": MODEL,
        "terms": list(FEATURES),
        "metrics": metrics,
    }
    losses = {name: value for name, value in metrics.items() if name.startswith("log_loss")}
    export(
        "train_preferences",
        (paths.PREFERENCE_MODEL, paths.PREFERENCE_METRICS),
        network,
        header=header,
        arrays={f"preferences/{name}": array for name, array in network.weights_.items()},
        metrics=metrics,
        recorded={"preferences": losses},
        games=("action_games", params.action_rows.games),
    )


if __name__ == "__main__":
    stage.run(main)
