"""Stage ``train_hands``: fit whole hidden hands to views of games and the answers about them.

data/hands.json has their log likelihood on held-out games, beside that of simpler models.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path

from features.hidden_hand_rows import HandSample, samples
from houjuu.estimators.hand_model import MODEL, PART
from houjuu.estimators.loading import load
from houjuu.estimators.per_opponent import PerOpponentModel
from houjuu.game.events import Game
from models.export import arrays
from models.houjuu.hidden_hands import HiddenHandLogit
from models.metrics import hidden_hand_metrics
from pipeline import paths, settings, stage
from pipeline.engine import open_engine
from pipeline.game_shards import accepted_games, map_games, select_games
from pipeline.player_export import export


def main() -> None:
    """Fit, evaluate on held-out games, and export."""
    params = settings.load()
    limits = params.hand_samples
    read = partial(_samples, str(Path(paths.HOUJUU_MODEL).resolve()))
    games = accepted_games()
    with open_engine(params.run) as engine:
        fitted, held_out = (
            [*chain.from_iterable(map_games(read, select_games(games, *split), engine, name))]
            for name, split in (("fitted", (limits.games,)), ("held out", (0, limits.held_out)))
        )
        logit = HiddenHandLogit(**params.train_hands).fit(fitted, engine.map)
    metrics = hidden_hand_metrics.measured(logit.to_runtime(), held_out)
    export(
        "train_hands",
        (paths.HAND_MODEL, paths.HAND_METRICS),
        logit,
        header={"model": MODEL, "metrics": metrics},
        arrays=arrays({PART: logit}),
        metrics=metrics,
        recorded={"all": {"log_loss": -metrics["all"]["log_likelihood"]}},
        games=("hand_games", limits.games),
    )


def _samples(model: str, games: list[Game]) -> list[HandSample]:
    estimator = load(model)
    assert isinstance(estimator, PerOpponentModel)
    return samples(games, estimator)


if __name__ == "__main__":
    stage.run(main)
